"""What people choose to get by mail, refusing it from a mail, and the spool of the office."""

from __future__ import annotations

import re

import pytest

from arrocco.desk import Office
from arrocco.desk.mail import CHOSEN, MailKind
from arrocco.office.roles import Asker, Role
from arrocco.store.sql import accounts, mail_choices
from tests.web.conftest import Client, LogIn
from tests.web.offices import email_of
from tests.web.visits import token_of


def account_of(office: Office, role: Role) -> int:
    with office.desk.database.reading() as connection:
        found = accounts.by_email(connection, email_of(role))
    assert found is not None
    return found.id


def unsubscribe_path(office: Office, role: Role) -> str:
    with office.desk.database.writing() as connection:
        token = mail_choices.token_of(connection, account_of(office, role))
    return f"/en/unsubscribe/{token}/{MailKind.ANSWER.value}"


def wanted(office: Office, role: Role) -> frozenset[MailKind]:
    asker = Asker(account=account_of(office, role), role=role)
    return office.mail.wanted(asker)


def test_a_person_chooses_what_they_get(logged_in: LogIn, office: Office) -> None:
    client = logged_in(Role.PLAYER)
    assert wanted(office, Role.PLAYER) == frozenset(CHOSEN)
    answer = client.post(
        "/en/account/mail",
        data={"kind": ["answer", "nonsense"], "form_token": token_of(client, "/en/account/mail")},
    )
    assert "Your choice is saved." in answer.text
    of_others = {MailKind.QUESTION, MailKind.REPORT_RETURNED, MailKind.DECISION}
    assert wanted(office, Role.PLAYER) == {MailKind.ANSWER} | of_others
    assert len(re.findall(r'type="checkbox"[^>]* checked', answer.text)) == 1
    assert "Questions from players" not in answer.text, "players get none"
    arbiter = logged_in(Role.ARBITER).get("/en/account/mail").text
    assert "A report comes back" in arbiter


def test_one_click_stops_a_kind_of_mail_without_a_session(client: Client, office: Office) -> None:
    """RFC 8058: one POST, no cookie, no token of a form."""
    path = unsubscribe_path(office, Role.PLAYER)
    assert email_of(Role.PLAYER) in client.get(path).text
    assert MailKind.ANSWER in wanted(office, Role.PLAYER)  # looking stops nothing
    for _ in range(2):
        answer = client.post(path, data={"List-Unsubscribe": "One-Click"})
        assert answer.status_code == 200
    assert wanted(office, Role.PLAYER) == frozenset(CHOSEN) - {MailKind.ANSWER}


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_a_guessed_link_stops_nothing(client: Client, office: Office, method: str) -> None:
    path = unsubscribe_path(office, Role.PLAYER)
    assert client.request(method, "/en/unsubscribe/guessed/answer").status_code == 404
    assert client.request(method, path.replace("/answer", "/reset")).status_code == 404
    assert wanted(office, Role.PLAYER) == frozenset(CHOSEN)


def test_without_a_mail_server_an_administrator_sees_what_would_have_gone(
    logged_in: LogIn, office: Office
) -> None:
    client = logged_in(Role.SYSTEM_ADMINISTRATOR)
    shown = client.get("/en/mail").text
    assert "No mail server is set" in shown
    number = max(int(found) for found in re.findall(r"/en/mail/(\d+)", shown))
    page = client.get(f"/en/mail/{number}").text
    assert "invites you to open an account as" in page
    link = re.search(r"/en/invitation\?token=([\w-]+)", page)
    assert link is not None
    assert client.get("/en/mail/999").status_code == 404
    admin = Asker(account=1, role=Role.SYSTEM_ADMINISTRATOR)
    assert office.audit.page(admin, limit=2)[1].action == "read_mail"
