"""The ledger as everybody may have it: an entry a line, with the bytes its hash is of."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import msgspec
from msgspec import Struct

from arrocco.desk.desk import Desk
from arrocco.desk.keys import current_key
from arrocco.errors import Inconsistent
from arrocco.files import replacing
from arrocco.office.ledger import Entered, ListImported, ListPublished, encoded
from arrocco.store.sql import ledger, office_id

LEDGER_FILE, HEAD_FILE, LISTS, IMPORTED = "ledger.jsonl", "head.json", "lists", "imported"
_AT_ONCE = 500


class LedgerLine(Struct, frozen=True, kw_only=True):
    """An entry: `hash` is the SHA-256 of its place, moment, author, the hash before and `entry`."""

    seq: int
    at: str
    by: int
    entry: str
    """The entry as it was written, to the byte."""
    previous: str
    hash: str


class Head(Struct, frozen=True, kw_only=True):
    """The end of the ledger, and whose it is."""

    office: str
    seq: int
    hash: str
    at: datetime | None
    key: str
    """The public key in use; empty where there is none yet."""


class LedgerCopy:
    """What an office gives of its ledger to whoever asks."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def lines(self, from_seq: int = 1, until: int | None = None) -> Iterator[bytes]:
        """The entries from a place on, each as a line of JSON; portions of one moment each."""
        while True:
            with self._desk.database.reading() as connection:
                part: list[Entered] = []
                for entered in ledger.read(connection, from_seq):
                    if len(part) >= _AT_ONCE or (until is not None and entered.seq > until):
                        break
                    part.append(entered)
            if not part:
                return
            yield b"".join(map(line_of, part))
            from_seq = part[-1].seq + 1

    def head(self) -> Head:
        """The end of the ledger as it stands."""
        with self._desk.database.reading() as connection:
            last = ledger.head(connection)
            return Head(
                office=office_id.get(connection) or "",
                seq=last.seq if last else 0,
                hash=last.hash if last else "",
                at=last.at if last else None,
                key=current_key(connection) or "",
            )

    def imported(self, blob: str) -> Path:
        """The file of an imported list as it came. Raises `Inconsistent` for anything else."""
        with self._desk.database.reading() as connection:
            for entered in ledger.of_kind(connection, ListImported):
                if isinstance(entered.entry, ListImported) and entered.entry.blob == blob:
                    return self._desk.blobs.path(blob)
        raise Inconsistent.of("outside.refused.no_import", blob=blob[:64])

    def write(self, target: Path) -> Head:
        """Writes ledger, head and every list into a new folder, to be served or handed on."""
        if target.exists() and (not target.is_dir() or any(target.iterdir())):
            raise Inconsistent.of("outside.refused.in_the_way", folder=target)
        target.mkdir(parents=True, exist_ok=True)
        head = self.head()
        with replacing(target / LEDGER_FILE) as file:
            for part in self.lines(until=head.seq):
                file.write(part)
        with self._desk.database.reading() as connection:
            entries = [
                ledger_entry.entry
                for ledger_entry in ledger.of_kind(connection, ListPublished, ListImported)
                if ledger_entry.seq <= head.seq
            ]
        for entry in entries:
            assert isinstance(entry, ListPublished | ListImported)
            day = f"{entry.system}/{entry.list_date.isoformat()}"
            _copy_folder(self._desk.lists / day, target / LISTS / day)
            if isinstance(entry, ListImported):
                blob = target / IMPORTED / entry.blob
                blob.parent.mkdir(exist_ok=True)
                blob.write_bytes(self._desk.blobs.get(entry.blob))
        with replacing(target / HEAD_FILE) as file:  # last: with it the folder is whole
            file.write(msgspec.json.encode(head))
        return head


def line_of(entered: Entered) -> bytes:
    """An entry as a line."""
    line = LedgerLine(
        seq=entered.seq,
        at=entered.at.isoformat(),
        by=entered.by,
        entry=encoded(entered.entry).decode(),
        previous=entered.previous,
        hash=entered.hash,
    )
    return msgspec.json.encode(line) + b"\n"


def _copy_folder(source: Path, target: Path) -> None:
    target.mkdir(parents=True)
    for path in sorted(source.iterdir()):
        if path.is_file():
            (target / path.name).write_bytes(path.read_bytes())
