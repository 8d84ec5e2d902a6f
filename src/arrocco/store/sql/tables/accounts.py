"""Who there is: accounts, their sessions, keys and claims, and what they did."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    ForeignKey,
    Index,
    Integer,
    String,
    Table,
    Text,
    text,
)

from arrocco.store.sql.tables.base import Id, metadata

office = Table(
    "office",
    metadata,
    Column("number", Integer, CheckConstraint("number = 1"), primary_key=True, autoincrement=False),
    Column("id", String(32), nullable=False),
    Column("created_at", String(40), nullable=False),
)
"""One row: the id that the folder of the office has in a file too."""

accounts = Table(
    "accounts",
    metadata,
    Column("id", Id, primary_key=True),
    Column("email", String(254), nullable=False, unique=True),
    Column("name", String(200), nullable=False),
    Column("password_hash", String(200), nullable=False),
    Column("role", String(40), nullable=False),
    Column("federation", String(3), nullable=False, default=""),
    Column("player", BigInteger),
    Column("language", String(2), nullable=False, default="en"),
    Column("disabled", Boolean, nullable=False, default=False),
    Column("created_at", String(40), nullable=False),
    Index("accounts_by_player", "player", unique=True),
)
"""A number belongs to one account at most: whose it is may play and ask in its name."""

invitations = Table(
    "invitations",
    metadata,
    Column("id", Id, primary_key=True),
    Column("token_hash", String(64), nullable=False, unique=True),
    Column("email", String(254), nullable=False),
    Column("name", String(200), nullable=False, default=""),
    Column("role", String(40), nullable=False),
    Column("federation", String(3), nullable=False, default=""),
    Column("player", BigInteger),
    Column("invited_by", ForeignKey("accounts.id")),
    Column("expires_at", String(40), nullable=False),
    Column("used_at", String(40)),
)

sessions = Table(
    "sessions",
    metadata,
    Column("token_hash", String(64), primary_key=True),
    Column("account", ForeignKey("accounts.id"), nullable=False),
    Column("created_at", String(40), nullable=False),
    Column("expires_at", String(40), nullable=False),
    Column("address", String(100), nullable=False, server_default=""),
    Column("agent", String(200), nullable=False, server_default=""),
    Index("sessions_by_account", "account"),
)
"""`address` and `agent` tell people which of their sessions is which."""

devices = Table(
    "devices",
    metadata,
    Column("token_hash", String(64), primary_key=True),
    Column("account", ForeignKey("accounts.id"), primary_key=True),
    Column("used_at", String(40), nullable=False),
    Index("devices_by_account", "account", "used_at"),
)

office_settings = Table(
    "office_settings",
    metadata,
    Column("number", Integer, CheckConstraint("number = 1"), primary_key=True, autoincrement=False),
    Column("body", Text, nullable=False),
    Column("crest", Text, nullable=False, server_default=""),
    Column("changed_at", String(40), nullable=False),
)
"""One row: `body` is an `office.settings.OfficeSettings` in JSON, `crest` a PNG in base64."""

one_time_tokens = Table(
    "one_time_tokens",
    metadata,
    Column("token_hash", String(64), primary_key=True),
    Column("purpose", String(30), nullable=False),
    Column("account", ForeignKey("accounts.id")),
    Column("email", String(254), nullable=False, server_default=""),
    Column("body", Text, nullable=False, server_default="{}"),
    Column("expires_at", String(40), nullable=False),
    Index("one_time_tokens_by_account", "account", "purpose"),
    Index("one_time_tokens_by_moment", "expires_at"),
)
"""Links and codes that serve once, each for one purpose; a row goes when it is used."""

claims = Table(
    "claims",
    metadata,
    Column("id", Id, primary_key=True),
    Column("account", ForeignKey("accounts.id"), nullable=False),
    Column("player", BigInteger, nullable=False),
    Column("state", String(20), nullable=False),
    Column("origin", String(20), nullable=False),
    Column("note", Text, nullable=False, server_default=""),
    Column("made_at", String(40), nullable=False),
    Column("decided_by", ForeignKey("accounts.id")),
    Column("decided_at", String(40)),
    Column("reason", Text, nullable=False, server_default=""),
    Index("claims_by_state", "state", "id"),
    Index(
        "claims_waiting",
        "account",
        unique=True,
        sqlite_where=text("state = 'waiting'"),
        postgresql_where=text("state = 'waiting'"),
    ),
)
"""Who says that a number is theirs, and what the office said; `office.claims` has the words."""

player_addresses = Table(
    "player_addresses",
    metadata,
    Column("player", BigInteger, primary_key=True, autoincrement=False),
    Column("email", String(254), nullable=False),
    Column("entered_by", ForeignKey("accounts.id")),
    Column("entered_at", String(40), nullable=False),
)
"""The e-mail addresses that the office itself has of players, by their numbers."""

second_factors = Table(
    "second_factors",
    metadata,
    Column("id", Id, primary_key=True),
    Column("account", ForeignKey("accounts.id"), nullable=False),
    Column("kind", String(10), nullable=False),
    Column("name", String(100), nullable=False),
    Column("secret", Text, nullable=False),
    Column("credential", String(1400), unique=True),
    Column("counter", BigInteger, nullable=False),
    Column("created_at", String(40), nullable=False),
    Column("used_at", String(40)),
    Index("second_factors_by_account", "account"),
)
"""`secret` is the key of a TOTP app, or the public key of a passkey whose id is `credential`.

`counter` is the last step of time that was used, or the passkey's own counter: none comes twice.
"""

recovery_codes = Table(
    "recovery_codes",
    metadata,
    Column("code_hash", String(64), primary_key=True),
    Column("account", ForeignKey("accounts.id"), nullable=False),
    Column("made_at", String(40), nullable=False),
    Index("recovery_codes_by_account", "account"),
)

api_keys = Table(
    "api_keys",
    metadata,
    Column("id", Id, primary_key=True),
    Column("token_hash", String(64), nullable=False, unique=True),
    Column("account", ForeignKey("accounts.id"), nullable=False),
    Column("name", String(100), nullable=False),
    Column("scopes", String(200), nullable=False),
    Column("created_at", String(40), nullable=False),
    Column("expires_at", String(40), nullable=False),
    Column("used_at", String(40)),
    Column("used_from", String(100), nullable=False, server_default=""),
    Column("revoked_at", String(40)),
    Index("api_keys_by_account", "account"),
)

throttle = Table(
    "throttle",
    metadata,
    Column("subject", String(120), primary_key=True),
    Column("until", String(40), nullable=False),
    Index("throttle_by_moment", "until"),
)

refusal_counts = Table(
    "refusal_counts",
    metadata,
    Column("since", String(40), primary_key=True),
    Column("action", String(60), primary_key=True),
    Column("key", String(100), primary_key=True),
    Column("account", BigInteger, primary_key=True, autoincrement=False),
    Column("count", Integer, nullable=False),
)
"""What strangers were refused in the hour that is not over; `account` is 0 where it is nobody's."""

audit = Table(
    "audit",
    metadata,
    Column("id", Id, primary_key=True),
    Column("at", String(40), nullable=False),
    Column("account", ForeignKey("accounts.id")),
    Column("role", String(40), nullable=False),
    Column("address", String(100), nullable=False, default=""),
    Column("action", String(60), nullable=False),
    Column("subject", String(200), nullable=False, default=""),
    Column("outcome", String(20), nullable=False),
    Column("details", Text, nullable=False, default="{}"),
    Column("previous", String(64), nullable=False),
    Column("hash", String(64), nullable=False),
    Index("audit_by_account", "account", "id"),
    Index("audit_by_action", "action", "id"),
)
