"""Articles 6.1, 6.41, 8.2, 8.3 and 8.4: how a rating begins."""

from __future__ import annotations

from fractions import Fraction
from math import floor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arrocco.errors import Illegal
from arrocco.laws import tables
from arrocco.laws.fide.standard_2010 import Fide2011, Fide2012
from arrocco.laws.rating import Tranche

LAW = Fide2011()
UNTIL_SCORE = Fide2011(repeated_zero="until_score")
WHOLE_EVENT = Fide2011(zero_first_event="whole_event")


def swiss(games: int, ratings: int, half_points: int) -> Tranche:
    return Tranche(0, "", games, ratings, half_points)


def round_robin(rc: int, half_points: int, opponents: int, *, cycles: int = 1) -> Tranche:
    games = opponents * cycles
    return Tranche(0, "", games, rc * games, half_points, round_robin_opponents=opponents)


# --- which results count --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("half_points", "rated", "ignored"),
    [(0, 9, True), (1, 9, True), (2, 9, False), (2, 3, False), (2, 2, True), (4, 2, True)],
)
def test_8_21_a_first_event_needs_one_point_and_three_rated_opponents(
    half_points: int, rated: int, ignored: bool
) -> None:
    assert (
        LAW.first_event_is_ignored(
            half_points, half_points, is_first=True, games_against_rated=rated
        )
        is ignored
    )


def test_8_21_later_events_count_even_with_nothing_against_one_opponent() -> None:
    assert not LAW.first_event_is_ignored(0, 0, is_first=False, games_against_rated=1)
    assert LAW.first_event_ends_the_search


def test_6_1_or_every_event_counts_only_after_a_first_performance_as_read() -> None:
    assert UNTIL_SCORE.first_event_is_ignored(1, 1, is_first=False, games_against_rated=9)
    assert not UNTIL_SCORE.first_event_ends_the_search


@pytest.mark.parametrize("law", [LAW, UNTIL_SCORE])
def test_6_1_after_an_earlier_performance_zero_and_half_a_point_count(law: Fide2011) -> None:
    for half_points in (0, 1):
        assert not law.first_event_is_ignored(
            half_points, half_points, is_first=False, has_scored=True, games_against_rated=9
        )


def test_8_21_in_a_swiss_the_point_is_made_against_rated_opponents() -> None:
    assert LAW.first_event_is_ignored(1, 8, is_first=True, games_against_rated=4)
    assert not WHOLE_EVENT.first_event_is_ignored(1, 8, is_first=True, games_against_rated=4)


def test_8_21b_in_a_round_robin_the_whole_score_decides() -> None:
    assert not LAW.first_event_is_ignored(
        0, 2, is_first=True, games_against_rated=4, round_robin=True
    )
    assert LAW.first_event_is_ignored(0, 1, is_first=True, games_against_rated=4, round_robin=True)


@pytest.mark.parametrize(
    ("games", "half_points", "rating", "valid"),
    [
        (3, 2, 1200, True),
        (2, 2, 1200, False),
        (3, 1, 1200, False),
        (3, 2, 1199, False),
    ],
)
def test_6_41_a_tranche_has_three_games_one_point_and_the_floor(
    games: int, half_points: int, rating: int, valid: bool
) -> None:
    assert LAW.tranche_is_valid(games, half_points, rating) is valid


def test_8_31_first_results_below_the_floor_are_ignored_until_one_counts() -> None:
    assert LAW.first_results_are_ignored(1199)
    assert not LAW.first_results_are_ignored(1200)
    assert not LAW.first_results_are_ignored(1199, has_performance=True)


def test_8_33_the_floor_is_that_of_the_day_of_the_event() -> None:
    assert not LAW.performance_counts(1100)
    assert LAW.performance_counts(1200)
    assert Fide2012().performance_counts(1100)


def test_8_4_a_player_listed_since_the_start_is_rated_alone() -> None:
    assert LAW.is_one_sided(listed_at_start=False, listed_when_rated=True)
    assert not LAW.is_one_sided(listed_at_start=True, listed_when_rated=True)
    assert not LAW.is_one_sided(listed_at_start=False, listed_when_rated=False)


# --- 8.22 to 8.24: the rating of a Swiss or team event --------------------------------------------


def test_8_22_half_the_points_give_the_average() -> None:
    result = LAW.initial_rating(8, 8 * 2000, 8)
    assert (result.rating, result.dp, result.percent, result.reasons) == (2000, 0, 50, ("at_half",))


@pytest.mark.parametrize(("half_points", "rating"), [(9, 2015), (10, 2030), (13, 2075), (16, 2120)])
def test_8_23_each_half_point_above_half_adds_15(half_points: int, rating: int) -> None:
    result = LAW.initial_rating(8, 8 * 2000, half_points)
    assert (result.rating, result.reasons) == (rating, ("above_half",))
    assert result.dp == rating - 2000


@pytest.mark.parametrize(
    ("games", "half_points", "percent", "dp"),
    [
        (3, 2, 33, -125),
        (9, 8, 44, -43),
        (8, 6, 38, -87),  # 3/8 is .375: half up, not -95 (.37)
        (8, 2, 13, -322),  # 1/8 is .125: half up, not -336 (.12)
        (9, 0, 0, -800),
    ],
)
def test_8_24_below_half_in_a_swiss_dp_counts_in_full(
    games: int, half_points: int, percent: int, dp: int
) -> None:
    result = LAW.initial_rating(games, games * 2000, half_points)
    assert (result.percent, result.dp, result.rating) == (percent, dp, 2000 + dp)
    assert result.reasons == ("below_half",)


def test_8_32_a_half_in_the_rating_is_rounded_up() -> None:
    assert LAW.initial_rating(2, 4001, 2).rating == 2001
    assert LAW.initial_rating(4, 8001, 4).rating == 2000
    assert LAW.initial_rating(4, 8003, 4).rating == 2001


def test_8_34_the_worked_example_of_the_text() -> None:
    # 3 games against an average of 2220: 1 point; 5 against 2150: 3; 4 against 2200: 2.5.
    tranches = [swiss(3, 3 * 2220, 2), swiss(5, 5 * 2150, 6), swiss(4, 4 * 2200, 5)]
    result = LAW.pooled_initial_rating(tranches)
    assert (result.games, result.half_points) == (12, 13)
    assert result.average_hundredths == 218_417  # printed 2184
    assert result.rating == 2199
    assert result.dp == 15
    assert LAW.first_rating_is_published(result.games, result.rating)
    # The first tranche alone is a performance above the floor: 2220 - 125.
    assert LAW.pooled_initial_rating(tranches[:1]).rating == 2095
    assert LAW.tranche_is_valid(3, 2, 2095)


def test_no_games_make_no_rating() -> None:
    with pytest.raises(Illegal):
        LAW.pooled_initial_rating([])
    with pytest.raises(Illegal):
        LAW.initial_rating(0, 0, 0)


TRANCHES = st.lists(
    st.integers(1, 12).flatmap(
        lambda games: st.builds(
            swiss,
            st.just(games),
            st.integers(1000 * games, 2800 * games),
            st.integers(0, 2 * games),
        )
    ),
    min_size=1,
    max_size=6,
)


@given(TRANCHES)
def test_8_3_pooled_results_are_rated_as_one_tournament(tranches: list[Tranche]) -> None:
    games = sum(t.games for t in tranches)
    whole = LAW.initial_rating(
        games, sum(t.ratings for t in tranches), sum(t.half_points for t in tranches)
    )
    assert LAW.pooled_initial_rating(tranches) == whole
    assert LAW.pooled_initial_rating(tranches[::-1]) == whole


@given(TRANCHES)
def test_8_3_the_rating_is_the_exact_one_rounded_once(tranches: list[Tranche]) -> None:
    result = LAW.pooled_initial_rating(tranches)
    games, half_points = result.games, result.half_points
    exact = Fraction(sum(t.ratings for t in tranches), games)
    if half_points >= games:
        exact += 15 * (half_points - games)
    else:
        exact += tables.rating_difference(floor(Fraction(50 * half_points, games) + Fraction(1, 2)))
    assert result.rating == floor(exact + Fraction(1, 2))


@given(st.integers(1, 30), st.data())
def test_8_23_and_8_24_half_a_point_more_never_lowers_a_rating(
    games: int, data: st.DataObject
) -> None:
    half_points = data.draw(st.integers(0, 2 * games - 1))
    ratings = data.draw(st.integers(1000 * games, 2800 * games))
    lower = LAW.initial_rating(games, ratings, half_points).rating
    assert lower <= LAW.initial_rating(games, ratings, half_points + 1).rating


# --- round robins in a pool -----------------------------------------------------------------------


def test_8_25_a_single_round_robin_below_half_counts_n_of_n_plus_1_of_dp() -> None:
    result = LAW.pooled_initial_rating([round_robin(2322, 2, 9)])
    assert (result.rating, result.dp) == (2006, -351)
    assert result.reasons == ("below_half", "round_robin")


def test_8_25_in_a_double_round_robin_n_is_the_number_of_opponents() -> None:
    # 4 of 10 points from 5 opponents met twice: dp -72, of which 5/6 is -60.
    result = LAW.pooled_initial_rating([round_robin(2000, 8, 5, cycles=2)])
    assert (result.games, result.percent, result.rating) == (10, 40, 1940)


def test_8_23_a_round_robin_above_half_is_like_any_other_event() -> None:
    assert LAW.pooled_initial_rating([round_robin(2348, 14, 9)]).rating == 2423


def test_8_3_a_round_robin_and_a_swiss_weigh_their_games_and_dp_counts_in_full() -> None:
    # (9 x 2322 + 3 x 2000) / 12 = 2241.5, up to 2242; 4 of 12 points is .33: dp -125.
    result = LAW.pooled_initial_rating([round_robin(2322, 2, 9), swiss(3, 6000, 6)])
    assert (result.games, result.average_hundredths) == (12, 224_150)
    assert (result.percent, result.dp, result.rating) == (33, -125, 2117)
    assert result.reasons == ("below_half",)


def test_8_3_two_round_robins_are_not_one() -> None:
    result = LAW.pooled_initial_rating([round_robin(2000, 2, 9), round_robin(2000, 2, 9)])
    assert result.rating == 2000 - 351


def test_8_3_a_mixed_pool_can_be_read_with_the_reduced_dp() -> None:
    law = Fide2011(mixed_pool="reduced_dp")
    mixed = law.pooled_initial_rating([round_robin(2000, 2, 9), round_robin(2000, 2, 9)])
    assert mixed.rating == 1667  # 2000 - 351 x 18/19 = 1667.47
    assert mixed.reasons == ("below_half", "round_robin")
    # Without a round robin there is nothing to reduce, and a single one keeps its own n.
    assert law.pooled_initial_rating([swiss(9, 18000, 2), swiss(9, 18000, 2)]).rating == 1649
    assert law.pooled_initial_rating([round_robin(2322, 2, 9)]).rating == 2006


@given(st.integers(1000, 2800), st.integers(2, 20), st.data())
def test_8_25_a_pool_of_one_round_robin_agrees_with_the_round_robin_itself(
    rc: int, opponents: int, data: st.DataObject
) -> None:
    cycles = data.draw(st.integers(1, 2))
    half_points = data.draw(st.integers(0, 2 * opponents * cycles))
    pooled = LAW.pooled_initial_rating([round_robin(rc, half_points, opponents, cycles=cycles)])
    assert pooled.rating == LAW.round_robin_rating(rc, half_points, opponents, cycles=cycles)
