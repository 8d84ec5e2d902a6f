"""5.3, 5.8 — a player has a further device in the playing area only with consent."""

from __future__ import annotations

from arrocco.hall.game.acts.permission import AnswerPermission, PermissionAnswered
from arrocco.hall.game.records import Permission
from arrocco.laws.online.side import Side


class DeviceAnswered(PermissionAnswered, frozen=True, kw_only=True):
    """A player may have a further device, or may not."""

    PERMISSION = Permission.DEVICE


class AnswerDevice(AnswerPermission, frozen=True, kw_only=True):
    """Lets a player have a further device, or does not."""

    ARTICLES = ("5.3", "5.8")
    PLACE = 22
    RECORD = DeviceAnswered

    side: Side
    granted: bool
