"""Rows that nothing else tells of are sealed, and what the hall's logs have had is kept."""

from alembic import op
from sqlalchemy import Column, Integer, MetaData, PrimaryKeyConstraint, String, Table, Text

from arrocco.store.sql.seals import seal_all

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

_STREAM = String(64, collation="C").with_variant(String(64), "sqlite")
_IN_ORDER = Text(collation="C").with_variant(Text(), "sqlite")
_SEALED = tuple(
    """
    office accounts invitations sessions devices throttle refusal_counts tournaments reports
    assignments drafts publications hall_events
""".split()
)


def upgrade() -> None:
    """Makes the tables and seals the rows that are there, as they are."""
    op.create_table(
        "seals",
        Column("name", _IN_ORDER, nullable=False),
        Column("key", _IN_ORDER, nullable=False),
        Column("hash", String(64), nullable=False),
        PrimaryKeyConstraint("name", "key"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "hall_anchors",
        Column("chain", _STREAM, nullable=False),
        Column("link", Integer(), nullable=False),
        Column("hash", String(64), nullable=False),
        Column("at", String(40), nullable=False),
        PrimaryKeyConstraint("chain"),
    )
    connection = op.get_bind()
    for name in _SEALED:
        seal_all(connection, Table(name, MetaData(), autoload_with=connection))


def downgrade() -> None:
    """Takes seals and anchors away; the rows stay as they are."""
    op.drop_table("hall_anchors")
    op.drop_table("seals")
