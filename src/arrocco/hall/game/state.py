"""The state of a game: what its log amounts to so far, as a value that is never changed."""

from __future__ import annotations

from enum import StrEnum

import msgspec

from arrocco.hall.clock import Clock
from arrocco.hall.game.events import Act, Created, Moved, Note
from arrocco.hall.game.position import Board, Seen
from arrocco.hall.game.premove import Premove
from arrocco.hall.game.records import (
    Cause,
    Channel,
    InspectionPoint,
    Pair,
    Permission,
    Reason,
    Rules,
    SeatedPlayer,
)
from arrocco.laws.online.side import Side


class Phase(StrEnum):
    """Where a game stands."""

    WAITING = "waiting"
    """Paired, not yet started."""
    RUNNING = "running"
    PAUSED = "paused"
    ENDED = "ended"


class Gap(msgspec.Struct, frozen=True):
    """A stretch of the game without connection."""

    start: int
    end: int
    cause: Cause


class Line(msgspec.Struct, frozen=True):
    """A player's connection to a channel: `lost` tells since when it is gone."""

    on: bool = False
    lost: int | None = None
    cause: Cause = Cause.PLAYER
    gaps: tuple[Gap, ...] = ()


class Seat(msgspec.Struct, frozen=True):
    """A side of the board and who plays it."""

    player: SeatedPlayer
    joined: int | None = None
    """When the player came, since the start; `None` for one who has not come (1.3.5)."""
    platform: Line = Line()
    vcs: Line = Line()
    focus: Line = Line(on=True)
    """8.3 — whether the board's window has the keyboard, as far as it is known."""
    reconnect_by: int | None = None
    """The last moment to be back (7.7)."""
    premove: Premove | None = None
    auto_queen: bool = False
    assistant: str = ""
    chat_blocked: bool = False

    def line(self, channel: Channel) -> Line:
        return self.platform if channel is Channel.PLATFORM else self.vcs


class Offer(msgspec.Struct, frozen=True):
    """An offer of a draw, beside the move before that ply."""

    side: Side
    ply: int


class Ending(msgspec.Struct, frozen=True):
    """How the game ended, as it counts now; `number` is that of the event that says so."""

    scores: Pair
    half_points: Pair
    reason: Reason
    article: str
    side: Side | None
    proof: str
    number: int
    by_server: bool = True
    """Whether no arbiter has declared or changed it."""
    before: Ending | None = None
    """What an arbiter has changed into this; it counts again where that is withdrawn."""


class Numbered(msgspec.Struct, frozen=True):
    """An arbiter's act with its number in the log.

    `concerns` is the player it was about, where it was about one: sides can change (11.2).
    """

    number: int
    act: Act
    concerns: str = ""


class Call(msgspec.Struct, frozen=True):
    """A call for the arbiter by a player, and whether it was answered."""

    number: int
    caller: str
    at: int
    text: str
    answered: bool = False


class Request(msgspec.Struct, frozen=True):
    """A permission that a player asked for, or was given unasked; `granted` once it is answered."""

    number: int
    player: str
    permission: Permission
    at: int
    text: str
    granted: bool | None = None


class Inspection(msgspec.Struct, frozen=True):
    """Something that a player was asked to show: when, what they said to it, and what was seen.

    `shows` is the player's answer, `in_order` the arbiter's finding, which closes it.
    """

    number: int
    player: str
    point: InspectionPoint
    at: int
    shows: bool | None = None
    answered: int | None = None
    text: str = ""
    in_order: bool | None = None
    closed: int | None = None


class ChatLine(msgspec.Struct, frozen=True):
    """5.2 — a line between a player and the arbiters; `by` is whoever of them said it."""

    number: int
    at: int
    player: str
    by: str
    text: str

    @property
    def by_player(self) -> bool:
        return self.by == self.player


class Earlier(msgspec.Struct, frozen=True):
    """A game of the same log that was given up for a new one."""

    white: SeatedPlayer
    black: SeatedPlayer
    moves: tuple[Moved, ...]


class Frame(msgspec.Struct, frozen=True):
    """What there was to see from a moment on, kept for spectators who see it later."""

    at: int
    made: int
    phase: Phase
    board: Board
    last: Moved | None
    clock: Clock
    outcome: Ending | None


class State(msgspec.Struct, frozen=True, kw_only=True):
    """Everything a log has said. `number` is that of the event to come."""

    created: Created
    number: int
    last_at: int
    phase: Phase
    white: Seat
    black: Seat
    clock: Clock
    board: Board
    seen: Seen
    moves: tuple[Moved, ...] = ()
    made: int = 0
    """The moves made since the log began, taken back or not."""
    offer: Offer | None = None
    offers: tuple[Offer, ...] = ()
    flagged: Side | None = None
    started: int | None = None
    tolerance_ends: int | None = None
    stopped: int | None = None
    """Since when the clocks are paused."""
    outcome: Ending | None = None
    acts: tuple[Numbered, ...] = ()
    withdrawn: frozenset[int] = frozenset()
    calls: tuple[Call, ...] = ()
    requests: tuple[Request, ...] = ()
    inspections: tuple[Inspection, ...] = ()
    notes: tuple[Note, ...] = ()
    chat: tuple[ChatLine, ...] = ()
    earlier: tuple[Earlier, ...] = ()
    frames: tuple[Frame, ...] = ()
    is_supervised: bool = True
    """9.1f — whether the video server is there, so that somebody can be in the conference."""

    @property
    def rules(self) -> Rules:
        return self.created.rules

    @property
    def ply(self) -> int:
        """The half moves made so far."""
        return len(self.moves)

    @property
    def turn(self) -> Side:
        return self.clock.turn

    @property
    def is_on(self) -> bool:
        """Whether the game has started and not ended, paused or not."""
        return self.phase in (Phase.RUNNING, Phase.PAUSED)

    def seat(self, side: Side) -> Seat:
        return self.white if side is Side.WHITE else self.black

    def needs_vcs(self, side: Side) -> bool:
        """9.1 — whether a player is to be in the video conference."""
        is_watched = self.rules.vcs_required or self.seat(side).player.id in self.rules.watched
        return self.is_supervised and is_watched

    def moves_by(self, side: Side) -> int:
        return (self.ply + (side is Side.WHITE)) // 2

    def side_of(self, person: str) -> Side | None:
        """The side a person plays, or moves the pieces for."""
        if not person:
            return None
        if person in (self.white.player.id, self.white.assistant):
            return Side.WHITE
        if person in (self.black.player.id, self.black.assistant):
            return Side.BLACK
        return None

    def side_of_player(self, player: str) -> Side:
        """The side of one of the two players."""
        return Side.WHITE if self.white.player.id == player else Side.BLACK

    def act(self, number: int | None) -> Act | None:
        """The act of that number, unless it was withdrawn."""
        if number in self.withdrawn:
            return None
        return next((act.act for act in self.acts if act.number == number), None)
