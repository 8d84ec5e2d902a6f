"""The gate of a period: judges the reports of its files against the lists in force."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import date
from pathlib import Path

import numpy as np

from arrocco.engine.admission import Admission, Waived, judged
from arrocco.engine.admission_columns import suspects
from arrocco.engine.batch import ListColumns, PeriodContext
from arrocco.errors import Malformed, NoLawInForce
from arrocco.findings import Finding, Place
from arrocco.records.ratinglist import RatingList, list_of_ratings
from arrocco.records.report import Report
from arrocco.records.reportbatch import ReportBatch
from arrocco.records.told_facts import with_facts
from arrocco.runs.job import PeriodJob
from arrocco.store.list_folder import LIST, ListFolder, StoredList


class Gate:
    """Finds the reports that may have errors, and judges them."""

    def __init__(self, job: PeriodJob, context: PeriodContext, stored: StoredList) -> None:
        self.job, self.context, self.stored = job, context, stored
        self._folder = ListFolder(job.lists, job.rating_kind)
        self._earlier: dict[date, RatingList] = {}

    def suspects(self, batch: ReportBatch) -> list[int]:
        """The tournaments of a batch that may have an error."""
        if not self.job.waivers and all(self.job.is_decided(h.key) for h in batch.tournaments):
            return []
        return suspects(self.context, batch, has_list=self.job.has_list)

    def admission(self, key: str, from_columns: Callable[[], Report]) -> Admission:
        """What the gate says of a report; one that came as a text is read again with its lines."""
        reading: list[Finding] = []
        if Path(key).is_file():
            report, reading = _read(key)
        else:
            report = from_columns()
        assert report.start is not None, "a report without a start is never chosen"
        return self._judged(report, reading)

    def waived_report(self, key: str) -> tuple[Report, tuple[Waived, ...]] | None:
        """A report that its reader refused for errors which are all waived, with what was."""
        if not self.job.waivers:
            return None
        try:
            report, reading = _read(key)
            if report.start is None:
                return None
            admission = self._judged(report, reading)
        except (OSError, Malformed, NoLawInForce):
            return None
        return (report, admission.waived) if admission.is_admitted else None

    def _judged(self, report: Report, reading: list[Finding]) -> Admission:
        assert report.start is not None
        report.facts = with_facts(report.facts, report.source, self.job.facts)
        self.context.tell(report)
        listed, standard = self._listed_at(report.start, report), None
        if self.context.standard is not None:
            standard = _of_players(self.context.standard_at(report.start), report)
        law = self.context.law_at(report.law_day or report.start)
        findings = judged(report, law, listed, reading=reading, standard=standard, suggests=False)
        # Columns know no lines: what is said of a line is said of the report.
        whole = Place(report.source)
        return self.job.waivers.admit(
            finding if finding.place.file else replace(finding, place=whole) for finding in findings
        )

    def _listed_at(self, start: date, report: Report) -> RatingList | None:
        """The list in force at a start, with all it says of its players where it is our own."""
        if not self.job.has_list:
            return None
        if not self.context.law.ratings_are_fixed_in_period():
            return self.stored.listed
        columns = self.context.list_at(start)
        if columns is self.context.current:
            return self.stored.listed
        day = self.context.list_wanted(start)
        if self._folder.path(day).name != LIST:
            return _of_players(columns, report)
        if day not in self._earlier:
            self._earlier[day] = self._folder.read(day).listed
        return self._earlier[day]


def _read(key: str) -> tuple[Report, list[Finding]]:
    from arrocco.formats.trf import read_report

    return read_report(Path(key).read_bytes(), key)


def _of_players(columns: ListColumns, report: Report) -> RatingList:
    """What a list that is only ids and ratings says of the players of a report."""
    ids = np.unique([entry.id for entry in report.entries if entry.id is not None])
    ids = ids.astype(np.int64)
    rows = columns.rows(ids)
    there = rows >= 0
    return list_of_ratings(ids[there], columns.ratings(rows[there]))
