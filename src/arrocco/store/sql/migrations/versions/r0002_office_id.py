"""The id of the office, which its folder has too: the two refuse each other when they differ."""

from alembic import op
from sqlalchemy import CheckConstraint, Column, Integer, PrimaryKeyConstraint, String

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Makes the table; the row comes when the office is opened with its folder."""
    op.create_table(
        "office",
        Column("number", Integer(), autoincrement=False, nullable=False),
        Column("id", String(32), nullable=False),
        Column("created_at", String(40), nullable=False),
        CheckConstraint("number = 1"),
        PrimaryKeyConstraint("number"),
    )


def downgrade() -> None:
    """Takes the id away; the folder keeps it, and gives it back with the next upgrade."""
    op.drop_table("office")
