"""The rating systems: a law and one kind of rating of it, with lists of its own.

This is the one table from laws to kinds of list; commands, periods and offices ask here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING

from arrocco.errors import Illegal

if TYPE_CHECKING:
    from arrocco.laws.rating import RatingLaw


@dataclass(frozen=True)
class RatingSystem:
    """One rating with lists of its own; `kind` is what list files call it."""

    key: str
    law: str
    kind: str
    is_online: bool = False
    """Whether its games are played online."""
    has_categories: bool = False
    """Whether its lists print categories of players (RIO 14.6)."""

    def edition_on(self, day: date, **readings: str) -> RatingLaw:
        """The edition in force on a day. Raises `NoLawInForce` outside every edition."""
        from arrocco.laws.registry import edition_in_force

        return edition_in_force(self.law, day)(**readings)

    def edition_read(self, day: date, chosen: Mapping[str, str]) -> RatingLaw:
        """The edition in force on a day, read as an office has chosen, where it has the choice."""
        from arrocco.laws.registry import edition_in_force

        return edition_in_force(self.law, day).with_known(chosen)


SYSTEMS = {
    system.key: system
    for system in (
        RatingSystem("fide", "fide", "standard"),
        RatingSystem("fide-rapid", "fide-rapid", "rapid"),
        RatingSystem("fide-blitz", "fide-blitz", "blitz"),
        RatingSystem("rio-rapid", "rio", "rapid", is_online=True, has_categories=True),
        RatingSystem("rio-blitz", "rio", "blitz", is_online=True, has_categories=True),
        RatingSystem("rio-bullet", "rio", "bullet", is_online=True, has_categories=True),
        RatingSystem("uisp", "uisp", "uisp"),
    )
}
"""In the order they are shown."""

STANDARD = "fide"
"""The system whose ratings stand in for missing ones, for laws that say so (FIDE rapid 7.1)."""

LAW_NAMES = tuple(dict.fromkeys(system.law for system in SYSTEMS.values()))
"""The regulations that rate games, without loading any of them."""

ENTRY_LISTS = {
    **{key: system.kind for key, system in SYSTEMS.items() if system.law.startswith("fide")},
    "fsi": "standard",
    "fsi-rapid": "rapid",
}
"""The lists that RIO 14.2 and UISP I.5 ask about a new player, and the kind of each."""


def system_named(key: str) -> RatingSystem:
    """The system of that key. Raises `Illegal` naming those there are."""
    try:
        return SYSTEMS[key]
    except KeyError:
        raise Illegal.of("office.refused.no_system", system=key, known=tuple(SYSTEMS)) from None


def kinds_of(law: str) -> tuple[str, ...]:
    """The kinds of rating of a law; RIO has three."""
    return tuple(system.kind for system in SYSTEMS.values() if system.law == law)


def has_kinds(law: str) -> bool:
    """Whether a law has several kinds of rating, of which one has to be told."""
    return len(kinds_of(law)) > 1


def kind_to_tell(law: str, kind: str) -> str:
    """The kind where it has to be told; empty for a law that has one."""
    return kind if has_kinds(law) else ""


def has_categories(system: str) -> bool:
    """Whether the lists of a system print categories, by its key; others are no systems of ours."""
    return system in SYSTEMS and SYSTEMS[system].has_categories


def only_kind_of(law: str) -> str:
    """The kind of rating of a law that has one; empty where the kind has to be told."""
    kinds = kinds_of(law)
    return kinds[0] if len(kinds) == 1 else ""
