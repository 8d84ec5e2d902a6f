"""Brings a database to the shape this program knows, and refuses one from a later program."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import Connection, inspect, text

from arrocco.store.sql.database import Database, DatabaseRefusal

if TYPE_CHECKING:
    from alembic.config import Config

HEAD = "0003"
"""The newest revision; a test holds it against the migrations there are."""
_LOCK = 4_270_001


def migrate(database: Database, to: str = HEAD) -> None:
    """Applies the migrations that are missing, all in one transaction.

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
        command.upgrade(config, to)


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
