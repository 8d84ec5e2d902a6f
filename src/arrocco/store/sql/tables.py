"""The tables. Records that are read whole are kept as JSON; what is asked for has a column.

Moments are UTC, written as ISO text so that both databases give back what was put in.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    Date,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
)

metadata = MetaData()

# SQLite counts rows by itself only where the key is a plain INTEGER.
_Id = BigInteger().with_variant(Integer, "sqlite")

# Streams are found by how they begin, which needs the order of their bytes in every database.
_Stream = String(64, collation="C").with_variant(String(64), "sqlite")

office = Table(
    "office", metadata,
    Column("number", Integer, CheckConstraint("number = 1"), primary_key=True, autoincrement=False),
    Column("id", String(32), nullable=False),
    Column("created_at", String(40), nullable=False),
)  # fmt: skip
"""One row: the id that the folder of the office has in a file too."""

accounts = Table(
    "accounts", metadata,
    Column("id", _Id, primary_key=True),
    Column("email", String(254), nullable=False, unique=True),
    Column("name", String(200), nullable=False),
    Column("password_hash", String(200), nullable=False),
    Column("role", String(40), nullable=False),
    Column("federation", String(3), nullable=False, default=""),
    Column("player", BigInteger),
    Column("language", String(2), nullable=False, default="en"),
    Column("disabled", Boolean, nullable=False, default=False),
    Column("created_at", String(40), nullable=False),
)  # fmt: skip

invitations = Table(
    "invitations", metadata,
    Column("id", _Id, primary_key=True),
    Column("token_hash", String(64), nullable=False, unique=True),
    Column("email", String(254), nullable=False),
    Column("name", String(200), nullable=False, default=""),
    Column("role", String(40), nullable=False),
    Column("federation", String(3), nullable=False, default=""),
    Column("player", BigInteger),
    Column("invited_by", ForeignKey("accounts.id")),
    Column("expires_at", String(40), nullable=False),
    Column("used_at", String(40)),
)  # fmt: skip

sessions = Table(
    "sessions", metadata,
    Column("token_hash", String(64), primary_key=True),
    Column("account", ForeignKey("accounts.id"), nullable=False),
    Column("created_at", String(40), nullable=False),
    Column("expires_at", String(40), nullable=False),
    Index("sessions_by_account", "account"),
)  # fmt: skip

devices = Table(
    "devices", metadata,
    Column("token_hash", String(64), primary_key=True),
    Column("account", ForeignKey("accounts.id"), primary_key=True),
    Column("used_at", String(40), nullable=False),
    Index("devices_by_account", "account", "used_at"),
)  # fmt: skip

throttle = Table(
    "throttle", metadata,
    Column("subject", String(120), primary_key=True),
    Column("until", String(40), nullable=False),
    Index("throttle_by_moment", "until"),
)  # fmt: skip

refusal_counts = Table(
    "refusal_counts", metadata,
    Column("since", String(40), primary_key=True),
    Column("action", String(60), primary_key=True),
    Column("key", String(100), primary_key=True),
    Column("account", BigInteger, primary_key=True, autoincrement=False),
    Column("count", Integer, nullable=False),
)  # fmt: skip
"""What strangers were refused in the hour that is not over; `account` is 0 where it is nobody's."""

audit = Table(
    "audit", metadata,
    Column("id", _Id, primary_key=True),
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
)  # fmt: skip

ledger = Table(
    "ledger", metadata,
    Column("seq", _Id, primary_key=True, autoincrement=False),
    Column("at", String(40), nullable=False),
    Column("by", BigInteger, nullable=False),
    Column("kind", String(40), nullable=False),
    Column("body", Text, nullable=False),
    Column("previous", String(64), nullable=False),
    Column("hash", String(64), nullable=False, unique=True),
    Index("ledger_by_kind", "kind", "seq"),
)  # fmt: skip

chain_heads = Table(
    "chain_heads", metadata,
    Column("name", String(20), primary_key=True),
    Column("number", BigInteger, nullable=False),
    Column("hash", String(64), nullable=False),
)  # fmt: skip
"""The last rows of the ledger and of the audit: they tell when the end of either is gone."""

tournaments = Table(
    "tournaments", metadata,
    Column("id", _Id, primary_key=True),
    Column("name", String(300), nullable=False),
    Column("federation", String(3), nullable=False),
    Column("start", Date, nullable=False),
    Column("end", Date, nullable=False),
    Column("status", String(30), nullable=False),
    Column("registered_by", ForeignKey("accounts.id"), nullable=False),
    Column("registered_at", String(40), nullable=False),
    Column("record", Text, nullable=False),
    Column("folded", Text, nullable=False, default=""),
    Index("tournaments_by_owner", "registered_by", "start"),
    Index("tournaments_by_federation", "federation", "start"),
    Index("tournaments_by_start", "start"),
    Index("tournaments_by_status", "status"),
)  # fmt: skip
"""`record` is an `office.records.Tournament` in JSON; `folded` what a search by words looks at."""

reports = Table(
    "reports", metadata,
    Column("id", _Id, primary_key=True),
    Column("tournament", ForeignKey("tournaments.id"), nullable=False),
    Column("version", Integer, nullable=False),
    Column("blob", String(64), nullable=False),
    Column("status", String(30), nullable=False),
    Column("sent_at", String(40), nullable=False),
    Column("record", Text, nullable=False),
    UniqueConstraint("tournament", "version"),
    Index("reports_by_status", "status"),
)  # fmt: skip
"""`record` is an `office.records.SentReport` in JSON."""

assignments = Table(
    "assignments", metadata,
    Column("report", ForeignKey("reports.id"), primary_key=True),
    Column("system", String(20), primary_key=True),
    Column("list_date", Date, nullable=False),
    Column("published", Boolean, nullable=False, default=False),
    Index("assignments_by_list", "system", "list_date"),
)  # fmt: skip
"""On which list of which system an accepted report falls."""

drafts = Table(
    "drafts", metadata,
    Column("id", _Id, primary_key=True),
    Column("system", String(20), nullable=False),
    Column("list_date", Date, nullable=False),
    Column("status", String(20), nullable=False),
    Column("stage", String(30), nullable=False, default=""),
    Column("done", Integer, nullable=False, default=0),
    Column("total", Integer, nullable=False, default=0),
    Column("made_by", ForeignKey("accounts.id"), nullable=False),
    Column("made_at", String(40), nullable=False),
    Column("ledger_seq", BigInteger, nullable=False),
    Column("body", Text, nullable=False, default="{}"),
    Index("drafts_by_list", "system", "list_date"),
)  # fmt: skip
"""`ledger_seq`: the last entry it knew; a draft that is behind the ledger is made again."""

publications = Table(
    "publications", metadata,
    Column("system", String(20), primary_key=True),
    Column("list_date", Date, primary_key=True),
    Column("seq", ForeignKey("ledger.seq"), nullable=False),
    Column("published_at", String(40), nullable=False),
    Column("players", Integer, nullable=False),
    Column("body", Text, nullable=False),
)  # fmt: skip
"""`body` is the summary of the list in JSON; imported lists are here too."""

history = Table(
    "history", metadata,
    Column("system", String(20), primary_key=True),
    Column("player", BigInteger, primary_key=True, autoincrement=False),
    Column("list_date", Date, primary_key=True),
    Column("rating", Integer),
    Column("change", Integer, nullable=False, default=0),
    Column("games", Integer, nullable=False, default=0),
    Column("k", Integer),
    Column("note", String(20), nullable=False, default=""),
    Index("history_by_player", "player", "system", "list_date"),
)  # fmt: skip
"""A player's ratings: one row for each list on which something changed for them."""

rated_tournaments = Table(
    "rated_tournaments", metadata,
    Column("system", String(20), primary_key=True),
    Column("list_date", Date, primary_key=True),
    Column("tournament", ForeignKey("tournaments.id"), primary_key=True),
    Column("row", Integer, nullable=False),
    Index("rated_by_tournament", "tournament"),
)  # fmt: skip
"""Where a tournament stands among those of a list: `row` is its number in the calculations."""

# --- the hall ------------------------------------------------------------------------------------

hall_events = Table(
    "hall_events", metadata,
    Column("id", String(32), primary_key=True),
    Column("name", String(300), nullable=False),
    Column("owner", ForeignKey("accounts.id"), nullable=False),
    Column("status", String(20), nullable=False),
    Column("start", Date, nullable=False),
    Column("created_at", String(40), nullable=False),
    Index("hall_events_by_start", "start"),
)  # fmt: skip

hall_log = Table(
    "hall_log", metadata,
    Column("stream", _Stream, primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("body", Text, nullable=False),
    Column("chain", _Stream, nullable=False),
    Column("link", Integer, nullable=False),
    Column("previous", String(64), nullable=False),
    Column("hash", String(64), nullable=False),
    UniqueConstraint("chain", "link", name="hall_log_by_chain"),
)  # fmt: skip
"""The logs of events and games; a stream is ``event:<id>``, ``game:<id>`` or ``receipts:<id>``.

`chain` and `link` are the place among all records of an event, see `arrocco.hall.chain`.
"""

hall_heads = Table(
    "hall_heads", metadata,
    Column("stream", _Stream, primary_key=True),
    Column("number", Integer, nullable=False),
    Column("chain", _Stream, nullable=False),
    Column("link", Integer, nullable=False),
    Column("hash", String(64), nullable=False),
)  # fmt: skip
"""The last record of every stream: it tells when the end of a log, or all of it, is gone."""
