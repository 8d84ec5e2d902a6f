"""Who is to be paired in the coming round, and under which number (C.04.2)."""

from __future__ import annotations

from arrocco.hall.event.cards import Slot, SlotKind, cards, players
from arrocco.hall.event.records import EntryId
from arrocco.hall.event.state import Entry, State, rules_of
from arrocco.hall.pairing.records import Field, Past, Player
from arrocco.report import ByeKind

_LAST_RENUMBERING = 4
"""C.04.2 2.3 — numbers are given anew until the fourth round is paired."""

_TITLES = ("GM", "IM", "WGM", "FM", "WIM", "CM", "WFM", "WCM")


def in_order(state: State) -> tuple[EntryId, ...]:
    """C.04.2 2 — everybody by rating, title and name; late newcomers after all others."""
    present = players(state)
    if state.order and (
        state.next_round > _LAST_RENUMBERING or rules_of(state).system.is_round_robin
    ):
        known = set(state.order)
        newcomers = [entry for entry in present if entry not in known]
        return (*state.order, *_ranked(state, newcomers))
    return tuple(_ranked(state, present))


def _ranked(state: State, entries: list[EntryId]) -> list[EntryId]:
    def rank(entry: EntryId) -> tuple[int, int, str, int]:
        person = state.entries[entry - 1].person
        title = person.title.upper()
        place = _TITLES.index(title) if title in _TITLES else len(_TITLES)
        return -(person.rating or 0), place, person.full_name.casefold(), entry

    return sorted(entries, key=rank)


def absent(state: State, number: int) -> dict[EntryId, ByeKind]:
    """Who is not paired in a round, and as what: asked for, gone, kept away, or not there."""
    found: dict[EntryId, ByeKind] = {}
    for entry in state.entries:
        if is_away(state, entry, number):
            found[entry.id] = ByeKind.ZERO_POINT
        elif number in entry.byes:
            found[entry.id] = entry.byes[number]
    return found


def is_away(state: State, entry: Entry, number: int) -> bool:
    """Whether a player cannot play a round: withdrawn, excluded, expelled, not checked in."""
    return (
        entry.withdrawn
        or state.is_expelled(entry.id)
        or state.is_excluded_from(entry.id, number)
        or (rules_of(state).check_in and not entry.checked_in)
    )


def swiss_field(state: State, order: tuple[EntryId, ...]) -> Field:
    """The event as the pairing of its coming round sees it, by starting numbers."""
    rules = rules_of(state)
    number_of = {entry: number for number, entry in enumerate(order, start=1)}
    past = cards(state)
    away = absent(state, state.next_round)
    return Field(
        players=tuple(
            Player(number, tuple(_past(slot, number_of) for slot in past[entry]))
            for entry, number in number_of.items()
        ),
        rounds=rules.rounds,
        absent=frozenset(number_of[entry] for entry in away if entry in number_of),
        forbidden=frozenset(
            (number_of[one], number_of[other])
            for one, other in state.forbidden
            if one in number_of and other in number_of
        ),
        initial_colour=rules.initial_colour,
        win=rules.scoring.win,
        loss=rules.scoring.loss,
    )


def _past(slot: Slot, number_of: dict[EntryId, int]) -> Past:
    return Past(
        opponent=0 if slot.opponent is None else number_of[slot.opponent],
        colour=slot.side if slot.was_played else None,
        points=slot.points,
        allocated_bye=slot.kind is SlotKind.ALLOCATED_BYE,
    )
