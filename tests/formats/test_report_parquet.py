"""Reports in Parquet: whole on the way out and back, in any cut; damaged files are refused."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arrocco.errors import Malformed
from arrocco.formats.report_parquet import (
    SCHEMA,
    batch_from_arrow,
    batch_to_arrow,
    read_batches,
    read_row_groups,
    write_batches,
)
from arrocco.records.report import Entry, Game, Report
from arrocco.records.reportbatch import ReportBatch, batch_of, report_at
from arrocco.units import HalfPoints
from tests.report_batches import many_reports


def all_reports(batch: ReportBatch) -> list[Report]:
    return [report_at(batch, index) for index in range(len(batch.tournaments))]


@settings(max_examples=40)
@given(many_reports())
def test_arrow_gives_every_report_back(reports: list[Report]) -> None:
    assert all_reports(batch_from_arrow(batch_to_arrow(batch_of(reports)))) == reports


@settings(max_examples=40)
@given(many_reports(), st.integers(0, 5), st.integers(0, 5))
def test_a_slice_of_a_record_batch_is_a_batch(
    reports: list[Report], first: int, length: int
) -> None:
    record = batch_to_arrow(batch_of(reports)).slice(min(first, len(reports)), length)
    assert all_reports(batch_from_arrow(record)) == reports[first : first + length]


@settings(max_examples=30)
@given(st.lists(many_reports(most=4), max_size=3), st.integers(1, 5))
def test_a_file_gives_all_reports_in_order_however_many_at_a_time(
    parts: list[list[Report]], rows: int
) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "reports.parquet"
        write_batches(path, map(batch_of, parts))
        batches = list(read_batches(path, rows=rows))
        groups = list(read_row_groups(path))
    expected = [report for part in parts for report in part]
    assert [report for batch in batches for report in all_reports(batch)] == expected
    assert all(len(batch.tournaments) <= rows for batch in batches)
    heads = [head for group in groups for head in group.heads]
    assert heads == [head for batch in batches for head in batch.tournaments]
    played = [len(report.games) for report in expected]
    assert sum(group.games for group in groups) >= sum(played)


def test_some_row_groups_can_be_read_alone(tmp_path: Path) -> None:
    parts = [[a_report(f"{n}a"), a_report(f"{n}b")] for n in range(4)]
    write_batches(tmp_path / "r.parquet", map(batch_of, parts))
    found = [
        report
        for batch in read_batches(tmp_path / "r.parquet", row_groups=[1, 3])
        for report in all_reports(batch)
    ]
    assert found == parts[1] + parts[3]


def a_report(source: str = "t") -> Report:
    people = [Entry(1, "Uno, Finta", 99_000_001), Entry(2, "Due, Finto", 99_000_002)]
    game = Game(1, 1, 2, HalfPoints(2), HalfPoints(0))
    day = date(2024, 5, 3)
    return Report(source=source, start=day, end=day, entries=people, games=[game])


def damaged(path: Path, **columns: Any) -> Path:
    """A file of one report in which some columns hold something else."""
    table = pa.Table.from_batches([batch_to_arrow(batch_of([a_report()]))])
    for name, value in columns.items():
        at = SCHEMA.names.index(name)
        table = table.set_column(at, SCHEMA.field(at), pa.array([value], SCHEMA.field(at).type))
    pq.write_table(table, path)
    return path


@pytest.mark.parametrize(
    "columns",
    [
        {"game_white": [2]},
        {"game_black": [-1]},
        {"game_black": [0]},
        {"game_white_half": [3]},
        {"game_black_half": [-1]},
        {"game_kind": [9]},
        {"game_round": [1, 2]},
        {"game_round": None},
        {"game_round": [None]},
        {"entry_id": [99_000_001]},
        {"entry_id": [99_000_001, None]},
        {"entry_name": None},
        {"entry_name": [b"Uno", None]},
        {"start": None},
        {"key": None},
        {"system": "hexagonal"},
        {"control": "as they like"},
        {"facts": "{"},
        {"facts": '{"official": 7}'},
        {"round_dates": None},
    ],
    ids=str,
)
def test_rows_that_do_not_fit_together_are_refused(tmp_path: Path, columns: dict[str, Any]) -> None:
    path = damaged(tmp_path / "r.parquet", **columns)
    with pytest.raises(Malformed, match=r"r\.parquet"):
        list(read_batches(path))


def test_the_undamaged_file_is_read(tmp_path: Path) -> None:
    (batch,) = read_batches(damaged(tmp_path / "r.parquet"))
    assert all_reports(batch) == [a_report()]


@pytest.mark.parametrize("content", [b"", b"PAR1", b"this is no report\n", b"PAR1" * 100])
def test_what_is_not_parquet_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "r.parquet"
    path.write_bytes(content)
    with pytest.raises(Malformed):
        list(read_batches(path))


def test_a_file_cut_short_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "r.parquet"
    write_batches(path, [batch_of([a_report()])])
    whole = path.read_bytes()
    for length in range(0, len(whole), 97):
        path.write_bytes(whole[:length])
        with pytest.raises(Malformed):
            list(read_batches(path))


def test_a_file_without_a_column_is_refused_naming_it(tmp_path: Path) -> None:
    path = tmp_path / "r.parquet"
    table = pa.Table.from_batches([batch_to_arrow(batch_of([a_report()]))])
    pq.write_table(table.drop_columns(["game_kind"]), path)
    with pytest.raises(Malformed) as refused:
        list(read_batches(path))
    assert "game_kind" in refused.value.advice
