"""Verification: a list is built again from what it was made of and compared byte by byte."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from msgspec import Struct

from arrocco.errors import Inconsistent, Refusal
from arrocco.findings import Finding, Severity
from arrocco.office.ledger import ListImported, ListPublished, UsedReport
from arrocco.office.systems import system_named
from arrocco.store.sql import ledger, publications
from arrocco.store.sql.publications import Publication
from arrocco.wiring.office import folders
from arrocco.wiring.office.book import Book, plan_of
from arrocco.wiring.office.desk import Desk
from arrocco.wiring.office.importing import write_imported
from arrocco.wiring.office.making import Maker
from arrocco.words import Phrase


class Verification(Struct, frozen=True, kw_only=True):
    """What verifying a list found; nothing where it is as it should be."""

    system: str
    list_date: date
    entries: int
    """How many entries of the ledger were checked."""
    files: int
    """How many files were compared."""
    findings: tuple[Finding, ...]

    @property
    def is_good(self) -> bool:
        return not self.findings


class Verifier:
    """Verifies lists of an office."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def verify(self, system: str, list_date: date) -> Verification:
        """Checks the ledger, the files and the making of one list."""
        with self._desk.database.reading() as connection:
            found = publications.get(connection, system, list_date)
            if found is None:
                days = [one.list_date for one in publications.of_system(connection, system)]
                known = tuple(days) or Phrase("desk.no_list_yet")
                raise Inconsistent.of(
                    "desk.refused.not_published", system=system, list_date=list_date, known=known
                )
        return self._verify([found])[0]

    def verify_all(self) -> list[Verification]:
        """Checks every list, in the order they came out."""
        with self._desk.database.reading() as connection:
            found = publications.every(connection)
        return self._verify(found)

    def _verify(self, lists: list[Publication]) -> list[Verification]:
        with self._desk.database.reading() as connection:
            try:
                entries = ledger.check_chain(connection)
            except Inconsistent as broken:
                finding = _finding("chain", seq=broken.details.get("seq", 0))
                return [_verification(one, 0, 0, [finding]) for one in lists]
            book = self._desk.book(connection)
        return [self._verify_one(book, entries, one) for one in lists]

    def _verify_one(self, book: Book, entries: int, one: Publication) -> Verification:
        where = {"system": one.system, "list_date": one.list_date}
        entry = book.entries.get(one.seq)
        if not (
            isinstance(entry, ListPublished | ListImported)
            and (entry.system, entry.list_date) == (one.system, one.list_date)
        ):
            return _verification(one, entries, 0, [_finding("not_in_ledger", **where)])
        findings = list(self._inputs(book, entry))
        files = 0
        with TemporaryDirectory(prefix="arrocco-") as scratch:
            try:
                again = self._again(book, one.seq, entry, Path(scratch), findings)
            except Refusal as refusal:
                reason = Phrase(f"{refusal.key}.text", refusal.details)
                said: Phrase | str = reason if refusal.key else refusal.message
                findings.append(_finding("refused", reason=said, **where))
            else:
                kept = self._desk.lists / one.system / one.list_date.isoformat()
                files = len(list(again.iterdir()))
                findings += _compared(kept, again, where)
        return _verification(one, entries, files, _distinct(findings))

    # --- the files it stands on, and its own ------------------------------------------------------

    def _inputs(self, book: Book, entry: ListPublished | ListImported) -> Iterator[Finding]:
        """Whether this list and the lists it was made from have the bytes they were sealed with."""
        wanted = [(entry.system, entry.list_date)]
        if isinstance(entry, ListPublished):
            wanted += [
                (entry.system, day) for day in book.lists(entry.system) if day <= entry.opened_on
            ]
            wanted += list(entry.other_lists.items())
        for system, day in wanted:
            sealed = book.entries[book.lists(system)[day]]
            if isinstance(sealed, ListPublished):
                yield from self.sealed(sealed)

    def sealed(self, entry: ListPublished) -> Iterator[Finding]:
        """Where the files of a list are not those that were published."""
        where = {"system": entry.system, "list_date": entry.list_date}
        folder = self._desk.lists / entry.system / entry.list_date.isoformat()
        found = folders.hashes(folder) if folder.is_dir() else {}
        for name in sorted(entry.files.keys() | found.keys()):
            if name not in found:
                yield _finding("missing", file=name, **where)
            elif name not in entry.files:
                yield _finding("extra", file=name, **where)
            elif found[name] != entry.files[name]:
                yield _finding("changed", file=name, **where)

    # --- building it again ------------------------------------------------------------------------

    def _again(
        self,
        book: Book,
        seq: int,
        entry: ListPublished | ListImported,
        scratch: Path,
        findings: list[Finding],
    ) -> Path:
        if isinstance(entry, ListImported):
            self._desk.blobs.get(entry.blob)  # refuses a damaged one
            target = scratch / entry.list_date.isoformat()
            blob = self._desk.blobs.path(entry.blob)
            write_imported(entry.system, entry.list_date, blob, target)
            return target
        then = book.before(seq)
        plan = plan_of(then, system_named(entry.system), entry.list_date, entry.readings)
        made = Maker(then, self._desk.lists, self._desk.blobs.get).make(plan, scratch)
        used = tuple(UsedReport(seq=at, key=key) for at, key in made.used)
        for part, planned, entered in (
            ("opened_on", plan.opened_on, entry.opened_on),
            ("edition", plan.edition, entry.edition),
            ("reports", used, entry.reports),
            ("corrections", plan.corrections, entry.corrections),
            ("player_changes", plan.player_changes, entry.player_changes),
            ("other_lists", dict(plan.other_lists), entry.other_lists),
        ):
            if planned != entered:
                findings.append(
                    _finding("plan", part=part, system=entry.system, list_date=entry.list_date)
                )
        return made.folder


def _compared(kept: Path, again: Path, where: dict[str, Any]) -> Iterator[Finding]:
    """Where two folders differ, file by file."""
    names = {file.name for folder in (kept, again) if folder.is_dir() for file in folder.iterdir()}
    for name in sorted(names):
        one, other = kept / name, again / name
        if not one.is_file():
            yield _finding("missing", file=name, **where)
        elif not other.is_file():
            yield _finding("extra", file=name, **where)
        elif one.read_bytes() != other.read_bytes():
            key = "differs_in_form" if _same_rows(one, other) else "differs"
            yield _finding(key, file=name, **where)


def _same_rows(one: Path, other: Path) -> bool:
    """Whether two Parquet files hold the same rows, written by two versions of the library."""
    if one.suffix != ".parquet":
        return False
    try:
        written = [pq.read_metadata(path).created_by for path in (one, other)]
        return written[0] != written[1] and bool(pq.read_table(one).equals(pq.read_table(other)))
    except (pa.ArrowException, OSError):
        return False


def _finding(key: str, **details: Any) -> Finding:
    return Finding(Severity.ERROR, f"desk.verify.{key}", details=details)


def _distinct(findings: list[Finding]) -> list[Finding]:
    """Each thing once: a changed file also differs from the one built again."""
    changed = {
        (f.details.get("file"), f.details.get("list_date"), f.details.get("system"))
        for f in findings
        if f.key == "desk.verify.changed"
    }
    found: list[Finding] = []
    for one in findings:
        place = one.details.get("file"), one.details.get("list_date"), one.details.get("system")
        if one.key.startswith("desk.verify.differs") and place in changed:
            continue
        if one not in found:
            found.append(one)
    return found


def _verification(
    one: Publication, entries: int, files: int, findings: list[Finding]
) -> Verification:
    return Verification(
        system=one.system, list_date=one.list_date, entries=entries, files=files,
        findings=tuple(findings),
    )  # fmt: skip
