"""What can happen in a game: the events of its log, each with the moment it happened.

An event is a fact: it holds what came of it (the clocks after a move, the scores of an end), so
that a log tells its game without being computed again. `ply` counts the half moves made before:
the first move has ply 0, and the position at ply 10 is the one after ten half moves.
"""

from __future__ import annotations

from datetime import date
from typing import Literal

import msgspec

from arrocco.hall.log.records import (
    Card,
    Cause,
    Channel,
    Cleared,
    Count,
    Pair,
    Player,
    Reason,
    Rules,
)
from arrocco.laws.online.sanctions import Scope
from arrocco.laws.online.side import Side


def _tag(name: str) -> str:
    """The name of a class as it stands in a log: ``DrawOffered`` is ``draw_offered``."""
    return "".join(f"_{c.lower()}" if c.isupper() else c for c in name).removeprefix("_")


class Event(
    msgspec.Struct,
    frozen=True,
    kw_only=True,
    tag_field="type",
    tag=_tag,
    forbid_unknown_fields=True,
):
    """Something that happened at a moment of the server's time, in milliseconds."""

    at: int
    v: Literal[1] = 1
    """The version of the log's format that this event is written in."""


# --- the start ------------------------------------------------------------------------------------


class Created(Event, frozen=True, kw_only=True):
    """Two players are paired; `control` is the code of a time control, as ``180+2``."""

    game: str
    white: Player
    black: Player
    control: str
    rules: Rules
    event: str = ""
    site: str = ""
    day: date | None = None
    round: int = 0
    board: int = 0


class Started(Event, frozen=True, kw_only=True):
    """The session begins: White's time runs, whoever is there (1.3.5)."""


class Joined(Event, frozen=True, kw_only=True):
    """A player is there for the first time since the start (1.3.5)."""

    side: Side


class Connected(Event, frozen=True, kw_only=True):
    """A player is connected, or is again (7.6)."""

    side: Side
    channel: Channel = Channel.PLATFORM


class Disconnected(Event, frozen=True, kw_only=True):
    """A player has lost the connection; the clock runs on (7.5)."""

    side: Side
    channel: Channel = Channel.PLATFORM
    cause: Cause = Cause.PLAYER


# --- moves ----------------------------------------------------------------------------------------


class Moved(Event, frozen=True, kw_only=True, gc=False):
    """A move was completed (1.3.2): what it took and what both clocks show after it.

    Nothing in it can lead back to it, and there are more of it than of all else in a hall: whoever
    looks for garbage need not look here.
    """

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

    side: Side
    ply: Count
    uci: str


class PremoveCleared(Event, frozen=True, kw_only=True):
    """A premove is held no more, and why."""

    side: Side
    ply: Count
    why: Cleared


class PremoveExecuted(Event, frozen=True, kw_only=True):
    """A premove is legal and is played at once: the move follows (1.2a)."""

    side: Side
    ply: Count
    uci: str


class AutoQueenSet(Event, frozen=True, kw_only=True):
    """A player wants pawns promoted to queens without being asked, or no longer (1.2b)."""

    side: Side
    on: bool


# --- draws, resignation, time, end ----------------------------------------------------------------


class DrawOffered(Event, frozen=True, kw_only=True):
    """An offer that stands beside the move before it (2.3)."""

    side: Side
    ply: Count


class DrawAccepted(Event, frozen=True, kw_only=True):
    """A player agrees to the opponent's offer (2.2e)."""

    side: Side


class DrawRefused(Event, frozen=True, kw_only=True):
    """A player refuses the opponent's offer by playing the move that follows (2.3)."""

    side: Side
    ply: Count


class Resigned(Event, frozen=True, kw_only=True):
    """A player gives up (2.1a)."""

    side: Side


class Flagged(Event, frozen=True, kw_only=True):
    """A player's time is over (1.3.4)."""

    side: Side


class Ended(Event, frozen=True, kw_only=True):
    """The game is over.

    `scores` are in the unit of the event's scoring, `half_points` are for a rating. `side` is the
    one whose time, absence or resignation ended it, where there is one. `proof` tells why mate was,
    or was not, possible where that decided the end.
    """

    scores: Pair
    half_points: Pair
    reason: Reason
    article: str
    side: Side | None = None
    proof: str = ""


# --- calls and notes ------------------------------------------------------------------------------


class ArbiterCalled(Event, frozen=True, kw_only=True):
    """A player asks for the arbiter (11.1)."""

    side: Side
    text: str = ""


class Note(Event, frozen=True, kw_only=True):
    """Something for the arbiter to know: a text, or a key where the server itself speaks."""

    by: str = ""
    text: str = ""
    key: str = ""


class Said(Event, frozen=True, kw_only=True):
    """A line of the chat between a player, `side`, and the arbiters (5.2), by either of them."""

    side: Side
    by: str
    text: str


# --- what an arbiter does -------------------------------------------------------------------------


class Act(Event, frozen=True, kw_only=True):
    """What an arbiter did, by which article and why.

    Where the server acts by itself `by` is empty and `reason` is a key. `corrects` is the number of
    the event (its place in the log, from 0) that this one sets right.
    """

    by: str
    reason: str
    article: str
    corrects: Count | None = None


class Paused(Act, frozen=True, kw_only=True):
    """The clocks stand still (11.6), from `stopped` on, with what they show."""

    stopped: Count
    white: Count
    black: Count


class Resumed(Act, frozen=True, kw_only=True):
    """The clocks run again (11.6)."""


class TimeSet(Act, frozen=True, kw_only=True):
    """A side's clock was set (11.5); `before` is what it showed."""

    side: Side
    left: Count
    before: Count


class TimeAdded(Act, frozen=True, kw_only=True):
    """A side was given time (6.5, 6.9b, 11.5, 11.6); it then had `left`."""

    side: Side
    time: Count
    left: Count


class TimeSubtracted(Act, frozen=True, kw_only=True):
    """Time was taken from a side (6.9c, 11.5); it then had `left`."""

    side: Side
    time: Count
    left: Count


class ResumedFromPosition(Act, frozen=True, kw_only=True):
    """The game goes on from an earlier position (6.8); the clocks stand until resumed."""

    ply: Count
    white: Count
    black: Count


class NewGame(Act, frozen=True, kw_only=True):
    """The game is played again: with the same colours (6.8), or with the right ones (11.2)."""

    swapped: bool


class ResultDeclared(Act, frozen=True, kw_only=True):
    """An arbiter decides a game that was going on; its end follows."""

    scores: Pair


class ResultCorrected(Act, frozen=True, kw_only=True):
    """An arbiter changes the result of a game that was over."""

    scores: Pair
    half_points: Pair
    before: Pair


class PointsChanged(Act, frozen=True, kw_only=True):
    """A sanction on the points of a game (6.9d, 6.9e) for the fault of a side."""

    side: Side
    scores: Pair
    half_points: Pair
    before: Pair


class Warned(Act, frozen=True, kw_only=True):
    """An official warning (6.9a), perhaps with a card (9.2)."""

    side: Side
    card: Card | None = None


class Fined(Act, frozen=True, kw_only=True):
    """A fine (6.9g), in euro cents."""

    side: Side
    cents: Count


class Excluded(Act, frozen=True, kw_only=True):
    """A player is excluded (6.9h, 6.9i, 6.9j); the event carries it out."""

    side: Side
    scope: Scope
    rounds: Count | None = None


class ChatBlocked(Act, frozen=True, kw_only=True):
    """A player may not use the chat (6.9k)."""

    side: Side


class AssistantAllowed(Act, frozen=True, kw_only=True):
    """A person may move the pieces for a player who cannot (1.2)."""

    side: Side
    assistant: str
    name: str = ""


class CallAnswered(Act, frozen=True, kw_only=True):
    """The arbiter answers a call, the event of number `call`, and tells if it had a reason (11.1).

    `side` is who called.
    """

    side: Side
    call: Count
    founded: bool


class Withdrawn(Act, frozen=True, kw_only=True):
    """An act, the event of number `corrects`, holds no more.

    `side` is whom that act concerned; a withdrawn change of points puts the scores back.
    """

    side: Side | None = None
    scores: Pair | None = None
    half_points: Pair | None = None
