"""What an office entered between its lists, followed by a replay: corrections, changes of players.

A correction enters the replay with the list it entered in the office. If the replay has rated the
report by then, its own period is computed again and the difference is carried, as the office does;
if not, the report is rated as corrected when its turn comes. Corrections of lists before the
history carry what they carried.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory

from arrocco.formats.report_parquet import read_batches, write_batches
from arrocco.laws.rating import Tranche
from arrocco.office.carrying import carry
from arrocco.office.ledger import Correction, PlayerChanged, PlayersMerged
from arrocco.office.opening import Opening
from arrocco.office.player_changes import applied, renamed_ids, with_categories
from arrocco.report import Report
from arrocco.reportbatch import ReportBatch, selected
from arrocco.store.list_folder import ListFolder, StoredList
from arrocco.wiring.office.book import other_lists
from arrocco.wiring.office.making import (
    asked_lists,
    first_results_of,
    opening_of_list,
    years_only,
)
from arrocco.wiring.office.replay_range import PublishedList
from arrocco.wiring.office_replay.history import History, batch_with_years
from arrocco.wiring.period import PeriodJob, rate_job
from arrocco.wiring.replay import Side

OfKey = tuple[str, Correction]
"""A correction with the key of its report in the history."""


@dataclass(frozen=True)
class _Again:
    """A list of the replay to be corrected: what it knows already, and what comes new."""

    day: date
    known: tuple[OfKey, ...]
    new: tuple[OfKey, ...]


class Following:
    """Makes each period of a replay ready; its `opens` is for `ReplayJob`."""

    def __init__(self, history: History, side: Side, told: Callable[[int], None]) -> None:
        self.history, self.side, self.told = history, side, told
        self.jobs: dict[date, PeriodJob] = {}
        self._rated_on: dict[str, date] = {}
        self._waiting: list[OfKey] = []
        self._carried: dict[date, tuple[OfKey, ...]] = {}
        self._on_the_way: dict[str, tuple[Correction, ...]] = {}
        """Corrections that reports were rated with from the start."""

    def opens(self, job: PeriodJob, opened: date, day: date) -> PeriodJob:
        """A period with the lists it asks and what entered the office with its lists."""
        self.told(len(self.jobs) + 1)
        law = self.side.on(opened)
        book, desk = self.history.book_at(opened), self.history.desk
        days = other_lists(book, self.history.system.key, law, opened)
        entry_lists, standard_lists = asked_lists(desk.lists, law, days)
        published = [one for one in self.history.lists if opened < one.day <= day]
        again = self._entering(published)
        heads = [head for batch in read_batches(job.reports[0]) for head in batch.tournaments]
        keys = self.history.keys_on_list(head.key for head in heads)
        job = replace(
            job,
            reports=(self._corrected_on_the_way(job.reports[0], keys, day),),
            keys=keys,
            entry_lists=entry_lists,
            standard_lists=standard_lists,
        )
        job.adjust = self._adjusting(job, opened, published, again)
        self.jobs[day] = job
        return job

    # --- corrections ------------------------------------------------------------------------------

    def _entering(self, published: Sequence[PublishedList]) -> list[_Again]:
        """Corrections that enter now: of reports rated already, or to be rated."""
        new: dict[date, list[OfKey]] = {}
        for one in published:
            for seq in one.entry.corrections:
                correction = one.book.entries[seq]
                assert isinstance(correction, Correction)
                counted = self.history.by_report.get(correction.report)
                if counted is None:
                    continue  # of a list before the history: `_before_history`
                day = self._rated_on.get(counted.key)
                if day is None:
                    self._waiting.append((counted.key, correction))
                else:
                    new.setdefault(day, []).append((counted.key, correction))
        again = []
        for day in sorted(new):
            known = self._carried.get(day, ())
            again.append(_Again(day, known, tuple(new[day])))
            self._carried[day] = (*known, *new[day])
        return again

    def _corrected_on_the_way(self, reports: Path, keys: Collection[str], day: date) -> Path:
        """The reports of a period, those corrected before their turn as corrected."""
        self._rated_on |= dict.fromkeys(keys, day)
        now = [one for one in self._waiting if one[0] in keys]
        if not now:
            return reports
        self._waiting = [one for one in self._waiting if one[0] not in keys]
        for key, correction in now:
            self._on_the_way[key] = (*self._on_the_way.get(key, ()), correction)
        return self._with(reports, now, reports.with_suffix(".corrected.parquet"))

    def _with(self, reports: Path, corrections: Iterable[OfKey], target: Path) -> Path:
        """Writes reports with corrections on top of those that were known before their turn."""
        by_key = {key: [*self._on_the_way.get(key, ())] for key, _ in corrections}
        for key, correction in corrections:
            if correction not in by_key[key]:
                by_key[key].append(correction)
        new = {key: self.history.corrected(key, found) for key, found in by_key.items()}
        write_batches(target, _replaced(read_batches(reports), new))
        return target

    def _closing(
        self, day: date, corrections: Sequence[OfKey]
    ) -> tuple[Opening, Mapping[int, tuple[Tranche, ...]]]:
        """A list of the replay as corrections make it, and the results behind first ratings."""
        job = self.jobs[day]
        if not corrections:
            return opening_of_list(ListFolder(job.lists, self.side.rating_kind).read(day)), {}
        with TemporaryDirectory(prefix="arrocco-") as scratch:
            file = self._with(job.reports[0], corrections, Path(scratch) / "reports.parquet")
            out = Path(scratch) / "lists"
            rated = rate_job(replace(job, reports=(file,), out=out))
            closing = opening_of_list(ListFolder(out, self.side.rating_kind).read(day))
        return closing, first_results_of(rated.outcome)

    # --- what a period opens with -----------------------------------------------------------------

    def _adjusting(
        self, job: PeriodJob, opened: date, published: list[PublishedList], again: list[_Again]
    ) -> Callable[[StoredList], None]:
        later = {
            one.day: [day for day in self.jobs if one.day < day <= opened] for one in again
        }  # fixed now: a period that is computed again opens as it did

        def adjust(stored: StoredList) -> None:
            opening = self._before_history(opening_of_list(stored), published)
            for one in again:
                opening = self._corrected(opening, one, published, later[one.day], job.lists)
            changes = _player_changes(published)
            playing = {
                int(player)
                for batch in read_batches(job.reports[0])
                for player in batch.entries.id.tolist()
            }
            opening = applied(opening, changes, playing=playing)
            opening = with_categories(opening, self.side.on(opened))
            opening.listed.birth = years_only(opening.listed.birth)
            opening.players.birth = years_only(opening.players.birth)
            stored.listed, stored.players = opening.listed, opening.players
            stored.pools = opening.pools

        return adjust

    def _before_history(self, opening: Opening, published: list[PublishedList]) -> Opening:
        """What corrections of lists before the history carried, as it was carried."""
        for one in published:
            by_list: dict[date, list[Correction]] = {}
            for seq in one.entry.corrections:
                correction = one.book.entries[seq]
                assert isinstance(correction, Correction)
                if correction.report not in self.history.by_report:
                    found = one.book.corrected_list(self.history.system.key, seq)
                    assert found is not None, "only corrections of published lists are carried"
                    by_list.setdefault(found, []).append(correction)
            for day, corrections in sorted(by_list.items()):
                maker = self.history.maker(one)
                opening, _ = maker.carried(one.plan, opening, day, corrections)
        return opening

    def _corrected(
        self,
        opening: Opening,
        again: _Again,
        published: list[PublishedList],
        later: list[date],
        root: Path,
    ) -> Opening:
        before, _ = self._closing(again.day, again.known)
        after, first_results = self._closing(again.day, (*again.known, *again.new))
        folder = ListFolder(root, self.side.rating_kind)
        entering = {seq for one in published for seq in one.entry.player_changes}
        gone = renamed_ids(
            entry for seq, entry in published[-1].book.of(PlayersMerged) if seq not in entering
        )
        carried, _ = carry(
            before, after, opening, first_results=first_results,
            later=[folder.read(day).listed for day in later], merged=gone,
        )  # fmt: skip
        return carried


def _player_changes(published: list[PublishedList]) -> list[PlayersMerged | PlayerChanged]:
    """Merges and changes that entered with these lists, each once, as the ledger has them."""
    seqs = sorted({seq for one in published for seq in one.entry.player_changes})
    entries = [published[-1].book.entries[seq] for seq in seqs]
    return [entry for entry in entries if isinstance(entry, PlayersMerged | PlayerChanged)]


def _replaced(batches: Iterable[ReportBatch], new: Mapping[str, Report]) -> Iterator[ReportBatch]:
    """Batches with some reports in place of others, in the same order."""
    for batch in batches:
        keys = [head.key for head in batch.tournaments]
        start = 0
        for at, key in enumerate(keys):
            if key in new:
                yield selected(batch, [start <= row < at for row in range(len(keys))])
                yield batch_with_years([new[key]])
                start = at + 1
        yield selected(batch, [row >= start for row in range(len(keys))])
