"""The officials' desk of an event: players put right, the arbiter's report, who has the bye."""

from __future__ import annotations

import asyncio
from datetime import timedelta

from litestar import Litestar

from arrocco.desk import Office
from arrocco.hall.game import Phase
from arrocco.hall.game.acts.warn import Warn
from arrocco.laws.online.side import Side
from arrocco.live.hall import Hall
from arrocco.office.roles import Asker, Role
from arrocco.store.sql import accounts, sessions
from tests.web.conftest import Client, LogIn
from tests.web.html import faults_of
from tests.web.offices import PASSWORD
from tests.web.test_hall_pages import announce, app, asked, enter_both, logged_in, plain
from tests.web.visits import posted

__all__ = ["app", "logged_in"]


def test_5_4_an_official_corrects_a_player_and_leaves_the_rest_as_it_was(
    office: Office, logged_in: LogIn
) -> None:
    arbiter = logged_in(Role.ARBITER)
    event = announce(arbiter)
    enter_both(office, arbiter, event)
    page = asked(arbiter, event, "correct_person", entry="1", surname="Abetone", federation="smr")
    assert "Abetone, Bea" in page
    assert "<td>SMR</td>" in page
    other = posted(arbiter, f"{event}/ask/correct_person", {"entry": "1", "id": "99000077"})
    assert other.status_code == 409, "it is not the number of this account"
    assert "belongs to another account" in other.text
    people = arbiter.get(f"/api/v1{event[3:].replace('/hall/', '/hall/events/')}").json()["people"]
    assert people[0]["person"]["id"] == 99000011
    taken = posted(arbiter, f"{event}/ask/correct_person", {"entry": "1", "id": "99000012"})
    assert taken.status_code == 409
    assert posted(arbiter, f"{event}/ask/correct_person", {"entry": "9"}).status_code == 422
    stranger = posted(logged_in(Role.PLAYER), f"{event}/ask/correct_person", {"entry": "1"})
    assert stranger.status_code == 409


def test_the_arbiters_report_tells_acts_once_with_who_took_them_back(
    app: Litestar, office: Office, logged_in: LogIn
) -> None:
    arbiter = logged_in(Role.ARBITER)
    event = announce(arbiter)
    enter_both(office, arbiter, event)
    assert "No actions by the arbiters so far" in arbiter.get(f"{event}/report").text
    asked(arbiter, event, "pair_round")
    asked(arbiter, event, "open_round")
    warn(app.state.live, event.rpartition("/")[2], arbiter)
    asked(arbiter, event, "impose", entry="2", article="6.9a", reason="Rumore")
    asked(arbiter, event, "lift_sanction", number="2", reason="Era il vicino")
    page = arbiter.get(f"{event}/report").text
    assert not faults_of(page)
    report = plain(page)
    assert "player entered" not in report  # no act of an arbiter
    assert report.count("Parla") == 1  # though the event has it too
    assert report.count("Rumore") == 1
    assert "Abete, Bea · White" in report
    assert "Betulla, Carlo · warning" in report
    assert "Withdrawn by" in report
    assert "Era il vicino" in report
    assert "Revocato da" in plain(arbiter.get(f"/it{event[3:]}/report").text)


def warn(hall: Hall, event: str, arbiter: Client) -> None:
    """The arbiter warns White at the board once the game runs."""
    room = hall.events[event]
    [chief] = [one for one in room.state.arbiters if one.chief]

    async def act() -> None:
        [game] = hall.rooms_of(room)
        while game.state.phase is Phase.WAITING:
            await asyncio.sleep(0.05)
        command = Warn(by=chief.account, side=Side.WHITE, reason="Parla", article="6.9a")
        answer = await game.answer(command)
        assert answer.refusal is None, answer.refusal

    arbiter.blocking_portal.call(act)


def person(app: Litestar, office: Office, logged_in: LogIn, email: str) -> Client:
    """The browser of somebody who has an account."""
    at = office.desk.now()
    with office.desk.database.writing() as connection:
        account = accounts.by_email(connection, email)
        assert account is not None
        token = sessions.start(connection, account.id, at, at + timedelta(hours=2))
    browser = logged_in(Role.PUBLIC)
    browser.cookies.set(app.state.cookies.session, token)
    return browser


def test_a_player_without_a_board_is_told_of_the_bye_and_may_write_to_the_arbiters(
    app: Litestar, office: Office, logged_in: LogIn
) -> None:
    arbiter = logged_in(Role.ARBITER)
    event = announce(arbiter)
    enter_both(office, arbiter, event)
    admin = Asker(account=1, name="Ada Rossi", role=Role.SYSTEM_ADMINISTRATOR)
    token = office.accounts.invite(admin, "p3@example.org", Role.PLAYER, "", 99000013)
    office.accounts.accept_invitation(token, "Dino Castagno", PASSWORD)
    player = person(app, office, logged_in, "p3@example.org")
    asked(player, event, "enter")
    asked(arbiter, event, "pair_by_hand", boards="1 2\n3")
    page = player.get(event).text
    assert not faults_of(page)
    assert "Round 1: you do not play" in page
    assert "Write to the arbiters" in page
    assert "event-chat" not in logged_in(Role.PUBLIC).get(event).text
    for path in (event, f"{event}/wall"):
        page = arbiter.get(path).text
        assert not faults_of(page)
        assert "Messages to the event&#39;s arbiters" in page


def test_5_2_where_the_event_closes_the_chat_no_player_is_offered_it(
    app: Litestar, office: Office, logged_in: LogIn
) -> None:
    arbiter = logged_in(Role.ARBITER)
    event = announce(arbiter, chat="closed")
    enter_both(office, arbiter, event)
    page = person(app, office, logged_in, "p1@example.org").get(event).text
    assert "Withdraw" in page, "it is the player's own page"
    assert "Write to the arbiters" not in page


def test_what_an_event_refuses_is_said_once_with_its_article_and_the_time_of_its_clocks(
    office: Office, logged_in: LogIn
) -> None:
    arbiter = logged_in(Role.ARBITER)
    event = announce(arbiter)
    enter_both(office, arbiter, event)
    asked(arbiter, event, "pair_round", starts="2099-01-15T15:30")
    early = posted(arbiter, f"{event}/ask/open_round", {})
    said = plain(early.text.partition("<main")[2].partition("<h1")[0])
    assert said.count("starts at 2099-01-15 15:30.") == 1, said
    assert said.count("starts at") == 1, said
    vague = {"entry": "1", "article": "6.9j", "reason": "Motore"}
    refused = posted(arbiter, f"{event}/ask/impose", vague)
    said = plain(refused.text.partition("<main")[2].partition("<h1")[0])
    assert said.count("extent of the exclusion") == 1, said
    assert "6.9j" in said
