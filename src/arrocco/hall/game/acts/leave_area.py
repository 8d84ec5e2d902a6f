"""5.6, 7.8 — a player leaves the playing area, also while disconnected, only with consent."""

from __future__ import annotations

from arrocco.hall.game.acts.permission import AnswerPermission, PermissionAnswered
from arrocco.hall.game.records import Permission
from arrocco.laws.online.side import Side


class LeavingAnswered(PermissionAnswered, frozen=True, kw_only=True):
    """A player may leave the playing area, or may not."""

    PERMISSION = Permission.LEAVE


class AnswerLeaving(AnswerPermission, frozen=True, kw_only=True):
    """Lets a player leave the playing area, or does not."""

    ARTICLES = ("5.6", "7.8")
    PLACE = 20
    RECORD = LeavingAnswered

    side: Side
    granted: bool
