"""Mail is queued with the act it tells of, in its reader's language, and within bounds."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from sqlalchemy import Connection

from arrocco.desk import Office, mail
from arrocco.desk.mail import CHOSEN, MailKind, SpoolFull, queue, queue_to, words_of
from arrocco.errors import Inconsistent
from arrocco.store.sql import accounts, mail_choices, mails
from arrocco.words import LANGUAGES, Phrase, catalogue
from tests.desk.offices import Clock, People

DAY = date(2026, 3, 1)


def spool(office: Office) -> list[mails.Mail]:
    with office.desk.database.reading() as connection:
        kept = mails.newest(connection)
    return [one for one in kept if one.kind != MailKind.INVITATION]


def reset(office: Office, connection: Connection, address: str) -> None:
    queue_to(connection, office.desk.now(), MailKind.RESET, address, "en", "/reset", minutes=30)


def tell_list(office: Office, account: int) -> bool:
    with office.desk.database.writing() as connection:
        return queue(
            connection,
            office.desk.now(),
            MailKind.LIST_PUBLISHED,
            account,
            "/lists",
            system=Phrase("mail.greeting"),
            day=DAY,
        )


def test_a_mail_is_there_with_its_act_or_not_at_all(office: Office, people: People) -> None:
    assert people.player.account is not None
    assert tell_list(office, people.player.account)
    (queued,) = spool(office)
    assert (queued.kind, queued.attempts, queued.state) == ("list_published", 0, "waiting")

    def fail() -> None:
        with office.desk.database.writing() as connection:
            reset(office, connection, "a@example.org")
            raise Inconsistent.of("desk.refused.oneself")

    with pytest.raises(Inconsistent):
        fail()
    assert [one.id for one in spool(office)] == [queued.id]


def test_days_and_words_are_those_of_the_language(office: Office, people: People) -> None:
    account = people.player.account or 0
    tell_list(office, account)
    with office.desk.database.writing() as connection:
        accounts.set_language(connection, account, "it")
    tell_list(office, account)
    italian, english = spool(office)
    assert words_of(MailKind.LIST_PUBLISHED, english.language, english.params).subject == (
        "Hello,: the list of 2026-03-01 is published"
    )
    assert "01/03/2026" in words_of(MailKind.LIST_PUBLISHED, italian.language, italian.params).text


def test_what_somebody_refuses_is_not_queued(office: Office, people: People) -> None:
    account = people.player.account or 0
    with office.desk.database.writing() as connection:
        mail_choices.refuse(connection, account, [MailKind.LIST_PUBLISHED.value])
        token = mail_choices.token_of(connection, account)
        assert mail_choices.account_of(connection, token) == account
    assert not tell_list(office, account)
    assert spool(office) == []


def test_a_closed_account_gets_nothing(office: Office, people: People) -> None:
    account = people.player.account or 0
    office.accounts.disable(people.root, account)
    assert not tell_list(office, account)


@pytest.mark.parametrize(
    "address",
    [
        "a@example.org\nBcc: b@example.org",
        "a@example.org\r",
        "a b@example.org",
        "a@b",
        "@x.org",
        "a,b@example.org",
        "<a@example.org>",
        f"{'a' * 65}@example.org",
        f"a@{'b.' * 130}org",
        "",
    ],
)
def test_an_address_that_is_none_gets_nothing(small_office: Office, address: str) -> None:
    with pytest.raises(Inconsistent), small_office.desk.database.writing() as connection:
        reset(small_office, connection, address + "x")


def test_the_spool_and_what_one_address_gets_are_bounded(
    small_office: Office, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mail, "MAX_TO_ADDRESS", 2)
    monkeypatch.setattr(mail, "MAX_WAITING", 4)

    def write(address: str) -> None:
        with small_office.desk.database.writing() as connection:
            reset(small_office, connection, address)

    write("a@example.org")
    write("A@example.org")
    with pytest.raises(SpoolFull) as refused:
        write("a@example.org")
    assert refused.value.key == "mail.refused.many_to_address"
    clock.at += timedelta(hours=1)
    write("a@example.org")
    write("b@example.org")
    with pytest.raises(SpoolFull) as refused:
        write("c@example.org")
    assert refused.value.key == "mail.refused.spool_full"


def test_every_kind_has_its_words_and_a_subject_of_one_line() -> None:
    for language in LANGUAGES:
        words = catalogue(language, "mail")
        for kind in MailKind:
            for part in ("name", "subject", "text"):
                assert words[f"mail.{kind.value}.{part}"]
    assert all(kind.can_be_refused for kind in CHOSEN)
    params = mail.packed("/x", {"tournament": "Open\r\nBcc: x@example.org\x00", "reason": "-"})
    subject = words_of(MailKind.REPORT_RETURNED, "en", params).subject
    assert subject == "The report of Open Bcc: x@example.org comes back"
