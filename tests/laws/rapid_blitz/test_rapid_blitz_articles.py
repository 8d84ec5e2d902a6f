"""FIDE rapid and blitz: what is inherited appears under the number it has in this chapter."""

import pytest

from arrocco.laws.fide.rapid_blitz_2024 import (
    FideBlitz2024December,
    FideRapid2024,
    FideRapid2024December,
    RapidBlitz,
    article_here,
)
from arrocco.laws.fide.standard_2024 import Fide2024
from arrocco.laws.registry import editions


@pytest.mark.parametrize(
    ("standard", "here"),
    [
        ("0.4", "0.4"),
        ("5.1", "4.1"),
        ("6.2", "5.2"),
        ("7.1", "6.1"),
        ("7.1.4", "6.1.4"),
        ("8.1.2", "7.1.2"),
        ("8.2.1", "7.2.2"),
        ("8.2.4", "7.2.5"),
        ("8.3.1", "7.3.1"),
        ("9.1", "8.1"),
        ("10.1", "9.1"),
    ],
)
def test_articles_after_the_fourth_move_up_by_one(standard: str, here: str) -> None:
    assert article_here(standard) == here


def test_values_stand_under_their_articles() -> None:
    values = dict(FideRapid2024December.values())
    assert {name: values[name].article for name in ("FLOOR", "INITIAL_CAP", "K_NEW", "GAP")} == {
        "FLOOR": "6.1.2",
        "INITIAL_CAP": "7.2.4",
        "K_NEW": "7.3.3",
        "GAP": "7.3.1",
    }
    assert values["K_NEW"].en == Fide2024.K_NEW.en


def test_values_and_rules_of_the_standard_chapter_alone_are_not_shown() -> None:
    values, rules = dict(FideRapid2024.values()), {rule.name for rule in FideRapid2024.rules()}
    assert not values.keys() & {"HIGH_BAND", "LOW_BAND_MINUTES", "LONG_NOTICE", "HOURS_PER_DAY"}
    assert not rules & {"minimum_minutes", "first_control_is_valid", "needs_interim_reports"}
    assert {"registration_deadline", "rating_used", "is_played", "new_rating"} <= rules


def test_the_gap_is_a_rule_from_december_only() -> None:
    assert "GAP" not in dict(FideRapid2024.values())
    assert "gap_is_excluded" not in {rule.name for rule in FideRapid2024.rules()}
    assert "gap_is_excluded" in {rule.name for rule in FideRapid2024December.rules()}


def test_readings_stand_under_their_articles() -> None:
    articles = {reading.name: reading.article for reading in FideBlitz2024December.READINGS}
    assert articles == {
        "newcomer_games": "6.1.2",
        "unrated_pool": "6.1.4",
        "unrated_pool_counts": "6.1.4",
        "reentry": "6.2.1",
        "zero_first_event": "7.2.2",
        "repeated_zero": "7.2.2",
        "interim_first_event": "7.2.2",
        "listed_since": "7.2.5",
        "junior_until": "7.3.3",
        "junior_2300": "7.3.3",
        "half_point_rounding": "7.3.4",
    }


@pytest.mark.parametrize("law", ["fide-rapid", "fide-blitz"])
def test_steps_stand_under_their_articles(law: str) -> None:
    for edition in editions(law):
        assert issubclass(edition, RapidBlitz)
        standard = Fide2024.ARTICLES.keys() - {"adjustment"}  # of standard ratings alone
        assert edition.ARTICLES.keys() >= standard
        assert edition.ARTICLES["expected"] == "7.1.2"
        assert edition.ARTICLES["initial"] == "7.2.4"
        assert edition.ARTICLES["standard_rating"] == "7.2.1"
