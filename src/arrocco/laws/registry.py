"""Which edition of which regulation is in force on a day; outside every edition, a refusal."""

from __future__ import annotations

from datetime import date
from functools import cache
from importlib import import_module
from itertools import pairwise
from typing import TypeVar

from arrocco.errors import Illegal, NoLawInForce
from arrocco.laws.edition import Edition, edition_name
from arrocco.laws.rating import RatingLaw
from arrocco.words import Phrase

E = TypeVar("E", bound=Edition)

# Where each regulation's editions live, oldest first. They are imported when first asked for, so
# that a command pays only for the law it uses. New law is added below old law; old law stays.
_EDITIONS: dict[str, tuple[tuple[str, str], ...]] = {
    "fide": (
        ("arrocco.laws.fide.standard_2010", "Fide2011"),
        ("arrocco.laws.fide.standard_2010", "Fide2012"),
        ("arrocco.laws.fide.standard_2022", "Fide2022"),
        ("arrocco.laws.fide.standard_2022", "Fide2023"),
        ("arrocco.laws.fide.standard_2024", "Fide2024"),
        ("arrocco.laws.fide.standard_2024", "Fide2025"),
    ),
    "fide-rapid": (
        ("arrocco.laws.fide.rapid_blitz_2022", "FideRapid2022"),
        ("arrocco.laws.fide.rapid_blitz_2022", "FideRapid2022October"),
        ("arrocco.laws.fide.rapid_blitz_2024", "FideRapid2024"),
        ("arrocco.laws.fide.rapid_blitz_2024", "FideRapid2024December"),
    ),
    "fide-blitz": (
        ("arrocco.laws.fide.rapid_blitz_2022", "FideBlitz2022"),
        ("arrocco.laws.fide.rapid_blitz_2022", "FideBlitz2022October"),
        ("arrocco.laws.fide.rapid_blitz_2024", "FideBlitz2024"),
        ("arrocco.laws.fide.rapid_blitz_2024", "FideBlitz2024December"),
    ),
    "rio": (("arrocco.laws.rio.edition_2025", "Rio2025"),),
    "uisp": (("arrocco.laws.uisp.edition_undated", "Uisp"),),
}

LAWS: tuple[str, ...] = tuple(_EDITIONS)
"""The names of all regulations that rate games."""

_WITHOUT_RATING: dict[str, tuple[tuple[str, str], ...]] = {
    "online": (("arrocco.laws.online.edition_2025", "Online2025"),),
}
"""Regulations that rate no games: how they are played, judged and contested."""

REGULATIONS = (*LAWS, *_WITHOUT_RATING)
"""Every regulation there is, for those who read them."""


@cache
def editions(law: str) -> tuple[type[RatingLaw], ...]:
    """All editions of a regulation, oldest first. Raises `Illegal` for an unknown name."""
    if law not in _EDITIONS:
        raise Illegal.of("laws.refused.no_regulation", law=law, laws=LAWS)
    found = tuple(getattr(import_module(module), name) for module, name in _EDITIONS[law])
    _check_no_overlap(law, found)
    return found


@cache
def texts(law: str) -> tuple[type[Edition], ...]:
    """All editions of any regulation, also one that rates no games, oldest first."""
    if law in _EDITIONS:
        return editions(law)
    if law not in _WITHOUT_RATING:
        raise Illegal.of("laws.refused.no_regulation", law=law, laws=REGULATIONS)
    found = tuple(getattr(import_module(module), name) for module, name in _WITHOUT_RATING[law])
    _check_no_overlap(law, found)
    return found


def edition_in_force(law: str, on: date) -> type[RatingLaw]:
    """The edition of a regulation that rates, in force on a day.

    Raises `NoLawInForce` naming the editions there are: no other law is put in its place.
    """
    return _in_force(law, editions(law), on)


def text_in_force(law: str, on: date) -> type[Edition]:
    """The edition of any regulation in force on a day. Raises `NoLawInForce` as above."""
    return _in_force(law, texts(law), on)


def _in_force(law: str, known: tuple[type[E], ...], on: date) -> type[E]:
    for edition in known:
        if on in edition.in_force:
            return edition
    nearest = tuple(_name_and_days(edition) for edition in _nearest(known, on))
    raise NoLawInForce.of(
        "laws.refused.not_in_force", law=law, on=on, nearest=nearest, editions=_names(known)
    )


def _name_and_days(edition: type[Edition]) -> Phrase:
    """An edition by its name and the days it is in force, for a sentence."""
    start, end = edition.in_force.start, edition.in_force.end
    open_side = "until" if start is None else "since" if end is None else "between"
    return Phrase(
        f"laws.days.{open_side}", {"edition": edition_name(edition), "start": start, "end": end}
    )


def _names(known: tuple[type[Edition], ...]) -> tuple[str, ...]:
    return tuple(edition_name(edition) for edition in known)


def nearest_editions(law: str, on: date) -> list[type[RatingLaw]]:
    """The last edition that ended by a day and the first one that starts after it."""
    return _nearest(editions(law), on)


def _nearest(known: tuple[type[E], ...], on: date) -> list[type[E]]:
    ended = [e for e in known if e.in_force.end is not None and e.in_force.end <= on]
    coming = [e for e in known if e.in_force.start is not None and e.in_force.start > on]
    return ended[-1:] + coming[:1]


def edition_named(law: str, name: str) -> type[RatingLaw]:
    """The edition that came into force on the day it is named after; `NoLawInForce` if none did."""
    return _named(law, editions(law), name)


def text_named(law: str, name: str) -> type[Edition]:
    """As `edition_named`, of any regulation."""
    return _named(law, texts(law), name)


def _named(law: str, known: tuple[type[E], ...], name: str) -> type[E]:
    for edition in known:
        if edition_name(edition) == name:
            return edition
    raise NoLawInForce.of("laws.refused.no_edition", law=law, name=name, editions=_names(known))


def _check_no_overlap(law: str, found: tuple[type[Edition], ...]) -> None:
    for earlier, later in pairwise(found):
        start, end = later.in_force.start, earlier.in_force.end
        if start is None or end is None or end > start:
            raise AssertionError(f"{law}: {earlier.__name__} and {later.__name__} overlap")
