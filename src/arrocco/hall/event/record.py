"""An entry of an event's log: something that has happened to it, at a moment of the server's time.

A record is a fact: it holds what came of it, so that a log tells its event without being decided
again. `by` is the account of whoever did it, empty where the hall itself did.
"""

from __future__ import annotations

from datetime import date, datetime
from typing import Annotated, ClassVar, Literal

from msgspec import Meta, Struct

from arrocco.hall.game.events import tag_of

Moment = Annotated[datetime, Meta(tz=True)]
"""A moment with its offset: its day is the day where the event is held."""


class Record(
    Struct, frozen=True, kw_only=True, tag_field="type", tag=tag_of, forbid_unknown_fields=True
):
    """Something that happened to an event of the hall."""

    IS_PUBLIC: ClassVar[bool] = False
    """Whether everybody who follows an event is told of it, without who did it and why."""
    IS_RESULT: ClassVar[bool] = False
    """Whether spectators may have to wait for it."""
    IS_REPORTED: ClassVar[bool] = False
    """Whether somebody decides something with it, which the arbiter's report tells."""
    CHANGES_ENTRIES: ClassVar[bool] = False
    """Whether everybody is told that the entries are others now, and nothing of whom."""
    IS_FOR_ITS_PLAYER: ClassVar[bool] = False
    """Whether the player of its `entry` is told that there is something new."""
    CHANGES_PEOPLE: ClassVar[bool] = False
    CHANGES_ARBITERS: ClassVar[bool] = False

    at: Moment
    by: str
    v: Literal[1] = 1
    """The version of the log's format that this record is written in."""


class Created(Record, frozen=True, kw_only=True):
    """The event exists; it begins and ends on these days."""

    event: str
    name: str
    site: str = ""
    federation: str = ""
    start: date
    end: date
    organisers: tuple[str, ...]
