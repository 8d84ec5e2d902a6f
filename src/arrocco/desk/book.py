"""The ledger as it is asked about: which reports, corrections and changes a list is made of.

A plan follows from the entries alone. So the same plan comes out when a list is drafted, and years
later when it is verified from the entries that stood before it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from typing import TypeVar

from arrocco.errors import Illegal, Inconsistent
from arrocco.laws.rating import RatingLaw
from arrocco.laws.systems import ENTRY_LISTS, STANDARD, SYSTEMS, RatingSystem
from arrocco.office.ledger import (
    AnyEntry,
    Correction,
    Entered,
    ListAdjusted,
    ListImported,
    ListPublished,
    PlayerChanged,
    PlayersMerged,
    ReadingChosen,
    ReportAccepted,
    ReportWithdrawn,
    list_format,
)
from arrocco.office.questions import ClosesByReceipt
from arrocco.office.readings import choices_for
from arrocco.store.list_folder import FLAGS_OF_FORMAT_1, FORMAT
from arrocco.words import Phrase

IMPORTABLE = (*SYSTEMS, *(name for name in ENTRY_LISTS if name not in SYSTEMS))
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
    adjustments: tuple[int, ...] = ()
    """Places of the adjustment of the opening list."""
    adjusted: Mapping[str, frozenset[date]] = field(default_factory=dict)
    """By system: the lists that were adjusted; tournaments that started under them are rated so."""
    other_lists: Mapping[str, date] = field(default_factory=dict)
    entry_days: Mapping[str, tuple[date, ...]] = field(default_factory=dict)
    """By system: the lists that give ratings on entry, where a tournament's start decides."""
    emitted: Mapping[date, date] = field(default_factory=dict)
    """By date of a list: the day it came out, where it is known and another."""
    readings: Mapping[str, str] = field(default_factory=dict)
    """How ambiguous articles are read: every reading of the edition by its name."""
    named: tuple[str, ...] | None = None
    """The readings that the list names, where it was made before others had a name."""
    format: int = FORMAT
    """How the files of the list are written."""

    @property
    def law(self) -> RatingLaw:
        """The edition that settles the period."""
        return self.system.edition_on(self.opened_on, **self.readings)

    @property
    def k_ratings(self) -> tuple[int, ...]:
        """The published ratings that K depends on, as the files of the list can tell them."""
        return tuple(FLAGS_OF_FORMAT_1.values()) if self.format == 1 else self.law.k_ratings()


class Book:
    """The entries up to a place, arranged for questions."""

    def __init__(self, entries: Iterable[Entered | At]) -> None:
        self.entries = {entry.seq: entry.entry for entry in entries}
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
        entries = [
            (entry.list_date, seq)
            for seq, entry in self.entries.items()
            if isinstance(entry, ListPublished | ListImported) and entry.system == system
        ]
        return dict(sorted(entries))

    def emitted(self, system: str) -> dict[date, date]:
        """By date of a list made here: the day it came out, where that is another."""
        return {
            entry.list_date: entry.emitted
            for _, entry in self.published(system)
            if entry.emitted and entry.emitted != entry.list_date
        }

    def published(self, system: str) -> list[tuple[int, ListPublished]]:
        """The lists of a system that were made here."""
        return [(seq, entry) for seq, entry in self.of(ListPublished) if entry.system == system]

    def adjusted(self, system: str) -> dict[date, int]:
        """The lists of a system that were adjusted, and the places of the acts."""
        acts = [(seq, entry) for seq, entry in self.of(ListAdjusted) if entry.system == system]
        return {entry.list_date: seq for seq, entry in acts}

    def first_adjustment(self, system: str, list_date: date) -> int | None:
        """The place of the act that adjusted a list first."""
        named, acts = (system, list_date), self.of(ListAdjusted)
        return next(
            (
                seq
                for seq, list_adjusted in acts
                if (list_adjusted.system, list_adjusted.list_date) == named
            ),
            None,
        )

    def readings(self, law: str, list_date: date) -> dict[str, str]:
        """How the office reads open articles of a law for a list, where not as by default."""
        return choices_for(self.of(ReadingChosen), law, list_date)

    def accepted(self, report: int) -> tuple[int, ReportAccepted] | None:
        """Where a report was accepted, by its number; the last time it was."""
        entries = [(seq, entry) for seq, entry in self.of(ReportAccepted) if entry.report == report]
        return entries[-1] if entries else None

    def rated(self, system: str) -> dict[int, tuple[int, date]]:
        """By number of report: the place and the day of the list it was rated on."""
        if system not in self._rated:
            self._rated[system] = {
                self.report_number(used.seq): (seq, published.list_date)
                for seq, published in self.published(system)
                for used in published.reports
            }
        return self._rated[system]

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


def plan_again(book: Book, system: RatingSystem, list_date: date) -> tuple[Book, Plan]:
    """The plan of a list that is out, and the ledger as it stood for it."""
    seq = book.lists(system.key)[list_date]
    entry = book.entries[seq]
    assert isinstance(entry, ListPublished), "only lists made here have a plan"
    then = book.before(seq)
    law = type(system.edition_on(entry.opened_on))
    out = entry.emitted or None
    plan = plan_of(then, system, list_date, law.readings_of(entry.readings), emission=out)
    return then, replace(plan, format=list_format(entry), named=tuple(entry.readings))


def plan_of(
    book: Book,
    system: RatingSystem,
    list_date: date,
    readings: Mapping[str, str] | None = None,
    *,
    emission: date | None = None,
) -> Plan:
    """What the next list of a system is made of. Raises `Illegal` where another one comes next.

    Without `readings` open articles are read as the office has chosen by then. `emission` is the
    day it comes out: what was received in time for it is on it (UISP, I.2).
    """
    opened_on = opening_of(book, system, list_date)
    if readings is None:
        law = system.edition_read(opened_on, book.readings(system.law, list_date))
    else:
        law = system.edition_on(opened_on, **readings)
    reports = _reports(book, system.key, list_date, _received_by(law, list_date, emission))
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
        adjustments=tuple(
            seq for day, seq in book.adjusted(system.key).items() if day == opened_on
        ),
        adjusted={key: frozenset(book.adjusted(key)) for key in {system.key, STANDARD}},
        other_lists=other_lists(book, system.key, law, opened_on),
        entry_days=_entry_days(book, law, list_date),
        emitted=book.emitted(system.key),
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


def _received_by(law: RatingLaw, list_date: date, emission: date | None) -> date | None:
    """The last day of receipt for a list that comes out later than its date (UISP, I.2)."""
    if emission is None or emission <= list_date or not isinstance(law, ClosesByReceipt):
        return None
    return law.closing_date(emission)


def _entry_days(book: Book, law: RatingLaw, list_date: date) -> dict[str, tuple[date, ...]]:
    """The lists in force at some start, by system, where that is what the law asks for."""
    if not law.enters_by_start():
        return {}
    days = {name: tuple(d for d in book.lists(name) if d < list_date) for name in ENTRY_LISTS}
    return {name: found for name, found in days.items() if found}


def _reports(
    book: Book, system: str, list_date: date, received_by: date | None = None
) -> tuple[int, ...]:
    """Accepted, not withdrawn, for this list or an earlier one that left them out.

    Also those that were thought too late for the list and are not, as it came out later.
    """
    withdrawn = {entry.report: seq for seq, entry in book.of(ReportWithdrawn)}
    used = {report.seq for _, published in book.published(system) for report in published.reports}
    return tuple(
        seq
        for seq, entry in book.of(ReportAccepted)
        if system in entry.lists
        and (
            entry.lists[system] <= list_date
            or (received_by is not None and entry.received <= received_by)
        )
        and seq not in used
        and withdrawn.get(entry.report, 0) < seq
    )


def other_lists(book: Book, system: str, law: RatingLaw, opened_on: date) -> dict[str, date]:
    """The lists of other systems that a law asks, as in force when the period opens."""
    if law.STANDARD_STANDS_IN:
        standard = book.lists(STANDARD)
        if not standard:
            return {}
        if opened_on not in standard:
            raise Inconsistent.of(
                "desk.refused.no_standard_list", system=system, list_date=opened_on
            )
        return {STANDARD: opened_on}
    if law.HAS_UNRATED:
        return {}
    day_of = {}
    for name in ENTRY_LISTS:
        days = [day for day in book.lists(name) if day <= opened_on]
        if days:
            day_of[name] = max(days)
    return day_of
