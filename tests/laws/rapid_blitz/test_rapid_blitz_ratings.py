"""FIDE rapid and blitz, article 7: the standard rating, 400 points, the gap of 600."""

from datetime import date

import numpy as np
import pytest

from arrocco.laws.fide.rapid_blitz_2024 import (
    FideBlitz2024,
    FideBlitz2024December,
    FideRapid2024,
    FideRapid2024December,
    RapidBlitz,
)
from arrocco.laws.fide.standard_2024 import Fide2024, Fide2025
from arrocco.laws.rating import Exclusion, PlayerFacts

BEFORE: list[RapidBlitz] = [FideRapid2024(), FideBlitz2024()]
AFTER: list[RapidBlitz] = [FideRapid2024December(), FideBlitz2024December()]


@pytest.mark.parametrize(
    ("own", "standard", "used"),
    [(None, None, None), (None, 1850, 1850), (1700, 1850, 1700), (1700, None, 1700)],
)
@pytest.mark.parametrize("law", BEFORE + AFTER)
def test_7_2_1_a_standard_rating_stands_in(
    law: RapidBlitz, own: int | None, standard: int | None, used: int | None
) -> None:
    assert law.rating_used(own, standard) == used


@pytest.mark.parametrize("law", BEFORE + AFTER)
def test_7_3_1_the_cap_of_400_knows_no_exemption(law: RapidBlitz) -> None:
    assert law.counted_difference(2800, 2300) == 400
    assert law.counted_difference(2300, 2800) == -400
    assert law.counted_difference(2800, 2400) == 400
    assert law.counted_difference(2800, 2401) == 399
    assert Fide2025().counted_difference(2800, 2300) == 500


GAPS = [
    # own, opponent, excluded
    (2601, 2001, True),
    (2001, 2601, True),
    (2601, 2002, False),
    (2002, 2601, False),
    (2600, 2000, False),
    (2000, 2600, False),
    (2600, 1400, False),
    (2700, 1400, True),
    (2850, 2250, True),
    (2850, 2251, False),
]


@pytest.mark.parametrize(("own", "opponent", "excluded"), GAPS)
@pytest.mark.parametrize("law", AFTER)
def test_7_3_1_a_gap_of_600_with_a_player_above_2600_is_not_rated_from_december(
    law: RapidBlitz, own: int, opponent: int, excluded: bool
) -> None:
    assert law.gap_is_excluded(own, opponent) is excluded


@pytest.mark.parametrize("law", AFTER)
def test_7_3_1_the_gap_answers_for_columns_as_for_numbers(law: RapidBlitz) -> None:
    own, opponent, excluded = (np.array(column) for column in zip(*GAPS, strict=True))
    assert law.gap_is_excluded(own, opponent).tolist() == excluded.tolist()
    assert law.exclusion_article(Exclusion.RATING_GAP) == "7.3.1"


@pytest.mark.parametrize(("own", "opponent"), [(own, opponent) for own, opponent, _ in GAPS])
@pytest.mark.parametrize("law", BEFORE)
def test_7_3_1_before_december_no_gap_is_too_large(
    law: RapidBlitz, own: int, opponent: int
) -> None:
    assert law.gap_is_excluded(own, opponent) is False


@pytest.mark.parametrize("law", BEFORE + AFTER)
@pytest.mark.parametrize(
    "facts",
    [
        PlayerFacts(0),
        PlayerFacts(30),
        PlayerFacts(5, highest_published=2400),
    ],
)
def test_7_3_3_and_7_3_4_are_those_of_the_standard_chapter(
    law: RapidBlitz, facts: PlayerFacts
) -> None:
    standard, on = Fide2024(), date(2024, 12, 1)
    assert law.coefficient(facts, on) == standard.coefficient(facts, on)
    assert law.applied_coefficient(40, 18) == 38
    assert law.new_rating(1500, -250) == standard.new_rating(1500, -250) == 1497
    assert law.initial_rating(5, 9507, 6).rating == 1922
