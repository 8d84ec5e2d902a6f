"""Writes an invented federation into a folder: lists, reports and the truth about them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

from arrocco.formats.lists import write_list
from arrocco.formats.report_parquet import write_batches
from arrocco.generate.batch import GeneratedBatch, reports
from arrocco.generate.federation import Federation, list_name
from arrocco.generate.trf_lines import write_trf
from arrocco.generate.truth import Truth

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
    arguments: dict[str, Any] | None = None,
) -> dict[str, Any]:
    """Writes everything into a folder and gives what `truth.json` holds.

    The truth is written last: a folder that has it is complete. `arguments` are kept in it.
    """
    batches = reports(federation, games, tournaments=tournaments, defects=defects)
    write_lists(federation, folder / LISTS)
    truth = Truth(federation)
    seen = _seen(batches, truth, None if forms == "parquet" else folder / REPORTS)
    if forms == "trf":
        for _ in seen:
            pass
    else:
        write_batches(folder / PARQUET, seen)
    record = {"arguments": {"seed": federation.seed, "law": federation.law} | (arguments or {})}
    record["counts"] = truth.record()
    (folder / TRUTH).write_text(json.dumps(record, indent=2) + "\n", "utf-8")
    return record


def write_lists(federation: Federation, folder: Path) -> list[Path]:
    """Writes all lists as Parquet, each under its date; the newest first."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for number, day in enumerate(federation.calendar.lists):
        paths.append(folder / list_name(day))
        write_list(federation.rating_list(number), paths[-1], "parquet")
    return paths


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
