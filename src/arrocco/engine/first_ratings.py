"""First ratings: which events of an unrated player count, and what the pool of them comes to."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date

import numpy as np

from arrocco.engine.columns import EXCLUSION_CODE, Entries, Tournament
from arrocco.engine.kernel import EntrySums, Sides
from arrocco.engine.players import Players, month_number
from arrocco.engine.pools import FirstRating, Pools
from arrocco.laws.rating import Exclusion, RatingLaw, Tranche

_OWN_UNRATED = EXCLUSION_CODE[Exclusion.OWN_UNRATED]
_IGNORED = EXCLUSION_CODE[Exclusion.FIRST_EVENT_IGNORED]


@dataclass
class FirstRatings:
    """What a period does for players without a rating, by row of the players' table."""

    by_row: dict[int, FirstRating] = field(default_factory=dict)
    published: dict[int, int] = field(default_factory=dict)
    past_first_event: set[int] = field(default_factory=set)
    """Whose next event can no longer be ignored as the first."""
    played: set[int] = field(default_factory=set)
    """Who has a new result in the pool."""
    ignored: set[int] = field(default_factory=set)
    """Entries whose result is ignored."""
    pools: Pools = field(default_factory=Pools)


def rate_newcomers(
    law: RatingLaw,
    list_date: date,
    tournaments: Sequence[Tournament],
    players: Players,
    entries: Entries,
    sides: Sides,
    sums: EntrySums,
    pools: Pools,
) -> FirstRatings:
    """Adds the period's results to the pools and rates whoever has enough of them."""
    result = FirstRatings()
    if not law.HAS_UNRATED:
        return result
    new = _count_events(list_date, tournaments, players, entries, sides, sums, result)
    unrated = players.rating == 0
    carried = [p for p in pools.tranches if p not in new]
    rows = players.rows(np.array([*new, *carried], dtype=np.int64))
    for player, row in zip([*new, *carried], rows.tolist(), strict=True):
        if row < 0 or not unrated[row]:
            continue
        tranches = law.pooled_tranches((*pools.of(player), *new.get(player, ())), list_date)
        if not tranches:
            continue
        first = _first_rating(law, tranches)
        result.by_row[row] = first
        if first.publishable:
            result.published[row] = first.rating.rating
        else:
            result.pools.tranches[player] = tuple(tranches)
    return result


def _count_events(
    list_date: date,
    tournaments: Sequence[Tournament],
    players: Players,
    entries: Entries,
    sides: Sides,
    sums: EntrySums,
    result: FirstRatings,
) -> dict[int, list[Tranche]]:
    """The tranches this period adds, by player id; ignored events are marked on their games."""
    month = month_number(list_date)
    events: dict[int, list[int]] = defaultdict(list)
    for entry in np.flatnonzero(sums.pool_games > 0).tolist():
        events[int(entries.player[entry])].append(entry)
    new: dict[int, list[Tranche]] = {}
    for row, played in events.items():
        played.sort(key=lambda entry: _when(tournaments[int(entries.tournament[entry])]))
        is_past = bool(players.first_event[row])
        kept: list[Tranche] = []
        for entry in played:
            tournament = tournaments[int(entries.tournament[entry])]
            half = int(sums.pool_half[entry])
            law = tournament.law
            ignored = law.first_event_is_ignored(
                half,
                int(sums.event_half[entry]),
                is_first=not is_past,
                has_scored=is_past,
                games_against_rated=int(sums.pool_games[entry]),
            )
            is_past = is_past or not ignored or law.first_event_ends_the_search
            if ignored:
                result.ignored.add(entry)
                continue
            kept.append(
                Tranche(
                    month,
                    tournament.key,
                    int(sums.pool_games[entry]),
                    int(sums.pool_ratings[entry]),
                    half,
                )
            )
        if is_past:
            result.past_first_event.add(row)
        if kept:
            new[int(players.id[row])] = kept
            result.played.add(row)
    if result.ignored:
        mine = np.isin(sides.entry, np.array(sorted(result.ignored), dtype=np.int64))
        sides.exclusion[mine & (sides.exclusion == _OWN_UNRATED)] = _IGNORED
    return new


def _when(tournament: Tournament) -> tuple[date, date, str]:
    """The order in which events are taken: as they began."""
    return tournament.start, tournament.end, tournament.key


def _first_rating(law: RatingLaw, tranches: Sequence[Tranche]) -> FirstRating:
    rating = law.pooled_initial_rating(tranches)
    reasons = list(rating.reasons)
    publishable = law.first_rating_is_published(rating.games, rating.rating)
    if not publishable:
        reasons.append("below_floor" if law.is_delisted(rating.rating) else "too_few_games")
    return FirstRating(rating, publishable, tuple(reasons))
