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

from arrocco.desk import Office
from arrocco.desk.book import IMPORTABLE
from arrocco.desk.desk import Desk
from arrocco.errors import Inconsistent, Malformed
from arrocco.office.corrections import corrected, is_annulled
from arrocco.office.ledger import (
    Correction,
    Entered,
    GameExclusion,
    IdCorrection,
    ListImported,
    ListPublished,
    PlayerChanged,
    PlayersMerged,
    ReportAccepted,
    ReportReplacement,
    ReportWithdrawn,
    ResultCorrection,
)
from arrocco.records.report import Report
from arrocco.store.list_view_changes import ListChanges, changes_between
from arrocco.store.sql import ledger, publications
from arrocco.store.sql.publications import Publication

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
    """``merged``, ``changed``, ``died``, ``corrected``, ``excluded`` or ``annulled``."""
    other: int | None = None
    """The other number of a merger."""
    kept: bool = False
    tournament: int | None = None
    fields: tuple[str, ...] = ()
    """What changed."""
    lists: tuple[tuple[str, date], ...] = ()
    """The lists it entered with, by system; of a death the first that are without the player."""


class AcceptedFile(Struct, frozen=True):
    """A report that was accepted, and its corrections; both are never changed, only added to."""

    entry: ReportAccepted
    corrections: tuple[Correction, ...]

    @property
    def key(self) -> tuple[str, int, int]:
        """What tells it from every other state of a report."""
        return self.entry.blob, self.entry.report, len(self.corrections)

    def read(self, desk: Desk) -> Report | None:
        """The report as corrected; `None` where its file is damaged."""

        def read(sent: ReportAccepted | ReportReplacement) -> Report:
            return desk.parsed.read(desk.blobs.get(sent.blob), sent.file_name)[0]

        try:
            report = read(self.entry)
            for correction in self.corrections:
                report = corrected(report, correction.changes, read)
        except (Malformed, Inconsistent):
            return None
        return replace(report, facts=self.entry.facts)


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
            last = {system: publications.latest(connection, system) for system in IMPORTABLE}
        return {
            system: publication for system, publication in last.items() if publication is not None
        }

    def source(self, publication: Publication) -> Source:
        """Where a list stands in the ledger."""
        entered = self._entered(publication)
        entry = entered.entry
        told = Source(
            seq=entered.seq,
            at=entered.at,
            hash=entered.hash,
            previous=entered.previous,
            imported="",
            blob="",
            edition="",
            reports=0,
            corrections=0,
        )
        if isinstance(entry, ListImported):
            return _with(told, imported=entry.file_name, blob=entry.blob)
        assert isinstance(entry, ListPublished)
        self._entries.read()
        counted = len(entry.corrections) + len(self._entries.counted_with(entry, entered.seq))
        return _with(told, edition=entry.edition, reports=len(entry.reports), corrections=counted)

    def files(self, publication: Publication) -> list[ListFile]:
        """The files of a list, by name."""
        entry = self._entered(publication).entry
        sealed = entry.files if isinstance(entry, ListPublished) else {}
        folder = self.office.lists.folder(publication.system, publication.list_date)
        return [
            ListFile(
                name=file.name,
                size=file.stat().st_size,
                sha256=sealed.get(file.name) or self._hash(file),
                sealed=file.name in sealed,
            )
            for file in sorted(folder.iterdir())
            if file.is_file()
        ]

    def file(self, publication: Publication, name: str) -> tuple[Path, ListFile] | None:
        """One file of a list and where it lies."""
        folder = self.office.lists.folder(publication.system, publication.list_date)
        for list_file in self.files(publication) if name else ():
            if list_file.name == name:
                return folder / name, list_file
        return None

    def before(self, publication: Publication) -> Publication | None:
        """The list before."""
        every = self.office.lists.published(publication.system)
        return next(
            (earlier for earlier in every if earlier.list_date < publication.list_date), None
        )

    def changes(self, publication: Publication, before: Publication) -> ListChanges:
        """What a list changed of the one before."""
        key = publication.system, publication.list_date
        list_changes = self._changes.get(key)
        if list_changes is None:
            view = self.office.lists.view
            list_changes = changes_between(
                view(before.system, before.list_date),
                view(publication.system, publication.list_date),
            )
            with self._lock:
                self._changes[key] = list_changes
                while len(self._changes) > _KEPT_CHANGES:
                    self._changes.pop(next(iter(self._changes)))
        return list_changes

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

    def accepted(self, tournament: int) -> tuple[AcceptedFile, ...]:
        """The reports of a tournament that count, with what was corrected since.

        Of one that was annulled whole, those that lists were made of, as they were before.
        """
        self._entries.read()
        entries = [self._entries.reports[seq] for seq in self._entries.accepted.get(tournament, ())]
        files = [
            AcceptedFile(entry, tuple(self._entries.corrections.get(entry.report, ())))
            for entry in entries
        ]
        counting = [file for file in files if not any(map(_annuls, file.corrections))]
        return tuple(counting) or tuple(
            AcceptedFile(file.entry, tuple(c for c in file.corrections if not _annuls(c)))
            for file in files
        )

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
        self._lists_of: dict[int, dict[str, date]] = defaultdict(dict)
        self.reports: dict[int, ReportAccepted] = {}
        """Accepted reports by their places."""
        self._by_number: dict[int, ReportAccepted] = {}
        self.accepted: dict[int, list[int]] = defaultdict(list)
        """Places of the accepted reports of a tournament that still stand."""
        self.corrections: dict[int, list[Correction]] = defaultdict(list)
        """By number of report."""
        self._corrected: dict[int, list[int]] = defaultdict(list)
        """Places of corrections by number of report."""

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
            _with(player_entry, lists=tuple(sorted(self._lists_of[player_entry.seq].items())))
            for player_entry in self._of_player.get(player, ())
        ]

    def _take(self, entered: Entered) -> None:
        entry, told = entered.entry, PlayerEntry(seq=entered.seq, at=entered.at, kind="")
        if isinstance(entry, ReportAccepted):
            self._stand_down(entry.report)
            self.reports[entered.seq] = self._by_number[entry.report] = entry
            self.accepted[entry.tournament].append(entered.seq)
        elif isinstance(entry, ListPublished):
            for seq in (*entry.corrections, *entry.player_changes, *self.counted_with(entry)):
                # A death is named with every list from then on.
                self._lists_of[seq].setdefault(entry.system, entry.list_date)
        elif isinstance(entry, PlayersMerged):
            merged = _with(told, kind="merged", other=entry.left, kept=True)
            self._of_player[entry.kept].append(merged)
            self._of_player[entry.left].append(_with(merged, other=entry.kept, kept=False))
        elif isinstance(entry, PlayerChanged):
            kind = "changed" if entry.died is None else "died"
            self._of_player[entry.player].append(_with(told, kind=kind, fields=_fields(entry)))
        elif isinstance(entry, Correction):
            self._take_correction(told, entry)
        elif isinstance(entry, ReportWithdrawn):
            self._stand_down(entry.report)

    def counted_with(self, published: ListPublished, before: int | None = None) -> list[int]:
        """Places of corrections that came before their reports were on a list, and with them."""
        used = [self.reports.get(used.seq) for used in published.reports]
        return [
            seq
            for accepted in used
            for seq in (self._corrected.get(accepted.report, ()) if accepted else ())
            if before is None or seq < before
        ]

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
        self._corrected[entry.report].append(told.seq)
        player_entry = _with(told, kind=_kind(entry), tournament=accepted.tournament)
        for player in sorted(self._concerned(accepted, entry)):
            self._of_player[player].append(player_entry)

    def _concerned(self, accepted: ReportAccepted, entry: Correction) -> set[int]:
        try:
            blob = self._office.desk.blobs.get(accepted.blob)
            report, _ = self._office.desk.parsed.read(blob, accepted.file_name)
        except Malformed:
            return set()
        number = {entry.number: entry.id for entry in report.entries if entry.id is not None}
        return {player for change in entry.changes for player in _players(change, number)}


def _annuls(entry: Correction) -> bool:
    return is_annulled(entry.changes)


def _kind(entry: Correction) -> str:
    """What a correction does to a report, in a word."""
    if _annuls(entry):
        return "annulled"
    if all(isinstance(change, GameExclusion) for change in entry.changes):
        return "excluded"
    return "corrected"


def _players(change: object, number: dict[int, int]) -> Iterator[int]:
    """Whom a change of a report concerns; other dates concern everybody in it."""
    if isinstance(change, ResultCorrection | GameExclusion):
        yield from (number[entry] for entry in (change.white, change.black) if entry in number)
    elif isinstance(change, IdCorrection):
        yield change.player
        if change.entry in number:
            yield number[change.entry]
    else:
        yield from number.values()


def _fields(entry: PlayerChanged) -> tuple[str, ...]:
    names = ("name", "federation", "sex", "title", "birth", "category", "affiliated")
    return tuple(name for name in names if getattr(entry, name))
