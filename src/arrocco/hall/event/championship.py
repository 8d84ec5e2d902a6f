"""Several events as one championship: its general standings by a stated rule, and the excluded.

Whom an event's arbiters or the committee exclude from the championship (6.9i, 6.9j, 9.1e, 13.5c,
13.5d) has no place in the general standings; nobody is given anything for it (12.13).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum

from msgspec import Struct

from arrocco.hall.event.records import Person
from arrocco.hall.event.standings import standings
from arrocco.hall.event.state import State
from arrocco.laws.online.sanctions import Scope

_OF_ALL_EVENTS = (Scope.CHAMPIONSHIP, Scope.COMPETITION)


class ChampionshipRule(StrEnum):
    """How the results of several events make one standing."""

    SUM = "sum"
    """The points of all events are added."""
    GRAND_PRIX = "grand_prix"
    """Every rank of an event gives points of a table; who share a rank each have its points."""


class Championship(Struct, frozen=True, kw_only=True):
    """What a championship states: its name, and how its standings are made."""

    name: str
    rule: ChampionshipRule = ChampionshipRule.SUM
    best: int = 0
    """How many of a player's events count, the best ones; 0 for all."""
    table: tuple[int, ...] = ()
    """What the first, second, … rank of an event gives, in whole points."""


class GeneralPlace(Struct, frozen=True):
    """A place in the general standings; `points` are in tenths, `of_events` in order of events.

    `None` stands for an event that the player did not play in.
    """

    rank: int
    person: Person
    points: int
    of_events: tuple[int | None, ...]


class Excluded(Struct, frozen=True):
    """Somebody without a place in a championship: by which article of which event."""

    person: Person
    article: str
    event: str
    reason: str


def general_standings(rules: Championship, events: Sequence[State]) -> list[GeneralPlace]:
    """Everybody who has a place, the first one first; equal points share a rank."""
    people: dict[str, Person] = {}
    points: dict[str, list[int | None]] = {}
    for number, state in enumerate(events):
        for place in standings(state):
            person = state.entries[place.entry - 1].person
            key = key_of(person)
            people[key] = person
            row = points.setdefault(key, [None] * len(events))
            row[number] = _points(rules, place.rank, place.points)
    out = {key_of(excluded.person) for excluded in excluded_of(events)}
    totals = {key: _total(rules, row) for key, row in points.items() if key not in out}
    order = sorted(totals, key=lambda key: (-totals[key], people[key].full_name))
    ranked: list[GeneralPlace] = []
    for position, key in enumerate(order, start=1):
        shared = ranked and ranked[-1].points == totals[key]
        rank = ranked[-1].rank if shared else position
        ranked.append(GeneralPlace(rank, people[key], totals[key], tuple(points[key])))
    return ranked


def _points(rules: Championship, rank: int, points: int) -> int:
    if rules.rule is ChampionshipRule.SUM:
        return points
    return 10 * rules.table[rank - 1] if rank <= len(rules.table) else 0


def _total(rules: Championship, row: Iterable[int | None]) -> int:
    counted = sorted((one for one in row if one is not None), reverse=True)
    return sum(counted[: rules.best] if rules.best else counted)


def excluded_of(events: Iterable[State]) -> list[Excluded]:
    """6.9i, 6.9j, 9.1e, 13.5c, 13.5d — whom an event excluded from the whole championship."""
    return [
        Excluded(
            state.entries[sanction.entry - 1].person,
            sanction.article,
            state.created.name,
            sanction.reason,
        )
        for state in events
        for sanction in state.sanctions
        if sanction.scope in _OF_ALL_EVENTS and sanction.number not in state.lifted
    ]


def key_of(person: Person) -> str:
    """5.4 — who somebody is in all events: their number of the federation, else their account."""
    return f"id:{person.id}" if person.id is not None else f"account:{person.account}"
