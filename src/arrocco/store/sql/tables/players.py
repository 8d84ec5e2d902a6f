"""What is told and asked: mail, questions, what is followed, programs, the committee."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Column,
    Date,
    ForeignKey,
    Index,
    Integer,
    String,
    Table,
    Text,
)

from arrocco.store.sql.tables.base import Id, metadata

# --- mail ----------------------------------------------------------------------------------------

mails = Table(
    "mails",
    metadata,
    Column("id", Id, primary_key=True),
    Column("kind", String(40), nullable=False),
    Column("account", ForeignKey("accounts.id")),
    Column("address", String(254), nullable=False),
    Column("language", String(2), nullable=False),
    Column("params", Text, nullable=False),
    Column("message_id", String(100), nullable=False, unique=True),
    Column("state", String(20), nullable=False),
    Column("queued_at", String(40), nullable=False),
    Column("due_at", String(40), nullable=False),
    Column("attempts", Integer, nullable=False, default=0),
    Column("said", String(300), nullable=False, default=""),
    Column("ended_at", String(40)),
    Index("mails_by_state", "state", "due_at"),
    Index("mails_by_address", "address", "queued_at"),
    Index("mails_by_moment", "queued_at"),
)
"""The spool; `params` is what the words mention, in JSON, and `said` what the mail server said."""

mail_choices = Table(
    "mail_choices",
    metadata,
    Column("account", ForeignKey("accounts.id"), primary_key=True),
    Column("token", String(64), nullable=False, unique=True),
    Column("refused", Text, nullable=False, default="[]"),
)
"""What an account does not want, and the token of its mails by which it says so without log-in."""

# --- players and programs ------------------------------------------------------------------------

questions = Table(
    "questions",
    metadata,
    Column("id", Id, primary_key=True),
    Column("account", ForeignKey("accounts.id"), nullable=False),
    Column("player", BigInteger, nullable=False),
    Column("system", String(20), nullable=False),
    Column("list_date", Date, nullable=False),
    Column("tournament", ForeignKey("tournaments.id"), nullable=False),
    Column("round", Integer, nullable=False),
    Column("text", Text, nullable=False),
    Column("state", String(20), nullable=False),
    Column("asked_at", String(40), nullable=False),
    Column("due_at", String(40), nullable=False),
    Column("answer", Text, nullable=False, default=""),
    Column("answered_by", ForeignKey("accounts.id")),
    Column("answered_at", String(40)),
    Column("correction", BigInteger),
    Index("questions_by_account", "account", "id"),
    Index("questions_by_state", "state", "due_at"),
    Index("questions_by_correction", "correction"),
)
"""What somebody says is wrong in a game of a receipt; `correction` is a place in the ledger."""

follows = Table(
    "follows",
    metadata,
    Column("account", ForeignKey("accounts.id"), primary_key=True),
    Column("kind", String(20), primary_key=True),
    Column("subject", String(40), primary_key=True),
    Column("made_at", String(40), nullable=False),
    Index("follows_by_subject", "kind", "subject"),
)
"""Who is told by mail of a player (by number), a list (by system) or a tournament (by number)."""

webhooks = Table(
    "webhooks",
    metadata,
    Column("id", Id, primary_key=True),
    Column("account", ForeignKey("accounts.id"), nullable=False),
    Column("url", String(500), nullable=False),
    Column("secret", String(64), nullable=False),
    Column("made_at", String(40), nullable=False),
    Column("stopped_at", String(40)),
    Index("webhooks_by_account", "account"),
)
"""Programs that are told what is published; `secret` signs what they are told."""

webhook_calls = Table(
    "webhook_calls",
    metadata,
    Column("id", Id, primary_key=True),
    Column("webhook", ForeignKey("webhooks.id"), nullable=False),
    Column("event", String(32), nullable=False),
    Column("body", Text, nullable=False),
    Column("state", String(20), nullable=False),
    Column("queued_at", String(40), nullable=False),
    Column("due_at", String(40), nullable=False),
    Column("attempts", Integer, nullable=False, default=0),
    Column("said", String(300), nullable=False, default=""),
    Column("ended_at", String(40)),
    Index("webhook_calls_by_state", "state", "due_at"),
    Index("webhook_calls_by_webhook", "webhook", "id"),
)

invitation_links = Table(
    "invitation_links",
    metadata,
    Column("id", Id, primary_key=True),
    Column("token_hash", String(64), nullable=False, unique=True),
    Column("role", String(40), nullable=False),
    Column("federation", String(3), nullable=False, default=""),
    Column("cap", Integer, nullable=False),
    Column("used", Integer, nullable=False, default=0),
    Column("made_by", ForeignKey("accounts.id")),
    Column("made_at", String(40), nullable=False),
    Column("expires_at", String(40), nullable=False),
    Column("withdrawn_at", String(40)),
)
"""Links by which so many people may have themselves invited, until a day."""

# --- the Fair Play Committee ---------------------------------------------------------------------

committee_members = Table(
    "committee_members",
    metadata,
    Column("id", Id, primary_key=True),
    Column("account", ForeignKey("accounts.id"), nullable=False),
    Column("seat", String(30), nullable=False),
    Column("category", String(10), nullable=False, default=""),
    Column("resolution", String(300), nullable=False),
    Column("since", String(40), nullable=False),
    Column("until", String(40)),
    Column("named_by", ForeignKey("accounts.id")),
    Column("named_at", String(40), nullable=False),
    Column("ended_at", String(40)),
    Column("ended_by", ForeignKey("accounts.id")),
    Column("ended_reason", Text, nullable=False, default=""),
    Index("committee_members_by_account", "account"),
)
"""13.1 — who held which seat from when until when; rows are ended, never taken away."""

committee_records = Table(
    "committee_records",
    metadata,
    Column("case", Id, primary_key=True, autoincrement=False),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("event", String(32), nullable=False),
    Column("account", ForeignKey("accounts.id"), nullable=False),
    Column("at", String(40), nullable=False),
    Column("body", Text, nullable=False),
    Index("committee_records_by_event", "event"),
)
"""13 — the cases of the committee, one record after another; rows are only added."""

dismissed_alarms = Table(
    "dismissed_alarms",
    metadata,
    Column("id", Id, primary_key=True),
    Column("event", String(32), nullable=False),
    Column("entry", Integer, nullable=False),
    Column("games", Text, nullable=False),
    Column("account", ForeignKey("accounts.id"), nullable=False),
    Column("at", String(40), nullable=False),
    Column("reason", Text, nullable=False),
    Index("dismissed_alarms_by_event", "event"),
)
"""12.2 — alarms about a player that a person has dismissed, with the games they rested on."""
