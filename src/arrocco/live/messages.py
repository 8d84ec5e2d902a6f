"""What goes over a socket, both ways: JSON objects, each with its `type`.

Who asks is never part of a message. Whatever changes something has an `id` of the client's own, so
that a message sent again after a lost connection is answered again and not done again.
"""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from msgspec import Meta, Raw, Struct, field

from arrocco.hall.event.record import Record
from arrocco.hall.event.records import Result
from arrocco.hall.game.events import Event
from arrocco.hall.game.state import Offer, Phase
from arrocco.hall.game.view import ClockView, ResultView, View
from arrocco.laws.online.side import Side

PROTOCOL = 1
MAX_BYTES = 4096
"""The longest message a client can send."""

Name = Annotated[str, Meta(min_length=1, max_length=64)]
"""A game, an event, or the number a client gives its message."""


# --- from clients ---------------------------------------------------------------------------------


class FromClient(Struct, frozen=True, kw_only=True, tag_field="type", forbid_unknown_fields=True):
    """Something a client says."""


class Join(FromClient, frozen=True, kw_only=True, tag="join"):
    """Shows a game, from a seat where one has one; as a spectator on demand."""

    game: Name
    looking_on: bool = False


class Leave(FromClient, frozen=True, kw_only=True, tag="leave"):
    game: Name


class GameCommand(FromClient, frozen=True, kw_only=True, tag="game_command"):
    """A command of a player or an act of an arbiter, as `arrocco.hall.game.wire` reads them.

    `ply` binds an offer of a draw, or its acceptance, to the position it was meant for.
    """

    id: Name
    game: Name
    command: Raw
    ply: int | None = None


class EarlierGameCommand(GameCommand, frozen=True, kw_only=True, tag="wish"):
    """The same under the name it had first: programs of others still say it."""

    command: Raw = field(name="wish")


class WatchEvent(FromClient, frozen=True, kw_only=True, tag="event"):
    """Tells what happens in an event: pairings, starts of rounds, results."""

    event: Name


class WatchWall(FromClient, frozen=True, kw_only=True, tag="wall"):
    """Shows an arbiter all the boards they watch (6.3)."""

    event: Name


class WatchBoards(FromClient, frozen=True, kw_only=True, tag="boards"):
    """Shows boards of an event's round, from one number to another, as spectators see them."""

    event: Name
    first: Annotated[int, Meta(ge=1, le=10_000)] = 1
    last: Annotated[int, Meta(ge=1, le=10_000)] = 48


class WallCommand(FromClient, frozen=True, kw_only=True, tag="wall_command"):
    """An act at many boards of an arbiter's: at all, or at those named."""

    id: Name
    event: Name
    boards: Annotated[tuple[int, ...], Meta(max_length=500)] | None = None
    command: Raw


class EarlierWallCommand(WallCommand, frozen=True, kw_only=True, tag="wall_wish"):
    """The same under the name it had first."""

    command: Raw = field(name="wish")


class Ask(FromClient, frozen=True, kw_only=True, tag="command"):
    """A command to an event, as `arrocco.hall.event.acts` has them, without `by`."""

    id: Name
    event: Name
    command: Raw


class Chat(FromClient, frozen=True, kw_only=True, tag="chat"):
    """5.2 — a line to the arbiters of a game or an event; an arbiter says to whom it is."""

    id: Name
    text: str
    game: Annotated[str, Meta(max_length=64)] = ""
    event: Annotated[str, Meta(max_length=64)] = ""
    to: Side | None = None
    """The player of a game that an arbiter writes to."""
    entry: int | None = None
    """The player of an event that an arbiter writes to."""


class Ping(FromClient, frozen=True, kw_only=True, tag="ping"):
    """Asks for the server's time; how long the answer takes is the lag to be shown."""

    id: Name


Said = (
    Join
    | Leave
    | GameCommand
    | EarlierGameCommand
    | WatchEvent
    | WatchWall
    | WatchBoards
    | WallCommand
    | EarlierWallCommand
    | Ask
    | Chat
    | Ping
)
read = msgspec.json.Decoder(Said).decode


# --- from the server ------------------------------------------------------------------------------


class FromServer(Struct, frozen=True, kw_only=True, tag_field="type"):
    """Something the server says."""


class Welcome(FromServer, frozen=True, kw_only=True, tag="welcome"):
    """The first message: who the server takes the client for, and the time."""

    protocol: int = PROTOCOL
    name: str
    signed_in: bool
    now: int


class Shown(FromServer, frozen=True, kw_only=True, tag="view"):
    """All of a game that this person may see. `number` counts what they were told of it so far."""

    game: str
    number: int
    now: int
    view: View


class Update(FromServer, frozen=True, kw_only=True, tag="update"):
    """What has happened since `number - len(events)`, and what the game looks like now."""

    game: str
    number: int
    now: int
    events: tuple[Event, ...]
    phase: Phase
    clock: ClockView
    offer: Offer | None
    legal: tuple[str, ...] = ()
    """The moves open to the player who is told, where it is their turn."""


class Done(FromServer, frozen=True, kw_only=True, tag="done"):
    """The message of that id was granted and is written; `again` if it had been before."""

    id: str
    again: bool = False
    now: int


class WallDone(FromServer, frozen=True, kw_only=True, tag="wall_done"):
    """An act at many boards: at how many it was done, and at which it was refused, with why."""

    id: str
    now: int
    done: int
    refused: tuple[tuple[int, str], ...]


class Refused(FromServer, frozen=True, kw_only=True, tag="refused"):
    """A message was refused; `key` and `article` are for programs, `text` and `do` for people.

    `field` is the one of the message that is meant, where it is one. `retry_after` are seconds,
    where the server is at fault and it is worth sending it again.
    """

    id: str = ""
    key: str
    article: str = ""
    text: str
    do: str
    field: str = ""
    now: int
    retry_after: int | None = None


class Pong(FromServer, frozen=True, kw_only=True, tag="pong"):
    id: str
    now: int


class ChatLine(Struct, frozen=True, kw_only=True):
    """A line of the chat; `number` counts those of one player, `side` or `entry`, from 1."""

    number: int
    at: int
    side: Side | None = None
    entry: int | None = None
    by_arbiter: bool
    name: str
    text: str


class ChatShown(FromServer, frozen=True, kw_only=True, tag="chat"):
    """5.2 — lines for a player or for the arbiters; `whole` where they replace those shown."""

    game: str = ""
    event: str = ""
    now: int
    whole: bool = False
    lines: tuple[ChatLine, ...]


class AnnouncementShown(FromServer, frozen=True, kw_only=True, tag="announcement"):
    """What the officials say to all players of an event, at their boards."""

    event: str
    now: int
    text: str


class Closed(FromServer, frozen=True, kw_only=True, tag="closed"):
    """A game or a wall is no longer shown: one may not see it any more."""

    game: str = ""
    event: str = ""


class EventBoard(Struct, frozen=True, kw_only=True):
    """A board of a round, as everybody sees it."""

    board: int
    game: str
    white: int
    black: int
    result: Result | None = None


class EventShown(FromServer, frozen=True, kw_only=True, tag="event"):
    """An event as it stands: its last round, and one's own place in it."""

    event: str
    name: str
    now: int
    number: int
    round: int
    phase: str
    starts: str = ""
    boards: tuple[EventBoard, ...]
    entry: int | None = None
    game: str = ""
    role: str = ""
    closed: bool = False
    written: int = 0
    """How many records the event's log has: whoever takes part sees whether their page has all.
    Others are not told; it would count results for them (5.17)."""


class EntriesChanged(Record, frozen=True, kw_only=True):
    """Somebody entered, came or left; who it was is on the page, as far as everybody may know."""


class EventUpdate(FromServer, frozen=True, kw_only=True, tag="event_update"):
    """Public records of an event's log, as they happen."""

    event: str
    number: int
    now: int
    records: tuple[Any, ...]


class WallBoard(Struct, frozen=True, kw_only=True):
    """A board on the arbiter's wall."""

    game: str
    round: int
    board: int
    white: str
    black: str
    phase: Phase
    fen: str
    last: str
    clock: ClockView
    connected: tuple[bool, bool]
    on_vcs: tuple[bool, bool]
    offer: Side | None
    calls: int
    refused: tuple[int, int]
    """How many messages of each player were refused: out of turn, malformed, too many."""
    alarms: tuple[Any, ...]
    result: ResultView | None


class Wall(FromServer, frozen=True, kw_only=True, tag="wall"):
    """Boards that have changed, and all games of the wall by urgency where the order has."""

    event: str
    now: int
    boards: tuple[Raw, ...]
    order: tuple[str, ...] | None = None


class BoardChange(Struct, frozen=True, kw_only=True):
    """5.17 — what those who look on see of a board that has changed; clocks as of `at`."""

    board: int
    at: int
    phase: Phase
    fen: str
    last: str
    clock: ClockView
    scores: tuple[int, int] | None


class LiveBoard(BoardChange, frozen=True, kw_only=True):
    """The same with what does not change."""

    game: str
    white: str
    black: str


class LiveBoards(FromServer, frozen=True, kw_only=True, tag="boards"):
    """Boards of the round for those who look on: all they asked for, or what has changed."""

    event: str
    now: int
    round: int
    total: int
    """How many boards the round has."""
    whole: bool
    boards: tuple[Raw, ...]


encode = msgspec.json.Encoder().encode
