"""Lost connections (7.5 to 7.7) and the video conference (9.1f)."""

from __future__ import annotations

import chess
import pytest

from arrocco.hall.game import DeadlineKind, GameRole, Judge, Phase, next_deadline, view_for
from arrocco.hall.game import commands as c
from arrocco.hall.game import events as e
from arrocco.hall.game.records import Cause, Channel
from arrocco.hall.game.state import Gap
from arrocco.hall.game.view import ArbiterView, time_away
from arrocco.laws.online.side import Side
from tests.hall.game.table import BLACK, LAW, START, WHITE, Table, nobody_knows

LIMIT = 20_000


class TestClock:
    def test_7_5_the_clock_of_a_player_who_is_gone_runs_on(self) -> None:
        table = Table("180").play("e2e4")
        table.disconnect(BLACK)
        assert table.later(60_000).left(BLACK) == 120_000

    def test_7_5_the_opponent_moves_meanwhile(self) -> None:
        table = Table("180")
        table.disconnect(BLACK)
        table.play("e2e4").later(9_000)
        assert table.left(BLACK) == 171_000

    def test_7_5_coming_and_going_twice_is_written_once(self) -> None:
        table = Table()
        assert table.connect(WHITE) == ()
        assert len(table.disconnect(WHITE)) == 1
        assert table.disconnect(WHITE) == ()

    def test_7_5_who_does_not_play_neither_comes_nor_goes(self) -> None:
        table = Table()
        assert table.refusal(c.Connect(by="eve")) == ("not_seated", "")
        assert table.refusal(c.Disconnect(by="eve")) == ("not_seated", "")


class TestBackInTime:
    def test_7_6_the_player_goes_on_with_what_is_left(self) -> None:
        table = Table("180").play("e2e4")
        table.disconnect(BLACK)
        table.later(100_000)
        assert table.connect(BLACK) == (e.Connected(at=table.now, side=BLACK),)
        table.move("e7e5")
        assert table.left(BLACK) == 80_000

    def test_7_6_a_player_who_is_gone_does_not_move(self) -> None:
        table = Table()
        table.disconnect(WHITE)
        move = c.Move(by="ada", uci="e2e4", ply=0)
        assert table.refusal(move) == ("not_connected", "7.3")

    def test_7_6_every_gap_is_timed(self) -> None:
        table = Table().play("e2e4")
        for away in (3_000, 500):
            table.disconnect(BLACK)
            table.later(away)
            table.connect(BLACK)
            table.later(1_000)
        first = START + 1_000
        assert table.state.black.platform.gaps == (
            Gap(first, first + 3_000, Cause.PLAYER),
            Gap(first + 4_000, first + 4_500, Cause.PLAYER),
        )
        table.disconnect(BLACK)
        assert time_away(table.state.black, table.now + 250) == 3_750
        view = view_for(table.state, GameRole.ARBITER, table.now + 250)
        assert isinstance(view, ArbiterView)
        assert (view.white_seat.away, view.black_seat.away) == (0, 3_750)

    def test_7_6_the_time_before_the_start_is_no_gap(self) -> None:
        table = Table(started=False)
        table.disconnect(BLACK)
        table.later(5_000)
        table.connect(BLACK)
        assert table.state.black.platform.gaps == ()


class TestNotBack:
    def test_7_7_without_a_limit_the_clock_decides(self) -> None:
        table = Table("180").play("e2e4")
        table.disconnect(BLACK)
        table.wake()
        assert table.now == START + 181_000
        assert table.end == ((2, 0), "time", "7.7")

    def test_7_7_a_player_who_is_there_when_the_flag_falls_loses_by_2_1c(self) -> None:
        table = Table("180").play("e2e4")
        table.disconnect(BLACK)
        table.later(1_000)
        table.connect(BLACK)
        table.wake()
        assert table.end == ((2, 0), "time", "2.1c")

    @pytest.mark.parametrize("gone", list(Side))
    def test_7_7_with_a_limit_that_decides_whoever_is_to_move(self, gone: Side) -> None:
        table = Table("180", reconnection_limit=LIMIT).play("e2e4")
        table.disconnect(gone)
        deadline = next_deadline(table.state, table.now)
        assert deadline == (table.now + LIMIT + 1, DeadlineKind.RECONNECTION)
        table.wake()
        half_points = (0, 2) if gone is WHITE else (2, 0)
        assert table.end == (half_points, "disconnection", "7.7")
        assert table.state.outcome is not None
        assert table.state.outcome.side is gone

    def test_7_7_back_at_the_very_end_of_the_limit_is_in_time(self) -> None:
        table = Table("180", reconnection_limit=LIMIT).play("e2e4")
        table.disconnect(BLACK)
        table.later(LIMIT)
        table.connect(BLACK)
        assert table.state.phase is Phase.RUNNING
        assert table.state.black.reconnect_by is None

    def test_7_7_back_a_millisecond_later_is_not(self) -> None:
        table = Table("180", reconnection_limit=LIMIT).play("e2e4")
        table.disconnect(BLACK)
        table.later(LIMIT + 1)
        table.connect(BLACK)
        assert table.end == ((2, 0), "disconnection", "7.7")

    def test_7_7_the_flag_may_fall_before_the_limit(self) -> None:
        table = Table("10", reconnection_limit=LIMIT).play("e2e4")
        table.disconnect(BLACK)
        table.wake()
        assert table.end == ((2, 0), "time", "7.7")

    def test_7_7_a_draw_where_the_opponent_cannot_mate(self) -> None:
        judge = Judge(lambda _, color: color == chess.BLACK, LAW)
        table = Table("180", reconnection_limit=LIMIT, judge=judge).play("e2e4")
        table.disconnect(BLACK)
        table.wake()
        assert table.end == ((1, 1), "disconnection_without_mate", "1.3.4")

    def test_7_7_not_known_counts_as_possible_and_is_noted(self) -> None:
        table = Table("180", reconnection_limit=LIMIT, judge=Judge(nobody_knows, LAW)).play("e2e4")
        table.disconnect(BLACK)
        note, _ = table.wake()
        assert note == e.Note(at=table.now, key="hall.mate_unknown")
        assert table.end == ((2, 0), "disconnection", "7.7")

    def test_7_7_of_two_the_first_who_was_gone_too_long_loses(self) -> None:
        table = Table("180", reconnection_limit=LIMIT).play("e2e4")
        table.disconnect(BLACK)
        table.later(1)
        table.disconnect(WHITE)
        table.wake()
        assert table.end == ((2, 0), "disconnection", "7.7")

    def test_7_7_both_gone_at_the_same_moment_both_lose(self) -> None:
        table = Table("180", reconnection_limit=LIMIT).play("e2e4")
        table.disconnect(BLACK)
        table.disconnect(WHITE)
        table.wake()
        assert table.end == ((0, 0), "disconnection", "7.7")

    def test_7_7_each_absence_has_the_whole_limit(self) -> None:
        table = Table("180", reconnection_limit=LIMIT).play("e2e4")
        table.disconnect(BLACK)
        table.later(LIMIT - 1)
        table.connect(BLACK)
        table.disconnect(BLACK)
        assert table.state.black.reconnect_by == table.now + LIMIT

    def test_7_7_a_pause_does_not_use_it_up(self) -> None:
        table = Table("180", reconnection_limit=LIMIT).play("e2e4")
        table.disconnect(BLACK)
        table.later(5_000).pause()
        table.later(99_000).resume()
        assert table.state.black.reconnect_by == table.now + 15_000

    def test_7_7_who_went_in_a_pause_has_the_whole_limit_after_it(self) -> None:
        table = Table("180", reconnection_limit=LIMIT).play("e2e4")
        table.pause()
        table.disconnect(BLACK)
        table.later(99_000).resume()
        assert table.state.black.reconnect_by == table.now + LIMIT
        assert table.state.white.reconnect_by is None

    def test_7_7_an_opponent_who_never_came_does_not_win_by_it(self) -> None:
        table = Table("180", there=(WHITE,), reconnection_limit=LIMIT, tolerance=60_000)
        table.disconnect(WHITE)
        assert next_deadline(table.state, table.now) == (
            START + 60_001,
            DeadlineKind.TOLERANCE,
        )
        table.later(LIMIT + 10_000)
        table.connect(BLACK)
        table.wake()
        assert table.end == ((0, 2), "disconnection", "7.7")


class TestVideoConference:
    def test_9_1f_no_moves_while_off_it(self) -> None:
        table = Table(vcs_required=True)
        table.disconnect(WHITE, Channel.VCS)
        move = c.Move(by="ada", uci="e2e4", ply=0)
        assert table.refusal(move) == ("off_vcs", "9.1f")
        table.later(8_000)
        table.connect(WHITE, Channel.VCS)
        table.granted(move)
        assert table.left(WHITE) == 174_000

    def test_9_1f_the_opponent_moves_meanwhile(self) -> None:
        table = Table(vcs_required=True)
        table.disconnect(BLACK, Channel.VCS)
        table.move("e2e4")
        assert table.state.ply == 1

    def test_9_1f_where_it_is_not_required_nothing_is_barred(self) -> None:
        table = Table()
        table.connect(WHITE, Channel.VCS)
        table.disconnect(WHITE, Channel.VCS)
        table.move("e2e4")

    def test_7_9_its_gaps_are_timed_apart(self) -> None:
        table = Table(vcs_required=True, reconnection_limit=LIMIT)
        table.disconnect(WHITE, Channel.VCS)
        assert table.state.white.reconnect_by is None
        table.later(2_000)
        table.connect(WHITE, Channel.VCS)
        assert table.state.white.vcs.gaps == (Gap(START, START + 2_000, Cause.PLAYER),)
        assert table.state.white.platform.gaps == ()

    def test_9_1f_coming_to_it_is_not_coming_to_the_board(self) -> None:
        table = Table(there=(WHITE,), vcs_required=True)
        assert table.connect(BLACK, Channel.VCS) == (
            e.Connected(at=START, side=BLACK, channel=Channel.VCS),
        )
        assert table.state.black.joined is None
