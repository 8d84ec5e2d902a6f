"""Articles 8.5 and 12.3: differences, K, rounding."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arrocco.laws.fide.standard_2010 import Fide2011
from arrocco.laws.rating import PlayerFacts
from arrocco.records.report import Birth

LAW = Fide2011()
ON = date(2011, 9, 1)


def test_8_51_and_8_52_an_opponent_has_the_listed_rating_or_the_one_of_this_round_robin() -> None:
    assert LAW.rating_of_opponent(2100, 1900) == 2100
    assert LAW.rating_of_opponent(None, 1900) == 1900


def test_8_52_and_8_53_an_unrated_opponent_in_a_swiss_has_none() -> None:
    assert LAW.rating_of_opponent(None) is None


@pytest.mark.parametrize(
    ("own", "opponent", "counted"),
    [
        (2400, 2000, 400),
        (2401, 2000, 400),
        (2000, 2401, -400),
        (2399, 2000, 399),
        (2800, 1200, 400),
    ],
)
def test_8_54_a_difference_above_400_counts_as_400(own: int, opponent: int, counted: int) -> None:
    assert LAW.counted_difference(own, opponent) == counted


@pytest.mark.parametrize(("difference", "expected"), [(400, 92), (-400, 8), (0, 50), (-4, 49)])
def test_8_55a_the_table_gives_the_expected_score(difference: int, expected: int) -> None:
    assert LAW.expected_score(difference) == expected


@given(st.integers(1000, 2900), st.integers(1000, 2900))
def test_8_55_the_expected_scores_of_a_game_add_up_to_one(one: int, other: int) -> None:
    first = LAW.expected_score(LAW.counted_difference(one, other))
    second = LAW.expected_score(LAW.counted_difference(other, one))
    assert first + second == 100
    assert 8 <= first <= 92


@pytest.mark.parametrize(
    ("games", "highest", "k", "reason"),
    [
        (0, 2399, 30, "new_player"),
        (29, 2399, 30, "new_player"),
        (30, 2399, 15, "below_top"),
        (500, 2399, 15, "below_top"),
        (30, 2400, 10, "top_reached"),
        (29, 2400, 10, "top_reached"),
    ],
)
def test_8_56_k_is_10_after_2400_then_30_for_new_players_then_15(
    games: int, highest: int, k: int, reason: str
) -> None:
    facts = PlayerFacts(games, highest)
    assert LAW.coefficient(facts, ON) == (k, reason)
    assert LAW.k_line(games, highest, False) == (k, reason)


def test_8_56_a_new_player_at_2400_can_be_read_as_new_first() -> None:
    law = Fide2011(k_conflict="new_first")
    assert law.coefficient(PlayerFacts(29, 2400), ON) == (30, "new_player")
    assert law.coefficient(PlayerFacts(30, 2400), ON) == (10, "top_reached")
    assert law.coefficient(PlayerFacts(30, 2399), ON) == (15, "below_top")


def test_8_56_neither_age_nor_2300_changes_k() -> None:
    child = Birth(2001, 1, 1)
    for highest in (0, 2300):
        facts = PlayerFacts(100, highest, child)
        assert LAW.coefficient(facts, ON) == (15, "below_top")
        assert LAW.k_line(100, highest, True) == (15, "below_top")


@pytest.mark.parametrize("games", [1, 24, 71, 1000])
def test_8_56_k_has_no_limit_by_the_games_of_a_period(games: int) -> None:
    assert LAW.applied_coefficient(30, games) == 30


@pytest.mark.parametrize(
    ("rating", "variation", "new"),
    [
        (2000, 50, 2001),
        (2000, 49, 2000),
        (2000, -50, 2000),  # 1999.50: the rating is rounded, a half upwards
        (2000, -51, 1999),
        (2000, -250, 1998),  # the later text makes -2.50 a change of -3
        (2000, 250, 2003),
        (2000, 0, 2000),
        (2000, 1435, 2014),
    ],
)
def test_8_57_the_rating_is_rounded_with_a_half_upwards(
    rating: int, variation: int, new: int
) -> None:
    assert LAW.new_rating(rating, variation) == new


@given(st.integers(1000, 2900), st.integers(-100_000, 100_000))
def test_8_57_the_new_rating_lies_within_half_a_point_the_upper_end_excluded(
    rating: int, variation: int
) -> None:
    error = 100 * LAW.new_rating(rating, variation) - (100 * rating + variation)
    assert -50 < error <= 50


@given(st.integers(1000, 2900), st.integers(-10_000, 10_000), st.integers(-100, 100))
def test_8_57_whole_points_pass_through_the_rounding(
    rating: int, variation: int, more: int
) -> None:
    assert LAW.new_rating(rating + more, variation) == LAW.new_rating(rating, variation) + more


@pytest.mark.parametrize(("k", "games"), [(10, 75), (15, 50), (30, 25), (20, None)])
def test_12_3_a_rating_settles_in_so_many_games(k: int, games: int | None) -> None:
    assert LAW.games_until_stable(k) == games
