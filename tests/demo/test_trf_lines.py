"""Report files by columns: the writer's own bytes, read without a fault, equal to the Parquet."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from arrocco.demo.generate import GeneratedBatch, federation, reports, trf_files, write_trf
from arrocco.findings import Place, Severity
from arrocco.formats.report_parquet import read_batches, write_batches
from arrocco.formats.trf import read_report
from arrocco.formats.trf.writer import from_report
from arrocco.records.report import Report, System
from arrocco.records.reportbatch import ReportBatch, batch_of, joined
from tests.demo.whole import whole_report

LAWS = ("fide", "fide-rapid", "fide-blitz", "rio", "uisp")


@pytest.fixture(scope="module", params=LAWS)
def batch(request: pytest.FixtureRequest) -> GeneratedBatch:
    (only,) = reports(federation(400, 21, law=request.param), 2500, tournaments=50)
    return only


def test_the_fast_writer_and_the_careful_one_write_the_same_bytes(batch: GeneratedBatch) -> None:
    files = list(trf_files(batch))
    assert [name for name, _ in files] == [head.key for head in batch.tournaments]
    for index, (_, data) in enumerate(files):
        assert data == from_report(whole_report(batch, index), batch.versions[index])
    assert set(batch.versions) == {"trf16", "trf26"}


def test_the_careful_reader_finds_nothing_but_missing_numbers(batch: GeneratedBatch) -> None:
    for name, data in trf_files(batch):
        _, findings = read_report(data, name)
        assert {f.key for f in findings} <= {"trf.id_missing", "trf.match_length_from_rounds"}
        assert not any(f.severity is Severity.ERROR for f in findings)


def test_reading_a_file_gives_the_report_it_was_made_from(batch: GeneratedBatch) -> None:
    for index, (name, data) in enumerate(trf_files(batch)):
        read, _ = read_report(data, name)
        assert _without_places(read) == whole_report(batch, index)


def test_a_batch_has_accented_names_and_every_system(batch: GeneratedBatch) -> None:
    """Without them the comparisons above would show less than they seem to."""
    assert sum(not name.decode().isascii() for name in batch.entries.name.tolist()) > 10
    assert {head.system for head in batch.tournaments} >= {
        System.SWISS,
        System.ROUND_ROBIN,
        System.DOUBLE_ROUND_ROBIN,
        System.MATCH,
        System.TEAM,
    }


def test_parquet_and_report_files_hold_the_same(batch: GeneratedBatch, tmp_path: Path) -> None:
    write_trf(batch, tmp_path)
    files = sorted(tmp_path.iterdir())
    read = batch_of([read_report(file.read_bytes(), file.name)[0] for file in files])
    write_batches(tmp_path / "reports.parquet", [batch])
    kept = joined(list(read_batches(tmp_path / "reports.parquet")))
    if kept.tournaments[0].facts.online:
        for one in kept.tournaments:
            one.facts = replace(one.facts, online=False)  # a report file does not tell
    assert read.tournaments == kept.tournaments
    assert _columns(read) == _columns(kept)


def _columns(batch: ReportBatch) -> dict[str, list[object]]:
    columns = vars(batch.entries) | vars(batch.games)
    return {name: np.asarray(column).tolist() for name, column in columns.items()}


def _without_places(report: Report) -> Report:
    """The report as if it had come from nowhere, without the words that only a file has."""
    nowhere = Place()
    report.games = [replace(game, place=nowhere) for game in report.games]
    report.byes = [replace(bye, place=nowhere) for bye in report.byes]
    for entry in report.entries:
        entry.place = nowhere
    report.facts.online = report.time_control is not None and _is_online(report)
    report.system_text = report.time_control_text = ""
    return report


def _is_online(report: Report) -> bool:
    """RIO's batch is the one of May 2025."""
    return report.start is not None and report.start.year == 2025
