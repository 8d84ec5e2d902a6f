"""FIDE 2022: one upgrade a tournament, first ratings from the half, the floor, what it rests on."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from arrocco.engine.calculator import Played, calculate_change
from arrocco.engine.explain import initial_steps
from arrocco.laws.edition import BASES
from arrocco.laws.fide.rapid_blitz_2022 import (
    FideBlitz2022,
    FideBlitz2022October,
    FideRapid2022,
    FideRapid2022October,
)
from arrocco.laws.fide.standard_2022 import Fide2022, Fide2023
from arrocco.laws.fide.text_2024.registration import RegistrationStatus
from arrocco.laws.rating import RatingLaw
from arrocco.laws.registry import edition_in_force

LAW = Fide2022()
BOTH = Fide2022(one_upgrade="both")


class TestOneUpgrade:
    """8.3.1 — a player benefits from one cut a tournament, in the game furthest apart."""

    def test_only_the_greatest_difference_is_cut(self) -> None:
        assert LAW.counted_differences(2000, [1063, 1299, 1413, 1872]) == [400, 701, 587, 128]

    def test_a_single_one_is_cut(self) -> None:
        assert LAW.counted_differences(2000, [1599, 1600]) == [400, 400]
        assert LAW.counted_differences(2000, [1599]) == [400]

    def test_of_equal_ones_the_first_is_cut(self) -> None:
        assert LAW.counted_differences(2000, [1500, 1500, 1500]) == [400, 500, 500]

    def test_the_weaker_player_gains_nothing_by_a_cut_and_keeps_every_one(self) -> None:
        assert LAW.counted_differences(1500, [2000, 2300, 1000]) == [-400, -400, 400]

    def test_read_of_both_sides_the_weaker_player_has_one_too(self) -> None:
        assert BOTH.counted_differences(1500, [2000, 2300, 2400]) == [-500, -800, -400]
        assert BOTH.counted_differences(1500, [2000, 900]) == [-500, 400]

    def test_as_published_for_seven_games(self) -> None:
        """Figures of a rapid tournament of 2022: 0.08, 0.01, 0.02, -0.17, -0.70, 0.02, 0.13."""
        opponents = [1063, 1299, 1413, 1872, 1851, 1427, 1682]
        scores = [2, 2, 2, 1, 0, 2, 2]
        played = [Played(o, s) for o, s in zip(opponents, scores, strict=True)]
        rows, _ = calculate_change(LAW, date(2022, 11, 1), 2000, played, k=20)
        deltas = [game.delta for event in rows.events for game in event.games]
        assert deltas == [8, 1, 2, -17, -70, 2, 13]
        assert rows.variation == -1220


class TestFirstRating:
    """8.2.3 — Ra at one half, 20 for each half point above it, dp below it."""

    @pytest.mark.parametrize(
        ("games", "ratings", "half_points", "rating", "reason"),
        [
            (5, 5 * 1600, 5, 1600, "at_half"),
            (5, 5 * 1600, 6, 1620, "above_half"),
            (5, 5 * 1600, 10, 1700, "above_half"),
            (5, 5 * 1600, 4, 1528, "below_half"),
            (5, 8001, 5, 1600, "at_half"),
            (2, 3201, 2, 1601, "at_half"),
        ],
    )
    def test_8_2_3(
        self, games: int, ratings: int, half_points: int, rating: int, reason: str
    ) -> None:
        first = LAW.initial_rating(games, ratings, half_points)
        assert (first.rating, first.reasons) == (rating, (reason,))

    def test_7_1_4_needs_five_games_and_1000(self) -> None:
        assert LAW.first_rating_is_published(5, 1000)
        assert not LAW.first_rating_is_published(4, 1500)
        assert not LAW.first_rating_is_published(5, 999)
        assert LAW.is_delisted(999)
        assert not LAW.is_delisted(1000)

    def test_no_value_of_2024_shows_that_this_text_never_had(self) -> None:
        names = {name for name, _ in Fide2022.values()}
        absent = {"HYPOTHETICAL_OPPONENTS", "HYPOTHETICAL_RATING", "INITIAL_CAP", "TOP_PLAYER"}
        assert names.isdisjoint(absent)
        assert "HALF_POINT_STEP" in names


def test_0_2_the_long_notice_begins_on_25_december_2023() -> None:
    start, registered = date(2024, 2, 1), date(2024, 1, 20)
    assert LAW.registration_status(start, registered, 2750) is RegistrationStatus.IN_TIME
    late = Fide2023().registration_status(start, registered, 2750)
    assert late is RegistrationStatus.LATE_NEEDS_PRESIDENT


@pytest.mark.parametrize(
    ("law", "k"),
    [
        (FideRapid2022(), 20),
        (FideBlitz2022(), 20),
        (FideRapid2022October(), 10),
        (FideBlitz2022October(), 10),
    ],
)
def test_k_of_rapid_and_blitz_is_20_for_everybody_until_october_2022(
    law: RatingLaw, k: int
) -> None:
    assert law.k_line(400, 2400, False).k == k


@pytest.mark.parametrize("law", [FideRapid2022(), FideBlitz2022October()])
def test_rapid_and_blitz_have_one_upgrade_and_the_articles_of_their_chapter(law: RatingLaw) -> None:
    assert law.counted_differences(2000, [1300, 1500]) == [400, 500]
    assert law.article("cap") == "7.3.1"
    articles = {name: value.article for name, value in law.values()}
    assert articles["HALF_POINT_STEP"] == "7.2.4"
    assert articles["DIFFERENCE_CAP"] == "7.3.1"


@pytest.mark.parametrize(
    "edition", [Fide2022, Fide2023, FideRapid2022, FideRapid2022October, FideBlitz2022]
)
def test_every_value_says_what_it_rests_on(edition: type[RatingLaw]) -> None:
    for name, _ in edition.values():
        assert edition.basis_of(name) in BASES
    assert edition.basis_of("K_NORMAL") == "second-hand"
    assert edition.basis_of("CLOSING_DAYS") == "guess"
    names = {name for name, _ in edition.values()}
    optional = set(
        """
        TOP_PLAYER TOP_WOMAN LONG_NOTICE K_ALL AT_MOST_MINUTES LESS_THAN_MINUTES
        MORE_THAN_MINUTES ROUNDS_PER_DAY
    """.split()
    )
    standard = set(
        """
        HIGH_BAND MIDDLE_BAND HIGH_BAND_MINUTES MIDDLE_BAND_MINUTES LOW_BAND_MINUTES
        FIRST_CONTROL_MOVES HOURS_PER_DAY INTERIM_REPORTS_AFTER
    """.split()
    )
    assert set(edition.VALUE_BASES) - names <= optional | standard | edition.WITHOUT


def test_7_3_3_where_everybody_has_one_k_no_other_is_shown() -> None:
    """What the text does not have was shown by `law show`, though it decided nothing."""
    shown = dict(FideRapid2022.values())
    assert "K_ALL" in shown
    assert not {"K_NEW", "K_NEW_GAMES", "K_TOP_RATING", "K_JUNIOR_AGE"} & set(shown)
    assert "K_NEW" in dict(FideRapid2022October.values())


def test_standard_values_read_word_for_word_are_those_of_8_2_and_8_3_1() -> None:
    read = {name for name, _ in Fide2022.values() if Fide2022.basis_of(name) == "text"}
    assert read == {"DIFFERENCE_CAP", "HALF_POINT_STEP"}


def test_from_2014_to_2021_nothing_is_put_in_its_place() -> None:
    assert edition_in_force("fide", date(2022, 1, 1)) is Fide2022
    assert edition_in_force("fide", date(2024, 2, 29)) is Fide2023


@pytest.mark.parametrize(
    "edition",
    [Fide2022, Fide2023, FideRapid2022, FideRapid2022October, FideBlitz2022, FideBlitz2022October],
)
@pytest.mark.parametrize("half_points", [2, 5, 8])
def test_8_2_3_a_first_rating_is_explained_below_at_and_above_the_half(
    edition: type[Any], half_points: int
) -> None:
    law = edition()
    first = law.initial_rating(5, 5 * 1600, half_points)
    steps = initial_steps(law, first, first.reasons, publishable=True)
    (reason,) = first.reasons
    assert [step.article for step in steps if step.key == f"explain.first.{reason}"] != []
