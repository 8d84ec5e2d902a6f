"""What the office rates: ledger, tournaments, reports, drafts and lists."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Date,
    ForeignKey,
    Index,
    Integer,
    String,
    Table,
    Text,
    UniqueConstraint,
)

from arrocco.store.sql.tables.base import Id, InOrder, metadata

ledger = Table(
    "ledger",
    metadata,
    Column("seq", Id, primary_key=True, autoincrement=False),
    Column("at", String(40), nullable=False),
    Column("by", BigInteger, nullable=False),
    Column("kind", String(40), nullable=False),
    Column("body", Text, nullable=False),
    Column("previous", String(64), nullable=False),
    Column("hash", String(64), nullable=False, unique=True),
    Index("ledger_by_kind", "kind", "seq"),
)

chain_heads = Table(
    "chain_heads",
    metadata,
    Column("name", String(20), primary_key=True),
    Column("number", BigInteger, nullable=False),
    Column("hash", String(64), nullable=False),
)
"""The last rows of the ledger and of the audit: they tell when the end of either is gone."""

seals = Table(
    "seals",
    metadata,
    Column("name", InOrder, primary_key=True),
    Column("key", InOrder, primary_key=True),
    Column("hash", String(64), nullable=False),
    sqlite_with_rowid=False,
)
"""A hash of every row of the tables that nothing else tells of, see `arrocco.store.sql.seals`."""

tournaments = Table(
    "tournaments",
    metadata,
    Column("id", Id, primary_key=True),
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
)
"""`record` is an `office.records.Tournament` in JSON; `folded` what a search by words looks at."""

reports = Table(
    "reports",
    metadata,
    Column("id", Id, primary_key=True),
    Column("tournament", ForeignKey("tournaments.id"), nullable=False),
    Column("version", Integer, nullable=False),
    Column("blob", String(64), nullable=False),
    Column("status", String(30), nullable=False),
    Column("sent_at", String(40), nullable=False),
    Column("record", Text, nullable=False),
    UniqueConstraint("tournament", "version"),
    Index("reports_by_status", "status"),
)
"""`record` is an `office.records.SentReport` in JSON."""

assignments = Table(
    "assignments",
    metadata,
    Column("report", ForeignKey("reports.id"), primary_key=True),
    Column("system", String(20), primary_key=True),
    Column("list_date", Date, nullable=False),
    Column("published", Boolean, nullable=False, default=False),
    Index("assignments_by_list", "system", "list_date"),
)
"""On which list of which system an accepted report falls."""

drafts = Table(
    "drafts",
    metadata,
    Column("id", Id, primary_key=True),
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
)
"""`ledger_seq`: the last entry it knew; a draft that is behind the ledger is made again."""

publications = Table(
    "publications",
    metadata,
    Column("system", String(20), primary_key=True),
    Column("list_date", Date, primary_key=True),
    Column("seq", ForeignKey("ledger.seq"), nullable=False),
    Column("published_at", String(40), nullable=False),
    Column("players", Integer, nullable=False),
    Column("body", Text, nullable=False),
)
"""`body` is the summary of the list in JSON; imported lists are here too."""

history = Table(
    "history",
    metadata,
    Column("system", String(20), primary_key=True),
    Column("player", BigInteger, primary_key=True, autoincrement=False),
    Column("list_date", Date, primary_key=True),
    Column("rating", Integer),
    Column("change", Integer, nullable=False, default=0),
    Column("games", Integer, nullable=False, default=0),
    Column("k", Integer),
    Column("note", String(20), nullable=False, default=""),
    Index("history_by_player", "player", "system", "list_date"),
)
"""A player's ratings: one row for each list on which something changed for them."""

rated_tournaments = Table(
    "rated_tournaments",
    metadata,
    Column("system", String(20), primary_key=True),
    Column("list_date", Date, primary_key=True),
    Column("tournament", ForeignKey("tournaments.id"), primary_key=True),
    Column("row", Integer, nullable=False),
    Index("rated_by_tournament", "tournament"),
)
"""Where a tournament stands among those of a list: `row` is its number in the calculations."""
