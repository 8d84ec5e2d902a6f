"""The ledger in its table: entries are added one after the other and never changed.

Only one writer at a time adds entries, from its first entry to the end of its transaction: so no
number is left out and every entry is chained to the one that stands before it.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

import msgspec
from sqlalchemy import Connection, Row, func, insert, inspect, select

from arrocco.errors import Inconsistent
from arrocco.office.ledger import FIRST_HASH, AnyEntry, Entered, chained, decoded, encoded
from arrocco.store.sql import chain_heads, moments
from arrocco.store.sql.tables import ledger

_AT_ONCE = 1000


def append(connection: Connection, at: datetime, by: int, entry: AnyEntry) -> Entered:
    """Adds an entry; the connection must be writing."""
    chain_heads.keep_others_out(connection, chain_heads.LEDGER)
    last = chain_heads.last(connection, chain_heads.LEDGER, ledger, "seq")
    seq, previous = (1, FIRST_HASH) if last is None else (last.number + 1, last.hash)
    at = at.astimezone(UTC)
    added = Entered(
        seq=seq,
        at=at,
        by=by,
        entry=entry,
        previous=previous,
        hash=chained(seq, at, by, entry, previous),
    )
    values = {
        "seq": seq,
        "at": moments.written(at),
        "by": by,
        "kind": kind_of(entry),
        "body": encoded(entry).decode(),
        "previous": previous,
        "hash": added.hash,
    }
    connection.execute(insert(ledger).values(values))
    chain_heads.put(connection, chain_heads.LEDGER, seq, added.hash)
    return added


def kind_of(entry: AnyEntry | type[AnyEntry]) -> str:
    """What the column `kind` says of an entry or of a class of entries."""
    return str(entry.__struct_config__.tag)


def head(connection: Connection) -> Entered | None:
    """The last entry; `None` while there is none."""
    last = select(ledger).order_by(ledger.c.seq.desc()).limit(1)
    row = connection.execute(last).one_or_none()
    return None if row is None else _read(row)


def head_seq(connection: Connection) -> int:
    """The number of the last entry; 0 while there is none."""
    last = select(func.coalesce(func.max(ledger.c.seq), 0))
    return int(connection.execute(last).scalar_one())


def get(connection: Connection, seq: int) -> Entered | None:
    row = connection.execute(select(ledger).where(ledger.c.seq == seq)).one_or_none()
    return None if row is None else _read(row)


def read(connection: Connection, from_seq: int = 1) -> Iterator[Entered]:
    """The entries from a number on, in order."""
    return _in_order(connection, from_seq, ())


def of_kind(connection: Connection, *kinds: type[AnyEntry], from_seq: int = 1) -> Iterator[Entered]:
    """The entries of some kinds, given as their classes, in order."""
    return _in_order(connection, from_seq, tuple(kind_of(kind) for kind in kinds))


def _in_order(connection: Connection, from_seq: int, kinds: tuple[str, ...]) -> Iterator[Entered]:
    for row in _rows(connection, from_seq, kinds):
        yield _read(row)


def _rows(
    connection: Connection, from_seq: int, kinds: tuple[str, ...]
) -> Iterator[Row[tuple[object, ...]]]:
    """Rows in portions, each asked for once the one before is used up."""
    while True:
        query = select(ledger).where(ledger.c.seq >= from_seq)
        if kinds:
            query = query.where(ledger.c.kind.in_(kinds))
        rows = connection.execute(query.order_by(ledger.c.seq).limit(_AT_ONCE)).all()
        yield from rows
        if len(rows) < _AT_ONCE:
            return
        from_seq = rows[-1].seq + 1


def check_chain(connection: Connection) -> int:
    """How many entries there are. Raises `Inconsistent` at the first that is not as it was sealed.

    Every entry has the next number, names the hash of the one before, and has the hash of its own
    bytes; the last one is the last that was written.
    """
    seq, previous = 0, FIRST_HASH
    for row in _rows(connection, 0, ()):
        seq += 1
        if not is_sealed(row, seq, previous):
            raise Inconsistent.of("sql.refused.chain_broken", seq=seq)
        previous = row.hash
    # A backup of an older program is checked as it comes, before it is migrated.
    is_older = not inspect(connection).has_table(chain_heads.TABLE)
    last = None if is_older else chain_heads.get(connection, chain_heads.LEDGER)
    if last is not None and last != (seq, previous):
        raise Inconsistent.of("sql.refused.chain_broken", seq=min(last.number, seq + 1))
    return seq


def is_sealed(row: Row[tuple[object, ...]], seq: int, previous: str) -> bool:
    """Whether a row is what was entered under this number after that hash."""
    if row.seq != seq or row.previous != previous:
        return False
    try:
        entered = _read(row)
    except (msgspec.DecodeError, ValueError):
        return False
    # The hash is of the entry and the moment; the text kept must be theirs, letter for letter.
    texts = (encoded(entered.entry).decode(), moments.written(entered.at), kind_of(entered.entry))
    sealed = chained(seq, entered.at, entered.by, entered.entry, previous)
    return texts == (row.body, row.at, row.kind) and sealed == str(row.hash)


def _read(row: Row[tuple[object, ...]]) -> Entered:
    value = row._mapping
    return Entered(
        seq=value["seq"],
        at=moments.read(value["at"]),
        by=value["by"],
        entry=decoded(value["body"]),
        previous=value["previous"],
        hash=value["hash"],
    )
