"""The hall does what the regulation's own functions say, for times of every length."""

from __future__ import annotations

from datetime import timedelta

from hypothesis import given
from hypothesis import strategies as st

from arrocco.hall.clock import forfeit_at
from arrocco.hall.game import Judge, Phase, on_deadline
from arrocco.laws.hall import laws_held_under
from arrocco.laws.online.connection import AwayOutcome
from tests.hall.game.table import BLACK, WHITE, Table, can_always_mate, can_never_mate

LAW = laws_held_under(None).online


def ms(milliseconds: int) -> timedelta:
    return timedelta(milliseconds=milliseconds)


@given(st.integers(0, 10**7))
def test_1_3_5_the_first_moment_too_late_is_the_laws(tolerance: int) -> None:
    assert not LAW.is_forfeited(ms(forfeit_at(tolerance) - 1), ms(tolerance))
    assert LAW.is_forfeited(ms(forfeit_at(tolerance)), ms(tolerance))


@given(
    away=st.integers(0, 40_000),
    limit=st.none() | st.integers(0, 30_000),
    to_move=st.booleans(),
    can_mate=st.booleans(),
)
def test_7_5_to_7_7_what_a_lost_connection_makes_of_a_game(
    away: int, limit: int | None, to_move: bool, can_mate: bool
) -> None:
    judge = Judge(can_always_mate if can_mate else can_never_mate, LAW)
    table = Table("20", reconnection_limit=limit, judge=judge).play("e2e4", think=0)
    gone = BLACK if to_move else WHITE
    table.disconnect(gone)
    if not to_move:
        # The opponent's own flag is not what is asked about here.
        away = min(away, 19_999)
    table.later(away)
    table.happen(on_deadline(table.state, table.now, judge))
    verdict = LAW.away_outcome(
        ms(away),
        ms(away if to_move else 0),
        ms(20_000),
        opponent_can_mate=can_mate,
        limit=None if limit is None else ms(limit),
    )
    outcome = table.state.outcome
    if verdict.outcome is AwayOutcome.GOES_ON:
        assert table.state.phase is Phase.RUNNING
        assert ms(table.left(gone)) == verdict.left
    elif verdict.outcome is AwayOutcome.LOST:
        assert outcome is not None
        assert outcome.half_points == ((2, 0) if gone is BLACK else (0, 2))
        assert outcome.article == verdict.article == "7.7"
    else:
        assert outcome is not None
        assert outcome.half_points == (1, 1)
        assert outcome.article == verdict.article == "1.3.4"


@given(st.booleans(), st.integers(0, 60_000))
def test_1_3_5_whose_time_is_lost_before_the_start(white_there: bool, tolerance: int) -> None:
    there = (WHITE, BLACK) if white_there else (BLACK,)
    table = Table("180", there=there, tolerance=tolerance)
    loser = LAW.side_losing_time(white_present=white_there, tolerance=ms(tolerance))
    assert table.state.clock.running is (loser or WHITE)
