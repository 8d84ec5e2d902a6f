"""Articles 6.3 and 6.4: rated players in round robins, and round robins rated as Swisses."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arrocco.laws.fide.standard_2010 import Fide2011
from arrocco.laws.fide.text_2010.composition import RoundRobinRefusal
from arrocco.records.report import System

LAW = Fide2011()


@pytest.mark.parametrize(
    ("players", "rated", "refusal"),
    [
        (12, 4, None),
        (12, 3, RoundRobinRefusal.UNDER_ONE_THIRD_RATED),
        (10, 4, None),
        (10, 3, RoundRobinRefusal.UNDER_ONE_THIRD_RATED),
        (13, 4, RoundRobinRefusal.UNDER_ONE_THIRD_RATED),
        (13, 5, None),
        (30, 10, None),
    ],
)
def test_6_3_a_third_of_a_round_robin_is_rated(
    players: int, rated: int, refusal: RoundRobinRefusal | None
) -> None:
    assert LAW.round_robin_refusal(players, rated) is refusal


@pytest.mark.parametrize(
    ("players", "rated", "refusal"),
    [
        (9, 4, None),
        (9, 3, RoundRobinRefusal.UNDER_FOUR_RATED),
        (4, 4, None),
        (3, 3, RoundRobinRefusal.UNDER_FOUR_RATED),
    ],
)
def test_6_31_below_ten_players_four_are_rated(
    players: int, rated: int, refusal: RoundRobinRefusal | None
) -> None:
    assert LAW.round_robin_refusal(players, rated) is refusal
    assert refusal is None or LAW.ROUND_ROBIN_ARTICLES[refusal] == "6.31"


@pytest.mark.parametrize(
    ("players", "rated", "refusal"),
    [
        (6, 4, None),
        (5, 4, RoundRobinRefusal.DOUBLE_UNDER_SIX_PLAYERS),
        (6, 3, RoundRobinRefusal.DOUBLE_UNDER_FOUR_RATED),
        (4, 4, None),
        (5, 5, None),
        (13, 4, RoundRobinRefusal.UNDER_ONE_THIRD_RATED),
    ],
)
def test_6_32_a_double_round_robin_with_unrated_has_six_players_and_four_rated(
    players: int, rated: int, refusal: RoundRobinRefusal | None
) -> None:
    assert LAW.round_robin_refusal(players, rated, double=True) is refusal


def test_6_33_a_national_championship_needs_three_rated_men() -> None:
    assert LAW.round_robin_refusal(10, 3, national_championship=True) is None
    assert (
        LAW.round_robin_refusal(10, 2, national_championship=True)
        is RoundRobinRefusal.CHAMPIONSHIP_UNDER_THREE_RATED
    )
    assert (
        LAW.round_robin_refusal(10, 3, national_championship=True, rated_men=2)
        is RoundRobinRefusal.CHAMPIONSHIP_UNDER_THREE_RATED
    )


def test_6_33_a_championship_of_women_needs_two_rated_women() -> None:
    assert LAW.round_robin_refusal(10, 2, national_championship=True, women_only=True) is None
    assert (
        LAW.round_robin_refusal(10, 1, national_championship=True, women_only=True)
        is RoundRobinRefusal.WOMENS_CHAMPIONSHIP_UNDER_TWO_RATED
    )
    # Only a national championship has the lower number.
    assert (
        LAW.round_robin_refusal(10, 2, women_only=True) is RoundRobinRefusal.UNDER_ONE_THIRD_RATED
    )


def test_6_33_a_championship_that_meets_the_general_number_needs_no_other() -> None:
    assert LAW.round_robin_refusal(10, 4, national_championship=True, rated_men=0) is None


def test_every_refusal_of_a_round_robin_names_its_article() -> None:
    assert set(LAW.ROUND_ROBIN_ARTICLES) == set(RoundRobinRefusal)


@given(st.integers(2, 40), st.data(), st.booleans())
def test_6_3_one_more_rated_player_never_hurts(
    players: int, data: st.DataObject, double: bool
) -> None:
    rated = data.draw(st.integers(0, players - 1))
    if LAW.round_robin_refusal(players, rated, double=double) is None:
        assert LAW.round_robin_refusal(players, rated + 1, double=double) is None


def test_6_42_in_a_swiss_rated_players_count_only_games_against_rated() -> None:
    assert LAW.counts_for_rated(opponent_is_rated=True, round_robin=False)
    assert not LAW.counts_for_rated(opponent_is_rated=False, round_robin=False)
    assert LAW.counts_for_rated(opponent_is_rated=False, round_robin=True)


@pytest.mark.parametrize(
    ("system", "unplayed", "as_round_robin"),
    [
        (System.ROUND_ROBIN, 0, True),
        (System.ROUND_ROBIN, 1, False),
        (System.DOUBLE_ROUND_ROBIN, 0, True),
        (System.DOUBLE_ROUND_ROBIN, 2, False),
        (System.SWISS, 0, False),
        (System.TEAM, 0, False),
        (System.MATCH, 0, False),
    ],
)
def test_6_43_one_unplayed_game_makes_a_round_robin_a_swiss(
    system: System, unplayed: int, as_round_robin: bool
) -> None:
    assert LAW.is_rated_as_round_robin(system, unplayed) is as_round_robin


def test_6_1_without_an_ignored_player_the_rest_is_a_round_robin_or_a_swiss_as_read() -> None:
    assert LAW.is_rated_as_round_robin(System.ROUND_ROBIN, 0, dropped_players=1)
    as_swiss = Fide2011(dropped_unrated="as_swiss")
    assert not as_swiss.is_rated_as_round_robin(System.ROUND_ROBIN, 0, dropped_players=1)
    assert as_swiss.is_rated_as_round_robin(System.ROUND_ROBIN, 0)
