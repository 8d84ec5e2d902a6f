"""The time control: known, of this list, slow enough for those who played."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from arrocco.findings import Severity
from arrocco.laws.rating import RatingLaw
from arrocco.units import Rating
from tests.engine.checks.build import (
    BLITZ,
    FIDE_2010,
    FIDE_2024,
    RAPID,
    RIO,
    UISP,
    control,
    game,
    judge,
    keys,
    list_of,
    objections,
    report,
    the,
)


@pytest.mark.parametrize(
    ("law", "severity", "article"),
    [
        (FIDE_2024, Severity.WARNING, "1.1"),
        (FIDE_2010, Severity.WARNING, "1.2"),
        (RAPID, Severity.WARNING, "1.1, 1.2"),
        (RIO, Severity.WARNING, "14.3"),
        (UISP, Severity.ERROR, "II.2"),
    ],
)
def test_an_unknown_control_stops_only_where_k_hangs_on_it(
    law: RatingLaw, severity: Severity, article: str
) -> None:
    found = judge(report(law, time_control=None), law)
    finding = the(found, "time_control_unknown")
    assert (finding.severity, finding.article) == (severity, article)
    assert "no_coefficient" not in keys(found)


@pytest.mark.parametrize(
    ("law", "text", "article"),
    [
        (FIDE_2024, "90'/29 + 30' + 30\"", "1.2"),
        (FIDE_2024, "90'/30 + 30' + 30\"", None),
        (FIDE_2024, "90'/40 + 30' + 30\"", None),
        (FIDE_2024, "90' + 30\"", None),
        (FIDE_2010, "90'/39 + 30' + 30\"", "1.3"),
        (FIDE_2010, "90'/40 + 30' + 30\"", None),
        (FIDE_2010, "90'/41 + 30' + 30\"", "1.3"),
        (FIDE_2010, "90' + 30\"", None),
        (RAPID, "10'/10 + 5' + 10\"", None),
    ],
)
def test_the_moves_of_a_first_control(law: RatingLaw, text: str, article: str | None) -> None:
    found = judge(report(law, time_control=control(text)), law)
    assert ("first_control" in keys(found)) is (article is not None)
    if article is not None:
        finding = the(found, "first_control")
        assert (finding.severity, finding.article) == (Severity.ERROR, article)


@pytest.mark.parametrize(
    ("law", "text", "article", "belongs"),
    [
        (RAPID, "10+0", "1.1.1", "blitz"),
        (RAPID, "10+1", None, ""),
        (RAPID, "59+0", None, ""),
        (RAPID, "60+0", "1.1.1", "standard"),
        (BLITZ, "3+0", "1.1.2", "-"),
        (BLITZ, "3+1", None, ""),
        (BLITZ, "10+0", None, ""),
        (BLITZ, "10+1", "1.1.2", "rapid"),
        (RIO, "59 sec", "14.3", "-"),
        (RIO, "1+0", None, ""),
        (RIO, "59+0", None, ""),
        (RIO, "60+0", "14.3", "standard"),
    ],
)
def test_a_control_of_another_list_is_an_error(
    law: RatingLaw, text: str, article: str | None, belongs: str
) -> None:
    found = judge(report(law, time_control=control(text)), law)
    assert ("wrong_class" in keys(found)) is (article is not None)
    assert "no_coefficient" not in keys(found)
    if article is not None:
        finding = the(found, "wrong_class")
        assert (finding.severity, finding.article) == (Severity.ERROR, article)
        assert finding.details["belongs"] == belongs


@pytest.mark.parametrize(
    ("law", "article"),
    [(BLITZ, "1.2"), (RIO, "Premessa (FIDE rapid, blitz 1.2)")],
)
def test_different_times_are_not_rated(law: RatingLaw, article: str) -> None:
    found = judge(report(law, time_control=control("W300-B240")), law)
    finding = the(found, "unequal_times")
    assert (finding.severity, finding.article) == (Severity.ERROR, article)
    assert objections(found) == {"unequal_times"}


# --- the least time -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ratings", "text", "is_fast"),
    [
        ((2400, None), "90'+29\"", True),
        ((2400, None), "90'+30\"", False),
        ((2399, 2399), "60'+30\"", False),
        ((1800, 1500), "60'+29\"", True),
        ((1800, 1500), "60'+30\"", False),
        ((1799, None), "30'+30\"", False),
        ((1799, None), "30'+29\"", True),
        ((None, None), "59'", True),
    ],
)
def test_1_1_the_least_time_goes_by_the_stronger_of_two(
    ratings: Sequence[int | None], text: str, is_fast: bool
) -> None:
    found = judge(report(FIDE_2024, ratings, time_control=control(text)), FIDE_2024)
    assert ("all_games_too_fast" in keys(found)) is is_fast
    if is_fast:
        finding = the(found, "all_games_too_fast")
        assert (finding.severity, finding.article) == (Severity.ERROR, "1.1")


def test_1_1_some_games_too_fast_are_a_warning_that_names_them() -> None:
    made = report(
        FIDE_2024,
        (2400, 1790, 1700, 1650),
        time_control=control("60'+30\""),
        games=[game(1, 1, 2), game(1, 3, 4), game(2, 3, 1)],
    )
    found = judge(made, FIDE_2024)
    finding = the(found, "games_too_fast")
    assert (finding.severity, finding.article) == (Severity.WARNING, "1.1")
    assert (finding.details["count"], finding.details["played"]) == (2, 3)
    assert finding.details["minutes"] == "90"
    assert finding.details["games"] == (
        "1. Abete, Anna 2400 – Betulla, Bruno 1790 (120');"
        " 2. Cedro, Carla 1700 – Abete, Anna 2400 (120')"
    )
    assert finding.place.line == 11


@pytest.mark.parametrize(("games", "ends"), [(5, "(120')"), (6, "; …")])
def test_only_the_first_games_are_named_and_all_are_counted(games: int, ends: str) -> None:
    made = report(
        FIDE_2024,
        (2400, 2400, 1500, 1400),
        time_control=control("60'+30\""),
        games=[game(round_, 1, 2) for round_ in range(1, games + 1)] + [game(1, 3, 4)],
    )
    finding = the(judge(made, FIDE_2024), "games_too_fast")
    assert finding.details["count"] == games
    assert finding.details["games"].endswith(ends)
    assert finding.details["games"].count("Abete") == 5


def test_1_1_looks_at_the_list_before_the_report() -> None:
    made = report(FIDE_2024, (2399, 1500), time_control=control("60'+30\""))
    assert "all_games_too_fast" not in keys(judge(made, FIDE_2024))
    assert "all_games_too_fast" in keys(judge(made, FIDE_2024, list_of(made, {"rating": 2400})))
    # Who is on the list without a rating has none, whatever the report says.
    made.entries[0].rating = Rating(2400)
    assert "all_games_too_fast" not in keys(judge(made, FIDE_2024, list_of(made, {"rating": 0})))


@pytest.mark.parametrize(
    ("ratings", "text", "needed"),
    [
        ((2200, 1400, None), "90'+29\"", 120),
        ((2200, 1400, None), "90'+30\"", None),
        ((1600, None, None), "60'+29\"", 90),
        ((1600, None, None), "60'+30\"", None),
        ((1599, None, None), "59'", 60),
        ((1599, None, None), "60'", None),
    ],
)
def test_2010_1_2_the_strongest_of_the_field_decides_for_all(
    ratings: Sequence[int | None], text: str, needed: int | None
) -> None:
    made = report(FIDE_2010, ratings, time_control=control(text), games=[game(1, 2, 3)])
    found = judge(made, FIDE_2010)
    assert ("field_too_fast" in keys(found)) is (needed is not None)
    if needed is not None:
        finding = the(found, "field_too_fast")
        assert (finding.severity, finding.article) == (Severity.ERROR, "1.2")
        assert finding.details["needed"] == needed


def test_minutes_for_60_moves_show_odd_seconds() -> None:
    made = report(FIDE_2010, (2200, 2100), time_control=control("5430"))
    assert the(judge(made, FIDE_2010), "field_too_fast").details["minutes"] == "90:30"


# --- K of a tournament ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "has_k"), [("3+0", False), ("3+1", True), ("W300-B240", False), ("30+10", True)]
)
def test_uisp_has_no_k_for_some_controls(text: str, has_k: bool) -> None:
    found = judge(report(UISP, time_control=control(text)), UISP)
    assert ("no_coefficient" in keys(found)) is not has_k
    if not has_k:
        finding = the(found, "no_coefficient")
        assert (finding.severity, finding.article) == (Severity.ERROR, "II.2")


@pytest.mark.parametrize(
    ("ratings", "text", "between"),
    [
        ((2400, 1500), "60'+30\"", True),
        ((2399, 1500), "60'+30\"", False),
        ((1800, 1500), "60'", True),
        ((1799, 1500), "60'", False),
        ((2500, 1500), "90'+30\"", False),
        ((2500, 1500), "59'", False),
    ],
)
def test_uisp_says_where_fide_would_leave_games_out(
    ratings: Sequence[int | None], text: str, between: bool
) -> None:
    found = judge(report(UISP, ratings, time_control=control(text)), UISP)
    assert ("between_bands" in objections(found)) is between
