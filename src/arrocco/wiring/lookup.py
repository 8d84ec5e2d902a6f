"""What everybody may look up across the parts of an office: hashes of lists, cross-tables, entries.

Nothing here changes anything, and nothing here is for some people only.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from datetime import date, datetime
from pathlib import Path
from threading import Lock

from msgspec import Struct
from msgspec.structs import replace as _with

from arrocco.errors import Inconsistent, Malformed
from arrocco.formats.trf import read_report
from arrocco.office.corrections import corrected
from arrocco.office.ledger import (
    Correction,
    Entered,
    IdCorrection,
    ListImported,
    ListPublished,
    PlayerChanged,
    PlayersMerged,
    ReportAccepted,
    ResultCorrection,
)
from arrocco.report import Report
from arrocco.store.list_view_changes import ListChanges, changes_between
from arrocco.store.sql import ledger, publications
from arrocco.store.sql.publications import Publication
from arrocco.wiring.office import Office
from arrocco.wiring.office.book import IMPORTABLE

_KEPT_CHANGES = 6
_KEPT_HASHES = 500


class ListFile(Struct, frozen=True, kw_only=True):
    """A file of a list, with the hash that the ledger or the file itself gives."""

    name: str
    size: int
    sha256: str
    sealed: bool
    """Whether the ledger names this hash; files of an imported list follow from its own file."""


class Source(Struct, frozen=True, kw_only=True):
    """Where a list stands in the ledger."""

    seq: int
    at: datetime
    hash: str
    previous: str
    imported: str
    """The name of the file of a list from elsewhere; empty for a list made here."""
    blob: str
    edition: str
    reports: int
    corrections: int


class PlayerEntry(Struct, frozen=True, kw_only=True):
    """Something the ledger says of a player beside their games; no reasons, they may be private."""

    seq: int
    at: datetime
    kind: str
    """``merged``, ``changed``, ``died`` or ``corrected``."""
    other: int | None = None
    """The other number of a merger."""
    kept: bool = False
    tournament: int | None = None
    fields: tuple[str, ...] = ()
    """What changed."""
    lists: tuple[tuple[str, date], ...] = ()
    """The lists it entered with, by system."""


class Lookup:
    """Reads an office for everybody; keeps what never changes once it was read."""

    def __init__(self, office: Office) -> None:
        self.office = office
        self._lock = Lock()
        self._hashes: dict[tuple[str, int, int], str] = {}
        self._changes: dict[tuple[str, date], ListChanges] = {}
        self._entries = _Entries(office)

    # --- lists ------------------------------------------------------------------------------------

    def latest(self) -> dict[str, Publication]:
        """The newest list of every system that has one, in the order they are shown."""
        with self.office.desk.database.reading() as connection:
            found = {system: publications.latest(connection, system) for system in IMPORTABLE}
        return {system: one for system, one in found.items() if one is not None}

    def source(self, publication: Publication) -> Source:
        """Where a list stands in the ledger."""
        entered = self._entered(publication)
        entry = entered.entry
        told = Source(
            seq=entered.seq, at=entered.at, hash=entered.hash, previous=entered.previous,
            imported="", blob="", edition="", reports=0, corrections=0,
        )  # fmt: skip
        if isinstance(entry, ListImported):
            return _with(told, imported=entry.file_name, blob=entry.blob)
        assert isinstance(entry, ListPublished)
        return _with(
            told, edition=entry.edition, reports=len(entry.reports),
            corrections=len(entry.corrections),
        )  # fmt: skip

    def files(self, publication: Publication) -> list[ListFile]:
        """The files of a list, by name."""
        entry = self._entered(publication).entry
        sealed = entry.files if isinstance(entry, ListPublished) else {}
        folder = self.office.lists.folder(publication.system, publication.list_date)
        return [
            ListFile(
                name=file.name, size=file.stat().st_size,
                sha256=sealed.get(file.name) or self._hash(file), sealed=file.name in sealed,
            )
            for file in sorted(folder.iterdir())
            if file.is_file()
        ]  # fmt: skip

    def file(self, publication: Publication, name: str) -> tuple[Path, ListFile] | None:
        """One file of a list and where it lies."""
        folder = self.office.lists.folder(publication.system, publication.list_date)
        for one in self.files(publication) if name else ():
            if one.name == name:
                return folder / name, one
        return None

    def before(self, publication: Publication) -> Publication | None:
        """The list before."""
        every = self.office.lists.published(publication.system)
        return next((one for one in every if one.list_date < publication.list_date), None)

    def changes(self, publication: Publication, before: Publication) -> ListChanges:
        """What a list changed of the one before."""
        key = publication.system, publication.list_date
        found = self._changes.get(key)
        if found is None:
            view = self.office.lists.view
            found = changes_between(
                view(before.system, before.list_date),
                view(publication.system, publication.list_date),
            )
            with self._lock:
                self._changes[key] = found
                while len(self._changes) > _KEPT_CHANGES:
                    self._changes.pop(next(iter(self._changes)))
        return found

    def _entered(self, publication: Publication) -> Entered:
        with self.office.desk.database.reading() as connection:
            entered = ledger.get(connection, publication.seq)
        assert entered is not None, "a publication names its entry"
        return entered

    def _hash(self, file: Path) -> str:
        """The hash of a file that the ledger does not name; lists never change, so it is kept."""
        told = file.stat()
        key = str(file), told.st_size, told.st_mtime_ns
        if key not in self._hashes:
            with file.open("rb") as stream:
                digest = hashlib.file_digest(stream, "sha256").hexdigest()
            with self._lock:
                if len(self._hashes) >= _KEPT_HASHES:
                    self._hashes.clear()
                self._hashes[key] = digest
        return self._hashes[key]

    # --- tournaments ------------------------------------------------------------------------------

    def reports(self, tournament: int) -> list[Report]:
        """The accepted reports of a tournament, as corrected since, in order of their days."""
        self._entries.read()
        found = []
        for seq in self._entries.accepted.get(tournament, ()):
            entry = self._entries.reports[seq]
            try:
                report, _ = read_report(self.office.desk.blobs.get(entry.blob), entry.file_name)
                for correction in self._entries.corrections.get(entry.report, ()):
                    report = corrected(report, correction.changes)
            except (Malformed, Inconsistent):
                continue
            found.append(replace(report, facts=entry.facts))
        return sorted(found, key=lambda one: one.start or date.max)

    # --- players ----------------------------------------------------------------------------------

    def entries(self, player: int) -> list[PlayerEntry]:
        """What the ledger says of a player beside their games, in order."""
        self._entries.read()
        return self._entries.of(player)


class _Entries:
    """The entries of the ledger by whom they concern: read once, then only what is new."""

    def __init__(self, office: Office) -> None:
        self._office = office
        self._lock = Lock()
        self._seen = 0
        self._of_player: dict[int, list[PlayerEntry]] = defaultdict(list)
        self._lists_of: dict[int, list[tuple[str, date]]] = defaultdict(list)
        self.reports: dict[int, ReportAccepted] = {}
        """Accepted reports by their places."""
        self._by_number: dict[int, ReportAccepted] = {}
        self.accepted: dict[int, list[int]] = defaultdict(list)
        """Places of the accepted reports of a tournament that still stand."""
        self.corrections: dict[int, list[Correction]] = defaultdict(list)
        """By number of report."""

    def read(self) -> None:
        """Takes in what was entered since."""
        with self._lock:
            with self._office.desk.database.reading() as connection:
                if ledger.head_seq(connection) == self._seen:
                    return
                new = list(ledger.read(connection, self._seen + 1))
            for entered in new:
                self._take(entered)
                self._seen = entered.seq

    def of(self, player: int) -> list[PlayerEntry]:
        return [
            _with(one, lists=tuple(sorted(self._lists_of.get(one.seq, ()))))
            for one in self._of_player.get(player, ())
        ]

    def _take(self, entered: Entered) -> None:
        entry, told = entered.entry, PlayerEntry(seq=entered.seq, at=entered.at, kind="")
        if isinstance(entry, ReportAccepted):
            self._stand_down(entry.report)
            self.reports[entered.seq] = self._by_number[entry.report] = entry
            self.accepted[entry.tournament].append(entered.seq)
        elif isinstance(entry, ListPublished):
            for seq in (*entry.corrections, *entry.player_changes):
                self._lists_of[seq].append((entry.system, entry.list_date))
        elif isinstance(entry, PlayersMerged):
            merged = _with(told, kind="merged", other=entry.left, kept=True)
            self._of_player[entry.kept].append(merged)
            self._of_player[entry.left].append(_with(merged, other=entry.kept, kept=False))
        elif isinstance(entry, PlayerChanged):
            kind = "changed" if entry.died is None else "died"
            self._of_player[entry.player].append(_with(told, kind=kind, fields=_fields(entry)))
        elif isinstance(entry, Correction):
            self._take_correction(told, entry)
        elif not isinstance(entry, ListImported):  # a report was withdrawn
            self._stand_down(entry.report)

    def _stand_down(self, report: int) -> None:
        """Takes a report off those that stand, where it is one of them."""
        if (known := self._by_number.get(report)) is not None:
            standing = self.accepted[known.tournament]
            standing[:] = [seq for seq in standing if self.reports[seq].report != report]

    def _take_correction(self, told: PlayerEntry, entry: Correction) -> None:
        accepted = self._by_number.get(entry.report)
        if accepted is None:
            return
        self.corrections[entry.report].append(entry)
        one = _with(told, kind="corrected", tournament=accepted.tournament)
        for player in sorted(self._concerned(accepted, entry)):
            self._of_player[player].append(one)

    def _concerned(self, accepted: ReportAccepted, entry: Correction) -> set[int]:
        try:
            blob = self._office.desk.blobs.get(accepted.blob)
            report, _ = read_report(blob, accepted.file_name)
        except Malformed:
            return set()
        number = {one.number: one.id for one in report.entries if one.id is not None}
        return {found for change in entry.changes for found in _players(change, number)}


def _players(change: object, number: dict[int, int]) -> Iterator[int]:
    """Whom a change of a report concerns; other dates concern everybody in it."""
    if isinstance(change, ResultCorrection):
        yield from (number[one] for one in (change.white, change.black) if one in number)
    elif isinstance(change, IdCorrection):
        yield change.player
        if change.entry in number:
            yield number[change.entry]
    else:
        yield from number.values()


def _fields(entry: PlayerChanged) -> tuple[str, ...]:
    names = ("name", "federation", "sex", "title", "birth", "category")
    return tuple(name for name in names if getattr(entry, name))
