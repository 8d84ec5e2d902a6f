"""What the two editions of the text are: their dates, their values, their readings."""

from __future__ import annotations

from datetime import date, timedelta
from itertools import pairwise

import pytest

from arrocco.errors import Illegal, NoLawInForce
from arrocco.laws.fide.standard_2010 import Fide2011, Fide2012
from arrocco.laws.fide.text_2010.numbering import text_order
from arrocco.laws.fide.text_2010.ratings import Ratings
from arrocco.laws.fide.text_2024.ratings import Ratings as Ratings2024
from arrocco.laws.rating import Exclusion
from arrocco.laws.registry import edition_in_force

EDITIONS = [Fide2011, Fide2012]


@pytest.mark.parametrize(
    ("day", "edition"),
    [
        (date(2011, 7, 1), Fide2011),
        (date(2012, 6, 30), Fide2011),
        (date(2012, 7, 1), Fide2012),
        (date(2014, 6, 30), Fide2012),
    ],
)
def test_0_1_editions_hold_for_tournaments_that_start_on_their_days(
    day: date, edition: type[Fide2011]
) -> None:
    assert edition_in_force("fide", day) is edition


@pytest.mark.parametrize("day", [date(2011, 6, 30), date(2014, 7, 1)])
def test_outside_its_editions_the_text_is_not_applied(day: date) -> None:
    with pytest.raises(NoLawInForce):
        edition_in_force("fide", day)


def test_every_day_of_three_years_has_exactly_one_of_the_two_editions() -> None:
    day = date(2011, 7, 1)
    while day < date(2014, 7, 1):
        assert [day in edition.in_force for edition in EDITIONS].count(True) == 1
        day += timedelta(days=1)


def test_0_6_the_floor_is_1200_and_from_july_2012_1000() -> None:
    assert (Fide2011.FLOOR, Fide2012.FLOOR) == (1200, 1000)
    assert Fide2011.FLOOR.article == Fide2012.FLOOR.article == "0.6"
    assert [int(v) for name, v in Fide2012.values() if name == "FLOOR"] == [1000]


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_value_has_an_article_and_words_in_both_languages(edition: type[Fide2011]) -> None:
    values = list(edition.values())
    assert len(values) == 41
    for name, value in values:
        assert value.article, name
        assert value.unit, name
        assert value.en.strip(), name
        assert value.it.strip(), name


@pytest.mark.parametrize("edition", EDITIONS)
def test_values_and_rules_come_in_the_order_of_the_text(edition: type[Fide2011]) -> None:
    for articles in (
        [value.article for _, value in edition.values()],
        [rule.article for rule in edition.rules()],
    ):
        assert all(text_order(one) <= text_order(other) for one, other in pairwise(articles))


def test_8_21_comes_before_8_3_and_chapter_12_after_chapter_8() -> None:
    mixed = ["12.3", "8.3", "7.21", "8.21", "7.3", "8.1", "7.14a", "7.2", "7.11", "8.56", "7.1"]
    assert (
        sorted(mixed, key=text_order)
        == "7.1 7.11 7.14a 7.2 7.21 7.3 8.1 8.21 8.3 8.56 12.3".split()
    )


def test_steps_and_exclusions_have_the_same_names_as_in_later_texts() -> None:
    assert set(Ratings.ARTICLES) >= set(Ratings2024.ARTICLES)
    assert set(Ratings.EXCLUSION_ARTICLES) >= set(Ratings2024.EXCLUSION_ARTICLES)


@pytest.mark.parametrize(
    ("reason", "article"),
    [
        (Exclusion.UNPLAYED, "5.1"),
        (Exclusion.OPPONENT_UNRATED, "6.42"),
        (Exclusion.TOO_FAST, "1.2"),
        (Exclusion.MATCH_UNRATED, "6.6"),
        (Exclusion.MATCH_DECIDED, "6.5"),
        (Exclusion.FIRST_EVENT_IGNORED, "8.21"),
        (Exclusion.ONE_SIDED, "8.4"),
    ],
)
def test_exclusions_name_their_article(reason: Exclusion, article: str) -> None:
    assert Fide2011().exclusion_article(reason) == article


def test_readings_say_what_they_rest_on() -> None:
    bases = {reading.name: (reading.default, reading.basis) for reading in Fide2012.READINGS}
    assert bases == {
        "month_of_notice": ("calendar_month", "guess"),
        "tournament_days": ("both_ends", "guess"),
        "dropped_unrated": ("round_robin_among_others", "guess"),
        "newcomer_games": ("of_period", "text"),
        "unrated_pool": ("sliding_window", "guess"),
        "unrated_pool_counts": ("played", "text"),
        "listed_since": ("entry_rating", "text"),
        "top_list": ("without_games", "guess"),
        "monthly_lists": ("from_july_2012", "guess"),
        "zero_first_event": ("against_rated", "text"),
        "repeated_zero": ("first_only", "text"),
        "mixed_pool": ("full_dp", "guess"),
        "k_conflict": ("top_first", "text"),
        "iteration": ("one_pass", "figures"),
        "published_ru": ("new", "text"),
    }


def test_an_unknown_reading_is_refused_with_those_there_are() -> None:
    with pytest.raises(Illegal) as refusal:
        Fide2011(junior_until="year_end")
    assert "k_conflict" in refusal.value.advice
