"""An alarm of the arbiter's wall: what it is about, how urgent, since when."""

from __future__ import annotations

from enum import IntEnum

from msgspec import Struct

from arrocco.laws.online.side import Side


class Level(IntEnum):
    """How urgent: the higher, the sooner."""

    LOOK = 1
    """Worth a look."""
    SOON = 2
    """Something will be decided soon unless somebody acts."""
    NOW = 3
    """Somebody waits for the arbiter."""


class Alarm(Struct, frozen=True, kw_only=True):
    """Something about a board; `key` names its sentence. `since` or `until` tells its moment."""

    key: str
    level: Level
    side: Side | None = None
    since: int | None = None
    until: int | None = None
    count: int | None = None
    """How often, where that is what it is about."""
    text: str = ""
    """What a player wrote with a call."""
    what: str = ""
    """The key of a word for what it is about, where the sentence has a place for one."""
    article: str = ""
    acts: tuple[str, ...] = ()
    """The acts that fit, by their types; which of them, if any, is for the arbiter."""
