"""The schedule of an event: when rounds start, and who can enter until when."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Annotated

from msgspec import Meta, Struct

from arrocco.hall.event.record import Moment
from arrocco.hall.event.records import Person, Positive

MAX_STARTS = 99
MAX_CAP = 5000
MAX_RATING = 4000

Rating = Annotated[int, Meta(ge=1, le=MAX_RATING)]


class Schedule(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What an event says of its hours and its places; the regulation leaves it to the event."""

    starts: Annotated[tuple[Moment | None, ...], Meta(max_length=MAX_STARTS)] = ()
    """The start of each round in order; `None` where it is left to the arbiter."""
    entries_until: Moment | None = None
    cap: Annotated[int, Meta(ge=2, le=MAX_CAP)] | None = None
    """How many places there are; who comes after is put on a waiting list."""
    least_rating: Rating | None = None
    most_rating: Rating | None = None
    by_invitation: bool = False
    """Whether players enter themselves only by a link."""
    description: str = ""

    def start_of(self, round_number: int) -> datetime | None:
        """The stated start of a round."""
        return self.starts[round_number - 1] if 1 <= round_number <= len(self.starts) else None

    def moved(self, by: timedelta) -> Schedule:
        """The same on other days, as a copy of the event has it."""
        return Schedule(
            starts=tuple(None if start is None else start + by for start in self.starts),
            entries_until=None if self.entries_until is None else self.entries_until + by,
            cap=self.cap,
            least_rating=self.least_rating,
            most_rating=self.most_rating,
            by_invitation=self.by_invitation,
            description=self.description,
        )


class EntryLink(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A link by which players enter themselves; the log has only what its secret hashes to."""

    number: Positive
    digest: Annotated[str, Meta(min_length=64, max_length=64)]
    until: Moment
    cap: Annotated[int, Meta(ge=1, le=MAX_CAP)]
    used: int = 0
    withdrawn: bool = False

    def serves(self, now: datetime) -> bool:
        """Whether somebody can enter by it now."""
        return not self.withdrawn and now <= self.until and self.used < self.cap


class Waiting(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Somebody who enters once there is a place."""

    person: Person
    link: int | None = None


class Measure(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """13.2 — what the Fair Play Committee orders or suggests for an event."""

    at: Moment
    text: str
    is_ordered: bool
    is_public: bool = False
    """Whether everybody reads it beside the rules, and not only the arbiters."""


class Announcement(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the officials say to all players at once."""

    at: Moment
    text: str
