"""The first tables, and the triggers that keep what is written once from being changed."""

from alembic import op
from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Date,
    ForeignKeyConstraint,
    Integer,
    PrimaryKeyConstraint,
    String,
    Text,
    UniqueConstraint,
)

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

_ID = BigInteger().with_variant(Integer(), "sqlite")
_STREAM = String(64, collation="C").with_variant(String(64), "sqlite")
_WRITTEN_ONCE = {"ledger": "seq", "audit": "id", "hall_log": "stream, number"}
"""The tables whose rows are never changed nor taken away, with their keys."""


def upgrade() -> None:
    """Creates everything, in one transaction."""
    _accounts_and_logs()
    _office()
    _hall()
    for table, key in _WRITTEN_ONCE.items():
        if op.get_context().dialect.name == "sqlite":
            _protect_in_sqlite(table, key.split(", "))
        else:
            _protect_in_postgresql(table)


def _protect_in_sqlite(table: str, key: list[str]) -> None:
    for act in ("UPDATE", "DELETE"):
        op.execute(
            f"CREATE TRIGGER {table}_no_{act.lower()} BEFORE {act} ON {table}"
            f" BEGIN SELECT RAISE(ABORT, '{table} is written once'); END"
        )
    # REPLACE deletes without asking the trigger on deletions.
    same = " AND ".join(f"{column} = NEW.{column}" for column in key)
    op.execute(
        f"CREATE TRIGGER {table}_no_replace BEFORE INSERT ON {table}"
        f" WHEN EXISTS (SELECT 1 FROM {table} WHERE {same})"
        f" BEGIN SELECT RAISE(ABORT, '{table} is written once'); END"
    )


def _protect_in_postgresql(table: str) -> None:
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


def _accounts_and_logs() -> None:
    op.create_table(
        "accounts",
        Column("id", _ID, nullable=False),
        Column("email", String(254), nullable=False),
        Column("name", String(200), nullable=False),
        Column("password_hash", String(200), nullable=False),
        Column("role", String(40), nullable=False),
        Column("federation", String(3), nullable=False),
        Column("player", BigInteger()),
        Column("language", String(2), nullable=False),
        Column("disabled", Boolean(), nullable=False),
        Column("created_at", String(40), nullable=False),
        PrimaryKeyConstraint("id"),
        UniqueConstraint("email"),
    )
    op.create_table(
        "invitations",
        Column("id", _ID, nullable=False),
        Column("token_hash", String(64), nullable=False),
        Column("email", String(254), nullable=False),
        Column("name", String(200), nullable=False),
        Column("role", String(40), nullable=False),
        Column("federation", String(3), nullable=False),
        Column("player", BigInteger()),
        Column("invited_by", _ID),
        Column("expires_at", String(40), nullable=False),
        Column("used_at", String(40)),
        ForeignKeyConstraint(["invited_by"], ["accounts.id"]),
        PrimaryKeyConstraint("id"),
        UniqueConstraint("token_hash"),
    )
    op.create_table(
        "sessions",
        Column("token_hash", String(64), nullable=False),
        Column("account", _ID, nullable=False),
        Column("created_at", String(40), nullable=False),
        Column("expires_at", String(40), nullable=False),
        ForeignKeyConstraint(["account"], ["accounts.id"]),
        PrimaryKeyConstraint("token_hash"),
    )
    op.create_index("sessions_by_account", "sessions", ["account"])
    op.create_table(
        "login_failures",
        Column("id", _ID, nullable=False),
        Column("subject", String(300), nullable=False),
        Column("at", String(40), nullable=False),
        PrimaryKeyConstraint("id"),
    )
    op.create_index("login_failures_by_subject", "login_failures", ["subject", "at"])
    op.create_table(
        "audit",
        Column("id", _ID, nullable=False),
        Column("at", String(40), nullable=False),
        Column("account", _ID),
        Column("role", String(40), nullable=False),
        Column("address", String(100), nullable=False),
        Column("action", String(60), nullable=False),
        Column("subject", String(200), nullable=False),
        Column("outcome", String(20), nullable=False),
        Column("details", Text(), nullable=False),
        ForeignKeyConstraint(["account"], ["accounts.id"]),
        PrimaryKeyConstraint("id"),
    )
    op.create_index("audit_by_account", "audit", ["account", "id"])
    op.create_index("audit_by_action", "audit", ["action", "id"])
    op.create_table(
        "ledger",
        Column("seq", _ID, autoincrement=False, nullable=False),
        Column("at", String(40), nullable=False),
        Column("by", BigInteger(), nullable=False),
        Column("kind", String(40), nullable=False),
        Column("body", Text(), nullable=False),
        Column("previous", String(64), nullable=False),
        Column("hash", String(64), nullable=False),
        PrimaryKeyConstraint("seq"),
        UniqueConstraint("hash"),
    )
    op.create_index("ledger_by_kind", "ledger", ["kind", "seq"])


def _office() -> None:
    op.create_table(
        "tournaments",
        Column("id", _ID, nullable=False),
        Column("name", String(300), nullable=False),
        Column("federation", String(3), nullable=False),
        Column("start", Date(), nullable=False),
        Column("end", Date(), nullable=False),
        Column("status", String(30), nullable=False),
        Column("registered_by", _ID, nullable=False),
        Column("registered_at", String(40), nullable=False),
        Column("record", Text(), nullable=False),
        Column("folded", Text(), nullable=False),
        ForeignKeyConstraint(["registered_by"], ["accounts.id"]),
        PrimaryKeyConstraint("id"),
    )
    op.create_index("tournaments_by_federation", "tournaments", ["federation", "start"])
    op.create_index("tournaments_by_owner", "tournaments", ["registered_by", "start"])
    op.create_index("tournaments_by_start", "tournaments", ["start"])
    op.create_index("tournaments_by_status", "tournaments", ["status"])
    op.create_table(
        "reports",
        Column("id", _ID, nullable=False),
        Column("tournament", _ID, nullable=False),
        Column("version", Integer(), nullable=False),
        Column("blob", String(64), nullable=False),
        Column("status", String(30), nullable=False),
        Column("sent_at", String(40), nullable=False),
        Column("record", Text(), nullable=False),
        ForeignKeyConstraint(["tournament"], ["tournaments.id"]),
        PrimaryKeyConstraint("id"),
        UniqueConstraint("tournament", "version"),
    )
    op.create_index("reports_by_status", "reports", ["status"])
    op.create_table(
        "assignments",
        Column("report", _ID, nullable=False),
        Column("system", String(20), nullable=False),
        Column("list_date", Date(), nullable=False),
        Column("published", Boolean(), nullable=False),
        ForeignKeyConstraint(["report"], ["reports.id"]),
        PrimaryKeyConstraint("report", "system"),
    )
    op.create_index("assignments_by_list", "assignments", ["system", "list_date"])
    op.create_table(
        "drafts",
        Column("id", _ID, nullable=False),
        Column("system", String(20), nullable=False),
        Column("list_date", Date(), nullable=False),
        Column("status", String(20), nullable=False),
        Column("stage", String(30), nullable=False),
        Column("done", Integer(), nullable=False),
        Column("total", Integer(), nullable=False),
        Column("made_by", _ID, nullable=False),
        Column("made_at", String(40), nullable=False),
        Column("ledger_seq", BigInteger(), nullable=False),
        Column("body", Text(), nullable=False),
        ForeignKeyConstraint(["made_by"], ["accounts.id"]),
        PrimaryKeyConstraint("id"),
    )
    op.create_index("drafts_by_list", "drafts", ["system", "list_date"])
    op.create_table(
        "publications",
        Column("system", String(20), nullable=False),
        Column("list_date", Date(), nullable=False),
        Column("seq", _ID, nullable=False),
        Column("published_at", String(40), nullable=False),
        Column("players", Integer(), nullable=False),
        Column("body", Text(), nullable=False),
        ForeignKeyConstraint(["seq"], ["ledger.seq"]),
        PrimaryKeyConstraint("system", "list_date"),
    )
    op.create_table(
        "history",
        Column("system", String(20), nullable=False),
        Column("player", BigInteger(), autoincrement=False, nullable=False),
        Column("list_date", Date(), nullable=False),
        Column("rating", Integer()),
        Column("change", Integer(), nullable=False),
        Column("games", Integer(), nullable=False),
        Column("k", Integer()),
        Column("note", String(20), nullable=False),
        PrimaryKeyConstraint("system", "player", "list_date"),
    )
    op.create_index("history_by_player", "history", ["player", "system", "list_date"])
    op.create_table(
        "rated_tournaments",
        Column("system", String(20), nullable=False),
        Column("list_date", Date(), nullable=False),
        Column("tournament", _ID, nullable=False),
        Column("row", Integer(), nullable=False),
        ForeignKeyConstraint(["tournament"], ["tournaments.id"]),
        PrimaryKeyConstraint("system", "list_date", "tournament"),
    )
    op.create_index("rated_by_tournament", "rated_tournaments", ["tournament"])


def _hall() -> None:
    op.create_table(
        "hall_events",
        Column("id", String(32), nullable=False),
        Column("name", String(300), nullable=False),
        Column("owner", _ID, nullable=False),
        Column("status", String(20), nullable=False),
        Column("start", Date(), nullable=False),
        Column("created_at", String(40), nullable=False),
        ForeignKeyConstraint(["owner"], ["accounts.id"]),
        PrimaryKeyConstraint("id"),
    )
    op.create_index("hall_events_by_start", "hall_events", ["start"])
    op.create_table(
        "hall_log",
        Column("stream", _STREAM, nullable=False),
        Column("number", Integer(), autoincrement=False, nullable=False),
        Column("body", Text(), nullable=False),
        PrimaryKeyConstraint("stream", "number"),
    )
