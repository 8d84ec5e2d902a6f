"""A law as one side of a replay, and how reports are dealt out to its own periods."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import date
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from arrocco.engine.admission import Waivers, judged
from arrocco.engine.batch import law_on
from arrocco.errors import Inconsistent, Malformed, NoLawInForce
from arrocco.formats.report_parquet import read_batches
from arrocco.formats.trf import read_report
from arrocco.laws.edition import edition_name
from arrocco.laws.rating import RatingLaw
from arrocco.laws.registry import editions
from arrocco.laws.systems import only_kind_of
from arrocco.records.report import Report
from arrocco.records.reportbatch import ReportBatch, TournamentHead, batch_of, selected
from arrocco.runs.batches import LeftOut, each_once, report_files


@dataclass(frozen=True)
class Side:
    """A regulation as it is read: by the edition in force, or by one that is named."""

    law: str
    edition: str = ""
    readings: dict[str, str] = field(default_factory=dict)
    kind: str = ""

    def on(self, day: date) -> RatingLaw:
        """The edition for a day. Raises `NoLawInForce` where none is and none is named."""
        return law_on(self.law, day, self.readings, self.edition)

    @property
    def rating_kind(self) -> str:
        return self.kind or only_kind_of(self.law)

    def lists_between(self, opening: date, last: date) -> list[date]:
        """The days of its lists after the opening one, up to the last day."""
        days: list[date] = []
        day = opening
        while (day := self.on(day).next_list(day)) <= last:
            days.append(day)
        return days


@contextmanager
def asking_for_a_name(side: Side) -> Iterator[None]:
    """Where a law is not in force, tells how to name an edition of it all the same."""
    try:
        yield
    except NoLawInForce as refusal:
        if side.edition:
            raise
        names = tuple(f"{side.law}@{edition_name(edition)}" for edition in editions(side.law))
        raise NoLawInForce.of(
            "replay.refused.not_in_force", law=side.law, on=refusal.details["on"], editions=names
        ) from None


def lists_of_other(side: Side, opening: date, last: date) -> list[date]:
    """The days of the lists that another regulation makes of a history.

    Raises `Inconsistent` where it has none on the day that opens the history, or none in it.
    """
    with asking_for_a_name(side):
        if side.on(opening).list_in_force(opening) != opening:
            raise Inconsistent.of("replay.refused.no_such_list", law=side.law, on=opening)
        days = side.lists_between(opening, last)
    if not days:
        wanted = side.on(opening).next_list(opening)
        raise Inconsistent.of("replay.refused.too_short", law=side.law, wanted=wanted)
    return days


class OfList(NamedTuple):
    """The reports that go on a list of a replay."""

    day: date
    batches: tuple[ReportBatch, ...]
    texts: tuple[Path, ...]
    """Files with errors of reading that are waived: their period judges them."""


class Split:
    """Deals the reports of a history out to the lists of a law, as far as each list needs it."""

    def __init__(self, side: Side, opening: date, days: list[date], waivers: Waivers) -> None:
        self.side, self.opening, self.days, self.waivers = side, opening, days, waivers
        self.left_out: list[LeftOut] = []
        self.earlier: set[date] = set()
        """Lists before the opening one under which tournaments dealt out so far began."""
        self._batches: dict[date, list[ReportBatch]] = {day: [] for day in days}
        self._texts: dict[date, list[Path]] = {day: [] for day in days}
        self._seen: set[str] = set()

    def lists(
        self, history: Iterable[tuple[date, Sequence[Path | ReportBatch]]], workers: int
    ) -> Iterator[OfList]:
        """The reports of each list in turn; periods are read as their lists come, and named by the
        list that opened them.
        """
        periods = deque(history)
        for day in self.days:
            while periods and periods[0][0] < day:
                self._deal(*periods.popleft(), workers)
            yield OfList(day, tuple(self._batches.pop(day)), tuple(self._texts.pop(day)))
        for opened, given in periods:  # too late for every list, which is told of each report
            self._deal(opened, given, workers)

    def _deal(self, opened: date, given: Sequence[Path | ReportBatch], workers: int) -> None:
        paths = [each for each in given if isinstance(each, Path)]
        files, repeated = each_once(report_files(paths) if paths else [])
        self.left_out += [LeftOut(str(path), "twice") for path in repeated]
        read = [each for each in given if isinstance(each, ReportBatch)]
        for batch in chain(_batches(files, workers), read):
            self._refused(batch.refused, opened)
            batch = replace(batch, findings=[], refused=[])
            lists = [self._list_of(head, opened) for head in batch.tournaments]
            for day in sorted({day for day in lists if day is not None}):
                self._batches[day].append(selected(batch, [listed == day for listed in lists]))

    def _refused(self, refused: Sequence[tuple[str, str]], opened: date) -> None:
        """Files that their reader refused: the period of those with waived errors judges them."""
        for source, why in refused:
            report = self._waived_report(source)
            if report is None:
                self.left_out.append(LeftOut(source, why))
                continue
            (head,) = batch_of([report]).tournaments
            day = self._list_of(head, opened)
            if day is not None:
                self._texts[day].append(Path(source))

    def _waived_report(self, source: str) -> Report | None:
        """A report that its reader refused, for errors that are all waived."""
        if not self.waivers:
            return None
        try:
            report, reading = read_report(Path(source).read_bytes(), source)
            if report.start is None:
                return None
            side = self.side
            law = law_on(side.law, report.law_day or report.start, side.readings, side.edition)
        except (OSError, Malformed, NoLawInForce):
            return None
        findings = judged(report, law, reading=reading, suggests=False)
        return report if self.waivers.admit(findings).is_admitted else None

    def _list_of(self, head: TournamentHead, opened: date) -> date | None:
        """The first list after the opening of its period that a tournament can be on."""
        if head.key in self._seen:
            self.left_out.append(LeftOut(head.key, "twice"))
            return None
        self._seen.add(head.key)
        for day in self.days:
            if day > opened and head.end < day and not self._is_early(head, day):
                if head.start < self.opening:
                    law = self.side.on(self.opening)
                    self.earlier |= {law.list_used(head.start, day)} - {self.opening}
                return day
        self.left_out.append(LeftOut(head.key, "not_yet"))
        return None

    def _is_early(self, head: TournamentHead, day: date) -> bool:
        try:
            law = law_on(self.side.law, head.start, self.side.readings, self.side.edition)
        except NoLawInForce:
            return False  # the period says so of it
        return law.list_refusal(head.end, day, official=head.facts.official) == "not_yet"


def _batches(files: Sequence[Path], workers: int) -> Iterator[ReportBatch]:
    texts = [path for path in files if path.suffix != ".parquet"]
    if texts:
        from arrocco.formats.trf_columnar import read_files

        yield from read_files(texts, workers=workers or os.cpu_count() or 1)
    for path in files:
        if path.suffix == ".parquet":
            yield from read_batches(path)
