"""Verification: a list is built again from what it was made of and compared byte by byte."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from msgspec import UNSET, Struct

from arrocco.desk import folders
from arrocco.desk.book import Book, plan_again
from arrocco.desk.desk import Desk
from arrocco.desk.list_builder import Maker
from arrocco.desk.list_import import write_imported
from arrocco.errors import Inconsistent, Refusal
from arrocco.findings import Finding, Severity
from arrocco.laws.systems import system_named
from arrocco.office.ledger import ListImported, ListPublished, UsedReport, list_format
from arrocco.store.sql import ledger, publications
from arrocco.store.sql.publications import Publication
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
            publication = publications.get(connection, system, list_date)
            if publication is None:
                days = [
                    publication.list_date
                    for publication in publications.of_system(connection, system)
                ]
                known = tuple(days) or Phrase("desk.no_list_yet")
                raise Inconsistent.of(
                    "desk.refused.not_published", system=system, list_date=list_date, known=known
                )
        return self._verify([publication])[0]

    def verify_all(self) -> list[Verification]:
        """Checks every list, in the order they came out."""
        with self._desk.database.reading() as connection:
            published = publications.every(connection)
        return self._verify(published)

    def _verify(self, lists: list[Publication]) -> list[Verification]:
        with self._desk.database.reading() as connection:
            try:
                entries = ledger.check_chain(connection)
            except Inconsistent as broken:
                finding = _finding("chain", seq=broken.details.get("seq", 0))
                return [_verification(publication, 0, 0, [finding]) for publication in lists]
            book = self._desk.book(connection)
        return [self._verify_one(book, entries, listed) for listed in lists]

    def _verify_one(self, book: Book, entries: int, publication: Publication) -> Verification:
        where = {"system": publication.system, "list_date": publication.list_date}
        entry = book.entries.get(publication.seq)
        if not (
            isinstance(entry, ListPublished | ListImported)
            and (entry.system, entry.list_date) == (publication.system, publication.list_date)
        ):
            return _verification(publication, entries, 0, [_finding("not_in_ledger", **where)])
        findings = list(self._inputs(book, entry))
        files = 0
        with TemporaryDirectory(prefix="arrocco-") as scratch:
            try:
                again = self._again(book, publication.seq, entry, Path(scratch), findings)
            except Refusal as refusal:
                reason = Phrase(f"{refusal.key}.text", refusal.details)
                said: Phrase | str = reason if refusal.key else refusal.message
                findings.append(_finding("refused", reason=said, **where))
            else:
                kept = self._desk.lists / publication.system / publication.list_date.isoformat()
                files = len(list(again.iterdir()))
                findings += _compared(kept, again, where)
        return _verification(publication, entries, files, _distinct(findings))

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
        hashes = folders.hashes(folder) if folder.is_dir() else {}
        for name in sorted(entry.files.keys() | hashes.keys()):
            if name not in hashes:
                yield _finding("missing", file=name, **where)
            elif name not in entry.files:
                yield _finding("extra", file=name, **where)
            elif hashes[name] != entry.files[name]:
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
            write_imported(entry.system, entry.list_date, blob, target, list_format(entry))
            return target
        then, plan = plan_again(book, system_named(entry.system), entry.list_date)
        made = Maker(then, self._desk.lists, self._desk.blobs.get).make(
            plan, scratch, published=entry
        )
        used = tuple(UsedReport(seq=at, key=key) for at, key in made.used)
        law = system_named(entry.system).law
        chosen = then.readings(law, entry.list_date)
        read = {name: entry.readings[name] for name in chosen if name in entry.readings}
        for part, planned, entered in (
            ("opened_on", plan.opened_on, entry.opened_on),
            ("edition", plan.edition, entry.edition),
            ("readings", {name: chosen[name] for name in read}, read),
            ("reports", used, entry.reports),
            ("corrections", plan.corrections, entry.corrections),
            ("player_changes", plan.player_changes, entry.player_changes),
            ("adjustments", plan.adjustments or UNSET, entry.adjustments),
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
        first, other = kept / name, again / name
        if not first.is_file():
            yield _finding("missing", file=name, **where)
        elif not other.is_file():
            yield _finding("extra", file=name, **where)
        elif first.read_bytes() != other.read_bytes():
            key = "differs_in_form" if _same_rows(first, other) else "differs"
            yield _finding(key, file=name, **where)


def _same_rows(first: Path, other: Path) -> bool:
    """Whether two Parquet files hold the same rows, written by two versions of the library."""
    if first.suffix != ".parquet":
        return False
    try:
        written = [pq.read_metadata(path).created_by for path in (first, other)]
        return written[0] != written[1] and bool(pq.read_table(first).equals(pq.read_table(other)))
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
    distinct: list[Finding] = []
    for finding in findings:
        place = (
            finding.details.get("file"),
            finding.details.get("list_date"),
            finding.details.get("system"),
        )
        if finding.key.startswith("desk.verify.differs") and place in changed:
            continue
        if finding not in distinct:
            distinct.append(finding)
    return distinct


def _verification(
    publication: Publication, entries: int, files: int, findings: list[Finding]
) -> Verification:
    return Verification(
        system=publication.system,
        list_date=publication.list_date,
        entries=entries,
        files=files,
        findings=tuple(findings),
    )
