"""Championships: several events with one standing."""

from alembic import op
from sqlalchemy import (
    BigInteger,
    Column,
    ForeignKeyConstraint,
    Integer,
    PrimaryKeyConstraint,
    String,
    UniqueConstraint,
    text,
)

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None

_ID = BigInteger().with_variant(Integer(), "sqlite")
_TABLES = ("championship_events", "championships")


def upgrade() -> None:
    """Makes the tables."""
    op.create_table(
        "championships",
        Column("id", String(32), nullable=False),
        Column("name", String(200), nullable=False),
        Column("key", String(200), nullable=False),
        Column("rule", String(20), nullable=False),
        Column("best", Integer(), nullable=False),
        Column("points", String(200), nullable=False),
        Column("made_by", _ID, nullable=False),
        Column("made_at", String(40), nullable=False),
        ForeignKeyConstraint(["made_by"], ["accounts.id"]),
        PrimaryKeyConstraint("id"),
        UniqueConstraint("key"),
    )
    op.create_table(
        "championship_events",
        Column("event", String(32), nullable=False),
        Column("championship", String(32), nullable=False),
        Column("number", Integer(), nullable=False),
        ForeignKeyConstraint(["event"], ["hall_events.id"]),
        ForeignKeyConstraint(["championship"], ["championships.id"]),
        PrimaryKeyConstraint("event"),
    )
    op.create_index(
        "championship_events_by_number",
        "championship_events",
        ["championship", "number"],
        unique=True,
    )


def downgrade() -> None:
    """What a championship states is lost; its events and who is excluded stay in their logs."""
    for table in _TABLES:
        op.drop_table(table)
        op.execute(text("DELETE FROM seals WHERE name = :name").bindparams(name=table))
