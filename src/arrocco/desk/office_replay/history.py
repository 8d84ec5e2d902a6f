"""The history of a system as an office has it: the list that opens it, and what was counted since.

The reports come out of the blobs as they were rated: corrected before their list, with the numbers
that were kept by then: one batch for each period, as `runs.replay` wants them. Each report has a
key that no other of the history has; what its tournament is called on a list is another matter.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path

from arrocco.dates import Month
from arrocco.desk.book import Book
from arrocco.desk.desk import Desk
from arrocco.desk.list_builder import Maker, nobody, write_list_folder
from arrocco.desk.rated_reports import take_reports, waivers_for
from arrocco.desk.replay_range import PublishedList, lists_between, published_list
from arrocco.engine.admission import Waivers
from arrocco.laws.systems import RatingSystem
from arrocco.office.ledger import Correction
from arrocco.records.reportbatch import ReportBatch, TournamentHead


@dataclass(frozen=True)
class Counted:
    """A report that was counted: on which list, and where the ledger has it."""

    key: str
    on_list: str
    """The key of its tournament on the list, as the ledger has it."""
    seq: int
    report: int
    tournament: int
    name: str
    on: PublishedList


class History:
    """The lists of a system from the first to the last, with the reports on each."""

    def __init__(
        self, desk: Desk, book: Book, system: RatingSystem, first: date, last: date
    ) -> None:
        self.desk, self.system = desk, system
        entries = lists_between(book, system, first, last)
        self.lists = [published_list(book, system, entry) for entry in entries]
        self.counted: dict[str, Counted] = {}
        self.by_report: dict[int, Counted] = {}

    @property
    def opened_on(self) -> date:
        return self.lists[0].entry.opened_on

    def book_at(self, opened: date) -> Book:
        """The ledger as it stood for the period that a day opens."""
        return next((one.book for one in self.lists if one.day > opened), self.lists[-1].book)

    def maker(self, of: PublishedList) -> Maker:
        """Makes lists as they were made then."""
        return Maker(of.book, self.desk.lists, self.desk.blobs.get)

    # --- as `runs.replay` wants it --------------------------------------------------------------

    def lists_folder(self, scratch: Path) -> Path:
        """The folder with the list that opens the history and those published since."""
        published = self.desk.lists / self.system.key
        if self.lists[0].plan.has_opening:
            return published
        # The system started with nobody: the list of nobody stands before the others.
        scratch.mkdir()
        opened = nobody(self.system.kind, self.opened_on)
        write_list_folder(scratch / self.opened_on.isoformat(), opened.listed, opening=None)
        for listed in self.lists:
            day = listed.day.isoformat()
            (scratch / day).symlink_to(published / day)
        return scratch

    def reports(self) -> dict[Month, list[ReportBatch]]:
        """The reports counted in each period."""
        return {Month.of(listed.entry.opened_on): [self._taken(listed)] for listed in self.lists}

    def waivers(self, book: Book) -> Waivers:
        """The errors with which reports were let in, by their keys; once these are read."""
        return waivers_for(book, {counted.seq: key for key, counted in self.counted.items()})

    def _taken(self, one: PublishedList) -> ReportBatch:
        used = {report.seq: report.key for report in one.entry.reports}
        plan = replace(one.plan, reports=tuple(seq for seq in one.plan.reports if seq in used))
        taken = take_reports(one.book, plan, self.desk.blobs.get)
        heads = zip(taken.seqs, taken.batch.tournaments, strict=True)
        return replace(
            taken.batch,
            tournaments=[self._noted(one, seq, used[seq], head) for seq, head in heads],
        )

    def _noted(
        self, one: PublishedList, seq: int, on_list: str, head: TournamentHead
    ) -> TournamentHead:
        """The report under a key of its own: parts of a long tournament are on several lists."""
        accepted = one.book.entries[seq]
        number, tournament = one.book.report_number(seq), getattr(accepted, "tournament", 0)
        key = f"report:{number}"
        counted = Counted(key, on_list, seq, number, tournament, head.name, one)
        self.counted[key] = self.by_report[number] = counted
        return replace(head, key=key)

    def keys_on_list(self, keys: Iterable[str]) -> dict[str, str]:
        """By keys of the history: those of the tournaments on a list that has all these reports.

        They are the published ones: pools of results name them, and they settle which of two
        tournaments of the same days comes first. Only where another calendar brings parts of a long
        tournament together that were on several lists are the later ones told apart, as the office
        tells parts apart.
        """
        by_report: dict[str, str] = {}
        taken: set[str] = set()
        for key in keys:
            counted = self.counted[key]
            on_list = counted.on_list
            by_report[key] = on_list if on_list not in taken else f"{on_list}:{counted.report}"
            taken.add(by_report[key])
        return by_report

    # --- once more, with corrections --------------------------------------------------------------

    def corrected(self, key: str, corrections: Sequence[Correction]) -> ReportBatch:
        """A report as it was counted, with corrections on top."""
        counted = self.counted[key]
        plan = replace(counted.on.plan, reports=(counted.seq,))
        extra = {counted.report: list(corrections)}
        batch = take_reports(counted.on.book, plan, self.desk.blobs.get, extra).batch
        # One that was annulled is no longer there.
        return replace(batch, tournaments=[replace(head, key=key) for head in batch.tournaments])
