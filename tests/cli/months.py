"""A small invented month, rated by the program itself: two periods one after the other."""

from __future__ import annotations

from datetime import date
from pathlib import Path

from arrocco.formats.report_parquet import write_batches
from arrocco.records.report import Report
from arrocco.records.reportbatch import batch_of
from tests.cli.tournaments import player_id, report, run, write_list

RATINGS = [1500, 1620, 1405, None, None, 2395]
PAIRINGS = [
    (1, 1, 2, "1"),
    (1, 3, 6, "0"),
    (1, 4, 5, "1"),
    (2, 2, 4, "0"),
    (2, 6, 1, "1"),
    (2, 5, 3, "1"),
    (3, 4, 1, "="),
    (3, 3, 2, "0"),
    (3, 6, 5, "1"),
    (4, 4, 6, "0"),
    (4, 1, 3, "1"),
    (4, 2, 5, "+"),
    (5, 3, 4, "0"),
    (5, 5, 1, "0"),
    (5, 6, 2, "1"),
    (6, 6, 4, "="),
]
"""Six players, everybody against everybody; number 4 comes to five games and a first rating."""


def tournament(source: str, start: date) -> Report:
    made = report(RATINGS, PAIRINGS, start=start, name=f"Torneo {source}")
    made.source = source
    return made


def write_month(folder: Path) -> Path:
    """Lists and reports of May 2024; `rate` makes the list of June of them."""
    (folder / "lists").mkdir()
    rows = [(player_id(n), rating, 20) for n, rating in enumerate(RATINGS, start=1) if n != 5]
    write_list(folder / "lists", rows, "2024-05-01.csv")
    write_batches(folder / "may.parquet", [batch_of([tournament("may", date(2024, 5, 10))])])
    return folder


def rate(folder: Path, period: str, reports: str, *more: str, lists: str = "lists") -> Path:
    """Rates a month with the program and gives the folder of the new list."""
    result = run(
        "period",
        "rate",
        "--law",
        "fide",
        "--period",
        period,
        "--lists",
        str(folder / lists),
        "--reports",
        str(folder / reports),
        "--out",
        str(folder / "out"),
        *more,
    )
    assert result.exit_code == 0, result.output
    (written,) = (p for p in (folder / "out").iterdir() if p.name > period)
    return written
