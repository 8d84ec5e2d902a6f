"""The days of a tournament: what is missing, what contradicts, on which list it comes."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from arrocco.findings import Severity
from arrocco.laws.rating import RatingLaw
from tests.engine.checks.build import (
    BLITZ,
    FIDE_2010,
    FIDE_2024,
    RAPID,
    RIO,
    START,
    UISP,
    judge,
    keys,
    list_of,
    objections,
    report,
    the,
)

ALL = [FIDE_2024, FIDE_2010, RAPID, BLITZ, RIO, UISP]
DAY = timedelta(days=1)


def name(law: RatingLaw) -> str:
    return f"{law.law} {law.edition}"


@pytest.mark.parametrize("law", ALL, ids=name)
def test_a_regular_report_meets_no_objection(law: RatingLaw) -> None:
    assert objections(judge(report(law), law, on=START[law] + 10 * DAY)) == set()


@pytest.mark.parametrize("law", ALL, ids=name)
def test_without_a_start_there_is_an_error(law: RatingLaw) -> None:
    made = report(law)
    made.start = None
    assert the(judge(made, law), "start_missing").severity is Severity.ERROR


@pytest.mark.parametrize(
    ("law", "severity", "article"),
    [
        (FIDE_2024, Severity.ERROR, "7.1.3"),
        (FIDE_2010, Severity.ERROR, "7.13"),
        (RAPID, Severity.ERROR, "6.1.3"),
        (RIO, Severity.WARNING, ""),
        (UISP, Severity.WARNING, ""),
    ],
)
def test_without_an_end_fide_knows_no_list(
    law: RatingLaw, severity: Severity, article: str
) -> None:
    found = the(judge(report(law, end=None), law), "end_missing")
    assert (found.severity, found.article) == (severity, article)


@pytest.mark.parametrize("days", [-1, 0, 1])
def test_only_an_end_before_the_start_is_wrong(days: int) -> None:
    made = report(FIDE_2024, end=START[FIDE_2024] + days * DAY)
    found = [f for f in judge(made, FIDE_2024) if f.key == "check.end_before_start"]
    assert [finding.severity for finding in found] == [Severity.ERROR] * (days < 0)


@pytest.mark.parametrize("day", [date(24, 5, 4), date(1899, 12, 31), date(2200, 1, 1), date.max])
def test_a_year_that_is_a_slip_is_told_and_not_reckoned_with(day: date) -> None:
    found = judge(report(FIDE_2024, start=day, end=day), FIDE_2024, on=day)
    implausible = [one for one in found if one.key == "check.day_implausible"]
    assert [one.details["day"] for one in implausible] == [day] * 3
    assert {one.severity for one in implausible} == {Severity.ERROR}
    assert {"registration", "first_and_last_list"}.isdisjoint(keys(found))


@pytest.mark.parametrize("day", [date(1900, 1, 1), date(2199, 12, 31)])
def test_the_years_at_the_edge_are_reckoned_with(day: date) -> None:
    found = judge(report(FIDE_2024, start=day, end=day), FIDE_2024, on=day)
    assert "day_implausible" not in keys(found)


# --- the day of sending ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("law", "article"), [(FIDE_2024, "9.1"), (RAPID, "8.1")], ids=["standard", "rapid"]
)
@pytest.mark.parametrize(("days", "late"), [(-1, False), (0, True), (1, True)])
def test_9_1_a_report_misses_the_third_list_on_its_date(
    law: RatingLaw, article: str, days: int, late: bool
) -> None:
    end = date(2025, 3, 10)
    on = date(2025, 6, 1) + days * DAY
    found = judge(report(law, start=end, end=end), law, on=on)
    assert ("too_late" in keys(found)) is late
    if late:
        finding = the(found, "too_late")
        assert (finding.severity, finding.article) == (Severity.ERROR, article)
        assert finding.details["last"] == date(2025, 6, 1)
        assert "first_and_last_list" not in keys(found)
    else:
        assert the(found, "first_and_last_list").details["first"] == date(2025, 6, 1)


def test_2010_knows_no_last_list() -> None:
    found = judge(report(FIDE_2010), FIDE_2010, on=date(2014, 1, 1))
    assert "too_late" not in keys(found)
    assert the(found, "first_list").details["first"] == date(2014, 2, 1)


def test_without_a_day_of_sending_nothing_is_late() -> None:
    assert "too_late" not in keys(judge(report(FIDE_2024), FIDE_2024))


@pytest.mark.parametrize("days", [-1, 0])
def test_a_report_is_not_sent_before_the_end(days: int) -> None:
    found = judge(report(FIDE_2024), FIDE_2024, on=START[FIDE_2024] + days * DAY)
    assert ("sent_before_end" in objections(found)) is (days < 0)


@pytest.mark.parametrize(
    ("end", "official", "first"),
    [
        (date(2024, 3, 29), False, date(2024, 4, 1)),
        (date(2024, 3, 30), False, date(2024, 5, 1)),
        (date(2024, 3, 31), True, date(2024, 4, 1)),
    ],
)
def test_7_1_3_the_first_list_by_the_closing_day(end: date, official: bool, first: date) -> None:
    made = report(FIDE_2024, start=end, end=end, official=official)
    found = the(judge(made, FIDE_2024), "first_and_last_list")
    assert found.severity is Severity.NOTE
    assert found.article == "7.1.3, 9.1"
    assert found.details == {"end": end, "first": first, "last": date(2024, 6, 1)}


@pytest.mark.parametrize(
    ("on", "ranking"),
    [(date(2024, 6, 21), date(2024, 7, 1)), (date(2024, 6, 22), date(2024, 10, 1))],
)
def test_uisp_counts_by_the_day_of_receipt(on: date, ranking: date) -> None:
    found = the(judge(report(UISP), UISP, on=on), "counted_on")
    assert found.details == {"on": on, "ranking": ranking}
    assert found.article == "I.2"


# --- the list that was given ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("law", "of", "article"),
    [
        (FIDE_2024, date(2024, 5, 1), ""),
        (FIDE_2024, date(2024, 4, 1), "7.1"),
        (FIDE_2024, None, ""),
        (FIDE_2010, date(2012, 1, 1), ""),
        (FIDE_2010, date(2012, 2, 1), "7.11"),
        (UISP, date(2024, 1, 1), ""),
    ],
)
def test_the_list_is_the_one_in_force_at_the_start(
    law: RatingLaw, of: date | None, article: str
) -> None:
    made = report(law)
    found = judge(made, law, list_of(made, on=of))
    assert ("other_list" in objections(found)) is bool(article)
    assert [one.article for one in found if one.key == "check.other_list"] == [article] * bool(
        article
    )


# --- registration ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("law", "ratings", "sexes", "deadline", "article"),
    [
        (FIDE_2024, (2700, 2500), "mw", date(2024, 5, 1), "0.2.2"),
        (FIDE_2024, (2701, 2500), "mw", date(2024, 4, 4), "0.2.1"),
        (FIDE_2024, (2600, 2501), "mw", date(2024, 4, 4), "0.2.1"),
        (FIDE_2024, (2600, 2501), "mm", date(2024, 5, 1), "0.2.2"),
        (FIDE_2024, (None, None), "mw", date(2024, 5, 1), "0.2.2"),
        (FIDE_2010, (2750, 2700), "mw", date(2011, 12, 14), "0.4"),
        (RAPID, (2750, 2700), "mw", date(2025, 1, 8), "0.2"),
    ],
)
def test_the_strongest_decide_the_notice(
    law: RatingLaw,
    ratings: tuple[int | None, ...],
    sexes: str,
    deadline: date,
    article: str,
) -> None:
    made = report(law, ratings)
    for entry, sex in zip(made.entries, sexes, strict=True):
        entry.sex = sex
    found = the(judge(made, law), "registration")
    assert (found.details["deadline"], found.article) == (deadline, article)
    assert found.severity is Severity.NOTE


@pytest.mark.parametrize(
    ("sex", "deadline"), [("F", date(2024, 4, 4)), ("M", date(2024, 5, 1)), ("", date(2024, 5, 1))]
)
def test_a_woman_on_the_list_is_one_in_the_report(sex: str, deadline: date) -> None:
    made = report(FIDE_2024, (2600, 2501))
    found = judge(made, FIDE_2024, list_of(made, {}, {"sex": sex}))
    assert the(found, "registration").details["deadline"] == deadline


@pytest.mark.parametrize("law", [RIO, UISP], ids=name)
def test_without_registration_nothing_is_said_of_it(law: RatingLaw) -> None:
    assert "registration" not in keys(judge(report(law), law))


@pytest.mark.parametrize(("days_after", "told"), [(0, False), (1, True)])
def test_4_13_period_by_period_is_chosen_before_the_first_round(
    days_after: int, told: bool
) -> None:
    start = START[FIDE_2010]
    made = report(FIDE_2010, by_period=start + timedelta(days=days_after))
    found = [f for f in judge(made, FIDE_2010) if f.key == "check.by_period_late"]
    assert [f.article for f in found] == (["4.13"] if told else [])
