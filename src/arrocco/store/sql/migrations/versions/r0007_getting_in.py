"""A number belongs to one account; settings, claims, second factors, API keys, one-time links."""

from datetime import UTC, datetime

import sqlalchemy as sa
from alembic import op
from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    Column,
    ForeignKeyConstraint,
    Integer,
    MetaData,
    PrimaryKeyConstraint,
    String,
    Table,
    Text,
    UniqueConstraint,
)

from arrocco.store.sql.seals import seal_all

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

_ID = BigInteger().with_variant(Integer(), "sqlite")
_WAITING = sa.text("state = 'waiting'")
_NEW = tuple(
    """
    office_settings one_time_tokens claims player_addresses second_factors recovery_codes
    api_keys
""".split()
)


def upgrade() -> None:
    """Makes the tables; where two accounts have one number the second waits for the office."""
    op.add_column("sessions", Column("address", String(100), nullable=False, server_default=""))
    op.add_column("sessions", Column("agent", String(200), nullable=False, server_default=""))
    _settings_and_tokens()
    _claims()
    _factors_and_keys()
    connection = op.get_bind()
    _share_no_number(connection)
    op.create_index("accounts_by_player", "accounts", ["player"], unique=True)
    for name in ("sessions", "accounts", "claims"):
        seal_all(connection, Table(name, MetaData(), autoload_with=connection))


def downgrade() -> None:
    """Takes the tables away; accounts that wait for a number they had before have it again."""
    connection = op.get_bind()
    op.drop_index("accounts_by_player", "accounts")
    accounts, claims = (
        Table(name, MetaData(), autoload_with=connection) for name in ("accounts", "claims")
    )
    had = sa.select(claims.c.account, claims.c.player).where(
        claims.c.state == "waiting", claims.c.origin == "shared"
    )
    for account, player in connection.execute(had).all():
        alone = accounts.c.id == account, accounts.c.player.is_(None)
        connection.execute(sa.update(accounts).where(*alone).values(player=player))
    connection.execute(
        sa.text("DELETE FROM seals WHERE name IN :names").bindparams(
            sa.bindparam("names", _NEW, expanding=True)
        )
    )
    for name in reversed(_NEW):
        op.drop_table(name)
    op.drop_column("sessions", "agent")
    op.drop_column("sessions", "address")
    for name in ("sessions", "accounts"):
        seal_all(connection, Table(name, MetaData(), autoload_with=connection))


def _settings_and_tokens() -> None:
    op.create_table(
        "office_settings",
        Column("number", Integer(), autoincrement=False, nullable=False),
        Column("body", Text(), nullable=False),
        Column("crest", Text(), nullable=False, server_default=""),
        Column("changed_at", String(40), nullable=False),
        CheckConstraint("number = 1"),
        PrimaryKeyConstraint("number"),
    )
    op.create_table(
        "one_time_tokens",
        Column("token_hash", String(64), nullable=False),
        Column("purpose", String(30), nullable=False),
        Column("account", _ID),
        Column("email", String(254), nullable=False, server_default=""),
        Column("body", Text(), nullable=False, server_default="{}"),
        Column("expires_at", String(40), nullable=False),
        ForeignKeyConstraint(["account"], ["accounts.id"]),
        PrimaryKeyConstraint("token_hash"),
    )
    op.create_index("one_time_tokens_by_account", "one_time_tokens", ["account", "purpose"])
    op.create_index("one_time_tokens_by_moment", "one_time_tokens", ["expires_at"])
    op.create_table(
        "player_addresses",
        Column("player", BigInteger(), autoincrement=False, nullable=False),
        Column("email", String(254), nullable=False),
        Column("entered_by", _ID),
        Column("entered_at", String(40), nullable=False),
        ForeignKeyConstraint(["entered_by"], ["accounts.id"]),
        PrimaryKeyConstraint("player"),
    )


def _claims() -> None:
    op.create_table(
        "claims",
        Column("id", _ID, nullable=False),
        Column("account", _ID, nullable=False),
        Column("player", BigInteger(), nullable=False),
        Column("state", String(20), nullable=False),
        Column("origin", String(20), nullable=False),
        Column("note", Text(), nullable=False, server_default=""),
        Column("made_at", String(40), nullable=False),
        Column("decided_by", _ID),
        Column("decided_at", String(40)),
        Column("reason", Text(), nullable=False, server_default=""),
        ForeignKeyConstraint(["account"], ["accounts.id"]),
        ForeignKeyConstraint(["decided_by"], ["accounts.id"]),
        PrimaryKeyConstraint("id"),
    )
    op.create_index("claims_by_state", "claims", ["state", "id"])
    op.create_index(
        "claims_waiting",
        "claims",
        ["account"],
        unique=True,
        sqlite_where=_WAITING,
        postgresql_where=_WAITING,
    )


def _factors_and_keys() -> None:
    op.create_table(
        "second_factors",
        Column("id", _ID, nullable=False),
        Column("account", _ID, nullable=False),
        Column("kind", String(10), nullable=False),
        Column("name", String(100), nullable=False),
        Column("secret", Text(), nullable=False),
        Column("credential", String(1400)),
        Column("counter", BigInteger(), nullable=False),
        Column("created_at", String(40), nullable=False),
        Column("used_at", String(40)),
        ForeignKeyConstraint(["account"], ["accounts.id"]),
        PrimaryKeyConstraint("id"),
        UniqueConstraint("credential"),
    )
    op.create_index("second_factors_by_account", "second_factors", ["account"])
    op.create_table(
        "recovery_codes",
        Column("code_hash", String(64), nullable=False),
        Column("account", _ID, nullable=False),
        Column("made_at", String(40), nullable=False),
        ForeignKeyConstraint(["account"], ["accounts.id"]),
        PrimaryKeyConstraint("code_hash"),
    )
    op.create_index("recovery_codes_by_account", "recovery_codes", ["account"])
    op.create_table(
        "api_keys",
        Column("id", _ID, nullable=False),
        Column("token_hash", String(64), nullable=False),
        Column("account", _ID, nullable=False),
        Column("name", String(100), nullable=False),
        Column("scopes", String(200), nullable=False),
        Column("created_at", String(40), nullable=False),
        Column("expires_at", String(40), nullable=False),
        Column("used_at", String(40)),
        Column("used_from", String(100), nullable=False, server_default=""),
        Column("revoked_at", String(40)),
        ForeignKeyConstraint(["account"], ["accounts.id"]),
        PrimaryKeyConstraint("id"),
        UniqueConstraint("token_hash"),
    )
    op.create_index("api_keys_by_account", "api_keys", ["account"])


def _share_no_number(connection: sa.Connection) -> None:
    """Leaves a number that two accounts have to the older one that is open; the others claim it.

    Nobody is told apart by a program: an officer finds the claims and decides whose it is.
    """
    accounts = Table("accounts", MetaData(), autoload_with=connection)
    claims = Table("claims", MetaData(), autoload_with=connection)
    having = (
        sa.select(accounts.c.id, accounts.c.player)
        .where(accounts.c.player.is_not(None))
        .order_by(accounts.c.player, accounts.c.disabled, accounts.c.id)
    )
    keeps: set[int] = set()
    at = datetime.now(UTC).isoformat(timespec="microseconds")
    for account, player in connection.execute(having).all():
        if player not in keeps:
            keeps.add(player)
            continue
        connection.execute(sa.update(accounts).where(accounts.c.id == account).values(player=None))
        connection.execute(
            sa.insert(claims).values(
                account=account, player=player, state="waiting", origin="shared", made_at=at
            )
        )
