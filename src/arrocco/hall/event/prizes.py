"""12.6 — who gets which prize, by the standings and by categories."""

from __future__ import annotations

from itertools import groupby

from msgspec import Struct

from arrocco.hall.event.prize_table import PrizeCategory
from arrocco.hall.event.standings import standings
from arrocco.hall.event.state import State


class AwardedPrize(Struct, frozen=True, kw_only=True):
    """A prize, or a share of several, and who gets it."""

    category: str
    place: int
    """The first place of those who share it."""
    shared_by: int
    rank: int
    entry: int
    cents: int


def awarded(state: State) -> list[AwardedPrize]:
    """Who gets what: categories in the order of the table, places by the standings.

    Those who share a place share the sum of its prizes equally; what cannot be divided to the cent
    stays with the organiser. Where the table says that nobody gets a second prize, who has one is
    left out of the categories behind. 12.13 — the excluded are in no standings.
    """
    table = state.prizes
    if table is None or state.rules is None:
        return []
    ranked = [(standing.rank, standing.entry) for standing in standings(state)]
    given: list[AwardedPrize] = []
    for category in table.categories:
        winners = {awarded_prize.entry for awarded_prize in given} if table.one_each else set()
        eligible = [
            (rank, entry)
            for rank, entry in ranked
            if entry not in winners and category.admits(state.entries[entry - 1].person)
        ]
        given += _of_category(category, eligible)
    return given


def _of_category(category: PrizeCategory, eligible: list[tuple[int, int]]) -> list[AwardedPrize]:
    given: list[AwardedPrize] = []
    place = 1
    for rank, group in groupby(eligible, key=lambda one: one[0]):
        entries = [entry for _, entry in group]
        share = sum(category.cents[place - 1 : place - 1 + len(entries)]) // len(entries)
        given += [
            AwardedPrize(
                category=category.name,
                place=place,
                shared_by=len(entries),
                rank=rank,
                entry=entry,
                cents=share,
            )
            for entry in entries
            if share
        ]
        place += len(entries)
    return given


def payments(state: State) -> list[tuple[int, int]]:
    """What each winner is paid in all, in cents, the highest sum first."""
    sums: dict[int, int] = {}
    for awarded_prize in awarded(state):
        sums[awarded_prize.entry] = sums.get(awarded_prize.entry, 0) + awarded_prize.cents
    return sorted(sums.items(), key=lambda pair: (-pair[1], pair[0]))
