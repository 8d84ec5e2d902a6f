"""Games that an engine watches: how far each is analysed, and what came of it (12.1)."""

from alembic import op
from sqlalchemy import (
    Boolean,
    Column,
    ForeignKeyConstraint,
    Integer,
    PrimaryKeyConstraint,
    String,
    Text,
)

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Makes the table."""
    op.create_table(
        "watched_games",
        Column("game", String(64), nullable=False),
        Column("nodes", Integer(), nullable=False),
        Column("event", String(32), nullable=False),
        Column("plies", Integer(), nullable=False),
        Column("is_over", Boolean(), nullable=False),
        Column("done", Integer(), nullable=False),
        Column("digest", String(64), nullable=False),
        Column("setting", Text(), nullable=False),
        Column("positions", Text(), nullable=False),
        Column("taken_by", String(32), nullable=False),
        Column("taken_until", String(40), nullable=False),
        ForeignKeyConstraint(["event"], ["hall_events.id"]),
        PrimaryKeyConstraint("game", "nodes"),
    )
    op.create_index("watched_games_by_event", "watched_games", ["event", "nodes"])


def downgrade() -> None:
    """Analyses can be made again from the games."""
    op.drop_table("watched_games")
