"""First ratings: which events of an unrated player count, and what the pool of them comes to.

Events are taken in the order they began, because whether a result is ignored depends on whether it
is a player's first. What an event brought is a small record, so that the events of a month can come
from many batches and still be judged together.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import NamedTuple

import numpy as np

from arrocco.engine.columns import Entries, IntColumn, Tournament
from arrocco.engine.kernel import OWN_UNRATED, EntrySums, Sides
from arrocco.engine.players import Players, month_number
from arrocco.engine.pools import FirstRating, Pools
from arrocco.laws.fide.text_2010.round_robin import RoundRobin
from arrocco.laws.rating import Exclusion, RatingLaw, Tranche
from arrocco.records.report import System

_ROUND_ROBINS = (System.ROUND_ROBIN, System.DOUBLE_ROUND_ROBIN)


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
class RatedRoundRobin:
    """The outcome for one tournament, by entry."""

    table: RoundRobin | None
    dropped: set[int]
    """Unrated entries whose first event is ignored, with the games of their opponents."""
    results: list[UnratedEvent]
    """What the unrated who stayed take away."""
    staying: list[int]
    """The entries it was computed among, in the order in which the table names them."""


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
    games_of_period: Counter[int] = field(default_factory=Counter)
    """By row: the games of the period that went to a first rating."""


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
    events: dict[int, list[UnratedEvent]] = defaultdict(list)
    if among is None:
        rows = np.flatnonzero(sums.pool_games > 0)
    else:
        rows = among[sums.pool_games[among] > 0]
    if not len(rows):
        return events
    opponents = sums.pool_games[rows]
    if sides is not None and any(t.law.RATES_ROUND_ROBINS for t in tournaments):
        asks = np.array([t.law.RATES_ROUND_ROBINS for t in tournaments])[entries.tournament[rows]]
        opponents = np.where(asks, _different_opponents(sides, rows), opponents)
    columns = (
        entries.tournament,
        entries.player,
        sums.pool_games,
        sums.pool_ratings,
        sums.pool_half,
        sums.event_half,
    )
    table = zip(
        rows.tolist(),
        opponents.tolist(),
        *(column[rows].tolist() for column in columns),
        strict=True,
    )
    for entry, met, tournament, player, games, ratings, half, event_half in table:
        events[tournament].append(
            UnratedEvent(player, entry, games, ratings, half, event_half, met)
        )
    return events


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
    held: dict[int, list[Tranche]] = field(default_factory=dict)
    """By player: results of long tournaments without a point so far, where any changed."""

    def take_events(
        self,
        events: EventsOfTournament,
        *,
        own_method: Iterable[int] = (),
        rate_round_robin: RateRoundRobin | None = None,
    ) -> None:
        """Takes all events; tournaments in `own_method` are offered to `rate_round_robin`."""
        offered = set(own_method)
        later = self._stages(events)
        for index in sorted(events.keys() | offered, key=self._when):
            here: Sequence[UnratedEvent] | None = None
            if index in offered and rate_round_robin is not None:
                here = rate_round_robin(index, self.is_past_first_event)
            for event in events.get(index, ()) if here is None else here:
                stages = [(index, event)]
                if self._is_stage(index):  # all at the first of them, nothing at the others
                    stages = later.pop((self.tournaments[index].event, event.player), [])
                if stages:
                    self._take([(self.tournaments[at], stage) for at, stage in stages])

    def _is_stage(self, index: int) -> bool:
        """Whether a tournament is judged with others; a round robin is rated as a whole."""
        tournament = self.tournaments[index]
        return bool(tournament.event) and tournament.system not in _ROUND_ROBINS

    def _stages(
        self, events: EventsOfTournament
    ) -> dict[tuple[str, int], list[tuple[int, UnratedEvent]]]:
        """By event and player: what the player did in its stages (FIDE 2010, 6.2), in order."""
        stages: dict[tuple[str, int], list[tuple[int, UnratedEvent]]] = defaultdict(list)
        for index in sorted(filter(self._is_stage, events), key=self._when):
            for event in events[index]:
                stages[self.tournaments[index].event, event.player].append((index, event))
        return dict(stages)

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

    def _take(self, stages: Sequence[tuple[Tournament, UnratedEvent]]) -> None:
        """Takes an event of a player, which may have several stages."""
        law, row = stages[0][0].law, stages[0][1].player
        waiting = self._waiting(stages[0][0], row)
        is_past = self.is_past_first_event(row) and not waiting
        if law.first_event_is_ignored(
            sum(
                event.half if event.round_robin_opponents is None else event.event_half
                for _, event in stages
            ),
            sum(event.event_half for _, event in stages),
            is_first=not is_past,
            has_scored=is_past,
            games_against_rated=sum(event.rated_opponents for _, event in stages),
        ):
            for tournament, event in stages:
                self.ignore(tournament, row, event.entry)
                if tournament.is_interim:
                    self._hold_back(tournament, event)
            return
        self.result.past_first_event.add(row)
        tranches = [
            *(replace(tranche, waits_for="") for tranche in waiting),
            *(self._tranche(tournament, event) for tournament, event in stages),
        ]
        player = int(self.players.id[row])
        if law.RATES_ROUND_ROBINS and self._is_below_floor(law, player, tranches):
            reason = Exclusion.BELOW_FLOOR_IGNORED
            for tournament, event in stages:
                self.result.ignored[event.entry] = reason
                self.result.ignored_results[row, tournament.key] = reason
            return
        self.new[player] += tranches
        if waiting:
            self.held[player] = [t for t in self.held[player] if t not in waiting]
        self.result.games_of_period[row] += sum(event.games for _, event in stages)
        self.result.played.add(row)

    def _tranche(self, tournament: Tournament, event: UnratedEvent) -> Tranche:
        return Tranche(
            month_number(self.law.pool_period(tournament.start, self.list_date)),
            tournament.key,
            event.games,
            event.ratings,
            event.half,
            event.round_robin_opponents,
            tournament.facts.world_team_event,
        )

    def _hold_back(self, tournament: Tournament, event: UnratedEvent) -> None:
        """Keeps an ignored interim result: it counts once the tournament has brought a point."""
        player = int(self.players.id[event.player])
        held = replace(self._tranche(tournament, event), waits_for=tournament.event)
        self.held.setdefault(player, list(self._held_before(player))).append(held)

    def _held_before(self, player: int) -> list[Tranche]:
        return [tranche for tranche in self.pools.of(player) if tranche.waits_for]

    def _waiting(self, tournament: Tournament, row: int) -> list[Tranche]:
        """What a player did in this tournament without a point, as earlier reports told it."""
        if not tournament.is_interim:
            return []
        player = int(self.players.id[row])
        held = self.held.setdefault(player, list(self._held_before(player)))
        return [tranche for tranche in held if tranche.waits_for == tournament.event]

    def _is_below_floor(self, law: RatingLaw, player: int, tranches: Sequence[Tranche]) -> bool:
        """8.31 of the 2010 text: a first result that is worth too little is ignored."""
        earlier = self.law.pooled_tranches(self.pools.of(player), self.list_date)
        worth = law.pooled_initial_rating(tranches).rating
        return law.first_results_are_ignored(
            worth, has_performance=bool(earlier or self.new.get(player))
        )

    def settle(self, games: IntColumn) -> FirstRatings:
        """Rates whoever has enough results, new or carried; the others carry theirs on.

        `games` counts each player's rated games of the period: who is rated with a standard rating
        that stands in keeps the pool until such a game counts.
        """
        candidates = list(dict.fromkeys([*self.new, *self.held, *self.pools.tranches]))
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
            self._settle_unrated(player, row, carried)
        return self.result

    def _settle_unrated(self, player: int, row: int, carried: Sequence[Tranche]) -> None:
        new = self.new.get(player, ())
        counted = [tranche for tranche in carried if not tranche.waits_for]
        tranches = self.law.pooled_tranches((*counted, *new), self.list_date, fresh=len(new))
        held = self.held.get(player, [t for t in carried if t.waits_for])
        held = self.law.pooled_tranches(held, self.list_date, fresh=len(held))
        if held:  # first: a first rating that is published leaves nothing behind
            self.result.pools.tranches[player] = tuple(held)
        if not tranches:
            return
        first = self._first_rating(tranches, affiliated=bool(self.players.affiliated[row]))
        self.result.by_row[row] = first
        if first.publishable:
            self.result.published[row] = first.rating.rating
            self.result.pools.tranches.pop(player, None)
        else:
            self.result.pools.tranches[player] = (*tranches, *held)

    def _first_rating(self, tranches: Sequence[Tranche], *, affiliated: bool) -> FirstRating:
        law = self.law
        rating = law.pooled_initial_rating(tranches)
        reasons = list(rating.reasons)

        def is_published(*, affiliated: bool) -> bool:
            suffices = law.seven_games_suffice(tranches, affiliated=affiliated)
            return law.first_rating_is_published(
                rating.games, rating.rating, seven_suffice=suffices
            )

        publishable = is_published(affiliated=affiliated)
        if not publishable:
            reasons.append("below_floor" if law.is_delisted(rating.rating) else "too_few_games")
        elif not is_published(affiliated=False):
            reasons.append("affiliated")
        return FirstRating(rating, publishable, tuple(reasons), tuple(tranches))
