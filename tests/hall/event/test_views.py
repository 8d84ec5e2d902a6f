"""What each audience sees, and what it does not."""

from __future__ import annotations

from datetime import timedelta

import msgspec
import pytest

from arrocco.hall.event import OfficialView, PlayerView, PublicView, view_for
from arrocco.hall.event.acts.forbidden_pairs import ForbidPair
from arrocco.hall.event.acts.rounds import DrawSample
from arrocco.hall.event.acts.sanctions import Impose
from arrocco.hall.event.records import EventRole
from arrocco.hall.event.rules import Spectators, Supervision
from arrocco.laws.classes import TimeClass
from arrocco.laws.online.sanctions import Scope
from tests.hall.event.desk import CHIEF, HELPER, ORGANISER, WIN, Desk


def secretive() -> Desk:
    """An event with something to hide from everybody."""
    desk = Desk(4, supervision=Supervision.SAMPLE, sample=1)
    desk.granted(ForbidPair(by=ORGANISER, one=1, other=2, reason="secret quarrel"))
    desk.appoint(HELPER, "Anna", zone=(1, 1))
    desk.pair()
    desk.granted(DrawSample(by=CHIEF, seed="secret seed"))
    desk.play(WIN, WIN)
    desk.granted(
        Impose(by=CHIEF, article="6.9i", entry=2, reason="secret reason", scope=Scope.TOURNAMENT)
    )
    return desk


def sent(desk: Desk, account: str) -> str:
    return msgspec.json.encode(view_for(desk.state, account, desk.now)).decode()


@pytest.mark.parametrize("account", ["", "somebody"])
def test_the_public_sees_no_account_number_reason_or_sample(account: str) -> None:
    desk = secretive()
    assert type(view_for(desk.state, account, desk.now)) is PublicView
    text = sent(desk, account)
    for hidden in ("99000001", '"p1"', CHIEF, ORGANISER, HELPER, "secret", "sanction"):
        assert hidden not in text.replace("device_sanction", ""), hidden


def test_the_public_sees_players_pairings_results_and_standings() -> None:
    desk = secretive()
    view = view_for(desk.state, "", desk.now)
    assert [one.name for one in view.entries][:2] == ["Abete, Ada", "Betulla, Ada"]
    assert view.rounds[0].boards[0].result is not None
    assert [entry.excluded for entry in view.entries] == [False, True, False, False]
    assert 2 not in [standing.entry for standing in view.standings]
    assert (view.chief_arbiter, view.arbiters) == ("Carla Capo", ("Anna",))
    assert view.time_class is TimeClass.BLITZ


def test_a_player_sees_their_own_sanctions_and_nobody_elses() -> None:
    desk = secretive()
    own, other = view_for(desk.state, "p2", desk.now), view_for(desk.state, "p1", desk.now)
    assert isinstance(own, PlayerView)
    assert isinstance(other, PlayerView)
    assert [sanction.article for sanction in own.sanctions] == ["6.9i"]
    assert other.sanctions == ()
    assert "secret" not in sent(desk, "p1")
    assert "99000002" not in sent(desk, "p1")
    assert own.person.id == 99_000_002


def test_a_player_knows_the_board_the_chat_and_whether_one_is_watched() -> None:
    desk = secretive()
    (watched,) = desk.state.rounds[0].sample
    views = {n: view_for(desk.state, f"p{n}", desk.now) for n in range(1, 5)}
    for number, view in views.items():
        assert isinstance(view, PlayerView)
        assert view.watched is (number == watched)
        assert view.board == desk.state.rounds[0].board_of(number)
        assert view.may_chat
    desk.impose("6.9k", 1)
    view = view_for(desk.state, "p1", desk.now)
    assert isinstance(view, PlayerView)
    assert not view.may_chat


@pytest.mark.parametrize(
    ("account", "role"),
    [(ORGANISER, EventRole.ORGANISER), (CHIEF, EventRole.CHIEF), (HELPER, EventRole.ASSISTANT)],
)
def test_officials_see_everything(account: str, role: EventRole) -> None:
    desk = secretive()
    view = view_for(desk.state, account, desk.now)
    assert isinstance(view, OfficialView)
    assert view.you is role
    assert view.zone == ((1, 1) if account == HELPER else None)
    assert view.forbidden == (((1, 2), "secret quarrel"),)
    assert [sanction.entry for sanction in view.sanctions] == [2]
    assert view.people[0].person.id == 99_000_001
    assert view.number == len(desk.log)


def test_5_17_spectators_learn_a_result_as_late_as_they_see_the_game() -> None:
    desk = Desk(2, spectators=Spectators(delay=timedelta(minutes=3))).pair().open().take(1, WIN)
    board = view_for(desk.state, "", desk.now).rounds[0].boards[0]
    assert board.result is None
    assert {standing.points for standing in view_for(desk.state, "", desk.now).standings} == {0}
    assert view_for(desk.state, "p1", desk.now).rounds[0].boards[0].result is not None
    desk.later(minutes=3)
    assert view_for(desk.state, "", desk.now).rounds[0].boards[0].result is not None


def test_12_9_players_know_until_when_they_can_object() -> None:
    desk = Desk(2, rounds=1).pair().play(WIN).end()
    view = view_for(desk.state, "p1", desk.now)
    assert isinstance(view, PlayerView)
    assert view.complaints_until == desk.state.rounds[0].closed + timedelta(hours=2)  # type: ignore[operator]
    assert view.appeals_until is None
    assert view.closed
    assert not view.validated


def test_an_event_without_rules_or_players_can_be_seen_too() -> None:
    desk = Desk()
    bare = type(desk.state)(created=desk.state.created, number=1, last_at=desk.now)
    for account in ("", ORGANISER):
        view = view_for(bare, account, desk.now)
        assert view.rules is None
        assert (view.standings, view.entries, view.rounds) == ((), (), ())
