"""The spool of mail, and what each account does not want of it."""

from alembic import op
from sqlalchemy import (
    BigInteger,
    Column,
    ForeignKeyConstraint,
    Integer,
    PrimaryKeyConstraint,
    String,
    Text,
    UniqueConstraint,
    text,
)

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

_ID = BigInteger().with_variant(Integer(), "sqlite")
_TABLES = ("mail_choices", "mails")


def upgrade() -> None:
    """Makes the tables; nobody has refused anything yet."""
    op.create_table(
        "mails",
        Column("id", _ID, nullable=False),
        Column("kind", String(40), nullable=False),
        Column("account", _ID),
        Column("address", String(254), nullable=False),
        Column("language", String(2), nullable=False),
        Column("params", Text(), nullable=False),
        Column("message_id", String(100), nullable=False),
        Column("state", String(20), nullable=False),
        Column("queued_at", String(40), nullable=False),
        Column("due_at", String(40), nullable=False),
        Column("attempts", Integer(), nullable=False),
        Column("said", String(300), nullable=False),
        Column("ended_at", String(40)),
        ForeignKeyConstraint(["account"], ["accounts.id"]),
        PrimaryKeyConstraint("id"),
        UniqueConstraint("message_id"),
    )
    op.create_index("mails_by_state", "mails", ["state", "due_at"])
    op.create_index("mails_by_address", "mails", ["address", "queued_at"])
    op.create_index("mails_by_moment", "mails", ["queued_at"])
    op.create_table(
        "mail_choices",
        Column("account", _ID, nullable=False),
        Column("token", String(64), nullable=False),
        Column("refused", Text(), nullable=False),
        ForeignKeyConstraint(["account"], ["accounts.id"]),
        PrimaryKeyConstraint("account"),
        UniqueConstraint("token"),
    )


def downgrade() -> None:
    """Mail that was not sent yet is lost, and everybody gets everything again."""
    for table in _TABLES:
        op.drop_table(table)
        op.execute(text("DELETE FROM seals WHERE name = :name").bindparams(name=table))
