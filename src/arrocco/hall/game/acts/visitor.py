"""4.1 — somebody else enters the room of a player only with consent."""

from __future__ import annotations

from arrocco.hall.game.acts.permission import AnswerPermission, PermissionAnswered
from arrocco.hall.game.records import Permission
from arrocco.laws.online.side import Side


class VisitorAnswered(PermissionAnswered, frozen=True, kw_only=True):
    """Somebody may enter the room of a player, or may not."""

    PERMISSION = Permission.VISITOR


class AnswerVisitor(AnswerPermission, frozen=True, kw_only=True):
    """Lets somebody enter the room of a player, or does not."""

    ARTICLES = ("4.1",)
    PLACE = 23
    RECORD = VisitorAnswered

    side: Side
    granted: bool
