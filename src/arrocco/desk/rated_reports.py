"""The reports of a plan as they are rated: read into columns, corrected, numbers followed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from arrocco.desk.book import Book, Plan
from arrocco.engine.admission import Waiver, Waivers
from arrocco.errors import Malformed
from arrocco.formats.trf import read_report
from arrocco.formats.trf_columnar import read_batch
from arrocco.formats.trf_columnar.order import reordered
from arrocco.laws.systems import STANDARD
from arrocco.office.corrections import ReadReport, corrected, is_annulled
from arrocco.office.ledger import (
    Correction,
    ErrorsWaived,
    PlayersMerged,
    ReportAccepted,
    ReportReplacement,
    WaivedError,
)
from arrocco.office.player_changes import renamed_ids
from arrocco.records.report import Report
from arrocco.records.reportbatch import (
    ReportBatch,
    TournamentHead,
    batch_of,
    joined,
    report_at,
    selected,
)
from arrocco.records.timecontrol import parse

Births = TypeVar("Births", np.int32, np.int64)
ReadBlob = Callable[[str], bytes]
Extra = Mapping[int, Sequence[Correction]]
"""By number of report: corrections to be made besides those of the plan."""


class LeftOutReport(NamedTuple):
    """A report of the plan that is not on the list; the words are under ``desk.left_out``."""

    seq: int
    report: int
    tournament: int
    reason: str
    errors: tuple[str, ...] = ()
    """The keys of the errors that stop it, where it is the gate that does."""


@dataclass(frozen=True)
class Taken:
    """The reports that go to be rated, in the order of the ledger, and those that cannot."""

    batch: ReportBatch
    seqs: tuple[int, ...]
    """By tournament of the batch: its place in the ledger."""
    left_out: list[LeftOutReport]

    def playing(self) -> set[int]:
        """The numbers of everybody in the reports."""
        ids = self.batch.entries.id
        return set(ids[ids > 0].tolist())

    def keys(self) -> dict[int, str]:
        """By place in the ledger: the key of the tournament."""
        heads = self.batch.tournaments
        return {seq: head.key for seq, head in zip(self.seqs, heads, strict=True)}


def left_out(book: Book, seq: int, reason: str, errors: tuple[str, ...] = ()) -> LeftOutReport:
    """A report that is left out, by its place."""
    entry = _accepted(book, seq)
    return LeftOutReport(seq, entry.report, entry.tournament, reason, errors)


def waivers_for(book: Book, keys: Mapping[int, str]) -> Waivers:
    """The waivers with which reports were accepted, by their places and keys."""
    given: dict[int, tuple[WaivedError, ...]] = {}
    for _, entry in book.of(ErrorsWaived):  # as it was accepted, then as it was corrected
        given[entry.report] = (*entry.errors, *given.get(entry.report, ()))  # the last reason holds
    return Waivers.recorded(
        Waiver(error.key, error.reason, key)
        for seq, key in keys.items()
        for error in given.get(book.report_number(seq), ())
    )


def years_only(births: NDArray[Births]) -> NDArray[Births]:
    """Births as a published list tells them: the year alone, by which a junior's K goes then."""
    return births // 10_000 * 10_000


def take_reports(book: Book, plan: Plan, read_blob: ReadBlob, extra: Extra | None = None) -> Taken:
    """Reads the reports of a plan: regular files by columns, corrected ones record by record."""
    accepted = {key: (seq, _accepted(book, seq)) for seq, key in _keys(book, plan.reports).items()}
    batch = read_batch([(key, read_blob(entry.blob)) for key, (_, entry) in accepted.items()])
    places = {head.key: place for place, head in enumerate(batch.tournaments)}
    corrections = _corrections(book, plan, extra)
    refused: dict[int, str] = {}
    records: dict[str, Report] = {}
    annulled: set[str] = set()
    for key, (seq, entry) in accepted.items():
        changes = corrections.get(entry.report, ())
        if key in places and not changes:
            continue
        try:
            report = (
                report_at(batch, places[key])
                if key in places
                else read_report(read_blob(entry.blob), key)[0]
            )
        except Malformed:
            refused[seq] = "unreadable"
            continue
        if any(is_annulled(correction.changes) for correction in changes):
            refused[seq] = "annulled"
            annulled.add(key)
            continue
        for correction in changes:
            report = corrected(report, correction.changes, _reader(read_blob))
        if report.start is None:
            refused[seq] = "no_start"
        else:
            records[key] = report
    if records or annulled:
        changed = records.keys() | annulled
        regular = selected(batch, [head.key not in changed for head in batch.tournaments])
        batch = joined([regular, batch_of(list(records.values()))])
    merged = renamed_ids(
        merge for seq in plan.merges if isinstance(merge := book.entries[seq], PlayersMerged)
    )
    batch = _as_rated(batch, {key: entry for key, (_, entry) in accepted.items()}, merged)
    for head in batch.tournaments:
        reason = _reason(book, plan, head.start)
        if reason:
            refused[accepted[head.key][0]] = reason
    seqs = [accepted[head.key][0] for head in batch.tournaments]
    order = sorted((seq, place) for place, seq in enumerate(seqs) if seq not in refused)
    batch = reordered(batch, [place for _, place in order])
    return Taken(
        batch,
        tuple(seq for seq, _ in order),
        [left_out(book, seq, reason) for seq, reason in sorted(refused.items())],
    )


def _reader(read_blob: ReadBlob) -> ReadReport:
    """Reads reports that take the place of others."""

    def read(change: ReportReplacement) -> Report:
        return read_report(read_blob(change.blob), change.file_name)[0]

    return read


def _accepted(book: Book, seq: int) -> ReportAccepted:
    entry = book.entries[seq]
    assert isinstance(entry, ReportAccepted)
    return entry


def _keys(book: Book, seqs: Iterable[int]) -> dict[int, str]:
    """By place: the key of the tournament, which nothing else on the list has."""
    keys: dict[str, int] = {}
    for seq in seqs:
        accepted = _accepted(book, seq)
        key = f"tournament:{accepted.tournament}"
        # A long tournament is reported in parts, of which two may fall on one list.
        keys[key if key not in keys else f"{key}:{accepted.report}"] = seq
    return {seq: key for key, seq in keys.items()}


def _corrections(book: Book, plan: Plan, extra: Extra | None) -> dict[int, list[Correction]]:
    """By number of report: its corrections, in the order they were entered."""
    by_report: dict[int, list[Correction]] = {}
    for seq in plan.corrected:
        entry = book.entries[seq]
        assert isinstance(entry, Correction)
        by_report.setdefault(entry.report, []).append(entry)
    for number, more in (extra or {}).items():
        by_report.setdefault(number, []).extend(more)
    return by_report


def _as_rated(
    batch: ReportBatch, accepted: Mapping[str, ReportAccepted], merged: Mapping[int, int]
) -> ReportBatch:
    """A batch with the facts and the control registered, numbers followed, births by the year."""

    def head_of(head: TournamentHead) -> TournamentHead:
        entry, control = accepted[head.key], head.control
        if control is None and entry.time_control:
            control = parse(entry.time_control)
        return replace(head, facts=entry.facts, control=control)

    ids = batch.entries.id.copy()
    for left, kept in merged.items():
        ids[batch.entries.id == left] = kept
    birth = years_only(batch.entries.birth)
    return replace(
        batch,
        tournaments=[head_of(head) for head in batch.tournaments],
        entries=replace(batch.entries, id=ids, birth=birth),
    )


def _reason(book: Book, plan: Plan, start: date) -> str:
    """Why a report cannot be rated here at all; empty where it can be tried."""
    if start >= plan.opened_on:
        return ""
    wanted = plan.law.list_out_by(start, plan.list_date, plan.emitted)
    needed = [book.lists(plan.system.key)]
    if plan.law.STANDARD_STANDS_IN and STANDARD in plan.other_lists:
        needed.append(book.lists(STANDARD))
    known = all(wanted in lists for lists in needed)
    return "" if wanted == plan.opened_on or known else "no_list"
