"""Who may see what happened: each event is for those it concerns."""

from __future__ import annotations

from enum import StrEnum

from arrocco.hall.game import events as e
from arrocco.hall.game.events import SeenBy
from arrocco.laws.online.side import Side


class GameRole(StrEnum):
    """Who looks at a game. An assistant (1.2) sees what the player sees."""

    WHITE = "white"
    BLACK = "black"
    ARBITER = "arbiter"
    SPECTATOR = "spectator"

    @property
    def side(self) -> Side | None:
        """The side of a player."""
        if self is GameRole.WHITE:
            return Side.WHITE
        return Side.BLACK if self is GameRole.BLACK else None

    @classmethod
    def of(cls, side: Side) -> GameRole:
        """The player of a side."""
        return cls.WHITE if side is Side.WHITE else cls.BLACK


def visible_to(event: e.Event, role: GameRole) -> bool:
    """1.2, 2.3, 5.17 — whether an event is for someone's eyes, at the moment it happens.

    A premove is its owner's secret, even from the arbiter, until it is a move. Sanctions are for
    the player they fall on, but for those that both players see on the board, the clocks or the
    score. Spectators have the game itself, and where the rules delay them, only by `view_for`.
    """
    seen_by = event.SEEN_BY
    if seen_by is SeenBy.EVERYBODY:
        return True
    if role is GameRole.SPECTATOR:
        return False
    if role is GameRole.ARBITER:
        return seen_by is not SeenBy.ITS_PLAYER_ALONE
    if seen_by is SeenBy.PLAYERS or seen_by is SeenBy.ARBITERS:
        return seen_by is SeenBy.PLAYERS
    side: Side | None = getattr(event, "side", None)
    return side is role.side or (side is None and seen_by is SeenBy.ITS_PLAYER)
