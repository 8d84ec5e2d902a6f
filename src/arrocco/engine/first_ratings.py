"""First ratings: which events of an unrated player count, and what the pool of them comes to.

Events are taken in the order they began, because whether a result is ignored depends on whether it
is a player's first. What an event brought is a small record, so that the events of a month can come
from many batches and still be judged together.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from arrocco.engine.columns import Entries, IntColumn, Tournament
from arrocco.engine.kernel import OWN_UNRATED, EntrySums, Sides
from arrocco.engine.players import Players, month_number
from arrocco.engine.pools import FirstRating, Pools
from arrocco.laws.rating import Exclusion, RatingLaw, Tranche

if TYPE_CHECKING:
    from arrocco.engine.round_robin import RatedRoundRobin


class UnratedEvent(NamedTuple):
    """What an unrated player did in one event against opponents that count."""

    player: int
    """Row in the players' table."""
    entry: int
    games: int
    ratings: int
    half: int
    event_half: int
    """Everything scored in the event, whoever the opponent was."""
    rated_opponents: int
    round_robin_opponents: int | None = None


EventsOfTournament = Mapping[int, Sequence[UnratedEvent]]
"""Events by the number of their tournament."""
RateRoundRobin = Callable[[int, Callable[[int], bool]], "list[UnratedEvent] | None"]
"""Rates a tournament by the 2010 method and returns its events; `None` where it has none."""


@dataclass
class FirstRatings:
    """What a period does for players without a rating, by row of the players' table."""

    by_row: dict[int, FirstRating] = field(default_factory=dict)
    published: dict[int, int] = field(default_factory=dict)
    past_first_event: set[int] = field(default_factory=set)
    """Whose next event can no longer be ignored as the first."""
    played: set[int] = field(default_factory=set)
    """Who has a new result in the pool."""
    ignored: dict[int, Exclusion] = field(default_factory=dict)
    """Entries whose result is ignored, and why."""
    ignored_results: dict[tuple[int, str], Exclusion] = field(default_factory=dict)
    """The same by row of the player and key of the tournament, which also hold across batches."""
    round_robins: dict[int, RatedRoundRobin] = field(default_factory=dict)
    """By tournament: those rated by the method of their own."""
    pools: Pools = field(default_factory=Pools)


def events_of(
    tournaments: Sequence[Tournament],
    entries: Entries,
    sides: Sides | None,
    sums: EntrySums,
    among: IntColumn | None = None,
) -> dict[int, list[UnratedEvent]]:
    """The events of unrated players in some tournaments, by tournament; `among` some entries only.

    The sides are looked at only where the law asks how many different opponents were met (2010).
    """
    found: dict[int, list[UnratedEvent]] = defaultdict(list)
    if among is None:
        rows = np.flatnonzero(sums.pool_games > 0)
    else:
        rows = among[sums.pool_games[among] > 0]
    if not len(rows):
        return found
    opponents = sums.pool_games[rows]
    if sides is not None and any(t.law.RATES_ROUND_ROBINS for t in tournaments):
        asks = np.array([t.law.RATES_ROUND_ROBINS for t in tournaments])[entries.tournament[rows]]
        opponents = np.where(asks, _different_opponents(sides, rows), opponents)
    columns = (
        entries.tournament, entries.player, sums.pool_games, sums.pool_ratings, sums.pool_half,
        sums.event_half,
    )  # fmt: skip
    table = zip(
        rows.tolist(), opponents.tolist(), *(column[rows].tolist() for column in columns),
        strict=True,
    )  # fmt: skip
    for entry, met, tournament, player, games, ratings, half, event_half in table:
        found[tournament].append(UnratedEvent(player, entry, games, ratings, half, event_half, met))
    return found


def _different_opponents(sides: Sides, entries: IntColumn) -> IntColumn:
    """By entry: how many different rated players were met; only the 2010 text asks (8.21)."""
    mine = sides.exclusion == OWN_UNRATED
    mine &= np.isin(sides.entry, entries)
    size = int(max(sides.entry.max(initial=0), sides.opponent.max(initial=0))) + 1
    pairs = np.unique(sides.entry[mine].astype(np.int64) * size + sides.opponent[mine])
    return np.bincount(pairs // size, minlength=size)[entries]


@dataclass
class Newcomers:
    """Takes a period's events in order and rates whoever has enough results."""

    law: RatingLaw
    list_date: date
    tournaments: Sequence[Tournament]
    players: Players
    pools: Pools
    result: FirstRatings = field(default_factory=FirstRatings)
    new: dict[int, list[Tranche]] = field(default_factory=lambda: defaultdict(list))

    def take_events(
        self,
        events: EventsOfTournament,
        *,
        own_method: Iterable[int] = (),
        rate_round_robin: RateRoundRobin | None = None,
    ) -> None:
        """Takes all events; tournaments in `own_method` are offered to `rate_round_robin`."""
        offered = set(own_method)
        for index in sorted(events.keys() | offered, key=self._when):
            here: Sequence[UnratedEvent] | None = None
            if index in offered and rate_round_robin is not None:
                here = rate_round_robin(index, self.is_past_first_event)
            for event in events.get(index, ()) if here is None else here:
                self._take(self.tournaments[index], event)

    def ignore(self, tournament: Tournament, player: int, entry: int) -> None:
        """Ignores the first event of a player."""
        self.result.ignored[entry] = Exclusion.FIRST_EVENT_IGNORED
        self.result.ignored_results[player, tournament.key] = Exclusion.FIRST_EVENT_IGNORED
        if tournament.law.first_event_ends_the_search:
            self.result.past_first_event.add(player)

    def is_past_first_event(self, player: int) -> bool:
        """Whether no further event of a player can be ignored as the first."""
        return bool(self.players.first_event[player]) or player in self.result.past_first_event

    def _when(self, index: int) -> tuple[date, date, str]:
        tournament = self.tournaments[index]
        return tournament.start, tournament.end, tournament.key

    def _take(self, tournament: Tournament, event: UnratedEvent) -> None:
        law = tournament.law
        is_past = self.is_past_first_event(event.player)
        half = event.half if event.round_robin_opponents is None else event.event_half
        if law.first_event_is_ignored(
            half,
            event.event_half,
            is_first=not is_past,
            has_scored=is_past,
            games_against_rated=event.rated_opponents,
        ):
            self.ignore(tournament, event.player, event.entry)
            return
        self.result.past_first_event.add(event.player)
        tranche = Tranche(
            month_number(self.list_date), tournament.key, event.games, event.ratings, event.half,
            event.round_robin_opponents, tournament.facts.world_team_event,
        )  # fmt: skip
        player = int(self.players.id[event.player])
        if law.RATES_ROUND_ROBINS and self._is_below_floor(law, player, tranche):
            reason = Exclusion.BELOW_FLOOR_IGNORED
            self.result.ignored[event.entry] = reason
            self.result.ignored_results[event.player, tournament.key] = reason
            return
        self.new[player].append(tranche)
        self.result.played.add(event.player)

    def _is_below_floor(self, law: RatingLaw, player: int, tranche: Tranche) -> bool:
        """8.31 of the 2010 text: a first result that is worth too little is ignored."""
        earlier = self.law.pooled_tranches(self.pools.of(player), self.list_date)
        worth = law.pooled_initial_rating([tranche]).rating
        return law.first_results_are_ignored(
            worth, has_performance=bool(earlier or self.new.get(player))
        )

    def settle(self, games: IntColumn) -> FirstRatings:
        """Rates whoever has enough results, new or carried; the others carry theirs on.

        `games` counts each player's rated games of the period: who is rated with a standard rating
        that stands in keeps the pool until such a game counts.
        """
        candidates = [*self.new, *(p for p in self.pools.tranches if p not in self.new)]
        rows = self.players.rows(np.array(candidates, dtype=np.int64))
        for player, row in zip(candidates, rows.tolist(), strict=True):
            carried = self.pools.of(player)
            if row < 0:
                continue
            if self.players.rating[row] > 0:
                kept = self.law.pooled_tranches(carried, self.list_date)
                if kept and self.players.stands_in[row] and not games[row]:
                    self.result.pools.tranches[player] = tuple(kept)
                continue
            self._settle_unrated(player, row, (*carried, *self.new.get(player, ())))
        return self.result

    def _settle_unrated(self, player: int, row: int, results: Sequence[Tranche]) -> None:
        tranches = self.law.pooled_tranches(results, self.list_date)
        if not tranches:
            return
        first = self._first_rating(tranches, affiliated=bool(self.players.affiliated[row]))
        self.result.by_row[row] = first
        if first.publishable:
            self.result.published[row] = first.rating.rating
        else:
            self.result.pools.tranches[player] = tuple(tranches)

    def _first_rating(self, tranches: Sequence[Tranche], *, affiliated: bool) -> FirstRating:
        law = self.law
        rating = law.pooled_initial_rating(tranches)
        reasons = list(rating.reasons)
        publishable = law.first_rating_is_published(
            rating.games,
            rating.rating,
            seven_suffice=affiliated or all(t.seven_suffice for t in tranches),
        )
        if not publishable:
            reasons.append("below_floor" if law.is_delisted(rating.rating) else "too_few_games")
        return FirstRating(rating, publishable, tuple(reasons), tuple(tranches))
