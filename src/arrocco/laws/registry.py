"""Which edition of which regulation is in force on a day; outside every edition, a refusal."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from functools import cache
from importlib import import_module
from itertools import pairwise
from pkgutil import iter_modules
from typing import TypeVar

from arrocco.dates import Interval
from arrocco.errors import Illegal, NoLawInForce
from arrocco.laws.edition import Edition, edition_name
from arrocco.laws.rating import RatingLaw
from arrocco.words import Phrase

E = TypeVar("E", bound=Edition)

# Where the editions of each regulation are found: every module of the package whose name begins so.
# They are imported when first asked for, so that a command pays only for the law it uses.
_RATING: dict[str, tuple[str, str]] = {
    "fide": ("arrocco.laws.fide", "standard_"),
    "fide-rapid": ("arrocco.laws.fide", "rapid_blitz_"),
    "fide-blitz": ("arrocco.laws.fide", "rapid_blitz_"),
    "rio": ("arrocco.laws.rio", "edition_"),
    "uisp": ("arrocco.laws.uisp", "edition_"),
}
_WITHOUT_RATING: dict[str, tuple[str, str]] = {"online": ("arrocco.laws.online", "edition_")}
"""Regulations that rate no games: how they are played, judged and contested."""

LAWS: tuple[str, ...] = tuple(_RATING)
"""The names of all regulations that rate games."""

REGULATIONS = (*LAWS, *_WITHOUT_RATING)
"""Every regulation there is, for those who read them."""


@cache
def editions(law: str) -> tuple[type[RatingLaw], ...]:
    """All editions of a regulation, oldest first. Raises `Illegal` for an unknown name."""
    if law not in _RATING:
        raise Illegal.of("laws.refused.no_regulation", law=law, laws=LAWS)
    return _found(law, RatingLaw, *_RATING[law])  # type: ignore[type-abstract]


@cache
def texts(law: str) -> tuple[type[Edition], ...]:
    """All editions of any regulation, also one that rates no games, oldest first."""
    if law in _RATING:
        return editions(law)
    if law not in _WITHOUT_RATING:
        raise Illegal.of("laws.refused.no_regulation", law=law, laws=REGULATIONS)
    return _found(law, Edition, *_WITHOUT_RATING[law])


def _found(law: str, kind: type[E], package: str, prefix: str) -> tuple[type[E], ...]:
    """The editions in the modules of a package: classes with days of their own."""
    modules = [
        import_module(f"{package}.{module.name}")
        for module in iter_modules(import_module(package).__path__)
        if module.name.startswith(prefix)
    ]
    editions_found = [
        member
        for module in modules
        for member in vars(module).values()
        if isinstance(member, type)
        and issubclass(member, kind)
        and member.__module__ == module.__name__
        and "in_force" in vars(member)
        and member.law == law
    ]
    return _in_sequence(law, editions_found)


def _in_sequence(law: str, found: Iterable[type[E]]) -> tuple[type[E], ...]:
    """Editions, oldest first; one that gives no end holds until the next comes into force."""
    ordered = sorted(found, key=lambda edition: edition.in_force.start or date.min)
    for earlier, later in pairwise(ordered):
        start, end = later.in_force.start, earlier.in_force.end
        if start is None or (end is not None and end > start):
            raise AssertionError(f"{law}: {earlier.__name__} and {later.__name__} overlap")
        if end is None:
            earlier.in_force = Interval(earlier.in_force.start, start)
    return tuple(ordered)


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
