"""Rows against their seals: none changed, none put in, none taken out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
from sqlalchemy import Connection, Table

from arrocco.findings import Finding
from arrocco.operation.verify.databases import UNREADABLE, error
from arrocco.store.sql import seals
from arrocco.store.sql.database import Database

_DAMAGED = (*UNREADABLE, ValueError, TypeError)


def check_seals(database: Database, tables: Sequence[Table] = seals.SEALED) -> Iterator[Finding]:
    """Every row of the sealed tables, named by its key where something is wrong with it."""
    file = "" if database.file is None else database.file.name
    for table in tables:
        try:
            with database.reading() as connection:  # of one moment: an office may be running
                kept = seals.kept(connection, table.name)
                rows = _hashes(connection, table)
        except _DAMAGED:
            yield from _one_by_one(database, table, file)
            continue
        for key in sorted(kept.keys() | rows.keys()):
            if kept.get(key) != rows.get(key):
                kind = "row_missing" if key not in rows else "row"
                name = "row_added" if key not in kept else kind
                yield error(name, file, table=table.name, row=_named(key))
    yield from _strange_names(database, file)


def _hashes(connection: Connection, table: Table) -> dict[str, str]:
    """The hashes of the rows of a table as they are now, by their keys."""
    return {
        seals.key_of(table, row): seals.hash_of(table, row)
        for row in seals.raw_rows(connection, table)
    }


def _one_by_one(database: Database, table: Table, file: str) -> Iterator[Finding]:
    """The rows of a table that cannot be read at once, as far as their seals tell of them."""
    yield error("table", file, table=table.name)
    try:
        with database.reading() as connection:
            kept = seals.kept(connection, table.name)
    except _DAMAGED:
        yield error("table", file, table="seals")
        return
    for key, digest in sorted(kept.items()):
        try:
            with database.reading() as connection:  # of its own: a failure ends a transaction
                rows = [seals.hash_of(table, row) for row in seals.raw_rows(connection, table, key)]
        except _DAMAGED:
            rows = []
        if rows != [digest]:
            yield error("row", file, table=table.name, row=_named(key))


def _strange_names(database: Database, file: str) -> Iterator[Finding]:
    """Seals of tables that have none."""
    known = {table.name for table in seals.SEALED}
    try:
        with database.reading() as connection:
            for name in sorted(map(str, seals.names(connection) - known)):
                yield error("row", file, table="seals", row=name)
    except _DAMAGED:
        yield error("table", file, table="seals")


def _named(key: str) -> str:
    """The key of a row as a sentence has it."""
    try:
        values: Any = msgspec.json.decode(key)
    except msgspec.DecodeError:
        return key
    return " ".join(map(str, values)) if isinstance(values, list) else key
