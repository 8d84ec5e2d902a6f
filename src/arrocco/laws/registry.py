"""Which edition of which regulation is in force on a day; outside every edition, a refusal."""

from __future__ import annotations

from datetime import date
from functools import cache
from importlib import import_module
from itertools import pairwise

from arrocco.errors import Illegal, NoLawInForce
from arrocco.laws.edition import Edition, edition_name
from arrocco.laws.rating import RatingLaw
from arrocco.words import Phrase

# Where each regulation's editions live, oldest first. They are imported when first asked for, so
# that a command pays only for the law it uses. New law is added below old law; old law stays.
_EDITIONS: dict[str, tuple[tuple[str, str], ...]] = {
    "fide": (
        ("arrocco.laws.fide.standard_2010", "Fide2011"),
        ("arrocco.laws.fide.standard_2010", "Fide2012"),
        ("arrocco.laws.fide.standard_2024", "Fide2024"),
        ("arrocco.laws.fide.standard_2024", "Fide2025"),
    ),
    "fide-rapid": (
        ("arrocco.laws.fide.rapid_blitz_2024", "FideRapid2024"),
        ("arrocco.laws.fide.rapid_blitz_2024", "FideRapid2024December"),
    ),
    "fide-blitz": (
        ("arrocco.laws.fide.rapid_blitz_2024", "FideBlitz2024"),
        ("arrocco.laws.fide.rapid_blitz_2024", "FideBlitz2024December"),
    ),
    "rio": (("arrocco.laws.rio.edition_2025", "Rio2025"),),
    "uisp": (("arrocco.laws.uisp.edition_undated", "Uisp"),),
}

LAWS: tuple[str, ...] = tuple(_EDITIONS)
"""The names of all regulations that rate games."""


@cache
def editions(law: str) -> tuple[type[RatingLaw], ...]:
    """All editions of a regulation, oldest first. Raises `Illegal` for an unknown name."""
    if law not in _EDITIONS:
        raise Illegal.of("laws.refused.no_regulation", law=law, laws=LAWS)
    found = tuple(getattr(import_module(module), name) for module, name in _EDITIONS[law])
    _check_no_overlap(law, found)
    return found


def edition_in_force(law: str, on: date) -> type[RatingLaw]:
    """The edition of a regulation in force on a day.

    Raises `NoLawInForce` naming the editions there are: no other law is put in its place.
    """
    for edition in editions(law):
        if on in edition.in_force:
            return edition
    nearest = tuple(_name_and_days(edition) for edition in nearest_editions(law, on))
    raise NoLawInForce.of(
        "laws.refused.not_in_force", law=law, on=on, nearest=nearest, editions=_names(law)
    )


def _name_and_days(edition: type[Edition]) -> Phrase:
    """An edition by its name and the days it is in force, for a sentence."""
    start, end = edition.in_force.start, edition.in_force.end
    open_side = "until" if start is None else "since" if end is None else "between"
    return Phrase(
        f"laws.days.{open_side}", {"edition": edition_name(edition), "start": start, "end": end}
    )


def _names(law: str) -> tuple[str, ...]:
    return tuple(edition_name(edition) for edition in editions(law))


def nearest_editions(law: str, on: date) -> list[type[RatingLaw]]:
    """The last edition that ended by a day and the first one that starts after it."""
    ended = [e for e in editions(law) if e.in_force.end is not None and e.in_force.end <= on]
    coming = [e for e in editions(law) if e.in_force.start is not None and e.in_force.start > on]
    return ended[-1:] + coming[:1]


def edition_named(law: str, name: str) -> type[RatingLaw]:
    """The edition that came into force on the day it is named after; `NoLawInForce` if none did."""
    for edition in editions(law):
        if edition_name(edition) == name:
            return edition
    raise NoLawInForce.of("laws.refused.no_edition", law=law, name=name, editions=_names(law))


def _check_no_overlap(law: str, found: tuple[type[Edition], ...]) -> None:
    for earlier, later in pairwise(found):
        start, end = later.in_force.start, earlier.in_force.end
        if start is None or end is None or end > start:
            raise AssertionError(f"{law}: {earlier.__name__} and {later.__name__} overlap")
