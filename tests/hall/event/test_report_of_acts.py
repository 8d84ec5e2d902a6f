"""The arbiter's report has every act once, with who, when, where, by what and why."""

from __future__ import annotations

import msgspec

from arrocco.hall.event import ReportedAct, arbiters_report, sanctions_of
from arrocco.hall.event.acts.entries import WithdrawEntry
from arrocco.hall.event.acts.officials import DismissArbiter
from arrocco.hall.event.acts.results import CorrectResult, TakeResult
from arrocco.hall.event.acts.sanctions import Impose, LiftSanction
from arrocco.hall.game import State
from arrocco.hall.game.acts.clock_time import AddTime
from arrocco.hall.game.acts.warn import Warn
from arrocco.hall.game.acts.withdraw import Withdraw
from arrocco.laws.online.side import Side
from tests.hall.event.desk import CHIEF, HELPER, Desk, result
from tests.hall.event.test_games import after, games, resigned, started


def report(desk: Desk, *states: State) -> list[ReportedAct]:
    return list(arbiters_report(desk.state, desk.log, states))


def test_an_act_in_a_game_says_who_when_where_by_what_and_why() -> None:
    desk = Desk(4).pair().open()
    game = after(
        started(games(desk)[1]),
        AddTime(by=CHIEF, reason="noise", side=Side.BLACK, time=60_000, article="6.5"),
    )
    (act,) = report(desk, game)
    assert (act.by, act.name, act.what) == (CHIEF, "Carla Capo", "time_added")
    assert (act.round, act.board, act.game) == (1, 2, game.created.game)
    assert (act.article, act.reason) == ("6.5", "noise")
    assert act.player == game.black.player.name
    assert act.details["time"] == 60_000
    assert act.at.utcoffset() is not None
    assert act.number == game.acts[0].number
    assert act.withdrawn is None


def test_what_was_withdrawn_is_told_with_its_act_and_by_whom() -> None:
    desk = Desk(2).pair().open()
    game = after(started(games(desk)[0]), Warn(by=CHIEF, reason="x", side=Side.WHITE))
    for wish in sanctions_of(desk.state, game):
        desk.granted(wish)
    game = after(game, Withdraw(by=CHIEF, reason="no", corrects=game.acts[0].number))
    for wish in sanctions_of(desk.state, game):
        desk.granted(wish)
    (act,) = report(desk, game)
    assert act.what == "warned"
    assert act.withdrawn is not None
    assert (act.withdrawn.by, act.withdrawn.reason) == (CHIEF, "no")
    assert act.withdrawn.at > act.at


def test_sanctions_and_corrections_of_the_event_are_there_and_players_wishes_are_not() -> None:
    desk = Desk(4)
    desk.impose("6.9k", 2)
    desk.granted(LiftSanction(by=CHIEF, number=1, reason="sorry"))
    desk.granted(WithdrawEntry(by="p4", entry=4, reason="ill"))
    desk.granted(WithdrawEntry(by=CHIEF, entry=3, reason="not there"))
    desk.by_hand((1, 2)).open()
    desk.take(1, (10, 0))
    desk.granted(
        CorrectResult(by=CHIEF, round=1, board=1, points=(5, 5), article="5.16", reason="y")
    )
    found = report(desk)
    assert [act.what for act in found] == [
        "sanctioned",
        "withdrawn",
        "round_paired",
        "result_corrected",
    ]
    assert (found[0].article, found[0].player) == ("6.9k", "Betulla, Ada")
    assert found[0].withdrawn is not None
    assert found[0].withdrawn.reason == "sorry"
    assert (found[3].round, found[3].board, found[3].article) == (1, 1, "5.16")


def test_6_3_who_is_an_arbiter_no_more_still_has_a_name_under_their_acts() -> None:
    desk = Desk(2)
    desk.appoint(HELPER, "Anna Aiuto")
    desk.pair().open()
    desk.granted(Impose(by=HELPER, article="6.9a", entry=1, reason="noise"))
    desk.granted(DismissArbiter(by=CHIEF, account=HELPER))
    (act,) = report(desk)
    assert (act.by, act.name, act.article) == (HELPER, "Anna Aiuto", "6.9a")


def test_acts_come_in_the_order_of_time_and_can_be_written() -> None:
    desk = Desk(4).pair().open()
    first, second = (resigned(board) for board in games(desk))
    late = after(second, Warn(by=CHIEF, reason="late", side=Side.WHITE))
    early = after(first, Warn(by=CHIEF, reason="early", side=Side.WHITE))
    late = after(late, Warn(by=CHIEF, reason="latest", side=Side.BLACK))
    found = report(desk, late, early)
    assert [act.at for act in found] == sorted(act.at for act in found)
    assert found[-1].reason == "latest"
    assert msgspec.json.decode(msgspec.json.encode(found))[0]["what"] == "warned"


def test_a_result_taken_by_hand_is_an_act_and_one_of_the_board_or_of_an_absence_is_not() -> None:
    desk = Desk(6).pair()
    desk.granted(WithdrawEntry(by="p6", entry=6))
    desk.open().take(1, (10, 0))
    desk.granted(
        TakeResult(by=CHIEF, round=1, board=2, result=result((5, 5)), reason="told by phone")
    )
    (act,) = report(desk)
    assert (act.what, act.by, act.round, act.board) == ("result_entered", CHIEF, 1, 2)
    assert act.reason == "told by phone"
