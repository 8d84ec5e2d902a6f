"""What the events of a game are made of: players, the rules of the event, reasons of an end."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import msgspec

from arrocco.laws.online.score import HALF_POINTS, Scoring

Pair = tuple[int, int]
"""Something of White and of Black, in this order."""
Count = Annotated[int, msgspec.Meta(ge=0)]
"""Milliseconds, half moves, numbers of events: nothing of these is below zero in a log."""


class SeatedPlayer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A person with a seat at the board; `id` is the account's, whatever it looks like."""

    id: str
    name: str
    title: str = ""
    rating: int | None = None


class Rules(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the event's own rules say about a game. Times are in milliseconds.

    The tolerance has no default: an event must state it (1.3.5).
    """

    tolerance: int
    white_loses_time_while_absent: bool = True
    """1.3.5, unless the event's rules say otherwise: then nobody's time runs until White comes."""
    reconnection_limit: int | None = None
    """7.7 — the time within which a player must be back; `None` leaves it to the clock."""
    vcs_required: bool = False
    """9.1f — no moves while off the video conference, for both players."""
    watched: tuple[str, ...] = ()
    """9.1 — the players for whom it holds where only some are watched."""
    scoring: Scoring = HALF_POINTS
    announced_fine: int | None = None
    """6.9g — the highest fine announced, in euro cents; `None` where there are no fines."""
    spectator_delay: int = 0
    spectator_delay_plies: int = 0


class Channel(StrEnum):
    """What a player is connected to."""

    PLATFORM = "platform"
    VCS = "vcs"
    """The video conference."""


class Cause(StrEnum):
    """Whose fault a lost connection is; only the player's own counts against the player."""

    PLAYER = "player"
    SERVER = "server"


class Reason(StrEnum):
    """Why a game ended."""

    RESIGNATION = "resignation"
    CHECKMATE = "checkmate"
    TIME = "time"
    TIME_WITHOUT_MATE = "time_without_mate"
    STALEMATE = "stalemate"
    REPETITION = "repetition"
    FIFTY_MOVES = "fifty_moves"
    DEAD_POSITION = "dead_position"
    AGREEMENT = "agreement"
    FORFEIT = "forfeit"
    """A player, or both, did not come in time (1.3.5)."""
    DISCONNECTION = "disconnection"
    """A player did not come back in time (7.7)."""
    DISCONNECTION_WITHOUT_MATE = "disconnection_without_mate"
    """The same where the opponent could not mate (7.7, 1.3.4)."""
    ARBITER = "arbiter"


class Permission(StrEnum):
    """What a player asks the arbiter to be allowed."""

    LEAVE = "leave"
    """5.6, 7.8 — to leave the playing area."""
    MOBILE = "mobile"
    """7.2 — to be connected through a mobile device."""
    DEVICE = "device"
    """5.3, 5.8 — to have a further device."""
    VISITOR = "visitor"
    """4.1 — that somebody else enters the room."""
    APPLICATION = "application"
    """8.3 — to have another application open."""


class InspectionPoint(StrEnum):
    """What an arbiter asks a player to show by camera, or to share."""

    ROOM = "room"
    DEVICES = "devices"
    OBJECTS = "objects"
    CLOTHES = "clothes"
    EARS = "ears"
    APPLICATIONS = "applications"
    SCREEN = "screen"
    SECOND_CAMERA = "second_camera"

    @property
    def article(self) -> str:
        """The article by which it is asked."""
        return _POINT_ARTICLES[self]


_POINT_ARTICLES = {
    InspectionPoint.ROOM: "12.4",
    InspectionPoint.DEVICES: "12.4",
    InspectionPoint.OBJECTS: "5.10",
    InspectionPoint.CLOTHES: "5.10",
    InspectionPoint.EARS: "5.10",
    InspectionPoint.APPLICATIONS: "8.2",
    InspectionPoint.SCREEN: "8.1",
    InspectionPoint.SECOND_CAMERA: "10.3",
}


class Cleared(StrEnum):
    """Why a premove is held no more."""

    PLAYER = "player"
    ILLEGAL = "illegal"
    OFF_VCS = "off_vcs"


class Card(StrEnum):
    """9.2 — a yellow card is a warning; a red one loses the game and is a declared result."""

    YELLOW = "yellow"
