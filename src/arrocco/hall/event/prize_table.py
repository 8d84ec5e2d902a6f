"""The table of prizes that an organiser states: categories, and a prize for each place."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from arrocco.hall.event.records import Person

MAX_CATEGORIES = 30
MAX_PLACES = 100
Cents = Annotated[int, Meta(ge=1, le=100_000_000)]
Year = Annotated[int, Meta(ge=1900, le=2200)]
_FEMALE = ("f", "w")


class PrizeCategory(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Whom a category admits, and its prizes by places, in cents."""

    name: Annotated[str, Meta(min_length=1, max_length=100)]
    cents: Annotated[tuple[Cents, ...], Meta(min_length=1, max_length=MAX_PLACES)]
    women: bool = False
    born_from: Year | None = None
    rated_below: Annotated[int, Meta(ge=1, le=9999)] | None = None

    def admits(self, person: Person) -> bool:
        """Whether a player is of the category; one whose birth or sex is not known is not."""
        if self.women and person.sex.lower() not in _FEMALE:
            return False
        birth = person.birth
        if self.born_from is not None and (birth is None or birth.year < self.born_from):
            return False
        return self.rated_below is None or (person.rating or 0) < self.rated_below


class PrizeTable(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All prizes of an event, the general ones first."""

    categories: Annotated[tuple[PrizeCategory, ...], Meta(max_length=MAX_CATEGORIES)]
    one_each: bool = True
    """Whether nobody gets a second prize."""
