"""Who is to be paired in the coming round, and under which number (C.04.2)."""

from __future__ import annotations

from arrocco.hall.event.cards import Slot, SlotKind, cards, players
from arrocco.hall.event.records import EntryId
from arrocco.hall.event.state import Entry, State, rules_of
from arrocco.hall.pairing.records import Field, Past, Player
from arrocco.records.report import ByeKind, GameKind

_LAST_RENUMBERING = 4
"""C.04.2 2.3 — numbers are given anew until the fourth round is paired."""

_TITLES = ("GM", "IM", "WGM", "FM", "WIM", "CM", "WFM", "WCM")


def in_order(state: State) -> tuple[EntryId, ...]:
    """Everybody by the numbers of the last pairing; who has come since after them."""
    known = set(state.order)
    newcomers = [entry for entry in players(state) if entry not in known]
    return (*state.order, *_ranked(state, newcomers))


def numbered(state: State) -> tuple[EntryId, ...]:
    """C.04.2 2 — everybody by rating, title and name, as the coming round is paired.

    2.4 — nobody holds a number before being there for a pairing: who has not come yet stands after
    all others. From the fifth round on numbers are not given anew: a newcomer is put in where the
    rating fits (2.5). A round robin keeps the numbers of its table.
    """
    if rules_of(state).system.is_round_robin:
        return in_order(state)
    present, paired = players(state), _paired_before(state)
    come = paired | _coming(state)
    if state.next_round > _LAST_RENUMBERING:
        order = [entry for entry in state.order if entry in paired]
        for newcomer in _ranked(state, [player for player in present if player in come - paired]):
            order.insert(_place(state, order, newcomer), newcomer)
    else:
        order = _ranked(state, [entry for entry in present if entry in come])
    return (*order, *_ranked(state, [entry for entry in present if entry not in come]))


def _paired_before(state: State) -> set[EntryId]:
    """Who had an opponent or the allocated bye in some round."""
    before = {
        entry for round_ in state.rounds for board in round_.boards for entry in board.players
    }
    for round_ in state.rounds:
        before |= {e for e, kind in round_.byes.items() if kind is ByeKind.PAIRING_ALLOCATED}
    return before


def _coming(state: State) -> set[EntryId]:
    """Who is there for the coming round."""
    away = absent(state, state.next_round)
    return {entry.id for entry in state.entries if entry.id not in away}


def _place(state: State, order: list[EntryId], newcomer: EntryId) -> int:
    """Where somebody belongs among numbers that stay as they are: after so many of higher rank."""
    own = _rank(state, newcomer)
    return sum(_rank(state, entry) < own for entry in order)


def _ranked(state: State, entries: list[EntryId]) -> list[EntryId]:
    return sorted(entries, key=lambda entry: _rank(state, entry))


def _rank(state: State, entry: EntryId) -> tuple[int, int, str, int]:
    person = state.entries[entry - 1].person
    title = person.title.upper()
    place = _TITLES.index(title) if title in _TITLES else len(_TITLES)
    return -(person.rating or 0), place, person.full_name.casefold(), entry


def absent(state: State, number: int) -> dict[EntryId, ByeKind]:
    """Who is not paired in a round, and as what: asked for, gone, kept away, or not there."""
    byes: dict[EntryId, ByeKind] = {}
    for entry in state.entries:
        if is_away(state, entry, number) or _stayed_away(state, entry, number - 1):
            byes[entry.id] = ByeKind.ZERO_POINT
        elif number in entry.byes:
            byes[entry.id] = entry.byes[number]
    return byes


def is_away(state: State, entry: Entry, number: int) -> bool:
    """Whether a player cannot play a round: withdrawn, excluded, expelled, not checked in."""
    return (
        entry.withdrawn
        or state.is_expelled(entry.id)
        or state.is_excluded_from(entry.id, number)
        or (rules_of(state).check_in and not entry.checked_in)
    )


def no_shows(state: State, number: int) -> list[EntryId]:
    """Who was paired in a round and did not come to the board."""
    round_ = state.round(number)
    if round_ is None:
        return []
    return [
        entry
        for board in round_.boards
        if board.result is not None and board.result.kind is GameKind.FORFEIT
        for entry, half_points in zip(board.players, board.result.half_points, strict=True)
        if not half_points
    ]


def _stayed_away(state: State, entry: Entry, number: int) -> bool:
    """C.04.2 — whether somebody did not come to a round and has not been heard of since."""
    return not entry.checked_in and entry.id in no_shows(state, number)


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
            (number_of[first], number_of[other])
            for first, other in state.forbidden
            if first in number_of and other in number_of
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
