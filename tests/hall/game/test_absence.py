"""Who does not come (1.3.5): White's time, the tolerance, forfeits of one and of both."""

from __future__ import annotations

from typing import Any

import pytest

from arrocco.hall.game import DeadlineKind, Phase, kind, next_deadline
from arrocco.hall.game import commands as c
from arrocco.hall.game import events as e
from arrocco.laws.online.score import Scoring
from arrocco.laws.online.side import Side
from arrocco.records.report import GameKind
from tests.hall.game.table import ARBITER, BLACK, IDS, START, WHITE, Table

TOLERANCE = 60_000


def table(*there: Side, control: str = "180", **rules: Any) -> Table:
    return Table(control, there=there, **{"tolerance": TOLERANCE, **rules})


class TestStart:
    def test_1_3_5_who_is_connected_at_the_start_is_there(self) -> None:
        started = Table(started=False)
        assert started.granted(c.Start(by=ARBITER)) == (
            e.Started(at=START),
            e.Joined(at=START, side=WHITE),
            e.Joined(at=START, side=BLACK),
        )

    def test_1_3_5_who_came_and_left_before_the_start_is_not(self) -> None:
        early = Table(started=False)
        early.disconnect(BLACK)
        early.granted(c.Start(by=ARBITER))
        assert early.state.black.joined is None

    def test_1_3_5_a_game_starts_once(self) -> None:
        assert Table().refusal(c.Start(by=ARBITER)) == ("already_started", "1.3.5")

    def test_1_3_5_no_player_starts_it(self) -> None:
        early = Table(started=False)
        assert early.refusal(c.Start(by="ada")) == ("arbiter_is_player", "")

    @pytest.mark.parametrize("there", [(), (WHITE,), (BLACK,), (WHITE, BLACK)])
    def test_1_3_5_whites_time_runs_whoever_is_there(self, there: tuple[Side, ...]) -> None:
        started = table(*there).later(10_000)
        assert started.left(WHITE) == 170_000
        assert started.left(BLACK) == 180_000

    def test_1_3_5_white_loses_the_time_until_arrival(self) -> None:
        late = table().later(30_000)
        late.connect(BLACK)
        late.later(10_000)
        assert late.connect(WHITE) == (
            e.Connected(at=START + 40_000, side=WHITE),
            e.Joined(at=START + 40_000, side=WHITE),
        )
        assert late.left(WHITE) == 140_000
        late.play("e2e4 e7e5")
        assert late.left(BLACK) == 179_000

    def test_1_3_5_white_moves_and_then_the_absent_blacks_time_runs(self) -> None:
        late = table(WHITE).play("e2e4", think=5_000).later(20_000)
        assert late.left(BLACK) == 160_000
        late.connect(BLACK)
        late.move("e7e5")
        assert late.left(BLACK) == 160_000

    def test_1_3_5_nobodys_time_runs_where_the_rules_say_so(self) -> None:
        late = table(BLACK, white_loses_time_while_absent=False).later(50_000)
        assert late.left(WHITE) == 180_000
        late.connect(WHITE)
        assert late.later(5_000).left(WHITE) == 175_000

    def test_1_3_5_a_white_who_is_there_has_a_running_clock_under_any_rules(self) -> None:
        started = table(WHITE, white_loses_time_while_absent=False).later(5_000)
        assert started.left(WHITE) == 175_000

    def test_1_3_5_a_pause_while_white_is_awaited_starts_no_clock(self) -> None:
        late = table(BLACK, white_loses_time_while_absent=False).later(10_000)
        late.pause()
        late.later(5_000).resume()
        assert late.later(5_000).left(WHITE) == 180_000
        late.connect(WHITE)
        assert late.later(1_000).left(WHITE) == 179_000


class TestTolerance:
    @pytest.mark.parametrize("absent", list(Side))
    def test_1_3_5_who_is_not_there_when_it_is_over_has_lost(self, absent: Side) -> None:
        late = table(absent.other)
        deadline = next_deadline(late.state, START)
        assert deadline == (START + TOLERANCE + 1, DeadlineKind.TOLERANCE)
        late.wake()
        half_points = (0, 2) if absent is WHITE else (2, 0)
        assert late.end == (half_points, "forfeit", "1.3.5")
        assert late.state.outcome is not None
        assert late.state.outcome.side is absent
        assert kind(late.state) is GameKind.FORFEIT

    def test_1_3_5_who_comes_at_its_very_end_is_in_time(self) -> None:
        late = table(WHITE).later(TOLERANCE)
        late.connect(BLACK)
        assert late.state.phase is Phase.RUNNING

    def test_1_3_5_who_comes_a_millisecond_later_is_not(self) -> None:
        late = table(WHITE).later(TOLERANCE + 1)
        late.connect(BLACK)
        assert late.end == ((2, 0), "forfeit", "1.3.5")

    def test_1_3_5_both_lose_when_neither_came(self) -> None:
        late = table()
        late.wake()
        assert late.end == ((0, 0), "forfeit", "1.3.5")
        assert late.state.outcome is not None
        assert late.state.outcome.scores == (0, 0)
        assert kind(late.state) is GameKind.FORFEIT

    def test_1_3_5_it_is_over_for_black_though_white_has_moved(self) -> None:
        late = table(WHITE).play("e2e4", think=5_000)
        late.wake()
        assert late.now == START + TOLERANCE + 1
        assert late.end == ((2, 0), "forfeit", "1.3.5")
        assert kind(late.state) is GameKind.FORFEIT

    def test_1_3_5_without_tolerance_who_is_not_there_at_the_start_loses(self) -> None:
        late = table(WHITE, tolerance=0)
        late.wake()
        assert late.now == START + 1
        assert late.end == ((2, 0), "forfeit", "1.3.5")

    def test_1_3_5_a_pause_does_not_use_it_up(self) -> None:
        late = table(WHITE).later(50_000)
        late.pause()
        late.later(600_000)
        assert next_deadline(late.state, late.now) is None
        late.resume()
        assert next_deadline(late.state, late.now) == (
            late.now + 10_001,
            DeadlineKind.TOLERANCE,
        )

    def test_1_3_5_it_matters_no_more_once_both_came(self) -> None:
        late = table(WHITE).later(TOLERANCE)
        late.connect(BLACK)
        late.disconnect(BLACK)
        deadline = next_deadline(late.state, late.now)
        assert deadline is not None
        assert deadline.kind is DeadlineKind.FLAG

    def test_1_3_5_a_forfeit_has_its_own_score(self) -> None:
        late = table(WHITE, scoring=Scoring(win=3, draw=2, loss=1, forfeit=0))
        late.wake()
        assert late.state.outcome is not None
        assert late.state.outcome.scores == (3, 0)


class TestFlagBeforeTheToleranceIsOver:
    """A short control and a long tolerance: the flag falls first."""

    def late(self, *there: Side) -> Table:
        return table(*there, control="30")

    def test_1_3_5_white_absent_loses_on_time_to_a_black_who_is_there(self) -> None:
        late = self.late(BLACK)
        late.wake()
        assert late.end == ((0, 2), "time", "2.1c")
        assert kind(late.state) is GameKind.FORFEIT

    def test_3_1_who_never_came_has_the_score_of_a_forfeit_when_the_flag_falls(self) -> None:
        absent = table(BLACK, control="30", scoring=Scoring(30, 20, 10, 0))
        absent.wake()
        assert absent.end == ((0, 2), "time", "2.1c")
        assert absent.state.outcome is not None
        assert absent.state.outcome.scores == (0, 30)
        assert kind(absent.state) is GameKind.FORFEIT

    def test_1_3_5_an_absent_black_has_not_won_yet(self) -> None:
        late = self.late()
        assert late.wake() == (e.Flagged(at=START + 30_000, side=WHITE),)
        assert late.state.phase is Phase.RUNNING
        assert next_deadline(late.state, late.now) == (
            START + TOLERANCE + 1,
            DeadlineKind.TOLERANCE,
        )

    def test_1_3_5_black_wins_on_time_by_coming_within_the_tolerance(self) -> None:
        late = self.late()
        late.wake()
        late.later(20_000)
        kinds = [type(event) for event in late.connect(BLACK)]
        assert kinds == [e.Connected, e.Joined, e.Ended]
        assert late.end == ((0, 2), "time", "2.1c")

    def test_1_3_5_both_lose_if_black_never_comes(self) -> None:
        late = self.late()
        late.wake()
        late.wake()
        assert late.end == ((0, 0), "forfeit", "1.3.5")

    def test_1_3_5_both_lose_even_if_white_sat_there_and_let_the_time_pass(self) -> None:
        late = table(WHITE, control="30", scoring=Scoring(3, 2, 1, 0))
        late.wake()
        late.wake()
        assert late.end == ((0, 0), "forfeit", "1.3.5")
        assert late.state.outcome is not None
        assert late.state.outcome.scores == (1, 0)

    def test_1_3_5_a_white_who_comes_after_the_flag_cannot_play(self) -> None:
        late = self.late().later(40_000)
        late.connect(WHITE)
        assert late.state.flagged is WHITE
        assert late.refusal(c.Move(by=IDS[WHITE], uci="e2e4", ply=0)) == ("time_is_over", "1.3.4")
        assert late.refusal(c.Resign(by=IDS[WHITE])) == ("time_is_over", "1.3.4")
        assert late.left(WHITE) == 0

    def test_1_3_5_a_pause_brings_no_time_back(self) -> None:
        late = self.late()
        late.wake()
        late.pause()
        late.later(1_000).resume()
        assert late.state.clock.running is None
        late.wake()
        assert late.end == ((0, 0), "forfeit", "1.3.5")
