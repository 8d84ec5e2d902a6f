"""Articles 1, 3, 5, 6.5 and 6.6: what kind of play is rated."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arrocco.laws.fide.standard_2010 import Fide2011
from arrocco.laws.rating import Exclusion
from arrocco.records.report import GameKind
from arrocco.records.timecontrol import Period, TimeControl

LAW = Fide2011()


def minutes(number: int, *, increment: int = 0) -> TimeControl:
    side = (Period(60 * number, increment),)
    return TimeControl(side, side)


def first_control(moves: int | None) -> TimeControl:
    side = (Period(5400, 30, moves),) if moves is None else (Period(5400, 30, moves), Period(900))
    return TimeControl(side, side)


@pytest.mark.parametrize(
    ("field", "least"),
    [
        ([2200], 120),
        ([1200, None, 2200], 120),
        ([2199, 1600], 90),
        ([1600, None], 90),
        ([1599, 1200, None], 60),
        ([None, None], 60),
        ([], 60),
    ],
)
def test_1_1_the_strongest_of_the_field_sets_the_least_time(
    field: list[int | None], least: int
) -> None:
    assert LAW.minimum_minutes_of_field(field) == least


def test_1_1_the_scope_is_the_tournament_not_the_game() -> None:
    field = [2200, 1500, 1400]
    control = minutes(90)
    assert LAW.excluded_by_time(control, 1500, 1400) is None
    assert LAW.excluded_by_time_of_field(control, field) is Exclusion.TOO_FAST
    assert LAW.excluded_by_time(control, max(field), max(field)) is Exclusion.TOO_FAST
    assert LAW.MINIMUM_TIME_BY_FIELD


@given(st.lists(st.none() | st.integers(1, 3000), min_size=1), st.integers(1, 200))
def test_1_1_the_top_rating_stands_for_the_whole_field(field: list[int | None], time: int) -> None:
    top = max(rating or 0 for rating in field) or None
    control = minutes(time)
    assert LAW.excluded_by_time(control, top, top) is LAW.excluded_by_time_of_field(control, field)


@pytest.mark.parametrize(("top", "least"), [(2200, 120), (1600, 90), (1599, 60)])
def test_1_2_a_minute_less_than_the_least_time_is_too_fast(top: int, least: int) -> None:
    assert LAW.excluded_by_time(minutes(least), top, None) is None
    assert LAW.excluded_by_time(minutes(least - 1), None, top) is Exclusion.TOO_FAST


def test_1_2_increments_count_over_60_moves_and_each_player_needs_the_time() -> None:
    assert LAW.excluded_by_time(minutes(90, increment=30), 2500, 2500) is None
    assert LAW.excluded_by_time(minutes(90, increment=29), 2500, 2500) is Exclusion.TOO_FAST
    unequal = TimeControl((Period(7200),), (Period(7199),))
    assert LAW.excluded_by_time(unequal, 2500, 2500) is Exclusion.TOO_FAST


@pytest.mark.parametrize(("moves", "valid"), [(None, True), (40, True), (39, False), (41, False)])
def test_1_3_a_first_control_has_exactly_40_moves(moves: int | None, valid: bool) -> None:
    assert LAW.first_control_is_valid(first_control(moves)) is valid


def test_1_3_both_players_need_40_moves() -> None:
    forty, fifty = first_control(40).white, first_control(50).white
    assert not LAW.first_control_is_valid(TimeControl(forty, fifty))


@pytest.mark.parametrize(
    ("time", "rounds", "allowed"),
    [(120, 3, True), (121, 3, False), (121, 2, True), (60, 3, True), (60, 4, False)],
)
def test_3_1_three_games_and_twelve_hours_a_day(time: int, rounds: int, allowed: bool) -> None:
    assert LAW.day_is_within_limit(minutes(time), rounds) is allowed


@pytest.mark.parametrize(
    ("kind", "played"),
    [(GameKind.PLAYED, True), (GameKind.FORFEIT, False), (GameKind.SHORT, False)],
)
def test_5_1_only_games_in_which_both_moved_count(kind: GameKind, played: bool) -> None:
    assert LAW.is_played(kind) is played


def test_6_5_games_after_a_match_is_decided_are_not_rated() -> None:
    wins = [(2, 0), (2, 0), (1, 1), (0, 2)]
    assert LAW.games_rated_in_match(wins, 4) == 3
    assert LAW.games_rated_in_match([(2, 0), (2, 0), (0, 2), (0, 2)], 4) == 4
    assert LAW.games_rated_in_match([(0, 2), (0, 2), (0, 2), (0, 2)], 4) == 3


def test_6_5_this_text_knows_no_waiver() -> None:
    assert LAW.games_rated_in_match([(2, 0), (2, 0), (2, 0), (2, 0)], 4, waiver=True) == 3


def test_6_6_a_match_needs_two_rated_players() -> None:
    assert LAW.match_is_rated(2400, 1200)
    assert not LAW.match_is_rated(2400, None)
    assert not LAW.match_is_rated(None, None)
