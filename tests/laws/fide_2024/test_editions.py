"""The two editions of the 2024 text: when each is in force, what the amendment changed."""

from __future__ import annotations

from datetime import date

import pytest

from arrocco.laws import registry
from arrocco.laws.fide.standard_2024 import Fide2024, Fide2025
from arrocco.laws.rating import Exclusion


@pytest.mark.parametrize(
    ("day", "edition"),
    [
        (date(2024, 3, 1), Fide2024),
        (date(2024, 12, 31), Fide2024),
        (date(2025, 9, 30), Fide2024),
        (date(2025, 10, 1), Fide2025),
        (date(2030, 1, 1), Fide2025),
    ],
)
def test_0_1_the_edition_of_the_day_a_tournament_starts(day: date, edition: type[Fide2024]) -> None:
    assert registry.edition_in_force("fide", day) is edition


def test_the_text_of_2024_is_not_in_force_the_day_before() -> None:
    assert date(2024, 2, 29) not in Fide2024.in_force


def test_the_amendment_adds_one_value_and_changes_no_other() -> None:
    before, after = dict(Fide2024.values()), dict(Fide2025.values())
    assert set(after) - set(before) == {"FULL_DIFFERENCE_RATING"}
    assert {name: after[name] for name in before} == before


def test_the_values_are_those_of_the_text() -> None:
    """Typed again by article; a value that moved or changed shows here."""
    by_article: dict[str, list[int]] = {}
    for _, value in Fide2025.values():
        by_article.setdefault(value.article, []).append(int(value))
    assert {article: sorted(values) for article, values in by_article.items()} == {
        "0.1": [40, 2000],
        "0.2.1": [30, 2500, 2700],
        "0.2.2": [3],
        "0.4": [7],
        "1.1": [60, 90, 120, 1800, 2400],
        "1.2": [30],
        "3": [12],
        "4": [30],
        "7.1": [1],
        "7.1.2": [1400],
        "7.1.3": [1, 3],
        "7.1.4": [5, 26],
        "7.2.2": [12],
        "8.2.2": [2, 1800],
        "8.2.3": [2200],
        "8.3.1": [400, 2650],
        "8.3.3": [10, 18, 20, 30, 40, 40, 700, 2300, 2400],
        "9.1": [3],
    }


def test_the_readings_and_what_they_rest_on() -> None:
    assert {reading.name: (reading.default, reading.basis) for reading in Fide2024.READINGS} == {
        "newcomer_games": ("of_period", "text"),
        "unrated_pool": ("sliding_window", "guess"),
        "unrated_pool_counts": ("played", "text"),
        "reentry": ("as_new", "text"),
        "zero_first_event": ("against_rated", "second-hand"),
        "repeated_zero": ("first_only", "text"),
        "interim_first_event": ("whole_tournament", "guess"),
        "listed_since": ("entry_rating", "text"),
        "junior_until": ("birthday", "text"),
        "junior_2300": ("once", "figures"),
        "half_point_rounding": ("away_from_zero", "figures"),
    }
    assert Fide2025.READINGS == Fide2024.READINGS


def test_every_reason_to_leave_a_game_out_that_this_text_knows() -> None:
    law = Fide2024()
    assert {reason: law.exclusion_article(reason) for reason in law.EXCLUSION_ARTICLES} == {
        Exclusion.ONE_SIDED: "8.2.4",
        Exclusion.UNPLAYED: "5.1",
        Exclusion.OPPONENT_UNRATED: "8.3.1",
        Exclusion.OWN_UNRATED: "8.2.1",
        Exclusion.BOTH_UNRATED: "8.2.2",
        Exclusion.TOO_FAST: "1.1",
        Exclusion.MATCH_UNRATED: "6.1",
        Exclusion.MATCH_DECIDED: "6.2",
        Exclusion.FIRST_EVENT_IGNORED: "8.2.1",
    }


def test_k_belongs_to_players_and_players_can_be_unrated() -> None:
    assert not Fide2024.K_FROM_TOURNAMENT
    assert Fide2024.HAS_UNRATED
    assert not Fide2024.STANDARD_STANDS_IN
    assert not Fide2024.MINIMUM_TIME_BY_FIELD
    assert not Fide2024.RATES_ROUND_ROBINS


def test_no_gap_of_ratings_keeps_a_game_out() -> None:
    assert not Fide2024().gap_is_excluded(2900, 1400)
    assert not Fide2025().gap_is_excluded(2900, 1400)
