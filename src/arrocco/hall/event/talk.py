"""A talk of an arbiter with players over the video conference, as an event knows of it."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from msgspec import Struct

from arrocco.hall.event.records import EntryId


class TalkReason(StrEnum):
    """Why an arbiter talks with players."""

    ROOM_CHECK = "room_check"
    """6.4, 12.4."""
    DEVICES = "devices"
    """9.1, 10 — camera, microphone, screen, connection."""
    CONDUCT = "conduct"
    """5."""
    CALL = "call"
    """11.1 — a player has called the arbiter."""
    INFORMATION = "information"
    OTHER = "other"
    """Said in words."""


class Talk(Struct, frozen=True, kw_only=True):
    """An arbiter talked with players: from when to when, why, and who of them could hear it."""

    id: str
    by: str
    entries: tuple[EntryId, ...]
    why: TalkReason
    note: str = ""
    began: datetime
    is_over: bool = False
    ended: datetime | None = None
    """`None` also where nobody knows, since the server itself had stopped."""
    reached: tuple[EntryId, ...] = ()
