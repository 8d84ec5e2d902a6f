"""8.3 — a player has another application open only where the arbiter allows it."""

from __future__ import annotations

from arrocco.hall.game.acts.permission import AnswerPermission, PermissionAnswered
from arrocco.hall.game.records import Permission
from arrocco.laws.online.side import Side


class ApplicationAnswered(PermissionAnswered, frozen=True, kw_only=True):
    """A player may have another application open, or may not."""

    PERMISSION = Permission.APPLICATION


class AnswerApplication(AnswerPermission, frozen=True, kw_only=True):
    """Lets a player have another application open, or does not; the reason says which."""

    ARTICLES = ("8.3",)
    PLACE = 26
    RECORD = ApplicationAnswered

    side: Side
    granted: bool
