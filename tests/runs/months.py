"""Invented months on the disk, with everything a runner has to tell apart."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

from arrocco.dates import Month
from arrocco.demo.generate import federation
from arrocco.demo.generate.folder import write_federation
from arrocco.formats.report_parquet import read_batches, write_batches
from arrocco.records.reportbatch import selected
from arrocco.runs.period import PeriodJob

AWKWARD = "_open [1] 100% è.trf"
"""A file name that asks for trouble: hidden to some, a pattern or an escape to others."""


def write_month(folder: Path, period: Month = Month(2024, 5)) -> Path:  # noqa: B008 - a value
    """Writes lists, report files and two Parquet files of reports.

    Among the reports are a late one, one that cannot be read, some that are given twice and one
    that ended after the closing day. The Parquet files have row groups of a few tournaments.
    """
    write_federation(federation(400, 5, period=period), folder, 3000, forms="both")
    whole = folder / "reports.parquet"
    batches = list(read_batches(whole, rows=3))
    whole.unlink()
    opened = period.first_day
    late = batches[1].tournaments[0]
    batches[1].tournaments[0] = replace(
        late, start=opened - timedelta(days=10), end=opened + timedelta(days=1)
    )
    write_batches(folder / "reports" / "a.parquet", batches)
    again = selected(batches[0], [True, True, False])
    later = selected(batches[0], [False, False, True])
    later.tournaments = [
        replace(head, key="later", end=opened + timedelta(days=90)) for head in later.tournaments
    ]
    write_batches(folder / "reports" / "b.parquet", [again, later])
    files = sorted((folder / "reports").glob("*.trf"))
    files[0].rename(files[0].with_name(AWKWARD))
    files[1].write_bytes(b"this is no report\n")
    for file in files[len(files) // 2 :]:
        file.unlink()
    return folder


def job_of(folder: Path, out: Path, period: Month = Month(2024, 5)) -> PeriodJob:  # noqa: B008
    """The month as a job of the local runner."""
    return PeriodJob("fide", period, folder / "lists", (folder / "reports",), out, workers=1)
