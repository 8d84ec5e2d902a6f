"""Regulations by name and day."""

from __future__ import annotations

from datetime import date

from arrocco.laws import registry
from arrocco.laws.edition import edition_name
from arrocco.laws.rating import RatingLaw as Law

__all__ = ["Law", "editions", "law"]


def law(name: str, on: date, **readings: str) -> Law:
    """The edition of a regulation in force on a day, read as it is by default or as `readings` say.

    `name` is ``fide``, ``fide-rapid``, ``fide-blitz``, ``rio`` or ``uisp``. Raises `Refusal` for a
    day on which none is in force: no other law is put in its place.
    """
    return registry.edition_in_force(name, on)(**readings)


def editions(name: str) -> tuple[str, ...]:
    """The editions of a regulation, oldest first, by the day each came into force."""
    return tuple(edition_name(edition) for edition in registry.editions(name))
