"""Writes an invented federation into a folder: lists, reports and the truth about them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any, Literal

from arrocco.demo.generate.batch import GeneratedBatch, report_name, reports
from arrocco.demo.generate.federation import Federation
from arrocco.demo.generate.trf_lines import write_trf
from arrocco.demo.generate.truth import Truth
from arrocco.formats.lists import write_list
from arrocco.formats.report_parquet import write_batches

Forms = Literal["trf", "parquet", "both"]

LISTS, REPORTS, PARQUET, TRUTH = "lists", "reports", "reports.parquet", "truth.json"


def write_federation(
    federation: Federation,
    folder: Path,
    games: int,
    *,
    tournaments: int | None = None,
    forms: Forms = "both",
    defects: int = 0,
) -> dict[str, Any]:
    """Writes everything into a folder and gives what `truth.json` holds.

    The truth is written last: a folder that has it is complete.
    """
    batches = reports(federation, games, tournaments=tournaments, defects=defects)
    write_lists(federation, folder)
    truth = Truth(federation)
    seen = _seen(batches, truth, None if forms == "parquet" else folder / REPORTS)
    if forms == "trf":
        for _ in seen:
            pass
    else:
        write_batches(folder / PARQUET, seen)
    record = {
        "arguments": federation.arguments
        | {"games": games, "tournaments": tournaments, "reports": forms, "defects": defects},
        "counts": truth.record(),
    }
    (folder / TRUTH).write_text(json.dumps(record, indent=2) + "\n", "utf-8")
    return record


def write_lists(federation: Federation, folder: Path) -> list[Path]:
    """Writes all lists as Parquet, each under its date; the newest first."""
    paths = [list_path(folder, day) for day in federation.calendar.lists]
    for number, path in enumerate(paths):
        path.parent.mkdir(parents=True, exist_ok=True)
        write_list(federation.rating_list(number), path, "parquet")
    return paths


def list_path(folder: Path, day: date) -> Path:
    """The file of the list of a day."""
    return folder / LISTS / f"{day.isoformat()}.parquet"


def report_path(folder: Path, number: int) -> Path:
    """The file of a report, by its number from 1."""
    return folder / REPORTS / report_name(number)


def _seen(
    batches: Iterator[GeneratedBatch], truth: Truth, trf: Path | None
) -> Iterator[GeneratedBatch]:
    """The same batches, counted and written as report files on their way."""
    if trf is not None:
        trf.mkdir(parents=True, exist_ok=True)
    for batch in batches:
        truth.add(batch)
        if trf is not None:
            write_trf(batch, trf)
        yield batch
