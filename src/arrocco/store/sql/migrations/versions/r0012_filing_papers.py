"""Files that came with complaints and appeals: which event, whose, under which hash (12.10)."""

from alembic import op
from sqlalchemy import (
    BigInteger,
    Column,
    ForeignKeyConstraint,
    Integer,
    PrimaryKeyConstraint,
    String,
    text,
)

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None

_ID = BigInteger().with_variant(Integer(), "sqlite")


def upgrade() -> None:
    """Makes the table."""
    op.create_table(
        "filing_papers",
        Column("id", _ID, nullable=False),
        Column("event", String(32), nullable=False),
        Column("account", _ID, nullable=False),
        Column("name", String(200), nullable=False),
        Column("media_type", String(100), nullable=False),
        Column("blob", String(64), nullable=False),
        Column("size", Integer(), nullable=False),
        Column("at", String(40), nullable=False),
        ForeignKeyConstraint(["event"], ["hall_events.id"]),
        ForeignKeyConstraint(["account"], ["accounts.id"]),
        PrimaryKeyConstraint("id"),
    )
    op.create_index("filing_papers_by_event", "filing_papers", ["event"])


def downgrade() -> None:
    """The logs still name the files; backups leave them out."""
    op.drop_table("filing_papers")
    op.execute(text("DELETE FROM seals WHERE name = 'filing_papers'"))
