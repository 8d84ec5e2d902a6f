"""FIDE 2024 4, 9.1 — what a list has rated is found again: same days and players, same scores."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import pytest

from arrocco.dates import Month
from arrocco.errors import Inconsistent
from arrocco.records.report import Report
from arrocco.records.reportbatch import ReportBatch, batch_of
from arrocco.runs.period import PeriodJob, prepare, rate_job
from arrocco.runs.rated_before import RatedBefore
from arrocco.store.calculations import ENTRIES
from arrocco.store.list_folder import ListFolder
from tests.desk.offices import RATINGS, player_id, report, write_opening

START = date(2025, 5, 20)
MAY, JUNE = Month(2025, 5), Month(2025, 6)


@pytest.fixture
def lists(tmp_path: Path) -> Path:
    """The list of May, and that of June on which a tournament of seven days is."""
    lists = tmp_path / "lists"
    lists.mkdir()
    write_opening(lists / "2025-05-01.csv")
    rate_job(job(lists, MAY, report(1, START)))
    return lists


def job(lists: Path, period: Month, *reports: Report) -> PeriodJob:
    return PeriodJob("fide", period, lists, (batch_of(list(reports)),), lists, workers=1)


def told(lists: Path, *batches: ReportBatch) -> list[str]:
    """The reports of some batches, one after the other, that are on a list already."""
    context, _ = prepare(job(lists, JUNE))
    before = RatedBefore(context, ListFolder(lists, "standard"))
    return [one.place.file for batch in batches for one in before.repeated(batch)]


def changed(made: Report, source: str, **changes: object) -> Report:
    return replace(made, source=source, **changes)  # type: ignore[arg-type]


def test_9_1_names_days_and_results_put_right_do_not_matter(lists: Path) -> None:
    made = report(1, START)
    assert made.end is not None
    later = made.end + timedelta(days=9)
    turned = [replace(g, white_score=g.black_score, black_score=g.white_score) for g in made.games]
    sent = [
        changed(made, "again"),
        changed(made, "renamed", name="Another", end=later),
        changed(made, "one game less", name="Another", games=made.games[:-1]),
        changed(made, "all turned", games=turned),
        changed(made, "all turned and renamed", name="Another", games=turned),
        changed(made, "apart", start=made.end + timedelta(days=1), end=later),
        changed(made, "goes on", start=made.end, end=later),
        changed(made, "of the period", start=date(2025, 6, 2), end=date(2025, 6, 8)),
    ]
    assert told(lists, batch_of(sent)) == ["again", "renamed", "one game less", "all turned"]
    # An earlier start among the later batches has the list read from there on.
    early = changed(report(2, START - timedelta(days=12)), "early", name="Third")
    assert told(lists, batch_of([early]), batch_of(sent[:1])) == ["again"]
    assert told(lists, batch_of([sent[5]]), batch_of(sent[:1])) == ["again"]


def test_9_1_other_players_and_lists_from_elsewhere_tell_of_nothing(lists: Path) -> None:
    others = report(1, START, players=range(5, 13))
    assert len(RATINGS) == 12
    assert player_id(12) in {entry.id for entry in others.entries}
    assert told(lists, batch_of([changed(others, "others", name="Another")])) == []
    for file in (lists / "2025-06-01").glob("*.parquet"):
        if file.name == ENTRIES:
            file.unlink()
    assert told(lists, batch_of([changed(report(1, START), "again")])) == []


def test_a_damaged_list_is_refused_in_words(lists: Path) -> None:
    (lists / "2025-06-01" / ENTRIES).write_bytes(b"nothing")
    with pytest.raises(Inconsistent) as refused:
        told(lists, batch_of([changed(report(1, START), "again")]))
    assert refused.value.key == "store.refused.unreadable"
