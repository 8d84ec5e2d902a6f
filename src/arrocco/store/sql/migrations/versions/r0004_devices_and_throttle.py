"""Known devices, one row for each throttled subject, and counts of what strangers were refused."""

from alembic import op
from sqlalchemy import (
    BigInteger,
    Column,
    ForeignKeyConstraint,
    Integer,
    PrimaryKeyConstraint,
    String,
)

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

_ID = BigInteger().with_variant(Integer(), "sqlite")


def upgrade() -> None:
    """Failures that were kept one by one are forgotten: they counted for a quarter of an hour."""
    op.drop_table("login_failures")
    op.create_table(
        "devices",
        Column("token_hash", String(64), nullable=False),
        Column("account", _ID, nullable=False),
        Column("used_at", String(40), nullable=False),
        ForeignKeyConstraint(["account"], ["accounts.id"]),
        PrimaryKeyConstraint("token_hash", "account"),
    )
    op.create_index("devices_by_account", "devices", ["account", "used_at"])
    op.create_table(
        "throttle",
        Column("subject", String(120), nullable=False),
        Column("until", String(40), nullable=False),
        PrimaryKeyConstraint("subject"),
    )
    op.create_index("throttle_by_moment", "throttle", ["until"])
    op.create_table(
        "refusal_counts",
        Column("since", String(40), nullable=False),
        Column("action", String(60), nullable=False),
        Column("key", String(100), nullable=False),
        Column("account", BigInteger(), autoincrement=False, nullable=False),
        Column("count", Integer(), nullable=False),
        PrimaryKeyConstraint("since", "action", "key", "account"),
    )


def downgrade() -> None:
    """Everybody's browser is a new one again, and counts that were not summed are lost."""
    op.drop_table("refusal_counts")
    op.drop_table("throttle")
    op.drop_table("devices")
    op.create_table(
        "login_failures",
        Column("id", _ID, nullable=False),
        Column("subject", String(300), nullable=False),
        Column("at", String(40), nullable=False),
        PrimaryKeyConstraint("id"),
    )
    op.create_index("login_failures_by_subject", "login_failures", ["subject", "at"])
