"""A list from a plan: the same bytes for a draft, a publication and a verification.

Nothing of the run goes into a list: no moment, no path, no number of cores. What is read are the
entries of the ledger, the blobs they name, and the lists that were published before.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from arrocco.dates import Month
from arrocco.engine.outcome import Outcome
from arrocco.engine.players import players_of_list
from arrocco.engine.pools import Pools
from arrocco.formats.lists import write_list
from arrocco.formats.report_parquet import write_batches
from arrocco.laws.rating import RatingLaw, Tranche
from arrocco.office.carrying import Impact, carry
from arrocco.office.ledger import Correction, PlayerChanged, PlayersMerged
from arrocco.office.opening import Opening
from arrocco.office.player_changes import applied, renamed_ids, with_categories
from arrocco.ratinglist import RatingList
from arrocco.reportbatch import batch_of
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
from arrocco.wiring.gathering import Progress
from arrocco.wiring.office.book import Book, Plan, plan_of
from arrocco.wiring.office.taking import Extra, LeftOutReport, ReadBlob, left_out, take_reports
from arrocco.wiring.period import LIST_FILES, PeriodJob, RatedPeriod, rate_job

Births = TypeVar("Births", np.int32, np.int64)
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
        extra: Extra | None = None,
    ) -> Made:
        """Writes the folder of a list into `out`, whole or not at all."""
        taken = take_reports(self.book, plan, self.read_blob, extra)
        with TemporaryDirectory(prefix="arrocco-") as scratch:
            file = Path(scratch) / "reports.parquet"
            batch = batch_of(list(taken.reports.values()))
            batch.entries.birth = years_only(batch.entries.birth)
            write_batches(file, [batch])
            job = self._job(plan, file, out, taken.playing())
            if not plan.has_opening:
                job.lists = Path(scratch)
                write_empty_list(Path(scratch), plan.system.kind, plan.opened_on)
            rated = rate_job(job, progress)
        reasons = {one.report: one.reason for one in rated.left_out}
        used = {seq: one for seq, one in taken.reports.items() if one.source not in reasons}
        refused = [
            left_out(self.book, seq, reasons[one.source])
            for seq, one in taken.reports.items()
            if seq not in used
        ]
        return Made(
            plan,
            rated,
            tuple((seq, report.source) for seq, report in used.items()),
            tuple(sorted([*taken.left_out, *refused])),
        )

    def _job(self, plan: Plan, reports: Path, out: Path, playing: Collection[int]) -> PeriodJob:
        def adjust(stored: StoredList) -> None:
            opening = self.adjusted(plan, opening_of_list(stored), playing)
            opening.listed.birth = years_only(opening.listed.birth)
            opening.players.birth = years_only(opening.players.birth)
            stored.listed, stored.players = opening.listed, opening.players
            stored.pools = opening.pools

        entry_lists, standard_lists = asked_lists(self.lists, plan.law, plan.other_lists)
        return PeriodJob(
            law=plan.system.law, period=Month.of(plan.opened_on),
            lists=self.lists / plan.system.key, reports=(reports,), out=out,
            kind=plan.system.kind, readings=dict(plan.readings), formats=tuple(LIST_FILES),
            games=True, entry_lists=entry_lists, standard_lists=standard_lists, workers=_WORKERS,
            memory=_MEMORY, adjust=adjust,
        )  # fmt: skip

    # --- what the period opens with ---------------------------------------------------------------

    def adjusted(self, plan: Plan, opening: Opening, playing: Collection[int]) -> Opening:
        """The opening list with the corrections and the changes of players that enter with it."""
        by_list: dict[date, list[Correction]] = {}
        for seq in plan.corrections:
            found = self.book.corrected_list(plan.system.key, seq)
            assert found is not None, "only corrections of published lists are carried"
            by_list.setdefault(found, []).append(self._correction(seq))
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
        return carry(before, after, opening, first_results=first_results, later=later, merged=gone)

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
        seq = self.book.lists(system.key)[list_date]
        then = Maker(self.book.before(seq), self.lists, self.read_blob)
        again = plan_of(then.book, system, list_date, self.book.readings(seq))
        extra: dict[int, list[Correction]] = {}
        for one in corrections:
            extra.setdefault(one.report, []).append(one)
        with TemporaryDirectory(prefix="arrocco-") as scratch:
            made = then.make(again, Path(scratch), extra=extra)
            closing = opening_of_list(ListFolder(Path(scratch), system.kind).read(list_date))
        return closing, first_results_of(made.rated.outcome)


def first_results_of(outcome: Outcome) -> dict[int, tuple[Tranche, ...]]:
    """By player: the results behind the first ratings that a period publishes."""
    first = outcome.first_ratings
    return {int(outcome.players.id[row]): first.by_row[row].tranches for row in first.published}


def asked_lists(
    lists: Path, law: RatingLaw, days: Mapping[str, date]
) -> tuple[dict[str, Path], Path | None]:
    """Where a period finds the lists of other systems: of entry ratings, and the standard ones."""
    if law.STANDARD_STANDS_IN:
        return {}, lists / "fide" if "fide" in days else None
    return {name: lists / name / day.isoformat() / LIST for name, day in days.items()}, None


def years_only(births: NDArray[Births]) -> NDArray[Births]:
    """Births as a published list tells them: the year, which is all the law asks for."""
    return births // 10_000 * 10_000


def opening_of_list(stored: StoredList) -> Opening:
    """A list of a folder as it opens a period."""
    return Opening(stored.listed, stored.players, stored.pools)


def write_empty_list(root: Path, kind: str, on: date) -> None:
    """The list that opens the first period of a system that starts with nobody."""
    texts = {
        name: np.empty(0, dtype=np.object_)
        for name in ("name", "federation", "sex", "title", "flag")
    }
    numbers = {name: np.empty(0, dtype=np.int32) for name in ("rating", "games", "k", "birth")}
    listed = RatingList(id=np.empty(0, dtype=np.int64), **texts, **numbers, system=kind, on=on)  # type: ignore[arg-type]
    write_list_folder(root / on.isoformat(), listed, opening=None)


def write_list_folder(folder: Path, listed: RatingList, opening: Opening | None) -> None:
    """A list that no period computed, as a folder; without an opening it tells nothing else."""
    opening = opening or Opening(listed, players_of_list(listed), Pools())
    with new_folder(folder) as target:
        write_list(listed, target / LIST, "parquet")
        write_state(target / STATE, opening.players)
        write_pools(target / POOLS, opening.pools)
