"""The rating systems an office can keep side by side: a law and one kind of rating of it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from arrocco.errors import Illegal
from arrocco.laws.rating import RatingLaw
from arrocco.laws.registry import edition_in_force


@dataclass(frozen=True)
class RatingSystem:
    """One rating with lists of its own; `kind` is what list files call it."""

    key: str
    law: str
    kind: str

    def edition_on(self, day: date, **readings: str) -> RatingLaw:
        """The edition in force on a day. Raises `NoLawInForce` outside every edition."""
        return edition_in_force(self.law, day)(**readings)


SYSTEMS = {
    system.key: system
    for system in (
        RatingSystem("fide", "fide", "standard"),
        RatingSystem("fide-rapid", "fide-rapid", "rapid"),
        RatingSystem("fide-blitz", "fide-blitz", "blitz"),
        RatingSystem("rio-rapid", "rio", "rapid"),
        RatingSystem("rio-blitz", "rio", "blitz"),
        RatingSystem("rio-bullet", "rio", "bullet"),
        RatingSystem("uisp", "uisp", "uisp"),
    )
}
"""In the order they are shown."""


def system_named(key: str) -> RatingSystem:
    """The system of that key. Raises `Illegal` naming those there are."""
    try:
        return SYSTEMS[key]
    except KeyError:
        raise Illegal.of("office.refused.no_system", system=key, known=tuple(SYSTEMS)) from None
