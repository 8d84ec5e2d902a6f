"""What can happen in a game: the events of its log, each with the moment it happened.

An event is a fact: it holds what came of it (the clocks after a move, the scores of an end), so
that a log tells its game without being computed again. `ply` counts the half moves made before:
the first move has ply 0, and the position at ply 10 is the one after ten half moves.
"""

from __future__ import annotations

from datetime import date
from enum import Enum, auto
from typing import Any, ClassVar, Literal

import msgspec

from arrocco.hall.game.records import (
    Cause,
    Channel,
    Cleared,
    Count,
    Pair,
    Permission,
    Reason,
    Rules,
    SeatedPlayer,
)
from arrocco.laws.online.side import Side


def tag_of(name: str) -> str:
    """The name of a class as it stands in a log: ``DrawOffered`` is ``draw_offered``."""
    return "".join(f"_{c.lower()}" if c.isupper() else c for c in name).removeprefix("_")


class SeenBy(Enum):
    """Who may see an event, at the moment it happens; arbiters see all but what is `ALONE`."""

    EVERYBODY = auto()
    """5.17 — position, time and result; what an arbiter did shows in these, without reasons."""
    PLAYERS = auto()
    ITS_PLAYER = auto()
    """Who is at its `side`; both players where it has none."""
    ITS_PLAYER_ALONE = auto()
    """1.2a — a premove is its owner's secret, even from the arbiter, until it is a move."""
    ARBITERS = auto()


class Event(
    msgspec.Struct,
    frozen=True,
    kw_only=True,
    tag_field="type",
    tag=tag_of,
    forbid_unknown_fields=True,
):
    """Something that happened at a moment of the server's time, in milliseconds."""

    SEEN_BY: ClassVar[SeenBy]

    at: int
    v: Literal[1] = 1
    """The version of the log's format that this event is written in."""


# --- the start ------------------------------------------------------------------------------------


class Created(Event, frozen=True, kw_only=True):
    """Two players are paired; `control` is the code of a time control, as ``180+2``."""

    SEEN_BY = SeenBy.EVERYBODY

    game: str
    white: SeatedPlayer
    black: SeatedPlayer
    control: str
    rules: Rules
    event: str = ""
    site: str = ""
    day: date | None = None
    round: int = 0
    board: int = 0


class Started(Event, frozen=True, kw_only=True):
    """The session begins: White's time runs, whoever is there (1.3.5)."""

    SEEN_BY = SeenBy.EVERYBODY


class Joined(Event, frozen=True, kw_only=True):
    """A player is there for the first time since the start (1.3.5)."""

    SEEN_BY = SeenBy.PLAYERS

    side: Side


class Connected(Event, frozen=True, kw_only=True):
    """A player is connected, or is again (7.6)."""

    SEEN_BY = SeenBy.PLAYERS

    side: Side
    channel: Channel = Channel.PLATFORM


class Disconnected(Event, frozen=True, kw_only=True):
    """A player has lost the connection; the clock runs on (7.5)."""

    SEEN_BY = SeenBy.PLAYERS

    side: Side
    channel: Channel = Channel.PLATFORM
    cause: Cause = Cause.PLAYER


class SupervisionSet(Event, frozen=True, kw_only=True):
    """9.1f — the video server is gone, by no fault of a player: no move waits for the conference
    until it is back."""

    SEEN_BY = SeenBy.PLAYERS

    on: bool


class FocusChanged(Event, frozen=True, kw_only=True):
    """8.3 — another window than the board's has the player's keyboard, or no longer; as the
    player's browser told the video server."""

    SEEN_BY = SeenBy.ARBITERS

    side: Side
    on: bool


# --- moves ----------------------------------------------------------------------------------------


class Moved(Event, frozen=True, kw_only=True, gc=False):
    """A move was completed (1.3.2): what it took and what both clocks show after it.

    Nothing in it can lead back to it, and there are more of it than of all else in a hall: whoever
    looks for garbage need not look here.
    """

    SEEN_BY = SeenBy.EVERYBODY

    side: Side
    ply: Count
    uci: str
    spent: Count
    white: Count
    black: Count
    premove: bool = False
    assistant: str = ""


class PremoveSet(Event, frozen=True, kw_only=True):
    """A player chose the answer at exactly that ply, before the opponent's move (1.2a)."""

    SEEN_BY = SeenBy.ITS_PLAYER_ALONE

    side: Side
    ply: Count
    uci: str


class PremoveCleared(Event, frozen=True, kw_only=True):
    """A premove is held no more, and why."""

    SEEN_BY = SeenBy.ITS_PLAYER_ALONE

    side: Side
    ply: Count
    why: Cleared


class PremoveExecuted(Event, frozen=True, kw_only=True):
    """A premove is legal and is played at once: the move follows (1.2a)."""

    SEEN_BY = SeenBy.ITS_PLAYER_ALONE

    side: Side
    ply: Count
    uci: str


class AutoQueenSet(Event, frozen=True, kw_only=True):
    """A player wants pawns promoted to queens without being asked, or no longer (1.2b)."""

    SEEN_BY = SeenBy.ITS_PLAYER

    side: Side
    on: bool


# --- draws, resignation, time, end ----------------------------------------------------------------


class DrawOffered(Event, frozen=True, kw_only=True):
    """An offer that stands beside the move before it (2.3)."""

    SEEN_BY = SeenBy.PLAYERS

    side: Side
    ply: Count


class DrawAccepted(Event, frozen=True, kw_only=True):
    """A player agrees to the opponent's offer (2.2e)."""

    SEEN_BY = SeenBy.PLAYERS

    side: Side


class DrawRefused(Event, frozen=True, kw_only=True):
    """A player refuses the opponent's offer by playing the move that follows (2.3)."""

    SEEN_BY = SeenBy.PLAYERS

    side: Side
    ply: Count


class Resigned(Event, frozen=True, kw_only=True):
    """A player gives up (2.1a)."""

    SEEN_BY = SeenBy.PLAYERS

    side: Side


class Flagged(Event, frozen=True, kw_only=True):
    """A player's time is over (1.3.4)."""

    SEEN_BY = SeenBy.PLAYERS

    side: Side


class Ended(Event, frozen=True, kw_only=True):
    """The game is over.

    `scores` are in the unit of the event's scoring, `half_points` are for a rating. `side` is the
    one whose time, absence or resignation ended it, where there is one. `proof` tells why mate was,
    or was not, possible where that decided the end.
    """

    SEEN_BY = SeenBy.EVERYBODY

    scores: Pair
    half_points: Pair
    reason: Reason
    article: str
    side: Side | None = None
    proof: str = ""


# --- calls and notes ------------------------------------------------------------------------------


class ArbiterCalled(Event, frozen=True, kw_only=True):
    """A player asks for the arbiter (11.1)."""

    SEEN_BY = SeenBy.ITS_PLAYER

    side: Side
    text: str = ""


class PermissionAsked(Event, frozen=True, kw_only=True):
    """A player asks to be allowed something (5.3, 5.6, 7.2, 7.8)."""

    SEEN_BY = SeenBy.ITS_PLAYER

    side: Side
    permission: Permission
    text: str = ""


class InspectionAnswered(Event, frozen=True, kw_only=True):
    """5.10, 12.4 — a player says that they show what was asked in that event, or refuse to."""

    SEEN_BY = SeenBy.ITS_PLAYER

    side: Side
    inspection: Count
    shows: bool
    text: str = ""


class Note(Event, frozen=True, kw_only=True):
    """Something for the arbiter to know: a text, or a key where the server itself speaks."""

    SEEN_BY = SeenBy.ARBITERS

    by: str = ""
    text: str = ""
    key: str = ""


class Said(Event, frozen=True, kw_only=True):
    """A line of the chat between a player, `side`, and the arbiters (5.2), by either of them."""

    SEEN_BY = SeenBy.ITS_PLAYER

    side: Side
    by: str
    text: str


# --- what an arbiter does: each act is a module of `hall.game.acts` -------------------------------


class Detail(msgspec.Struct, frozen=True, omit_defaults=True):
    """Something of an act to be shown, by its `kind`; `after` is what it became.

    A ``clock`` and ``clocks`` are in milliseconds, ``scores`` White first, ``euro`` in cents,
    ``stood`` from one moment to another, a ``position`` by half moves, ``rounds`` how many, a
    ``word`` a key of the page, a ``said`` any key, a ``text`` as it is.
    """

    kind: str
    value: Any
    after: Any = None
    sign: str = ""


class Act(Event, frozen=True, kw_only=True):
    """What an arbiter did, by which article and why.

    Where the server acts by itself `by` is empty and `reason` is a key. `corrects` is the number of
    the event (its place in the log, from 0) that this one sets right.
    """

    by: str
    reason: str
    article: str
    corrects: Count | None = None

    def details(self) -> tuple[Detail, ...]:
        """How much of it, for whoever shows it: a time, a score, an amount."""
        return ()
