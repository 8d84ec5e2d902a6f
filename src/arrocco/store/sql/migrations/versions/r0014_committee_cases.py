"""Cases of the Fair Play Committee (13), and alarms that were dismissed."""

from alembic import op
from sqlalchemy import (
    BigInteger,
    Column,
    ForeignKeyConstraint,
    Integer,
    PrimaryKeyConstraint,
    String,
    Text,
    text,
)

revision = "0014"
down_revision = "0012"
branch_labels = None
depends_on = None

_ID = BigInteger().with_variant(Integer(), "sqlite")
_TABLES = ("dismissed_alarms", "committee_records")


def upgrade() -> None:
    """Makes the tables."""
    op.create_table(
        "committee_records",
        Column("case", _ID, nullable=False, autoincrement=False),
        Column("number", Integer(), nullable=False, autoincrement=False),
        Column("event", String(32), nullable=False),
        Column("account", _ID, nullable=False),
        Column("at", String(40), nullable=False),
        Column("body", Text(), nullable=False),
        ForeignKeyConstraint(["account"], ["accounts.id"]),
        PrimaryKeyConstraint("case", "number"),
    )
    op.create_index("committee_records_by_event", "committee_records", ["event"])
    op.create_table(
        "dismissed_alarms",
        Column("id", _ID, nullable=False),
        Column("event", String(32), nullable=False),
        Column("entry", Integer(), nullable=False),
        Column("games", Text(), nullable=False),
        Column("account", _ID, nullable=False),
        Column("at", String(40), nullable=False),
        Column("reason", Text(), nullable=False),
        ForeignKeyConstraint(["account"], ["accounts.id"]),
        PrimaryKeyConstraint("id"),
    )
    op.create_index("dismissed_alarms_by_event", "dismissed_alarms", ["event"])


def downgrade() -> None:
    """The cases of the committee are lost."""
    for table in _TABLES:
        op.drop_table(table)
        op.execute(text("DELETE FROM seals WHERE name = :name").bindparams(name=table))
