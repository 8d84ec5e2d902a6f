"""Seals of rows: a hash of every row that nothing else tells of, kept in a table of its own.

All writes to such tables go through this module, and the database refuses any other: so no row is
without its seal. A row that was changed by other means does not fit its seal, one that was put in
has none, and one that was taken out has left its seal behind.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, cast

import msgspec
import sqlalchemy as sa
from sqlalchemy import ColumnElement, Connection, Row, Table, event
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.sql.dml import UpdateBase

from arrocco.store.sql import tables as t

SEALED = (
    t.office,
    t.accounts,
    t.invitations,
    t.sessions,
    t.devices,
    t.throttle,
    t.refusal_counts,
    t.tournaments,
    t.reports,
    t.assignments,
    t.drafts,
    t.publications,
    t.hall_events,
    t.hall_anchors,
    t.mails,
    t.mail_choices,
    t.questions,
    t.follows,
    t.webhooks,
    t.webhook_calls,
    t.invitation_links,
    t.office_settings,
    t.one_time_tokens,
    t.claims,
    t.player_addresses,
    t.second_factors,
    t.recovery_codes,
    t.api_keys,
    t.championships,
    t.championship_events,
    t.committee_members,
    t.filing_papers,
    t.committee_records,
    t.dismissed_alarms,
    t.player_files,
    t.watched_games,
)
"""The other tables are chained, or are what chains and published lists tell."""
UNGUARDED: Any = {"arrocco_seals_apart": True}
"""For a connection that brings rows and seals itself: migrations and restored backups."""

_NAMES = frozenset(table.name for table in SEALED)
_AT_ONCE = 500
_PUT = sa.text(
    "INSERT INTO seals (name, key, hash) VALUES (:name, :key, :hash)"
    " ON CONFLICT (name, key) DO UPDATE SET hash = excluded.hash"
)

AnyRow = Row[tuple[Any, ...]]


# --- writing --------------------------------------------------------------------------------------


def insert(connection: Connection, table: Table, *rows: Mapping[str, Any]) -> Sequence[AnyRow]:
    """Adds rows; they come back whole."""
    if not rows:
        return ()
    statement = sa.insert(table).returning(*table.c)
    return _write(connection, table, statement, [dict(row) for row in rows])


def update(
    connection: Connection, table: Table, *where: ColumnElement[bool], values: Mapping[str, Any]
) -> Sequence[AnyRow]:
    """Changes rows; those that were changed come back whole."""
    statement = sa.update(table).where(*where).values(dict(values)).returning(*table.c)
    return _write(connection, table, statement)


def upsert(
    connection: Connection,
    table: Table,
    key: Mapping[str, Any],
    new: Mapping[str, Any],
    changed: Mapping[str, Any] | None = None,
) -> None:
    """Inserts a row, or changes the one that has its key; two at once do not collide."""
    dialect: Any = postgresql if connection.dialect.name == "postgresql" else sqlite
    statement = dialect.insert(table).values(**key, **new)
    statement = statement.on_conflict_do_update(index_elements=list(key), set_=dict(changed or new))
    _write(connection, table, statement.returning(*table.c))


def delete(connection: Connection, table: Table, *where: ColumnElement[bool]) -> int:
    """Takes rows away; how many."""
    statement = sa.delete(table).where(*where).returning(*table.primary_key.columns)
    gone = connection.execute(statement, execution_options=UNGUARDED).all()
    for start in range(0, len(gone), _AT_ONCE):
        keys = [key_of(table, row) for row in gone[start : start + _AT_ONCE]]
        connection.execute(
            sa.delete(t.seals).where(t.seals.c.name == table.name, t.seals.c.key.in_(keys))
        )
    return len(gone)


def _write(
    connection: Connection, table: Table, statement: UpdateBase, rows: Any = None
) -> Sequence[AnyRow]:
    written = connection.execute(statement, rows, execution_options=UNGUARDED).all()
    _seal(connection, table, written)
    return cast(Sequence[AnyRow], written)


def seal_all(connection: Connection, table: Table) -> None:
    """Seals a table as it is now; for migrations, where its rows or columns have changed."""
    connection.execute(sa.delete(t.seals).where(t.seals.c.name == table.name))
    _seal(connection, table, connection.execute(sa.select(table)).all())


def _seal(connection: Connection, table: Table, rows: Iterable[AnyRow]) -> None:
    values = [
        {"name": str(table.name), "key": key_of(table, row), "hash": hash_of(table, row)}
        for row in rows
    ]
    if values:
        connection.execute(_PUT, values)


def key_of(table: Table, row: AnyRow) -> str:
    """What tells a row of a table from the others."""
    value = row._mapping
    return _encoded([value[column.name] for column in table.primary_key.columns]).decode()


def hash_of(table: Table, row: AnyRow) -> str:
    """The seal of a row; the order of its columns in the database makes no difference."""
    value = row._mapping
    names = sorted(column.name for column in table.columns)
    return hashlib.sha256(_encoded([str(table.name), *(value[name] for name in names)])).hexdigest()


def _encoded(values: list[Any]) -> bytes:
    """Values as every database gives them: days as text, and what is true as 1."""
    return msgspec.json.encode([int(v) if isinstance(v, bool) else v for v in values])


# --- reading --------------------------------------------------------------------------------------


def kept(connection: Connection, table: str) -> dict[str, str]:
    """The seals of a table by the keys of its rows."""
    query = sa.select(t.seals.c.key, t.seals.c.hash).where(t.seals.c.name == table)
    return {row.key: row.hash for row in connection.execute(query)}


def names(connection: Connection) -> set[str]:
    """The tables that there are seals of."""
    return set(connection.execute(sa.select(t.seals.c.name).distinct()).scalars())


def raw_rows(connection: Connection, table: Table, key: str = "") -> Iterator[AnyRow]:
    """Rows as they stand in the database, of whatever kind their values are; all, or one."""
    raw = [sa.type_coerce(column, sa.types.NullType()).label(column.name) for column in table.c]
    query = cast("sa.Select[tuple[Any, ...]]", sa.select(*raw))
    if key:
        values = msgspec.json.decode(key, type=list[Any])
        pairs = zip(table.primary_key.columns, values, strict=True)
        query = query.where(*(sa.type_coerce(c, sa.types.NullType()) == v for c, v in pairs))
    yield from connection.execute(query.execution_options(yield_per=_AT_ONCE))


# --- the guard ------------------------------------------------------------------------------------


class Unsealed(Exception):
    """A write past the seals: a fault of the program, found in its tests."""


def guard(engine: sa.Engine) -> None:
    """Has an engine refuse writes to sealed tables that do not come from here."""
    event.listen(engine, "before_execute", _refuse_unsealed)


def _refuse_unsealed(
    _connection: Connection, statement: object, _many: object, _one: object, options: Any
) -> None:
    if not isinstance(statement, UpdateBase) or options.get("arrocco_seals_apart"):
        return
    name = getattr(statement.table, "name", "")
    if name in _NAMES:
        raise Unsealed(f"rows of {name} are written through {__name__}")
