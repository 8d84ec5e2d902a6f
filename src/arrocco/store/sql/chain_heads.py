"""Where the chains of the ledger and of the audit end, written with every row of them."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import Connection, Table, select, text

from arrocco.store.sql.tables import chain_heads

TABLE = chain_heads.name
LEDGER, AUDIT = "ledger", "audit"
_LOCKS = {LEDGER: 4_270_002, AUDIT: 4_270_003}
_SET = text(
    "INSERT INTO chain_heads (name, number, hash) VALUES (:name, :number, :hash)"
    " ON CONFLICT (name) DO UPDATE SET number = excluded.number, hash = excluded.hash"
)


class ChainHead(NamedTuple):
    """The last row of a chain."""

    number: int
    hash: str


def keep_others_out(connection: Connection, name: str) -> None:
    """Lets no other transaction add to a chain until this one ends; SQLite has one writer as it is.

    Who adds to both takes the ledger's first: two transactions then never wait for each other.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _LOCKS[name]})


def get(connection: Connection, name: str) -> ChainHead | None:
    query = select(chain_heads.c.number, chain_heads.c.hash).where(chain_heads.c.name == name)
    row = connection.execute(query).one_or_none()
    return None if row is None else ChainHead(row.number, row.hash)


def last(connection: Connection, name: str, table: Table, key: str) -> ChainHead | None:
    """The end of a chain, also where its last rows are gone from their table."""
    query = select(table.c[key], table.c.hash).order_by(table.c[key].desc()).limit(1)
    row = connection.execute(query).one_or_none()
    there = None if row is None else ChainHead(row[0], row[1])
    kept = get(connection, name)
    heads = [head for head in (kept, there) if head is not None]
    return max(heads, key=lambda head: head.number, default=None)


def put(connection: Connection, name: str, number: int, digest: str) -> None:
    connection.execute(_SET, {"name": name, "number": number, "hash": digest})
