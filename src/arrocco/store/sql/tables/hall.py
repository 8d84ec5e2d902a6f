"""What the playing hall leaves in the database of its office."""

from __future__ import annotations

from sqlalchemy import (
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

from arrocco.store.sql.tables.base import Id, Stream, metadata

hall_events = Table(
    "hall_events",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("name", String(300), nullable=False),
    Column("owner", ForeignKey("accounts.id"), nullable=False),
    Column("status", String(20), nullable=False),
    Column("start", Date, nullable=False),
    Column("created_at", String(40), nullable=False),
    Index("hall_events_by_start", "start"),
)

championships = Table(
    "championships",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("name", String(200), nullable=False),
    Column("key", String(200), nullable=False, unique=True),
    Column("rule", String(20), nullable=False),
    Column("best", Integer, nullable=False),
    Column("points", String(200), nullable=False),
    Column("made_by", ForeignKey("accounts.id"), nullable=False),
    Column("made_at", String(40), nullable=False),
)
"""Several events with one standing; `key` is the name as events compare it, in small letters.

Which players are excluded from one, and that an event belongs to it, is in the events' logs.
"""

championship_events = Table(
    "championship_events",
    metadata,
    Column("event", ForeignKey("hall_events.id"), primary_key=True),
    Column("championship", ForeignKey("championships.id"), nullable=False),
    Column("number", Integer, nullable=False),
    Index("championship_events_by_number", "championship", "number", unique=True),
)

hall_log = Table(
    "hall_log",
    metadata,
    Column("stream", Stream, primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("body", Text, nullable=False),
    Column("chain", Stream, nullable=False),
    Column("link", Integer, nullable=False),
    Column("previous", String(64), nullable=False),
    Column("hash", String(64), nullable=False),
    UniqueConstraint("chain", "link", name="hall_log_by_chain"),
)
"""The logs of events and games; a stream is ``event:<id>``, ``game:<id>`` or ``receipts:<id>``.

`chain` and `link` are the place among all records of an event, see `arrocco.hall.chain`.
"""

hall_heads = Table(
    "hall_heads",
    metadata,
    Column("stream", Stream, primary_key=True),
    Column("number", Integer, nullable=False),
    Column("chain", Stream, nullable=False),
    Column("link", Integer, nullable=False),
    Column("hash", String(64), nullable=False),
)
"""The last record of every stream: it tells when the end of a log, or all of it, is gone."""

hall_anchors = Table(
    "hall_anchors",
    metadata,
    Column("chain", Stream, primary_key=True),
    Column("link", Integer, nullable=False),
    Column("hash", String(64), nullable=False),
    Column("at", String(40), nullable=False),
)
"""A record that each chain of the hall is known to have had: an older log put back lacks it."""

watched_games = Table(
    "watched_games",
    metadata,
    Column("game", String(64), primary_key=True),
    Column("nodes", Integer, primary_key=True, autoincrement=False),
    Column("event", ForeignKey("hall_events.id"), nullable=False),
    Column("plies", Integer, nullable=False),
    Column("is_over", Boolean, nullable=False),
    Column("done", Integer, nullable=False),
    Column("digest", String(64), nullable=False),
    Column("setting", Text, nullable=False),
    Column("positions", Text, nullable=False),
    Column("taken_by", String(32), nullable=False),
    Column("taken_until", String(40), nullable=False),
    Column("chain", Text, nullable=False, server_default=""),
    Index("watched_games_by_event", "event", "nodes"),
)
"""12.1 — how far an engine has analysed each game, at so many nodes; the games have the rest.

`done` half moves of `plies` that may be looked at by now; `digest` is of the moves behind `done`;
`chain` has the hashes of the positions, none where an older program wrote them.
"""

player_files = Table(
    "player_files",
    metadata,
    Column("id", Id, primary_key=True),
    Column("event", ForeignKey("hall_events.id"), nullable=False),
    Column("entry", Integer, nullable=False),
    Column("nodes", Integer, nullable=False),
    Column("screen_nodes", Integer, nullable=False),
    Column("games", Text, nullable=False),
    Column("account", ForeignKey("accounts.id"), nullable=False),
    Column("at", String(40), nullable=False),
    Index("player_files_by_player", "event", "entry"),
)
"""12.2 — files of players that chief arbiter or committee asked for: which games, how deep.

`games` says how many records of each game's log are meant, so that a file stays what it was.
"""

filing_papers = Table(
    "filing_papers",
    metadata,
    Column("id", Id, primary_key=True),
    Column("event", ForeignKey("hall_events.id"), nullable=False),
    Column("account", ForeignKey("accounts.id"), nullable=False),
    Column("name", String(200), nullable=False),
    Column("media_type", String(100), nullable=False),
    Column("blob", String(64), nullable=False),
    Column("size", Integer, nullable=False),
    Column("at", String(40), nullable=False),
    Index("filing_papers_by_event", "event"),
)
"""12.10 — files that came with complaints and appeals; the event's log names them by `blob`."""
