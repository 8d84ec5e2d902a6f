"""The standings as they are at any moment: points, then the tie-breaks of the event in order."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from msgspec import Struct

from arrocco.hall.event import direct_encounter
from arrocco.hall.event.cards import Cards, Slot, SlotKind, cards
from arrocco.hall.event.field import in_order
from arrocco.hall.event.records import TieBreak
from arrocco.hall.event.state import State, rules_of
from arrocco.hall.event.tiebreaks import VALUES, Results
from arrocco.laws.hall import Laws
from arrocco.units import decimal


class Standing(Struct, frozen=True):
    """A place in the standings; whom no tie-break tells apart shares it.

    `points` are in tenths, `values` those of the event's tie-breaks in their order. `played` counts
    the games played over the board.
    """

    rank: int
    entry: int
    number: int
    points: int
    values: tuple[int, ...]
    played: int


def standings(state: State, laws: Laws | None = None) -> list[Standing]:
    """Everybody who has a place, the first one first.

    12.13 — who is excluded has none; their opponents keep what they have.
    """
    rules = rules_of(state)
    results = results_of(state)
    points = {entry: results.score(entry) for entry in results.cards}
    excluded = [entry for entry in points if state.is_out_of_standings(entry)]
    ranked = (laws or state.laws).online.standings_after_exclusion(points, excluded)
    groups = parted_by([list(ranked)], ranked.__getitem__)
    for tie_break in rules.tie_breaks:
        if tie_break is TieBreak.DIRECT_ENCOUNTER:
            groups = [part for group in groups for part in direct_encounter.split(results, group)]
        else:
            groups = parted_by(groups, partial(VALUES[tie_break], results))
    return _listed(state, results, groups)


def results_of(state: State) -> Results:
    """The results that tie-breaks look at."""
    rules = rules_of(state)
    by_entry = cards(state)
    if rules.system.is_round_robin:
        by_entry = _without_early_leavers(state, by_entry)
    ratings = {entry.id: entry.person.rating or rules.rating_of_unrated for entry in state.entries}
    return Results(by_entry, rules.scoring, ratings, rules.system.is_round_robin)


def _without_early_leavers(state: State, found: Cards) -> Cards:
    """C.05 — the games of who leaves a round robin before half of it stay out of the standings.

    Not of who is excluded: their opponents are given nothing anew and lose nothing (12.13).
    """
    left = {
        entry
        for entry, card in found.items()
        if state.entries[entry - 1].withdrawn
        and 2 * sum(slot.was_played for slot in card) < state.announced_rounds
    }
    return {
        entry: tuple(
            Slot(slot.round, SlotKind.ZERO_POINT_BYE)
            if entry in left or slot.opponent in left
            else slot
            for slot in card
        )
        for entry, card in found.items()
    }


def parted_by(groups: list[list[int]], value: Callable[[int], int]) -> list[list[int]]:
    """The same groups of tied players, each parted by a value, the highest first."""
    parted = []
    for group in groups:
        if len(group) < 2:
            parted.append(group)
            continue
        values = {entry: value(entry) for entry in group}
        for one in sorted(set(values.values()), reverse=True):
            parted.append([entry for entry in group if values[entry] == one])
    return parted


def _listed(state: State, results: Results, groups: list[list[int]]) -> list[Standing]:
    number_of = {entry: number for number, entry in enumerate(in_order(state), start=1)}
    tied_on: dict[int, list[int]] = {}
    for entry in (entry for group in groups for entry in group):
        tied_on.setdefault(results.score(entry), []).append(entry)
    encounters = {
        entry: points
        for tied in tied_on.values()
        for entry, points in direct_encounter.encounter_points(results, tied).items()
    }
    listed, rank = [], 1
    for group in groups:
        for entry in sorted(group, key=number_of.__getitem__):
            values = tuple(
                encounters[entry]
                if tie_break is TieBreak.DIRECT_ENCOUNTER
                else VALUES[tie_break](results, entry)
                for tie_break in rules_of(state).tie_breaks
            )
            listed.append(
                Standing(
                    rank,
                    entry,
                    number_of[entry],
                    results.score(entry),
                    values,
                    len(results.played(entry)),
                )
            )
        rank += len(group)
    return listed


_IN_TENTHS = frozenset(
    {
        TieBreak.DIRECT_ENCOUNTER,
        TieBreak.PROGRESSIVE,
        TieBreak.BUCHHOLZ,
        TieBreak.BUCHHOLZ_CUT_1,
        TieBreak.BUCHHOLZ_MEDIAN,
    }
)


def shown(tie_break: TieBreak, value: int) -> str:
    """A value as standings print it: 125 tenths of Buchholz are ``12.5``."""
    if tie_break is TieBreak.SONNEBORN_BERGER:
        return decimal(value)
    return f"{value // 10}.{value % 10}" if tie_break in _IN_TENTHS else str(value)
