"""Brings a database to the shape this program knows, and refuses one from a later program."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import Connection, func, inspect, select, table, text

from arrocco.store.sql import seals
from arrocco.store.sql.database import Database, DatabaseRefusal

if TYPE_CHECKING:
    from alembic.config import Config

HEAD = "0016"
"""The newest revision; a test holds it against the migrations there are."""
RELEASES = {"0.1.0": "0001"}
"""The newest revision that each released version knows."""
_LOCK = 4_270_001
_MADE_ANEW = frozenset(
    "office seals chain_heads hall_heads hall_anchors devices throttle refusal_counts".split()
)
"""Tables whose rows the program makes again by itself, or counts anew."""


def migrate(database: Database, to: str = HEAD, *, loses_rows: bool = True) -> None:
    """Brings a database to a revision, up or down, all in one transaction.

    Raises `DatabaseRefusal` where the database is of a revision this program does not know and,
    unless it `loses_rows`, where going down would delete what people have entered.
    """
    with database.reading() as connection:
        if revision(connection) == to:
            return
    from alembic import command
    from alembic.script import ScriptDirectory

    with database.writing() as connection:
        if not database.is_sqlite:  # two programs that start at once: one waits
            connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _LOCK})
        config = configuration()
        known = {script.revision for script in ScriptDirectory.from_config(config).walk_revisions()}
        for wanted in (revision(connection), to):
            if wanted is not None and wanted not in known:
                raise DatabaseRefusal.of(
                    "sql.refused.newer", database=database.url, revision=wanted, known=HEAD
                )
        config.attributes["connection"] = connection.execution_options(**seals.UNGUARDED)
        before = revision(connection)
        if before is not None and to in _before(config, before):
            rows = {} if loses_rows else _rows(connection)
            command.downgrade(config, to)
            _require_kept(database, connection, rows, to)
        else:
            command.upgrade(config, to)


def require_newest(database: Database) -> None:
    """Raises `DatabaseRefusal` for a database of another revision, and leaves it as it is."""
    with database.reading() as connection:
        now = revision(connection)
    if now is None or now < HEAD:
        raise DatabaseRefusal.of(
            "sql.refused.older", database=database.url, revision=now or "-", known=HEAD
        )
    if now != HEAD:
        raise DatabaseRefusal.of(
            "sql.refused.newer", database=database.url, revision=now, known=HEAD
        )


def _rows(connection: Connection) -> dict[str, int]:
    """How many rows tables have that hold what people have entered."""
    names = set(inspect(connection).get_table_names()) - _MADE_ANEW
    return {name: count for name in names if (count := _count(connection, name))}


def _count(connection: Connection, name: str) -> int:
    return int(connection.execute(select(func.count()).select_from(table(name))).scalar_one())


def _require_kept(
    database: Database, connection: Connection, rows: dict[str, int], to: str
) -> None:
    """Raises `DatabaseRefusal` where tables with rows are gone: the transaction is undone."""
    there = set(inspect(connection).get_table_names())
    gone = tuple(f"{name} {count}" for name, count in sorted(rows.items()) if name not in there)
    if gone:
        raise DatabaseRefusal.of("sql.refused.loses", database=database.url, revision=to, rows=gone)


def _before(config: Config, of: str) -> set[str]:
    """The revisions that come before one."""
    from alembic.script import ScriptDirectory

    scripts = ScriptDirectory.from_config(config)
    return {script.revision for script in scripts.iterate_revisions(of, "base")} - {of}


def revision(connection: Connection) -> str | None:
    """The revision of a database; `None` for an empty one."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    return connection.execute(text("SELECT version_num FROM alembic_version")).scalar()


def configuration() -> Config:
    """Where the migrations are; they need no file of settings."""
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).with_name("migrations")))
    config.set_main_option("path_separator", "os")
    return config
