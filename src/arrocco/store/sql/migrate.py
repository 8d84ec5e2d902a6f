"""Brings a database to the shape this program knows, and refuses one from a later program."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import Connection, inspect, text

from arrocco.store.sql.database import Database, DatabaseRefusal

if TYPE_CHECKING:
    from alembic.config import Config

HEAD = "0004"
"""The newest revision; a test holds it against the migrations there are."""
RELEASES = {"0.1.0": "0001"}
"""The newest revision that each released version knows."""
_LOCK = 4_270_001


def migrate(database: Database, to: str = HEAD) -> None:
    """Brings a database to a revision, up or down, all in one transaction.

    Raises `DatabaseRefusal` where the database is of a revision this program does not know.
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
        config.attributes["connection"] = connection
        found = revision(connection)
        if found is not None and to in _before(config, found):
            command.downgrade(config, to)
        else:
            command.upgrade(config, to)


def require_newest(database: Database) -> None:
    """Raises `DatabaseRefusal` for a database of another revision, and leaves it as it is."""
    with database.reading() as connection:
        found = revision(connection)
    if found is None or found < HEAD:
        raise DatabaseRefusal.of(
            "sql.refused.older", database=database.url, revision=found or "-", known=HEAD
        )
    if found != HEAD:
        raise DatabaseRefusal.of(
            "sql.refused.newer", database=database.url, revision=found, known=HEAD
        )


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
