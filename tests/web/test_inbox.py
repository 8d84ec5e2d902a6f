"""The desk's start page: what waits for each role, since when and until when."""

from __future__ import annotations

from datetime import timedelta

import pytest

from arrocco.desk import Office
from arrocco.desk.mail import MailKind, queue_to
from arrocco.office.roles import Asker, Role
from arrocco.store.sql import claims, mails, questions
from arrocco.store.sql.mails import MailState
from tests.web.conftest import LogIn
from tests.web.public_fixtures import *  # noqa: F403 - fixtures
from tests.web.public_fixtures import Public
from tests.web.visits import all_of, posted


def items(office: Office, role: Role, **of: object) -> dict[str, tuple[int, bool]]:
    asker = Asker(account=1, role=role, **of)  # type: ignore[arg-type]
    return {one.key: (one.count, one.is_late) for one in office.inbox.of(asker)}


def test_questions_wait_for_officers_until_they_are_late(own_public: Public) -> None:
    office = own_public.office
    now = office.desk.now()
    from datetime import date

    with office.desk.database.writing() as connection:
        for due in (now + timedelta(days=1), now - timedelta(days=1)):
            questions.add(
                connection,
                account=2,
                player=99000101,
                system="fide",
                list_date=date(2025, 6, 1),
                tournament=1,
                round_=1,
                text="wrong",
                asked_at=now - timedelta(days=3),
                due_at=due,
            )
    assert items(office, Role.RATING_ADMINISTRATOR)["questions"] == (2, True)
    assert items(office, Role.FEDERATION_OFFICER, federation="ITA")["questions"] == (2, True)
    assert "questions" not in items(office, Role.FEDERATION_OFFICER, federation="SMR")
    assert "questions" not in items(office, Role.ARBITER)
    own = {one.key: one.count for one in office.inbox.of(Asker(account=2, role=Role.PLAYER))}
    assert own == {"own_questions": 2}


def test_claims_wait_for_the_officer_of_the_players_federation(own_public: Public) -> None:
    office = own_public.office
    with office.desk.database.writing() as connection:
        claims.add(connection, 2, 99000101, office.desk.now())
    for role in (Role.RATING_ADMINISTRATOR, Role.SYSTEM_ADMINISTRATOR):
        assert items(office, role)["claims"] == (1, False)
    assert items(office, Role.FEDERATION_OFFICER, federation="ITA")["claims"] == (1, False)
    assert "claims" not in items(office, Role.FEDERATION_OFFICER, federation="SMR")
    assert "claims" not in items(office, Role.ARBITER)


def test_mail_that_was_refused_waits_for_the_administrator(office: Office) -> None:
    now = office.desk.now()
    with office.desk.database.writing() as connection:
        queue_to(connection, now, MailKind.RESET, "a@example.org", "en", "/reset", minutes=5)
        mail = mails.newest(connection)[0]
        mails.end(connection, mail.id, MailState.FAILED, now, "550 no", mail.params)
    assert items(office, Role.SYSTEM_ADMINISTRATOR)["mail"] == (1, False)
    assert "mail" not in items(office, Role.RATING_ADMINISTRATOR)


@pytest.mark.parametrize("role", [Role.PLAYER, Role.ARBITER, Role.RATING_ADMINISTRATOR])
def test_each_place_of_the_desk_has_one_way(logged_in: LogIn, role: Role) -> None:
    page = logged_in(role).get("/en/desk").text
    for link in all_of(page, "//ul[@class='cards']//a/@href"):
        assert len(all_of(page, f"//main//a[@href='{link}']")) == 1
        in_head = all_of(page, f"//header//a[@href='{link}']")
        assert not in_head or link == "/en/account"


def test_a_new_office_has_its_first_steps_until_each_is_done_or_left(
    logged_in: LogIn, office: Office
) -> None:
    head = logged_in(Role.HEAD_OF_OFFICE)
    row = "//main//tr[th/a[@href='/en/first-steps']]/td[1]//text()"

    def left() -> str:
        return "".join(all_of(head.get("/en/desk").text, row)).strip()

    assert left() == "3", "the people are there already"
    asker = Asker(account=1, role=Role.SYSTEM_ADMINISTRATOR)
    office.settings.change(asker, name_it="Federazione di Finta")
    assert left() == "2", "a name is there, wherever it was written"
    for step in ("list", "tournament"):
        office.settings.step_done(asker, step)
    assert left() == ""
    arbiter = logged_in(Role.ARBITER).get("/en/desk").text
    assert "/en/first-steps" not in arbiter


def test_after_the_last_step_one_link_leads_to_ready_until_it_was_read(
    logged_in: LogIn, office: Office
) -> None:
    head = logged_in(Role.HEAD_OF_OFFICE)
    asker = Asker(account=1, role=Role.SYSTEM_ADMINISTRATOR)

    def told() -> list[str]:
        fields = {"name_it": "Federazione di Finta", "name_en": "", "accent": ""}
        posted(head, "/en/settings/identity", fields, form="/en/settings")
        page = head.get("/en/settings").text
        return [str(one) for one in all_of(page, "//p[@class='next-step']/a/text()")]

    assert told() == ["Go on with the first steps: First list"]
    for step in ("list", "tournament"):
        office.settings.step_done(asker, step)
    assert told() == ["Go on with the first steps: Ready"]
    assert "Step 5 of 5" in head.get("/en/first-steps").text
    done = posted(head, "/en/first-steps/ready/done", {}, form="/en/first-steps")
    assert done.headers["location"] == "/en"
    assert told() == []
