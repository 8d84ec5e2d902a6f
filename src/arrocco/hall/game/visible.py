"""Who may see what happened: each event is for those it concerns."""

from __future__ import annotations

from enum import StrEnum

from arrocco.hall.log import events as e
from arrocco.laws.online.side import Side


class Role(StrEnum):
    """Who looks at a game. An assistant (1.2) sees what the player sees."""

    WHITE = "white"
    BLACK = "black"
    ARBITER = "arbiter"
    SPECTATOR = "spectator"

    @property
    def side(self) -> Side | None:
        """The side of a player."""
        if self is Role.WHITE:
            return Side.WHITE
        return Side.BLACK if self is Role.BLACK else None

    @classmethod
    def of(cls, side: Side) -> Role:
        """The player of a side."""
        return cls.WHITE if side is Side.WHITE else cls.BLACK


_FOR_ALL = (e.Created, e.Started, e.Moved, e.Ended)
"""5.17 — position, time and result; what an arbiter did shows in these, without the reasons."""
_FOR_BOTH_PLAYERS = (
    e.Joined, e.Connected, e.Disconnected,
    e.DrawOffered, e.DrawAccepted, e.DrawRefused, e.Resigned, e.Flagged,
    e.Paused, e.Resumed, e.TimeSet, e.TimeAdded, e.TimeSubtracted,
    e.ResumedFromPosition, e.NewGame, e.ResultDeclared, e.ResultCorrected, e.PointsChanged,
    e.AssistantAllowed,
)  # fmt: skip
_FOR_ITS_PLAYER = (
    e.AutoQueenSet, e.ArbiterCalled, e.CallAnswered, e.Said,
    e.Warned, e.Fined, e.Excluded, e.ChatBlocked, e.Withdrawn,
)  # fmt: skip
_FOR_ITS_PLAYER_ALONE = (e.PremoveSet, e.PremoveCleared, e.PremoveExecuted)


def visible_to(event: e.Event, role: Role) -> bool:
    """1.2, 2.3, 5.17 — whether an event is for someone's eyes, at the moment it happens.

    A premove is its owner's secret, even from the arbiter, until it is a move. Sanctions are for
    the player they fall on, but for those that both players see on the board, the clocks or the
    score. Spectators have the game itself, and where the rules delay them, only by `view_for`.
    """
    if isinstance(event, _FOR_ALL):
        return True
    if isinstance(event, _FOR_ITS_PLAYER_ALONE):
        return role.side is event.side
    if role is Role.ARBITER:
        return True
    if role is Role.SPECTATOR or isinstance(event, e.Note):
        return False
    if isinstance(event, _FOR_BOTH_PLAYERS):
        return True
    if isinstance(event, e.Withdrawn) and event.side is None:
        return True
    assert isinstance(event, _FOR_ITS_PLAYER), f"nobody was told who sees {type(event).__name__}"
    return role.side is event.side
