"""Which board the arbiter looks at first, and why."""

from __future__ import annotations

from arrocco.hall.game import Judge, decide, recovered
from arrocco.hall.game import commands as c
from arrocco.hall.game.acts.answer_call import AnswerCall
from arrocco.hall.game.calls import with_clocks_stopped
from arrocco.hall.game.records import Channel
from arrocco.laws.online.side import Side
from arrocco.live.alarm import Alarm, Level
from arrocco.live.urgency import MANY_REFUSED, alarms, wall_order
from arrocco.words import LANGUAGES, say
from tests.hall.game.table import ADA, ARBITER, BEA, BLACK, LAW, WHITE, Table, nobody_knows


def found(table: Table, refused: dict[str, int] | None = None) -> list[tuple[str, Level]]:
    seen = alarms(table.state, table.now, refused or {})
    for alarm in seen:
        assert all(say(language, alarm.key) for language in LANGUAGES)
    return [(alarm.key.rpartition(".")[2], alarm.level) for alarm in seen]


def test_a_game_that_goes_its_way_needs_nobody() -> None:
    assert found(Table().play("e2e4 e7e5")) == []


def test_a_call_is_first_until_it_is_answered() -> None:
    table = Table().play("e2e4")
    table.granted(c.CallArbiter(by=BEA.id))
    assert found(table.later(1000)) == [("call", Level.NOW)]
    number = table.state.calls[0].number
    table.granted(AnswerCall(by=ARBITER, reason="seen", call=number, founded=True))
    assert found(table) == []


def test_who_has_not_come_is_a_look_and_soon_before_the_tolerance_ends() -> None:
    table = Table(there=(WHITE,), tolerance=100_000, control="600+0")
    assert found(table) == [("not_come", Level.LOOK)]
    assert found(table.later(71_000)) == [("not_come", Level.SOON)]


def test_a_lost_connection_is_soon_and_with_a_limit_once_it_nears() -> None:
    table = Table()
    table.disconnect(WHITE)
    assert found(table) == [("disconnected", Level.SOON)]
    limited = Table(reconnection_limit=120_000)
    limited.disconnect(BLACK)
    assert found(limited) == [("disconnected", Level.LOOK)]
    assert found(limited.later(91_000)) == [("disconnected", Level.SOON)]


def test_off_the_video_conference_is_now() -> None:
    table = Table(vcs_required=True)
    table.disconnect(BLACK, Channel.VCS)
    assert found(table) == [("off_vcs", Level.NOW)]


def test_standing_clocks_are_now_and_tell_whether_the_server_did_it() -> None:
    table = Table()
    table.pause()
    assert found(table) == [("paused", Level.NOW)]
    called = Table().play("e2e4")
    call = decide(called.state, c.CallArbiter(by=BEA.id), called.now, called.judge)
    decision = with_clocks_stopped(called.state, call)
    called.happen(decision.events)
    assert ("paused", Level.NOW) in found(called)
    crashed = Table().play("e2e4")
    crashed.happen(recovered(crashed.state, crashed.now))
    assert found(crashed) == [("recovered", Level.NOW)]


def test_a_game_that_does_not_begin_is_now() -> None:
    table = Table(started=False)
    assert found(table) == [("to_be_started", Level.NOW)]


def test_little_time_is_worth_a_look() -> None:
    table = Table(control="60+0").later(41_000)
    assert found(table) == [("little_time", Level.LOOK)]


def test_many_refused_messages_are_worth_a_look() -> None:
    assert found(Table(), {ADA.id: MANY_REFUSED - 1}) == []
    assert found(Table(), {ADA.id: MANY_REFUSED}) == [("many_refused", Level.LOOK)]


def test_a_loss_on_time_that_nobody_could_judge_is_now() -> None:
    table = Table(control="60+0", judge=Judge(nobody_knows, LAW))
    table.wake()
    assert found(table) == [("mate_unknown", Level.NOW)]


def test_the_wall_has_the_urgent_first_then_who_waits_longest_then_the_boards() -> None:
    def alarm(level: Level, since: int | None = None, until: int | None = None) -> Alarm:
        return Alarm(key="x", level=level, side=Side.WHITE, since=since, until=until)

    boards = [
        ("calm 9", 9, ()),
        ("calm 2", 2, ()),
        ("look", 3, (alarm(Level.LOOK, until=50),)),
        ("called later", 1, (alarm(Level.NOW, since=200), alarm(Level.LOOK))),
        ("called first", 8, (alarm(Level.NOW, since=100),)),
        ("ends soon", 7, (alarm(Level.SOON, until=500),)),
        ("ends sooner", 6, (alarm(Level.SOON, until=400),)),
    ]
    expected = (
        "called first",
        "called later",
        "ends sooner",
        "ends soon",
        "look",
        "calm 2",
        "calm 9",
    )
    assert wall_order(boards) == expected
    assert wall_order(reversed(boards)) == expected
