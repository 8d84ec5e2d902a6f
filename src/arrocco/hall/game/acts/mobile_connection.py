"""7.2 — a player keeps the connection through a mobile device only with consent."""

from __future__ import annotations

from arrocco.hall.game.acts.permission import AnswerPermission, PermissionAnswered
from arrocco.hall.game.records import Permission
from arrocco.laws.online.side import Side


class MobileConnectionAnswered(PermissionAnswered, frozen=True, kw_only=True):
    """A player may connect through a mobile device, or may not."""

    PERMISSION = Permission.MOBILE


class AnswerMobileConnection(AnswerPermission, frozen=True, kw_only=True):
    """Lets a player connect through a mobile device, or does not."""

    ARTICLES = ("7.2",)
    PLACE = 21
    RECORD = MobileConnectionAnswered

    side: Side
    granted: bool
