"""Until when tournaments can still enter a list, ordinary and official ones."""

from __future__ import annotations

from datetime import date

import pytest

from arrocco.laws.systems import SYSTEMS, RatingSystem
from arrocco.office.cutoff import list_for
from arrocco.office.entry_days import entry_days
from arrocco.words import LANGUAGES, say

FIDE, UISP, RIO = (SYSTEMS[key] for key in ("fide", "uisp", "rio-blitz"))
FIDE_2024 = FIDE.edition_on(date(2026, 1, 1))
MAY = date(2026, 5, 1)


def april(day: int) -> date:
    return date(2026, 4, day)


@pytest.mark.parametrize(
    ("today", "ordinary", "official"),
    [
        (20, "open", "open"),
        (28, "open", "open"),
        (29, "reports", "open"),
        (30, "reports", "open"),
    ],
)
def test_FIDE_7_1_3_ordinary_tournaments_end_three_days_before_official_ones_one(
    today: int, ordinary: str, official: str
) -> None:
    first, second = entry_days(FIDE_2024, MAY, april(today))
    assert (first.key, first.closes, first.send_by) == (
        f"office.entry.ordinary.{ordinary}",
        april(28),
        april(30),
    )
    assert (second.key, second.closes) == (f"office.entry.official.{official}", april(30))
    assert first.article == second.article == "7.1.3"


def test_the_office_that_takes_reports_for_fewer_days_says_so() -> None:
    ordinary, official = entry_days(FIDE_2024, MAY, april(29), report_days=3)
    assert (ordinary.key, ordinary.send_by) == ("office.entry.ordinary.closed", april(28))
    assert (official.key, official.send_by) == ("office.entry.official.open", april(30))


@pytest.mark.parametrize("report_days", [1, 2, 3, 5])
def test_what_is_said_is_what_is_done(report_days: int) -> None:
    for row, is_official in zip(
        entry_days(FIDE_2024, MAY, april(20), report_days), (False, True), strict=True
    ):

        def listed(end: date, received: date, official: bool = is_official) -> object:
            return list_for(FIDE_2024, FIDE, end, received, official, report_days=report_days)

        next_day = date.fromordinal(row.closes.toordinal() + 1)
        assert listed(row.closes, row.send_by) == MAY
        assert listed(next_day, max(next_day, row.send_by)) != MAY
        assert listed(row.closes, date.fromordinal(row.send_by.toordinal() + 1)) != MAY


@pytest.mark.parametrize(
    ("system", "list_date", "today", "key", "closes"),
    [
        (UISP, date(2026, 7, 1), date(2026, 6, 21), "receipt.open", date(2026, 6, 21)),
        (UISP, date(2026, 7, 1), date(2026, 6, 22), "receipt.closed", date(2026, 6, 21)),
        (RIO, MAY, april(30), "publication.open", april(30)),
        (RIO, MAY, MAY, "publication.closed", april(30)),
    ],
)
def test_where_the_report_decides_there_is_one_row(
    system: RatingSystem, list_date: date, today: date, key: str, closes: date
) -> None:
    law = system.edition_on(april(1))
    (row,) = entry_days(law, list_date, today)
    assert (row.key, row.closes, row.send_by) == (f"office.entry.{key}", closes, closes)


def test_every_state_has_its_sentence_with_its_days() -> None:
    for language in LANGUAGES:
        for today in (april(20), april(29), MAY):
            for row in entry_days(FIDE_2024, MAY, today):
                said = say(language, row.key, closes=row.closes, send_by=row.send_by)
                assert "04" in said
