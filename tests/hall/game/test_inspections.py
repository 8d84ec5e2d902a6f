"""5.10, 8.1, 8.2, 10.3, 12.4 — what an arbiter asks to see: asked, shown or refused, looked at."""

from __future__ import annotations

import pytest

from arrocco.hall.game import GameRole, Phase, fold, view_for
from arrocco.hall.game import commands as c
from arrocco.hall.game.acts.inspection import AskToShow, CloseInspection, InspectionAsked
from arrocco.hall.game.acts.pause import Resume
from arrocco.hall.game.acts.withdraw import Withdraw
from arrocco.hall.game.log import dump, load
from arrocco.hall.game.records import InspectionPoint
from arrocco.hall.game.view import ArbiterView, PlayerView
from arrocco.live.alarm import Level
from arrocco.live.urgency import alarms
from tests.hall.game.table import ARBITER, BLACK, WHITE, Table

ROOM, EARS = InspectionPoint.ROOM, InspectionPoint.EARS


def ask(point: InspectionPoint = ROOM, *, stop: bool = False, article: str = "") -> AskToShow:
    return AskToShow(
        by=ARBITER, reason="", side=WHITE, point=point, stop_clocks=stop, article=article
    )


def answer(table: Table, *, shows: bool, by: str = "ada") -> c.AnswerInspection:
    number = table.state.inspections[-1].number
    return c.AnswerInspection(by=by, inspection=number, shows=shows)


def close(table: Table, *, in_order: bool = True) -> CloseInspection:
    number = table.state.inspections[-1].number
    return CloseInspection(by=ARBITER, reason="", inspection=number, in_order=in_order)


def found(table: Table) -> list[tuple[str, str, Level]]:
    return [
        (alarm.key.removeprefix("hall_live.alarm."), alarm.article, alarm.level)
        for alarm in alarms(table.state, table.now, {})
        if "inspection" in alarm.key
    ]


@pytest.mark.parametrize("point", InspectionPoint)
def test_12_4_what_is_asked_is_answered_and_looked_at_with_its_times(
    point: InspectionPoint,
) -> None:
    table = Table().play("e2e4 e7e5")
    (asked,) = table.granted(ask(point))
    assert isinstance(asked, InspectionAsked)
    assert asked.article == point.article
    assert table.refusal(ask(point))[0] == "inspection_open"
    assert found(table) == [("inspection_waits", point.article, Level.LOOK)]
    table.now += 2_000
    table.granted(answer(table, shows=True))
    assert table.refusal(answer(table, shows=True))[0] == "inspection_answered"
    assert found(table) == [("inspection_shown", point.article, Level.NOW)]
    table.now += 3_000
    table.granted(close(table))
    assert not found(table)
    (kept,) = table.state.inspections
    assert (kept.answered, kept.closed) == (kept.at + 2_000, kept.at + 5_000)
    assert (kept.shows, kept.in_order) == (True, True)
    assert table.refusal(close(table))[0] == "no_such_inspection"
    assert fold(load(dump(table.log))) == table.state


def test_12_4_only_that_player_and_the_arbiter_know() -> None:
    table = Table()
    table.granted(ask())
    own, other = (
        view_for(table.state, role, table.now) for role in (GameRole.WHITE, GameRole.BLACK)
    )
    arbiter = view_for(table.state, GameRole.ARBITER, table.now)
    assert isinstance(own, PlayerView)
    assert isinstance(other, PlayerView)
    assert isinstance(arbiter, ArbiterView)
    assert [one.point for one in own.inspections] == [ROOM]
    assert other.inspections == ()
    assert arbiter.inspections == own.inspections


def test_5_10_a_refusal_imposes_nothing_and_names_the_acts_that_fit() -> None:
    table = Table()
    table.granted(ask(EARS))
    table.granted(answer(table, shows=False))
    (alarm,) = alarms(table.state, table.now, {})
    assert (alarm.key, alarm.article) == ("hall_live.alarm.inspection_refused", "5.10")
    assert alarm.acts[0] == "declare_result"
    assert table.state.phase is Phase.RUNNING
    assert table.state.outcome is None
    table.granted(answer(table, shows=True))  # a player may think better of it
    assert found(table) == [("inspection_shown", "5.10", Level.NOW)]
    table.granted(close(table, in_order=False))
    assert table.state.outcome is None


def test_11_6_where_the_arbiter_stops_the_clocks_showing_costs_no_time() -> None:
    table = Table()
    before = table.state.clock.remaining(WHITE, table.now)
    table.granted(ask(stop=True))
    assert table.state.phase is Phase.PAUSED
    table.now += 60_000
    table.granted(answer(table, shows=True))
    table.granted(close(table))
    table.granted(Resume(by=ARBITER, reason="seen"))
    assert table.state.clock.remaining(WHITE, table.now) == before
    table.granted(ask(EARS, stop=False))
    table.now += 1_000
    assert table.state.clock.remaining(WHITE, table.now) == before - 1_000


def test_12_4_what_was_asked_by_mistake_is_withdrawn() -> None:
    table = Table()
    table.granted(ask())
    number = table.state.inspections[-1].number
    table.granted(Withdraw(by=ARBITER, reason="the wrong player", corrects=number))
    assert table.state.inspections == ()
    assert not found(table)


def test_12_4_nobody_answers_for_another_nor_asks_out_of_place() -> None:
    table = Table()
    assert table.refusal(ask(article="8.1"))[0] == "other_article"
    table.granted(ask())
    for by, key in (("bea", "no_such_inspection"), ("zoe", "not_seated")):
        assert table.refusal(answer(table, shows=True, by=by))[0] == key
    unknown = c.AnswerInspection(by="ada", inspection=999, shows=True)
    assert table.refusal(unknown)[0] == "no_such_inspection"
    table.granted(c.Resign(by="bea"))
    assert not found(table)
    late = AskToShow(by=ARBITER, reason="", side=BLACK, point=ROOM, stop_clocks=False)
    assert table.refusal(late)[0] == "game_over"
