"""Questions of players, what is followed, programs that are told, and links that invite."""

from alembic import op
from sqlalchemy import (
    BigInteger,
    Column,
    Date,
    ForeignKeyConstraint,
    Integer,
    PrimaryKeyConstraint,
    String,
    Text,
    UniqueConstraint,
    text,
)

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

_ID = BigInteger().with_variant(Integer(), "sqlite")
_TABLES = ("invitation_links", "webhook_calls", "webhooks", "follows", "questions")


def upgrade() -> None:
    """Makes the tables."""
    op.create_table(
        "questions",
        Column("id", _ID, nullable=False),
        Column("account", _ID, nullable=False),
        Column("player", BigInteger(), nullable=False),
        Column("system", String(20), nullable=False),
        Column("list_date", Date(), nullable=False),
        Column("tournament", _ID, nullable=False),
        Column("round", Integer(), nullable=False),
        Column("text", Text(), nullable=False),
        Column("state", String(20), nullable=False),
        Column("asked_at", String(40), nullable=False),
        Column("due_at", String(40), nullable=False),
        Column("answer", Text(), nullable=False),
        Column("answered_by", _ID),
        Column("answered_at", String(40)),
        Column("correction", BigInteger()),
        ForeignKeyConstraint(["account"], ["accounts.id"]),
        ForeignKeyConstraint(["tournament"], ["tournaments.id"]),
        ForeignKeyConstraint(["answered_by"], ["accounts.id"]),
        PrimaryKeyConstraint("id"),
    )
    op.create_index("questions_by_account", "questions", ["account", "id"])
    op.create_index("questions_by_state", "questions", ["state", "due_at"])
    op.create_index("questions_by_correction", "questions", ["correction"])
    op.create_table(
        "follows",
        Column("account", _ID, nullable=False),
        Column("kind", String(20), nullable=False),
        Column("subject", String(40), nullable=False),
        Column("made_at", String(40), nullable=False),
        ForeignKeyConstraint(["account"], ["accounts.id"]),
        PrimaryKeyConstraint("account", "kind", "subject"),
    )
    op.create_index("follows_by_subject", "follows", ["kind", "subject"])
    op.create_table(
        "webhooks",
        Column("id", _ID, nullable=False),
        Column("account", _ID, nullable=False),
        Column("url", String(500), nullable=False),
        Column("secret", String(64), nullable=False),
        Column("made_at", String(40), nullable=False),
        Column("stopped_at", String(40)),
        ForeignKeyConstraint(["account"], ["accounts.id"]),
        PrimaryKeyConstraint("id"),
    )
    op.create_index("webhooks_by_account", "webhooks", ["account"])
    op.create_table(
        "webhook_calls",
        Column("id", _ID, nullable=False),
        Column("webhook", _ID, nullable=False),
        Column("event", String(32), nullable=False),
        Column("body", Text(), nullable=False),
        Column("state", String(20), nullable=False),
        Column("queued_at", String(40), nullable=False),
        Column("due_at", String(40), nullable=False),
        Column("attempts", Integer(), nullable=False),
        Column("said", String(300), nullable=False),
        Column("ended_at", String(40)),
        ForeignKeyConstraint(["webhook"], ["webhooks.id"]),
        PrimaryKeyConstraint("id"),
    )
    op.create_index("webhook_calls_by_state", "webhook_calls", ["state", "due_at"])
    op.create_index("webhook_calls_by_webhook", "webhook_calls", ["webhook", "id"])
    op.create_table(
        "invitation_links",
        Column("id", _ID, nullable=False),
        Column("token_hash", String(64), nullable=False),
        Column("role", String(40), nullable=False),
        Column("federation", String(3), nullable=False),
        Column("cap", Integer(), nullable=False),
        Column("used", Integer(), nullable=False),
        Column("made_by", _ID),
        Column("made_at", String(40), nullable=False),
        Column("expires_at", String(40), nullable=False),
        Column("withdrawn_at", String(40)),
        ForeignKeyConstraint(["made_by"], ["accounts.id"]),
        PrimaryKeyConstraint("id"),
        UniqueConstraint("token_hash"),
    )


def downgrade() -> None:
    """Questions and answers are lost, and nobody follows anything any more."""
    for table in _TABLES:
        op.drop_table(table)
        op.execute(text("DELETE FROM seals WHERE name = :name").bindparams(name=table))
