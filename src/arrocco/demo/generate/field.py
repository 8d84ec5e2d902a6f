"""Who plays: the entries of a batch of tournaments, in the order of their starting numbers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from arrocco.demo.generate.draws import Ints, Rng, below, chance, order, ranges, starts
from arrocco.demo.generate.federation import CODES, SEXES, Federation, Small
from arrocco.demo.generate.names import person_names
from arrocco.demo.generate.plan import DOUBLE_ROUND_ROBIN, ROUND_ROBIN, TEAM, Plan
from arrocco.demo.generate.pools import Pools
from arrocco.demo.generate.titles import TITLE_BYTES
from arrocco.engine.checks.questions import MembersOnly
from arrocco.records.reportbatch import EntryColumns

_FORM = 70
"""How far a player's form lies above or below the usual, at most."""
_LOT = 1 << 20


@dataclass
class Field:
    """The entries of some tournaments, with how well each of them plays here."""

    entries: EntryColumns
    strength: Small
    offsets: Ints
    """Where the entries of each tournament begin, and the end."""


def draw_field(rng: Rng, federation: Federation, pools: Pools, plan: Plan) -> Field:
    """Draws who plays in the tournaments of a batch."""
    rows, tournament, new = _rows(rng, pools, plan)
    listed = rows >= 0
    row = np.where(listed, rows, 0)
    rating = np.zeros(len(rows), dtype=np.int32)
    for number, ratings in enumerate(federation.ratings):
        here = listed & (plan.list_number[tournament] == number)
        rating[here] = ratings[row[here]]
    strength = np.where(listed, federation.strength[row], 900 + below(rng, 700, len(rows)))
    strength = strength + below(rng, 2 * _FORM + 1, len(rows)) - _FORM
    place = _numbering(rng, plan, tournament, np.maximum(rating, 0))
    rows, row, listed, rating = rows[place], row[place], listed[place], rating[place]
    new = new[place]
    is_woman = np.where(listed, federation.is_woman[row], chance(rng, len(rows), 1500))
    id_ = np.where(listed, federation.id[row], 0)
    # New players have numbers behind the last one of the list, the rare ones without stay at 0.
    has_number = ~listed & (chance(rng, len(rows), 9000) | _members_only(federation))
    id_[has_number] = federation.id[-1] + 100 + 3 * new[has_number]
    name = federation.name[row]
    name[~listed] = person_names(rng, is_woman[~listed])
    code = np.where(listed, federation.code[row], plan.federation[tournament])
    title = np.where(listed, federation.title[row], 0)
    entries = EntryColumns(
        tournament=tournament.astype(np.int32),
        number=(1 + ranges(plan.size)).astype(np.int32),
        id=id_,
        rating=rating,
        birth=_births(rng, federation, plan, tournament, row, listed),
        name=name,
        federation=CODES[code],
        sex=SEXES[is_woman.astype(np.int8)],
        title=TITLE_BYTES[title],
    )
    return Field(entries, strength[place].astype(np.int16), starts(plan.size))


def _members_only(federation: Federation) -> bool:
    """Whether a tournament with somebody without a number is not rated (RIO, 14.1)."""
    law = federation.calendar.law
    return isinstance(law, MembersOnly) and law.asks_for_members()


def _rows(rng: Rng, pools: Pools, plan: Plan) -> tuple[Ints, Ints, Ints]:
    """The rows of players (-1: on no list), their tournaments, and the numbers of new ones."""
    first, last = pools.home.starts[plan.federation], pools.home.starts[plan.federation + 1]
    low = first + (last - first) * plan.low // 10_000
    high = first + (last - first) * plan.high // 10_000
    home = pools.home.draw(rng, plan.home, low, high)
    guests = pools.guests.draw(rng, plan.guests, *_guest_window(pools, plan))
    unrated = pools.unrated.draw(
        rng,
        plan.unrated,
        pools.unrated.starts[plan.federation],
        pools.unrated.starts[plan.federation + 1],
    )
    nobody = np.full(int(plan.new.sum()), -1, dtype=np.int64)
    rows = np.concatenate([home, guests, unrated, nobody])
    every = np.arange(len(plan))
    tournament = np.concatenate(
        [np.repeat(every, count) for count in (plan.home, plan.guests, plan.unrated, plan.new)]
    )
    new = np.zeros(len(rows), dtype=np.int64)
    new[len(rows) - len(nobody) :] = np.repeat(plan.first_new, plan.new) + ranges(plan.new)
    sort = np.argsort(tournament, kind="stable")
    return rows[sort], tournament[sort], new[sort]


def _guest_window(pools: Pools, plan: Plan) -> tuple[Ints, Ints]:
    """Guests are as strong as the field: the same part of the range of all who travel.

    Those who travel are stronger than those who stay, so the lower bound is kept low enough.
    """
    size = len(pools.guests.rows)
    return size * (plan.low * plan.low // 10_000) // 10_000, size * plan.high // 10_000


def _numbering(rng: Rng, plan: Plan, tournament: Ints, rating: NDArray[np.int32]) -> Ints:
    """The order of starting numbers: by rating, by lot in round robins, by team in team events."""
    size = len(tournament)
    lot = below(rng, _LOT, size) * size + np.arange(size)
    system = plan.system[tournament]
    by_lot = (system == ROUND_ROBIN) | (system == DOUBLE_ROUND_ROBIN)
    down = np.where(by_lot, 0, 4000 - rating.astype(np.int64))
    place = order((tournament, len(plan)), (down, 4001), (lot, _LOT * size))
    if not (plan.system == TEAM).any():
        return place
    # The strongest of each team on its first board, the teams of like strength.
    rank = ranges(plan.size)
    teams = np.where(plan.system == TEAM, plan.size // plan.members, plan.size)[tournament]
    members = np.where(plan.system == TEAM, plan.members, 1)[tournament]
    number = (rank % teams) * members + rank // teams
    seated = np.empty(size, dtype=np.int64)
    seated[starts(plan.size)[tournament] + number] = place
    return seated


def _births(
    rng: Rng,
    federation: Federation,
    plan: Plan,
    tournament: Ints,
    row: Ints,
    listed: NDArray[np.bool_],
) -> NDArray[np.int32]:
    """Birth dates as reports give them: some the day, some only the year, now and then nothing."""
    size = len(row)
    year = federation.calendar.lists[0].year - 6 - below(rng, 40, size)
    birth = np.where(listed, federation.birth[row], year * 10_000 + 101)
    only_year = chance(rng, len(plan), 4000)[tournament]
    birth = np.where(only_year, birth // 10_000 * 10_000, birth)
    birth[chance(rng, size, 100)] = 0
    return birth.astype(np.int32)
