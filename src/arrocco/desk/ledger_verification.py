"""Checking an office from outside: its ledger, its signatures and the bytes of its lists.

Needs nothing but what everybody can download. Two readers who come to the same head were told the
same of everything before it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec
from msgspec import Struct

from arrocco.desk import folders
from arrocco.desk.ledger_copy import (
    HEAD_FILE,
    IMPORTED,
    LEDGER_FILE,
    LISTS,
    LedgerLine,
)
from arrocco.desk.ledger_sources import Source
from arrocco.desk.list_import import write_imported
from arrocco.errors import Refusal
from arrocco.findings import Finding, Severity, has_errors
from arrocco.office import signatures
from arrocco.office.ledger import (
    FIRST_HASH,
    HeadSigned,
    ListImported,
    ListPublished,
    OfficeKey,
    chained_bytes,
    list_format,
)
from arrocco.words import Phrase

SIGNED, BEFORE_KEYS, NOT_SIGNED = "signed", "before_keys", "not_signed"
_KINDS: dict[str, type[Struct]] = {
    "list_published": ListPublished,
    "list_imported": ListImported,
    "office_key": OfficeKey,
    "head_signed": HeadSigned,
}
Told = Callable[["CheckedList"], None]


class CheckedList(Struct, frozen=True, kw_only=True):
    """A list as it was found."""

    system: str
    list_date: date
    seq: int
    files: int
    signature: str
    """`signed`, `before_keys` (it came out before the office had a key) or `not_signed`."""
    is_good: bool


class CheckedLedger(Struct, frozen=True, kw_only=True):
    """What checking an office from outside found; no findings where all is as it should be."""

    office: str
    entries: int
    head: str
    key: str
    """The public key in use, to be compared with what others were shown."""
    keys: int
    lists: tuple[CheckedList, ...]
    findings: tuple[Finding, ...]

    @property
    def is_good(self) -> bool:
        return not has_errors(self.findings)


class _List(Struct, frozen=True):
    seq: int
    hash: str
    entry: ListPublished | ListImported


class LedgerCheck:
    """Checks one source; `save` keeps what was downloaded, so that it can be checked again."""

    def __init__(
        self, source: Source, *, with_files: bool = True, save: Path | None = None
    ) -> None:
        self._source, self._with_files, self._save = source, with_files, save
        self.findings: list[Finding] = []
        self._keys: list[str] = []
        self._first_key: int | None = None
        self._lists: list[_List] = []
        self._signed: dict[int, str] = {}
        """By the place of a list: how its signature is."""
        self._hashes: dict[int, str] = {}

    def run(
        self, known: tuple[int, str] | None = None, told: Told = lambda _: None
    ) -> CheckedLedger:
        """Checks everything; `known` is a head that another reader was shown."""
        head = self._source.head()
        self._office = head.office
        seq, last = self._chain(known)
        if (seq, last) != (head.seq, head.hash) and seq >= 0:
            self._find("other_head", seq=seq, head=last, told_seq=head.seq, told_head=head.hash)
        if known is not None and self._hashes.get(known[0]) != known[1]:
            self._find("told_otherwise", seq=known[0], head=known[1])
        if self._save is not None:
            (self._save / HEAD_FILE).write_bytes(msgspec.json.encode(head))
        lists = []
        for listed in self._lists if seq >= 0 else ():
            checked = self._list(listed)
            told(checked)
            lists.append(checked)
        return CheckedLedger(
            office=head.office,
            entries=max(seq, 0),
            head=last,
            key=self._keys[-1] if self._keys else "",
            keys=len(self._keys),
            lists=tuple(lists),
            findings=tuple(self.findings),
        )

    def _find(self, key: str, severity: Severity = Severity.ERROR, **details: Any) -> None:
        self.findings.append(Finding(severity, f"outside.verify.{key}", details=details))

    # --- the chain --------------------------------------------------------------------------------

    def _chain(self, known: tuple[int, str] | None) -> tuple[int, str]:
        """The last place and its hash; the place is -1 where the chain is broken."""
        seq, previous = 0, FIRST_HASH
        for line in self._saved_lines():
            seq += 1
            entry = self._entry(line, seq, previous)
            if entry is None:
                self._find("chain", seq=seq)
                return -1, previous
            previous = entry.hash
            if known is not None and seq == known[0]:
                self._hashes[seq] = previous
            self._take(entry)
        return seq, previous

    def _saved_lines(self) -> Iterator[bytes]:
        if self._save is None:
            yield from self._source.lines()
            return
        self._save.mkdir(parents=True, exist_ok=True)
        with (self._save / LEDGER_FILE).open("wb") as file:
            for line in self._source.lines():
                file.write(line)
                yield line

    @staticmethod
    def _entry(line: bytes, seq: int, previous: str) -> LedgerLine | None:
        """The entry of a line; `None` where it is not what was sealed there."""
        try:
            entry = msgspec.json.decode(line, type=LedgerLine)
        except (msgspec.DecodeError, UnicodeDecodeError):
            return None
        sealed = chained_bytes(seq, entry.at, entry.by, entry.entry.encode(), previous)
        good = (entry.seq, entry.previous, entry.hash) == (seq, previous, sealed)
        return entry if good else None

    def _take(self, line: LedgerLine) -> None:
        """Keeps what lists and signatures are checked with; other kinds only stand in the chain."""
        kind = msgspec.json.decode(line.entry, type=dict[str, msgspec.Raw]).get("kind", b"")
        known = _KINDS.get(msgspec.json.decode(kind, type=str)) if bytes(kind) else None
        if known is None:
            return
        try:
            entry = msgspec.json.decode(line.entry, type=known)
        except msgspec.ValidationError:
            self._find("unknown_form", seq=line.seq)
            return
        if isinstance(entry, OfficeKey):
            self._key(line.seq, entry)
        elif isinstance(entry, HeadSigned):
            self._signature(line.seq, entry)
        elif isinstance(entry, ListPublished | ListImported):
            self._lists.append(_List(line.seq, line.hash, entry))

    def _key(self, seq: int, entry: OfficeKey) -> None:
        before = self._keys[-1] if self._keys else ""
        text = signatures.key_text(self._office, entry.public)
        if entry.replaces != before:
            self._find("key_out_of_line", seq=seq)
        elif before and not entry.proof:
            self._find("key_unproved", Severity.WARNING, seq=seq, reason=entry.reason)
        elif before and not signatures.is_signed(before, entry.proof, text):
            self._find("key_forged", seq=seq)
        self._keys.append(entry.public)
        if self._first_key is None:
            self._first_key = seq

    def _signature(self, seq: int, entry: HeadSigned) -> None:
        listed = next((_list for _list in self._lists if _list.seq == entry.seq), None)
        text = signatures.head_text(
            self._office, entry.system, entry.list_date, entry.seq, entry.head
        )
        is_of_list = listed is not None and (
            (listed.hash, listed.entry.system, listed.entry.list_date)
            == (entry.head, entry.system, entry.list_date)
        )
        in_use = bool(self._keys) and entry.key == self._keys[-1]
        if is_of_list and in_use and signatures.is_signed(entry.key, entry.signature, text):
            self._signed[entry.seq] = SIGNED
        else:
            self._find("signature", seq=seq, system=entry.system, list_date=entry.list_date)

    # --- the lists --------------------------------------------------------------------------------

    def _list(self, listed: _List) -> CheckedList:
        entry, before = listed.entry, len(self.findings)
        where: dict[str, Any] = {"system": entry.system, "list_date": entry.list_date}
        signature = self._signed.get(listed.seq, NOT_SIGNED)
        if signature is NOT_SIGNED:
            if self._first_key is None or listed.seq < self._first_key:
                signature = BEFORE_KEYS
            else:
                self._find("not_signed", **where)
        files = 0
        if self._with_files:
            try:
                sealed = entry.files if isinstance(entry, ListPublished) else self._imported(entry)
                files = len(sealed)
                for name, digest in sorted(sealed.items()):
                    if self._downloaded(entry, name) != digest:
                        self._find("changed", file=name, **where)
            except Refusal as refusal:
                reason = Phrase(f"{refusal.key}.text", refusal.details)
                self._find(
                    "unavailable", reason=reason if refusal.key else refusal.message, **where
                )
        return CheckedList(
            system=entry.system,
            list_date=entry.list_date,
            seq=listed.seq,
            files=files,
            signature=signature,
            is_good=len(self.findings) == before,
        )

    def _downloaded(self, entry: ListPublished | ListImported, name: str) -> str:
        """The SHA-256 of a file of a list as the source gives it."""
        parts = self._source.file(entry.system, entry.list_date, name)
        if self._save is None:
            digest = hashlib.sha256()
            for part in parts:
                digest.update(part)
            return digest.hexdigest()
        target = self._save / LISTS / entry.system / entry.list_date.isoformat() / name
        return _written(parts, target)

    def _imported(self, entry: ListImported) -> dict[str, str]:
        """What the files of an imported list must be: it is imported again from what it came as."""
        with TemporaryDirectory(prefix="arrocco-") as scratch:
            folder = Path(scratch)
            blob = folder / entry.blob if self._save is None else self._save / IMPORTED / entry.blob
            if _written(self._source.imported(entry.blob), blob) != entry.blob:
                self._find(
                    "changed", file=entry.file_name, system=entry.system, list_date=entry.list_date
                )
                return {}
            target = folder / entry.list_date.isoformat()
            write_imported(entry.system, entry.list_date, blob, target, list_format(entry))
            return folders.hashes(target)


def _written(parts: Iterator[bytes], target: Path) -> str:
    digest = hashlib.sha256()
    target.parent.mkdir(parents=True, exist_ok=True)
    with target.open("wb") as file:
        for part in parts:
            digest.update(part)
            file.write(part)
    return digest.hexdigest()
