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

from arrocco.desk.book import Book, other_lists
from arrocco.desk.list_builder import (
    asked_lists,
    first_results_of,
    opening_of_list,
)
from arrocco.desk.office_replay.history import History
from arrocco.desk.rated_reports import years_only
from arrocco.desk.replay_range import PublishedList
from arrocco.engine.batch import law_on
from arrocco.laws.rating import Tranche
from arrocco.office.adjustment import with_adjustment
from arrocco.office.carrying import carry
from arrocco.office.ledger import Correction, PlayerChanged, PlayersMerged
from arrocco.office.opening import Opening
from arrocco.office.player_changes import applied, renamed_ids, with_categories
from arrocco.records.reportbatch import ReportBatch, joined, selected
from arrocco.runs.period import PeriodJob, settle_job
from arrocco.runs.replay import Side
from arrocco.store.list_folder import ListFolder, StoredList

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
        published = [listed for listed in self.history.lists if opened < listed.day <= day]
        entry_days = dict(published[-1].plan.entry_days) if published else {}
        if law.enters_by_start():
            entry_lists |= {name: desk.lists / name for name in entry_days}
        again = self._entering(published)
        heads = [head for batch in _batches_of(job) for head in batch.tournaments]
        keys = self.history.keys_on_list(head.key for head in heads)
        job = replace(
            job,
            reports=self._corrected_on_the_way(_batches_of(job), keys, day),
            readings=self._readings(book, opened, day),
            keys=keys,
            entry_lists=entry_lists,
            entry_days=entry_days,
            emitted={} if self.side.edition or not published else published[-1].plan.emitted,
            standard_lists=standard_lists,
            adjusted={} if self.side.edition or not published else published[0].plan.adjusted,
        )
        job.adjust = self._adjusting(job, opened, published, again)
        self.jobs[day] = job
        return job

    def _readings(self, book: Book, opened: date, day: date) -> dict[str, str]:
        """How open articles are read: as the office chose, unless the edition was named."""
        side = self.side
        if side.edition or side.law != self.history.system.law:
            return side.readings
        as_chosen = self.history.system.edition_read(opened, book.readings(side.law, day))
        return {**as_chosen.readings, **side.readings}

    # --- corrections ------------------------------------------------------------------------------

    def _entering(self, published: Sequence[PublishedList]) -> list[_Again]:
        """Corrections that enter now: of reports rated already, or to be rated."""
        new: dict[date, list[OfKey]] = {}
        for published_list in published:
            for seq in published_list.entry.corrections:
                correction = published_list.book.entries[seq]
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

    def _corrected_on_the_way(
        self, reports: Sequence[ReportBatch], keys: Collection[str], day: date
    ) -> tuple[ReportBatch, ...]:
        """The reports of a period, those corrected before their turn as corrected."""
        self._rated_on |= dict.fromkeys(keys, day)
        now = [one for one in self._waiting if one[0] in keys]
        if not now:
            return tuple(reports)
        self._waiting = [one for one in self._waiting if one[0] not in keys]
        for key, correction in now:
            self._on_the_way[key] = (*self._on_the_way.get(key, ()), correction)
        return tuple(self._with(reports, now))

    def _with(
        self, reports: Iterable[ReportBatch], corrections: Iterable[OfKey]
    ) -> Iterator[ReportBatch]:
        """Reports with corrections on top of those that were known before their turn."""
        by_key = {key: [*self._on_the_way.get(key, ())] for key, _ in corrections}
        for key, correction in corrections:
            if correction not in by_key[key]:
                by_key[key].append(correction)
        new = {key: self.history.corrected(key, found) for key, found in by_key.items()}
        return _replaced(reports, new)

    def _closing(
        self, day: date, corrections: Sequence[OfKey]
    ) -> tuple[Opening, Mapping[int, tuple[Tranche, ...]]]:
        """A list of the replay as corrections make it, and the results behind first ratings."""
        job = self.jobs[day]
        if not corrections:
            return opening_of_list(ListFolder(job.lists, self.side.rating_kind).read(day)), {}
        reports = joined(list(self._with(_batches_of(job), corrections)))
        closing, outcome = settle_job(replace(job, reports=(reports,), games=False, formats=()))
        return opening_of_list(closing), first_results_of(outcome)

    # --- what a period opens with -----------------------------------------------------------------

    def _adjusting(
        self, job: PeriodJob, opened: date, published: list[PublishedList], again: list[_Again]
    ) -> Callable[[StoredList], None]:
        later = {
            one.day: [day for day in self.jobs if one.day < day <= opened] for one in again
        }  # fixed now: a period that is computed again opens as it did
        law = law_on(job.law, opened, job.readings, job.edition)

        def adjust(stored: StoredList) -> None:
            opening = self._before_history(opening_of_list(stored), published)
            for one in again:
                opening = self._corrected(opening, one, published, later[one.day], job.lists)
            changes = _player_changes(published)
            playing = {
                int(player) for batch in _batches_of(job) for player in batch.entries.id.tolist()
            }
            opening = applied(opening, changes, playing=playing)
            opening = with_categories(opening, law)
            if self.side.law == self.history.system.law and any(
                published_list.plan.adjustments for published_list in published
            ):
                opening, stored.adjusted = with_adjustment(opening, law)
            opening.listed.birth = years_only(opening.listed.birth)
            opening.players.birth = years_only(opening.players.birth)
            stored.listed, stored.players = opening.listed, opening.players
            stored.pools = opening.pools

        return adjust

    def _before_history(self, opening: Opening, published: list[PublishedList]) -> Opening:
        """What corrections of lists before the history carried, as it was carried."""
        for published_list in published:
            by_list: dict[date, list[Correction]] = {}
            for seq in published_list.entry.corrections:
                correction = published_list.book.entries[seq]
                assert isinstance(correction, Correction)
                if correction.report not in self.history.by_report:
                    before = published_list.book.corrected_list(self.history.system.key, seq)
                    assert before is not None, "only corrections of published lists are carried"
                    by_list.setdefault(before, []).append(correction)
            for day, corrections in sorted(by_list.items()):
                maker = self.history.maker(published_list)
                opening, _ = maker.carried(published_list.plan, opening, day, corrections)
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
        entering = {
            seq for published_list in published for seq in published_list.entry.player_changes
        }
        gone = renamed_ids(
            entry for seq, entry in published[-1].book.of(PlayersMerged) if seq not in entering
        )
        carried, _ = carry(
            before,
            after,
            opening,
            k_ratings=self.side.on(again.day).k_ratings(),
            first_results=first_results,
            later=[folder.read(day).listed for day in later],
            merged=gone,
        )
        return carried


def _batches_of(job: PeriodJob) -> list[ReportBatch]:
    """The reports of a period of an office, all of which are in columns."""
    return [batch for batch in job.reports if isinstance(batch, ReportBatch)]


def _player_changes(published: list[PublishedList]) -> list[PlayersMerged | PlayerChanged]:
    """Merges and changes that entered with these lists, each once, as the ledger has them."""
    seqs = sorted(
        {seq for published_list in published for seq in published_list.entry.player_changes}
    )
    entries = [published[-1].book.entries[seq] for seq in seqs]
    return [entry for entry in entries if isinstance(entry, PlayersMerged | PlayerChanged)]


def _replaced(
    batches: Iterable[ReportBatch], new: Mapping[str, ReportBatch]
) -> Iterator[ReportBatch]:
    """Batches with some reports in place of others, in the same order."""
    for batch in batches:
        keys = [head.key for head in batch.tournaments]
        start = 0
        for at, key in enumerate(keys):
            if key in new:
                yield selected(batch, [start <= row < at for row in range(len(keys))])
                yield new[key]
                start = at + 1
        yield selected(batch, [row >= start for row in range(len(keys))])
