"""A list from a plan: the same bytes for a draft, a publication and a verification.

Nothing of the run goes into a list: no moment, no path, no number of cores. What is read are the
entries of the ledger, the blobs they name, and the lists that were published before.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path

from arrocco.dates import Month
from arrocco.desk.book import Book, Plan, plan_again
from arrocco.desk.rated_reports import (
    Extra,
    LeftOutReport,
    ReadBlob,
    Taken,
    left_out,
    take_reports,
    waivers_for,
    years_only,
)
from arrocco.engine.outcome import Outcome
from arrocco.engine.players import players_of_list
from arrocco.engine.pools import Pools
from arrocco.formats.lists import write_list
from arrocco.formats.lists.registry import published as published_formats
from arrocco.laws.rating import RatingLaw, Tranche
from arrocco.laws.systems import STANDARD
from arrocco.office.adjustment import with_adjustment
from arrocco.office.carrying import Impact, carry
from arrocco.office.ledger import Correction, ListPublished, PlayerChanged, PlayersMerged
from arrocco.office.opening import Opening
from arrocco.office.player_changes import applied, renamed_ids, with_categories
from arrocco.records.ratinglist import RatingList, empty_list
from arrocco.runs.batches import Progress
from arrocco.runs.period import PeriodJob, RatedPeriod, rate_job, settle_job
from arrocco.store.list_folder import (
    LIST,
    POOLS,
    STATE,
    ListFolder,
    StoredList,
    new_folder,
    write_pools,
    write_state,
)

_WORKERS, _MEMORY = 4, 2 << 30
"""Fixed, because how tournaments are cut into batches shows in the files."""
_Results = Mapping[int, tuple[Tranche, ...]]


@dataclass(frozen=True)
class Made:
    """A list as it was made."""

    plan: Plan
    rated: RatedPeriod
    used: tuple[tuple[int, str], ...]
    """The reports on it: their places in the ledger and the keys of their tournaments."""
    left_out: tuple[LeftOutReport, ...]

    @property
    def folder(self) -> Path:
        return self.rated.folder


class Maker:
    """Makes lists from a ledger, its blobs and the lists before."""

    def __init__(self, book: Book, lists: Path, read_blob: ReadBlob) -> None:
        self.book, self.lists, self.read_blob = book, lists, read_blob

    def make(
        self,
        plan: Plan,
        out: Path,
        progress: Progress = lambda *_: None,
        *,
        published: ListPublished | None = None,
    ) -> Made:
        """Writes the folder of a list into `out`, whole or not at all.

        Reports that are on the list as it was `published` are on it again, whatever the gate of
        today says of them.
        """
        taken = take_reports(self.book, plan, self.read_blob)
        keys = taken.keys()
        rated = rate_job(self._job(plan, taken, out, published), progress)
        reasons = {report.report: report for report in rated.left_out}
        refused = [
            left_out(self.book, seq, reasons[key].reason, reasons[key].keys)
            for seq, key in keys.items()
            if key in reasons
        ]
        return Made(
            plan,
            rated,
            tuple((seq, key) for seq, key in keys.items() if key not in reasons),
            tuple(sorted([*taken.left_out, *refused])),
        )

    def settle(
        self, plan: Plan, corrections: Extra, published: ListPublished
    ) -> tuple[StoredList, Outcome]:
        """A published list as corrections make it; nothing is written."""
        taken = take_reports(self.book, plan, self.read_blob, corrections)
        job = self._job(plan, taken, self.lists, published)
        return settle_job(replace(job, games=False, formats=()))

    def _job(
        self, plan: Plan, taken: Taken, out: Path, published: ListPublished | None
    ) -> PeriodJob:
        playing = taken.playing()
        decided = {report.key for report in published.reports} if published else set()

        def adjust(stored: StoredList) -> None:
            opening = self.adjusted(plan, opening_of_list(stored), playing)
            if plan.adjustments:
                opening, stored.adjusted = with_adjustment(opening, plan.law)
            opening.listed.birth = years_only(opening.listed.birth)
            opening.players.birth = years_only(opening.players.birth)
            stored.listed, stored.players = opening.listed, opening.players
            stored.pools = opening.pools

        entry_lists, standard_lists = asked_lists(self.lists, plan.law, plan.other_lists)
        entry_lists |= {name: self.lists / name for name in plan.entry_days}
        return PeriodJob(
            law=plan.system.law,
            period=Month.of(plan.opened_on),
            lists=self.lists / plan.system.key,
            reports=(taken.batch,),
            out=out,
            kind=plan.system.kind,
            readings=dict(plan.readings),
            named_readings=plan.named,
            formats=tuple(each.name for each in published_formats()),
            games=True,
            entry_lists=entry_lists,
            entry_days=plan.entry_days,
            emitted=plan.emitted,
            standard_lists=standard_lists,
            workers=_WORKERS,
            memory=_MEMORY,
            format=plan.format,
            adjust=adjust,
            adjusted=plan.adjusted,
            waivers=waivers_for(self.book, taken.keys()),
            is_decided=decided.__contains__,
            opening=None if plan.has_opening else nobody(plan.system.kind, plan.opened_on),
        )

    # --- what the period opens with ---------------------------------------------------------------

    def adjusted(self, plan: Plan, opening: Opening, playing: Collection[int]) -> Opening:
        """The opening list with the corrections and the changes of players that enter with it."""
        by_list: dict[date, list[Correction]] = {}
        for seq in plan.corrections:
            day = self.book.corrected_list(plan.system.key, seq)
            assert day is not None, "only corrections of published lists are carried"
            by_list.setdefault(day, []).append(self._correction(seq))
        for list_date, corrections in sorted(by_list.items()):
            opening, _ = self.carried(plan, opening, list_date, corrections)
        changes = [
            entry
            for seq in plan.player_changes
            if isinstance(entry := self.book.entries[seq], PlayersMerged | PlayerChanged)
        ]
        return with_categories(applied(opening, changes, playing=playing), plan.law)

    def carried(
        self,
        plan: Plan,
        opening: Opening,
        list_date: date,
        corrections: Sequence[Correction],
        *,
        pending: bool = False,
    ) -> tuple[Opening, Impact]:
        """An opening list with the differences that corrections of an earlier list make.

        They come on top of those that earlier lists carried; with `pending` also on top of those
        that the plan will carry.
        """
        key, kind = plan.system.key, plan.system.kind
        known = [self._correction(seq) for seq in self.book.corrections_of(key, list_date)]
        if pending:
            known += [
                self._correction(seq)
                for seq in plan.corrections
                if self.book.corrected_list(key, seq) == list_date
            ]
        before, _ = self._closing(plan, list_date, known)
        after, first_results = self._closing(plan, list_date, [*known, *corrections])
        folder = ListFolder(self.lists / key, kind)
        later = [
            folder.read(day).listed
            for day in self.book.lists(key)
            if list_date < day <= plan.opened_on
        ]
        # Numbers that leave with this very list are still on the opening one.
        gone = renamed_ids(
            entry
            for seq, entry in self.book.of(PlayersMerged)
            if seq not in set(plan.player_changes)
        )
        return carry(
            before,
            after,
            opening,
            k_ratings=plan.k_ratings,
            first_results=first_results,
            later=later,
            merged=gone,
        )

    def _correction(self, seq: int) -> Correction:
        entry = self.book.entries[seq]
        assert isinstance(entry, Correction)
        return entry

    def _closing(
        self, plan: Plan, list_date: date, corrections: Sequence[Correction]
    ) -> tuple[Opening, _Results]:
        """A published list as corrections make it, and the results behind its first ratings."""
        system = plan.system
        if not corrections:
            published = ListFolder(self.lists / system.key, system.kind).read(list_date)
            return opening_of_list(published), {}
        before, again = plan_again(self.book, system, list_date)
        then = Maker(before, self.lists, self.read_blob)
        extra: dict[int, list[Correction]] = {}
        for correction in corrections:
            extra.setdefault(correction.report, []).append(correction)
        entry = self.book.entries[self.book.lists(system.key)[list_date]]
        assert isinstance(entry, ListPublished), "an imported list has no reports"
        closing, outcome = then.settle(again, extra, entry)
        return opening_of_list(closing), first_results_of(outcome)


def first_results_of(outcome: Outcome) -> dict[int, tuple[Tranche, ...]]:
    """By player: the results behind the first ratings that a period publishes."""
    first = outcome.first_ratings
    return {int(outcome.players.id[row]): first.by_row[row].tranches for row in first.published}


def asked_lists(
    lists: Path, law: RatingLaw, days: Mapping[str, date]
) -> tuple[dict[str, Path], Path | None]:
    """Where a period finds the lists of other systems: of entry ratings, and the standard ones."""
    if law.STANDARD_STANDS_IN:
        return {}, lists / STANDARD if STANDARD in days else None
    return {name: lists / name / day.isoformat() / LIST for name, day in days.items()}, None


def opening_of_list(stored: StoredList) -> Opening:
    """A list of a folder as it opens a period."""
    return Opening(stored.listed, stored.players, stored.pools)


def nobody(kind: str, on: date) -> StoredList:
    """What opens the first period of a system that starts with nobody."""
    listed = empty_list(kind, on)
    return StoredList(on, listed, players_of_list(listed), Pools(), has_state=True)


def write_list_folder(folder: Path, listed: RatingList, opening: Opening | None) -> None:
    """A list that no period computed, as a folder; without an opening it tells nothing else."""
    opening = opening or Opening(listed, players_of_list(listed), Pools())
    with new_folder(folder) as target:
        write_list(listed, target / LIST, "parquet")
        write_state(target / STATE, opening.players)
        write_pools(target / POOLS, opening.pools)
