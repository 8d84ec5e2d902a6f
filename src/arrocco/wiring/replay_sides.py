"""A law as one side of a replay, and how reports are dealt out to its own periods."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

import pyarrow.parquet as pq

from arrocco.engine.batch import law_on
from arrocco.errors import Inconsistent, NoLawInForce
from arrocco.formats.report_parquet import SCHEMA, batch_to_arrow, read_batches
from arrocco.laws.edition import edition_name
from arrocco.laws.rating import RatingLaw
from arrocco.laws.registry import editions
from arrocco.reportbatch import ReportBatch, TournamentHead, selected
from arrocco.wiring.gathering import LeftOut, each_once, report_files
from arrocco.wiring.period import KINDS


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
        return self.kind or KINDS.get(self.law, "")

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
            "replay.refused.not_in_force",
            law=side.law, on=refusal.details["on"], editions=names,
        ) from None  # fmt: skip


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


class Split:
    """Deals the reports of a history out to the periods of a law, one file for each list."""

    def __init__(self, side: Side, opening: date, days: list[date], scratch: Path) -> None:
        self.side, self.opening, self.days = side, opening, days
        self.files = {day: scratch / f"{day.isoformat()}.parquet" for day in days}
        self.left_out: list[LeftOut] = []
        self.earlier: set[date] = set()
        self.seen: set[str] = set()

    def run(self, history: Iterable[tuple[date, Sequence[Path]]], workers: int) -> None:
        """Reads the reports, period by period, each named by the list that opened it."""
        with ExitStack() as stack:
            writers = {
                day: stack.enter_context(pq.ParquetWriter(path, SCHEMA, compression="zstd"))
                for day, path in self.files.items()
            }
            for opened, paths in history:
                files, repeated = each_once(report_files(paths))
                self.left_out += [LeftOut(str(path), "twice") for path in repeated]
                for batch in _batches(files, workers):
                    self.left_out += [LeftOut(source, why) for source, why in batch.refused]
                    lists = [self._list_of(head, opened) for head in batch.tournaments]
                    for day in sorted({day for day in lists if day is not None}):
                        part = selected(batch, [found == day for found in lists])
                        writers[day].write_batch(batch_to_arrow(part))

    def _list_of(self, head: TournamentHead, opened: date) -> date | None:
        """The first list after the opening of its period that a tournament can be on."""
        if head.key in self.seen:
            self.left_out.append(LeftOut(head.key, "twice"))
            return None
        self.seen.add(head.key)
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
