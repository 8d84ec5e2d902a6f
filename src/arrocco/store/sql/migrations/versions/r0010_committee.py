"""The Fair Play Committee: its members (13.1)."""

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

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None

_ID = BigInteger().with_variant(Integer(), "sqlite")


def upgrade() -> None:
    """Makes the tables."""
    op.create_table(
        "committee_members",
        Column("id", _ID, nullable=False),
        Column("account", _ID, nullable=False),
        Column("seat", String(30), nullable=False),
        Column("category", String(10), nullable=False),
        Column("resolution", String(300), nullable=False),
        Column("since", String(40), nullable=False),
        Column("until", String(40)),
        Column("named_by", _ID),
        Column("named_at", String(40), nullable=False),
        Column("ended_at", String(40)),
        Column("ended_by", _ID),
        Column("ended_reason", Text(), nullable=False),
        ForeignKeyConstraint(["account"], ["accounts.id"]),
        ForeignKeyConstraint(["named_by"], ["accounts.id"]),
        ForeignKeyConstraint(["ended_by"], ["accounts.id"]),
        PrimaryKeyConstraint("id"),
    )
    op.create_index("committee_members_by_account", "committee_members", ["account"])


def downgrade() -> None:
    """Who was named to the committee is lost."""
    op.drop_table("committee_members")
    op.execute(text("DELETE FROM seals WHERE name = 'committee_members'"))
