"""An invented report as a `Report` with everything its file shows, for comparison."""

from __future__ import annotations

import numpy as np

from arrocco.demo.generate import GeneratedBatch
from arrocco.records.report import Bye, ByeKind, Report
from arrocco.records.reportbatch import report_at

BYE_KINDS = (
    ByeKind.HALF_POINT,
    ByeKind.FULL_POINT,
    ByeKind.PAIRING_ALLOCATED,
    ByeKind.ZERO_POINT,
)


def whole_report(batch: GeneratedBatch, index: int) -> Report:
    """One tournament of a batch with points, ranks, byes and arbiter."""
    report = report_at(batch, index)
    first = int(batch.entry_offsets()[index])
    for row, entry in enumerate(report.entries, start=first):
        entry.points, entry.rank = int(batch.points[row]), int(batch.rank[row])
    byes, number = batch.byes, batch.entries.number
    for row in np.flatnonzero(batch.entries.tournament[byes.entry] == index).tolist():
        entry_number = int(number[byes.entry[row]])
        report.byes.append(Bye(int(byes.round[row]), entry_number, BYE_KINDS[byes.code[row]]))
    report.chief_arbiter = batch.arbiters[index]
    return report


def whole_reports(batches: list[GeneratedBatch]) -> list[Report]:
    """Every tournament of some batches."""
    return [
        whole_report(batch, index) for batch in batches for index in range(len(batch.tournaments))
    ]
