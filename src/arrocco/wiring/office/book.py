"""The ledger as it is asked about: which reports, corrections and changes a list is made of.

A plan follows from the entries alone. So the same plan comes out when a list is drafted, and years
later when it is verified from the entries that stood before it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import TypeVar

from arrocco.errors import Illegal, Inconsistent
from arrocco.laws.rating import RatingLaw
from arrocco.office.ledger import (
    AnyEntry,
    Correction,
    Entered,
    ListImported,
    ListPublished,
    PlayerChanged,
    PlayersMerged,
    ReportAccepted,
    ReportWithdrawn,
)
from arrocco.office.systems import SYSTEMS, RatingSystem
from arrocco.wiring.period import ENTRY_KINDS
from arrocco.words import Phrase

IMPORTABLE = (*SYSTEMS, *(name for name in ENTRY_KINDS if name not in SYSTEMS))
"""Systems whose lists can come from elsewhere; those beyond `SYSTEMS` are only asked."""

E = TypeVar("E", bound=AnyEntry)


@dataclass(frozen=True)
class At:
    """An entry of the ledger with its place."""

    seq: int
    entry: AnyEntry


@dataclass(frozen=True)
class Plan:
    """What one list is made of; two equal plans come to the same list."""

    system: RatingSystem
    list_date: date
    opened_on: date
    edition: str
    has_opening: bool
    """Whether a list opens the period; without one nobody is rated yet."""
    reports: tuple[int, ...]
    """Places of the reports, in order."""
    corrected: tuple[int, ...]
    """Places of corrections of these reports that came before the list."""
    merges: tuple[int, ...]
    """Places of all mergers known: reports may still name numbers that were left."""
    corrections: tuple[int, ...]
    """Places of corrections of earlier lists that enter with this one."""
    player_changes: tuple[int, ...]
    other_lists: Mapping[str, date] = field(default_factory=dict)
    readings: Mapping[str, str] = field(default_factory=dict)
    """How ambiguous articles are read: every reading of the edition by its name."""

    @property
    def law(self) -> RatingLaw:
        """The edition that settles the period."""
        return self.system.edition_on(self.opened_on, **self.readings)


class Book:
    """The entries up to a place, arranged for questions."""

    def __init__(self, entries: Iterable[Entered | At]) -> None:
        self.entries = {one.seq: one.entry for one in entries}
        self._rated: dict[str, dict[int, tuple[int, date]]] = {}

    @property
    def head(self) -> int:
        return max(self.entries, default=0)

    def before(self, seq: int) -> Book:
        """The ledger as it stood before an entry."""
        return Book(At(at, entry) for at, entry in self.entries.items() if at < seq)

    def of(self, kind: type[E]) -> list[tuple[int, E]]:
        """The entries of a kind with their places, in order."""
        return [(seq, entry) for seq, entry in self.entries.items() if isinstance(entry, kind)]

    def lists(self, system: str) -> dict[date, int]:
        """The lists of a system and their places, in order of their days."""
        found = [
            (entry.list_date, seq)
            for seq, entry in self.entries.items()
            if isinstance(entry, ListPublished | ListImported) and entry.system == system
        ]
        return dict(sorted(found))

    def published(self, system: str) -> list[tuple[int, ListPublished]]:
        """The lists of a system that were made here."""
        return [(seq, entry) for seq, entry in self.of(ListPublished) if entry.system == system]

    def accepted(self, report: int) -> tuple[int, ReportAccepted] | None:
        """Where a report was accepted, by its number; the last time it was."""
        found = [(seq, entry) for seq, entry in self.of(ReportAccepted) if entry.report == report]
        return found[-1] if found else None

    def rated(self, system: str) -> dict[int, tuple[int, date]]:
        """By number of report: the place and the day of the list it was rated on."""
        if system not in self._rated:
            self._rated[system] = {
                self.report_number(used.seq): (seq, published.list_date)
                for seq, published in self.published(system)
                for used in published.reports
            }
        return self._rated[system]

    def readings(self, seq: int) -> dict[str, str]:
        """How a published list read ambiguous articles."""
        entry = self.entries[seq]
        return dict(entry.readings) if isinstance(entry, ListPublished) else {}

    def report_number(self, accepted: int) -> int:
        """The number of the report that was accepted at a place."""
        entry = self.entries[accepted]
        assert isinstance(entry, ReportAccepted)
        return entry.report

    def report_list(self, accepted: int, system: str) -> date:
        """The list that a report accepted at a place falls on in a system."""
        entry = self.entries[accepted]
        assert isinstance(entry, ReportAccepted)
        return entry.lists[system]

    def corrected_list(self, system: str, correction: int) -> date | None:
        """The list of a system that was out and had the report when a correction was entered."""
        entry = self.entries[correction]
        assert isinstance(entry, Correction)
        seq, list_date = self.rated(system).get(entry.report, (correction, date.max))
        return list_date if seq < correction else None

    def corrections_of(self, system: str, list_date: date) -> tuple[int, ...]:
        """Corrections of a list that have entered later lists, by their places."""
        return tuple(
            seq
            for _, published in self.published(system)
            for seq in published.corrections
            if self.corrected_list(system, seq) == list_date
        )


def plan_of(
    book: Book, system: RatingSystem, list_date: date, readings: Mapping[str, str] | None = None
) -> Plan:
    """What the next list of a system is made of. Raises `Illegal` where another one comes next."""
    opened_on = opening_of(book, system, list_date)
    law = system.edition_on(opened_on, **(readings or {}))
    reports = _reports(book, system.key, list_date)
    numbers = {book.report_number(seq) for seq in reports}
    entered = {seq for _, published in book.published(system.key) for seq in published.corrections}
    changed = {
        seq for _, published in book.published(system.key) for seq in published.player_changes
    }
    corrections = book.of(Correction)
    return Plan(
        system=system,
        list_date=list_date,
        opened_on=opened_on,
        edition=law.edition,
        has_opening=bool(book.lists(system.key)),
        reports=reports,
        corrected=tuple(seq for seq, entry in corrections if entry.report in numbers),
        merges=tuple(seq for seq, _ in book.of(PlayersMerged)),
        corrections=tuple(
            seq
            for seq, entry in corrections
            if seq not in entered
            and entry.report not in numbers
            and book.corrected_list(system.key, seq) is not None
        ),
        player_changes=tuple(
            seq
            for seq, entry in book.entries.items()
            if _changes_players(entry, list_date) and (seq not in changed or _is_death(entry))
        ),
        other_lists=other_lists(book, system.key, law, opened_on),
        readings=dict(law.readings),
    )


def _changes_players(entry: AnyEntry, list_date: date) -> bool:
    if isinstance(entry, PlayerChanged):
        return entry.from_day <= list_date
    return isinstance(entry, PlayersMerged)


def _is_death(entry: AnyEntry) -> bool:
    """Who died leaves every list from then on, also after games played before that come late."""
    return isinstance(entry, PlayerChanged) and entry.died is not None


def opening_of(book: Book, system: RatingSystem, list_date: date) -> date:
    """The list that opens the period which a list closes; lists come in order, none is skipped."""
    lists = book.lists(system.key)
    if lists:
        opened_on = max(lists)
    else:
        eve = _first_list(book, system.key, list_date) - timedelta(days=1)
        opened_on = system.edition_on(eve).list_in_force(eve)
    following = system.edition_on(opened_on).next_list(opened_on)
    if following != list_date:
        raise Illegal.of(
            "desk.refused.not_next",
            system=system.key,
            list_date=list_date,
            next=following,
            last=max(lists) if lists else Phrase("desk.no_list_yet"),
        )
    return opened_on


def _first_list(book: Book, system: str, asked: date) -> date:
    """The first list of a system that starts with nobody: not after one that reports wait for."""
    waiting = _reports(book, system, date.max)
    days = [book.report_list(seq, system) for seq in waiting]
    return min([asked, *days])


def _reports(book: Book, system: str, list_date: date) -> tuple[int, ...]:
    """Accepted, not withdrawn, for this list or an earlier one that left them out."""
    withdrawn = {entry.report: seq for seq, entry in book.of(ReportWithdrawn)}
    used = {one.seq for _, published in book.published(system) for one in published.reports}
    return tuple(
        seq
        for seq, entry in book.of(ReportAccepted)
        if system in entry.lists
        and entry.lists[system] <= list_date
        and seq not in used
        and withdrawn.get(entry.report, 0) < seq
    )


def other_lists(book: Book, system: str, law: RatingLaw, opened_on: date) -> dict[str, date]:
    """The lists of other systems that a law asks, as in force when the period opens."""
    if law.STANDARD_STANDS_IN:
        standard = book.lists("fide")
        if not standard:
            return {}
        if opened_on not in standard:
            raise Inconsistent.of(
                "desk.refused.no_standard_list", system=system, list_date=opened_on
            )
        return {"fide": opened_on}
    if law.HAS_UNRATED:
        return {}
    found = {}
    for name in ENTRY_KINDS:
        days = [day for day in book.lists(name) if day <= opened_on]
        if days:
            found[name] = max(days)
    return found
