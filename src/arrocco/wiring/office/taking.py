"""The reports of a plan as they are rated: read from their blobs, corrected, numbers followed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from arrocco.errors import Malformed
from arrocco.formats.trf import read_report
from arrocco.office.corrections import corrected
from arrocco.office.ledger import Correction, PlayersMerged, ReportAccepted
from arrocco.office.player_changes import renamed_ids
from arrocco.report import Report
from arrocco.timecontrol import parse
from arrocco.wiring.office.book import Book, Plan

ReadBlob = Callable[[str], bytes]
Extra = Mapping[int, Sequence[Correction]]
"""By number of report: corrections to be made besides those of the plan."""


class LeftOutReport(NamedTuple):
    """A report of the plan that is not on the list; the words are under ``desk.left_out``."""

    seq: int
    report: int
    tournament: int
    reason: str


@dataclass(frozen=True)
class Taken:
    """The reports that go to be rated, by their places in the ledger, and those that cannot."""

    reports: dict[int, Report]
    left_out: list[LeftOutReport]

    def playing(self) -> set[int]:
        """The numbers of everybody in the reports."""
        return {
            entry.id
            for report in self.reports.values()
            for entry in report.entries
            if entry.id is not None
        }


def left_out(book: Book, seq: int, reason: str) -> LeftOutReport:
    """A report that is left out, by its place."""
    entry = _accepted(book, seq)
    return LeftOutReport(seq, entry.report, entry.tournament, reason)


def take_reports(book: Book, plan: Plan, read_blob: ReadBlob, extra: Extra | None = None) -> Taken:
    """Reads the reports of a plan, in the order of the ledger."""
    merged = renamed_ids(
        entry for seq in plan.merges if isinstance(entry := book.entries[seq], PlayersMerged)
    )
    corrections: dict[int, list[Correction]] = {}
    for seq in plan.corrected:
        entry = book.entries[seq]
        assert isinstance(entry, Correction)
        corrections.setdefault(entry.report, []).append(entry)
    for number, more in (extra or {}).items():
        corrections.setdefault(number, []).extend(more)
    taken = Taken({}, [])
    keys: set[str] = set()
    for seq in plan.reports:
        accepted = _accepted(book, seq)
        key = f"tournament:{accepted.tournament}"
        # A long tournament is reported in parts, of which two may fall on one list.
        key = key if key not in keys else f"{key}:{accepted.report}"
        keys.add(key)
        try:
            report, _ = read_report(read_blob(accepted.blob), key)
        except Malformed:
            taken.left_out.append(left_out(book, seq, "unreadable"))
            continue
        report = _as_rated(report, accepted, corrections.get(accepted.report, ()), merged)
        reason = _reason(book, plan, report)
        if reason:
            taken.left_out.append(left_out(book, seq, reason))
        else:
            taken.reports[seq] = report
    return taken


def _accepted(book: Book, seq: int) -> ReportAccepted:
    entry = book.entries[seq]
    assert isinstance(entry, ReportAccepted)
    return entry


def _as_rated(
    report: Report,
    accepted: ReportAccepted,
    corrections: Sequence[Correction],
    merged: Mapping[int, int],
) -> Report:
    for correction in corrections:
        report = corrected(report, correction.changes)
    control = report.time_control
    if control is None and accepted.time_control:
        control = parse(accepted.time_control)
    entries = [
        replace(entry, id=merged.get(entry.id, entry.id)) if entry.id is not None else entry
        for entry in report.entries
    ]
    return replace(report, facts=accepted.facts, time_control=control, entries=entries)


def _reason(book: Book, plan: Plan, report: Report) -> str:
    """Why a report cannot be rated here at all; empty where it can be tried."""
    if report.start is None:
        return "no_start"
    if report.start >= plan.opened_on:
        return ""
    wanted = plan.law.list_used(report.start, plan.list_date)
    needed = [book.lists(plan.system.key)]
    if plan.law.STANDARD_STANDS_IN and "fide" in plan.other_lists:
        needed.append(book.lists("fide"))
    known = all(wanted in lists for lists in needed)
    return "" if wanted == plan.opened_on or known else "no_list"
