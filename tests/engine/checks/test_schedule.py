"""The schedule: rounds and hours of a day, days of a tournament."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from arrocco.findings import Severity
from arrocco.laws.rating import RatingLaw
from arrocco.records.report import Report
from tests.engine.checks.build import (
    BLITZ,
    FIDE_2010,
    FIDE_2024,
    RAPID,
    RIO,
    START,
    UISP,
    control,
    judge,
    keys,
    report,
    the,
)

DAY = timedelta(days=1)


def on_days(law: RatingLaw, *days: int | None, text: str | None = None) -> Report:
    """A report whose rounds were played so many days after its start, over ten days."""
    start = START[law]
    made = report(law, end=start + 9 * DAY, rounds=len(days))
    made.round_dates = tuple(None if day is None else start + day * DAY for day in days)
    if text is not None:
        made.time_control = control(text)
    return made


@pytest.mark.parametrize(
    ("law", "article"), [(FIDE_2024, "3"), (FIDE_2010, "3.1"), (RAPID, "3.1"), (BLITZ, "3.1")]
)
def test_rounds_without_dates_are_told(law: RatingLaw, article: str) -> None:
    finding = the(judge(on_days(law, 0, None, None, 3), law), "round_dates_missing")
    assert (finding.severity, finding.article) == (Severity.WARNING, article)
    assert finding.details == {"undated": 2, "rounds": 4}


def test_no_dates_at_all_are_told_once() -> None:
    made = on_days(FIDE_2024, 0, 1, 2)
    made.round_dates = ()
    assert the(judge(made, FIDE_2024), "round_dates_missing").details["undated"] == 3


@pytest.mark.parametrize(("rounds", "told"), [(1, False), (2, True)])
def test_a_single_round_needs_no_date(rounds: int, told: bool) -> None:
    made = on_days(FIDE_2024, *[None] * rounds)
    assert ("round_dates_missing" in keys(judge(made, FIDE_2024))) is told


def test_all_dates_given_say_nothing() -> None:
    assert "round_dates_missing" not in keys(judge(on_days(FIDE_2024, 0, 1, 2), FIDE_2024))


def test_a_tournament_of_one_day_needs_no_dates() -> None:
    made = report(FIDE_2024, rounds=4, round_dates=())
    found = judge(made, FIDE_2024)
    assert "round_dates_missing" not in keys(found)
    assert the(found, "hours_in_a_day").details["rounds"] == 4


@pytest.mark.parametrize("law", [RIO, UISP], ids=["rio", "uisp"])
def test_without_a_limit_of_the_day_dates_are_not_asked_for(law: RatingLaw) -> None:
    made = report(law, rounds=40, end=START[law] + DAY)
    made.round_dates = ()
    assert {"round_dates_missing", "rounds_in_a_day", "hours_in_a_day"}.isdisjoint(
        keys(judge(made, law))
    )


@pytest.mark.parametrize(
    ("text", "rounds", "hours"),
    [
        ("90'+30\"", 3, None),
        ("90'+30\"", 4, "16:00"),
        ("90'+31\"", 3, "12:06"),
        ("60'+30\"", 4, None),
        ("60'+30\"", 5, "15:00"),
    ],
)
def test_3_at_most_12_hours_a_day(text: str, rounds: int, hours: str | None) -> None:
    found = judge(on_days(FIDE_2024, 0, *[2] * rounds, text=text), FIDE_2024)
    assert ("hours_in_a_day" in keys(found)) is (hours is not None)
    assert "rounds_in_a_day" not in keys(found)
    if hours is not None:
        finding = the(found, "hours_in_a_day")
        assert (finding.severity, finding.article) == (Severity.ERROR, "3")
        assert finding.details["hours"] == hours
        assert finding.details["day"] == START[FIDE_2024] + 2 * DAY


def test_every_day_over_the_limit_is_named() -> None:
    found = judge(on_days(FIDE_2024, 0, 0, 0, 0, 1, 2, 2, 2, 2), FIDE_2024)
    days = [one.details["day"] for one in found if one.key == "check.hours_in_a_day"]
    assert days == [START[FIDE_2024], START[FIDE_2024] + 2 * DAY]


@pytest.mark.parametrize(
    ("text", "rounds", "key"),
    [
        ("60'+30\"", 3, None),
        ("60'+30\"", 4, "rounds_in_a_day"),
        ("90'+31\"", 3, "hours_in_a_day"),
        ("90'+31\"", 4, "rounds_in_a_day"),
    ],
)
def test_2010_3_1_three_games_and_12_hours(text: str, rounds: int, key: str | None) -> None:
    found = judge(on_days(FIDE_2010, *[1] * rounds, text=text), FIDE_2010)
    assert keys(found) & {"rounds_in_a_day", "hours_in_a_day"} == ({key} if key else set())
    if key is not None:
        assert the(found, key).article == "3.1"


@pytest.mark.parametrize(
    ("law", "most", "article"), [(RAPID, 15, "3.1.1"), (BLITZ, 30, "3.1.2"), (FIDE_2010, 3, "3.1")]
)
@pytest.mark.parametrize("known", [True, False], ids=["control known", "control unknown"])
def test_the_number_of_rounds_of_a_day(
    law: RatingLaw, most: int, article: str, known: bool
) -> None:
    for rounds in (most, most + 1):
        made = on_days(law, *[1] * rounds)
        if not known:
            made.time_control = None
        found = judge(made, law)
        assert ("rounds_in_a_day" in keys(found)) is (rounds > most)
    finding = the(found, "rounds_in_a_day")
    assert (finding.severity, finding.article) == (Severity.ERROR, article)
    assert (finding.details["rounds"], finding.details["most"]) == (most + 1, most)


# --- the length of a tournament -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("days", "league", "too_long"), [(90, False, False), (91, False, True), (91, True, False)]
)
def test_2010_4_1_at_most_90_days(days: int, league: bool, too_long: bool) -> None:
    made = report(FIDE_2010, end=START[FIDE_2010] + (days - 1) * DAY, league=league)
    found = judge(made, FIDE_2010)
    assert ("too_long" in keys(found)) is too_long
    if too_long:
        finding = the(found, "too_long")
        assert (finding.severity, finding.article) == (Severity.ERROR, "4.1")
        assert finding.details == {"days": 91, "most": 90}


@pytest.mark.parametrize(("days", "needed"), [(30, False), (31, True)])
def test_4_a_tournament_of_more_than_30_days_is_reported_monthly(days: int, needed: bool) -> None:
    start = START[FIDE_2024]
    found = judge(report(FIDE_2024, end=start + (days - 1) * DAY), FIDE_2024)
    assert ("interim_reports" in keys(found)) is needed
    if needed:
        finding = the(found, "interim_reports")
        assert (finding.severity, finding.article) == (Severity.WARNING, "4")
        assert finding.details == {"days": 31, "count": 2, "until": date(2024, 5, 31)}


@pytest.mark.parametrize("law", [FIDE_2010, RAPID, RIO, UISP], ids=lambda law: law.law)
def test_other_texts_know_no_interim_reports(law: RatingLaw) -> None:
    assert "interim_reports" not in keys(judge(report(law, end=START[law] + 60 * DAY), law))


def test_days_in_the_wrong_order_have_no_length() -> None:
    made = report(FIDE_2024, end=START[FIDE_2024] - 60 * DAY)
    assert "interim_reports" not in keys(judge(made, FIDE_2024))
