"""Triggers that keep the rows of a table from being changed or taken away, in both databases."""

from __future__ import annotations

from alembic import op


def protect(table: str, key: str) -> None:
    """Lets rows only be added; `key` are the columns of its key, with commas between them."""
    if op.get_context().dialect.name == "sqlite":
        for statement in sqlite_triggers(table, key):
            op.execute(statement)
        return
    op.execute(
        f"CREATE FUNCTION {table}_written_once() RETURNS trigger LANGUAGE plpgsql AS"
        f" $$ BEGIN RAISE EXCEPTION '{table} is written once'; END $$"
    )
    op.execute(
        f"CREATE TRIGGER {table}_no_change BEFORE UPDATE OR DELETE ON {table}"
        f" FOR EACH ROW EXECUTE FUNCTION {table}_written_once()"
    )
    op.execute(
        f"CREATE TRIGGER {table}_no_truncate BEFORE TRUNCATE ON {table}"
        f" FOR EACH STATEMENT EXECUTE FUNCTION {table}_written_once()"
    )


def sqlite_triggers(table: str, key: str) -> list[str]:
    """The statements that protect a table in SQLite."""
    same = " AND ".join(f"{column} = NEW.{column}" for column in key.split(", "))
    refuse = f"BEGIN SELECT RAISE(ABORT, '{table} is written once'); END"
    there = f"EXISTS (SELECT 1 FROM {table} WHERE {same})"
    return [
        f"CREATE TRIGGER {table}_no_update BEFORE UPDATE ON {table} {refuse}",
        f"CREATE TRIGGER {table}_no_delete BEFORE DELETE ON {table} {refuse}",
        # REPLACE deletes without asking the trigger on deletions.
        f"CREATE TRIGGER {table}_no_replace BEFORE INSERT ON {table} WHEN {there} {refuse}",
    ]


def unprotect(table: str) -> None:
    """Takes the triggers away, for a migration that changes what is there."""
    if op.get_context().dialect.name == "sqlite":
        for act in ("update", "delete", "replace"):
            op.execute(f"DROP TRIGGER {table}_no_{act}")
        return
    for act in ("change", "truncate"):
        op.execute(f"DROP TRIGGER {table}_no_{act} ON {table}")
    op.execute(f"DROP FUNCTION {table}_written_once()")
