"""The law's own checks object to invented reports only where these were meant to be wrong."""

from __future__ import annotations

import pytest

from arrocco.dates import Month
from arrocco.demo.generate import federation, reports, trf_files
from arrocco.engine.checks import check_report
from arrocco.findings import Severity
from arrocco.formats.trf import read_report
from arrocco.laws.registry import edition_in_force

MEANT = {
    "check.field_too_fast",
    "check.all_games_too_fast",
    "check.games_too_fast",
    "check.wrong_class",
    "check.unequal_times",
    "check.between_bands",
    "check.round_dates_missing",
    "check.match_decided",
    "check.match_unrated",
    "check.id_missing",
    "check.not_online",
}
"""Fast games, matches played on, new players without a number; a file cannot say it is online."""

PERIODS = (
    ("fide", Month(2011, 9)),
    ("fide", Month(2012, 7)),
    ("fide", Month(2014, 6)),
    ("fide", Month(2024, 3)),
    ("fide", Month(2025, 2)),
    ("fide-rapid", Month(2024, 12)),
    ("fide-blitz", Month(2025, 2)),
    ("rio", Month(2025, 5)),
    ("uisp", Month(2023, 1)),
)


@pytest.mark.parametrize(("law", "period"), PERIODS, ids=str)
def test_only_what_was_meant_is_objected_to(law: str, period: Month) -> None:
    made = federation(500, 41, law=law, period=period)
    lists = {listed.on: listed for listed in made.lists}
    objections = set()
    for batch in reports(made, 1500, tournaments=25):
        for (name, data), on in zip(trf_files(batch), batch.list_dates, strict=True):
            report, _ = read_report(data, name)
            assert report.start is not None
            edition = edition_in_force(law, report.start)()
            findings = check_report(report, edition, lists[on])
            objections |= {f.key for f in findings if f.severity is not Severity.NOTE}
    assert objections <= MEANT
