"""Files of players that chief arbiter or committee asked for (12.2)."""

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

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None

_ID = BigInteger().with_variant(Integer(), "sqlite")


def upgrade() -> None:
    """Makes the table."""
    op.create_table(
        "player_files",
        Column("id", _ID, nullable=False),
        Column("event", String(32), nullable=False),
        Column("entry", Integer(), nullable=False),
        Column("nodes", Integer(), nullable=False),
        Column("screen_nodes", Integer(), nullable=False),
        Column("games", Text(), nullable=False),
        Column("account", _ID, nullable=False),
        Column("at", String(40), nullable=False),
        ForeignKeyConstraint(["event"], ["hall_events.id"]),
        ForeignKeyConstraint(["account"], ["accounts.id"]),
        PrimaryKeyConstraint("id"),
    )
    op.create_index("player_files_by_player", "player_files", ["event", "entry"])


def downgrade() -> None:
    """Files can be asked for again; what an engine has said of the games stays."""
    op.drop_table("player_files")
    op.execute(text("DELETE FROM seals WHERE name = :name").bindparams(name="player_files"))
