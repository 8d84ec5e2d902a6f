"""First ratings: which events of an unrated player count, and what the pool of them comes to."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import TYPE_CHECKING

import numpy as np

from arrocco.engine.columns import (
    EXCLUSION_CODE,
    Entries,
    Games,
    IntColumn,
    Tournament,
    sum_by,
)
from arrocco.engine.kernel import EntrySums, Sides, sum_entries
from arrocco.engine.players import Players, month_number
from arrocco.engine.pools import FirstRating, Pools
from arrocco.laws.rating import Exclusion, RatingLaw, Tranche

if TYPE_CHECKING:
    from arrocco.engine.round_robin import RatedRoundRobin, UnratedResult

_OWN_UNRATED = EXCLUSION_CODE[Exclusion.OWN_UNRATED]


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
    round_robins: dict[int, RatedRoundRobin] = field(default_factory=dict)
    """By tournament: those rated by the method of their own."""
    pools: Pools = field(default_factory=Pools)


@dataclass
class Newcomers:
    """Goes through a period's events in order, as an unrated player's first event depends on it."""

    law: RatingLaw
    list_date: date
    tournaments: Sequence[Tournament]
    players: Players
    entries: Entries
    games: Games
    sides: Sides
    pools: Pools
    result: FirstRatings = field(default_factory=FirstRatings)
    new: dict[int, list[Tranche]] = field(default_factory=lambda: defaultdict(list))

    def rate(self) -> tuple[FirstRatings, EntrySums]:
        """The first ratings of the period, and the sums of all entries."""
        sums = sum_entries(self.entries, self.sides)
        if not self.law.HAS_UNRATED:
            return self.result, sums
        pooled: dict[int, list[int]] = defaultdict(list)
        for entry in np.flatnonzero(sums.pool_games > 0).tolist():
            pooled[int(self.entries.tournament[entry])].append(entry)
        own_method = {index for index, t in enumerate(self.tournaments) if t.law.RATES_ROUND_ROBINS}
        for index in sorted(pooled.keys() | own_method, key=self._when):
            results = self._round_robin(index) if index in own_method else None
            open_entries = [e for e in pooled.get(index, ()) if results is None or e not in results]
            if results is not None:
                open_entries = self._still_pooled(open_entries)
            for entry in open_entries:
                self._take_open(index, entry, sums)
            for entry, result in (results or {}).items():
                self._take_round_robin(index, entry, result)
        if self.result.round_robins:
            sums = sum_entries(self.entries, self.sides)
        self._mark_ignored()
        self._settle(sum_by(self.entries.player, sums.games, len(self.players)))
        return self.result, sums

    def _when(self, index: int) -> tuple[date, date, str]:
        """Events are taken as they began."""
        tournament = self.tournaments[index]
        return tournament.start, tournament.end, tournament.key

    # --- one event -----------------------------------------------------------------------------

    def _is_past(self, entry: int) -> bool:
        row = int(self.entries.player[entry])
        return bool(self.players.first_event[row]) or row in self.result.past_first_event

    def _round_robin(self, index: int) -> dict[int, UnratedResult] | None:
        from arrocco.engine.round_robin import rate_round_robin, rows_of

        game_tournament = self.entries.tournament[self.games.white]
        rated = rate_round_robin(
            self.tournaments[index],
            self.entries,
            self.games,
            self.sides,
            rows_of(self.entries.tournament, index),
            rows_of(game_tournament, index),
            self._is_past,
        )
        if rated is None:
            return None
        self.result.round_robins[index] = rated
        for entry in rated.dropped:
            self.result.ignored[entry] = Exclusion.FIRST_EVENT_IGNORED
            if self.tournaments[index].law.first_event_ends_the_search:
                self.result.past_first_event.add(int(self.entries.player[entry]))
        return rated.results

    def _still_pooled(self, entries: list[int]) -> list[int]:
        """Of these, the entries whose games a round robin left to the ordinary way."""
        if not entries:
            return []
        mine = np.isin(self.sides.entry, np.array(entries))
        left = set(self.sides.entry[mine & (self.sides.exclusion == _OWN_UNRATED)].tolist())
        return [entry for entry in entries if entry in left]

    def _take_open(self, index: int, entry: int, sums: EntrySums) -> None:
        games, ratings = int(sums.pool_games[entry]), int(sums.pool_ratings[entry])
        tournament = self.tournaments[index]
        half = int(sums.pool_half[entry])
        tranche = Tranche(
            month_number(self.list_date), tournament.key, games, ratings, half,
            seven_suffice=tournament.facts.world_team_event,
        )  # fmt: skip
        ignored = tournament.law.first_event_is_ignored(
            half,
            int(sums.event_half[entry]),
            is_first=not self._is_past(entry),
            has_scored=self._is_past(entry),
            games_against_rated=self._rated_opponents(tournament, entry, games),
        )
        self._take(tournament, entry, tranche, ignored=ignored)

    def _rated_opponents(self, tournament: Tournament, entry: int, games: int) -> int:
        """How many different rated players were met; only the 2010 text asks (8.21)."""
        if not tournament.law.RATES_ROUND_ROBINS:
            return games
        mine = (self.sides.entry == entry) & (self.sides.exclusion == _OWN_UNRATED)
        return len(np.unique(self.sides.opponent[mine]))

    def _take_round_robin(self, index: int, entry: int, result: UnratedResult) -> None:
        tournament = self.tournaments[index]
        tranche = Tranche(
            month_number(self.list_date),
            tournament.key,
            result.games,
            result.average * result.games,
            result.half,
            round_robin_opponents=result.opponents,
            seven_suffice=tournament.facts.world_team_event,
        )
        ignored = tournament.law.first_event_is_ignored(
            result.event_half,
            result.event_half,
            is_first=not self._is_past(entry),
            has_scored=self._is_past(entry),
            games_against_rated=result.rated_opponents,
        )
        self._take(tournament, entry, tranche, ignored=ignored)

    def _take(self, tournament: Tournament, entry: int, tranche: Tranche, *, ignored: bool) -> None:
        row, law = int(self.entries.player[entry]), tournament.law
        if not ignored or law.first_event_ends_the_search:
            self.result.past_first_event.add(row)
        if ignored:
            self.result.ignored[entry] = Exclusion.FIRST_EVENT_IGNORED
            return
        player = int(self.players.id[row])
        earlier = self.law.pooled_tranches(self.pools.of(player), self.list_date)
        worth = law.pooled_initial_rating([tranche]).rating
        if law.first_results_are_ignored(worth, has_performance=bool(earlier or self.new[player])):
            self.result.ignored[entry] = Exclusion.BELOW_FLOOR_IGNORED
            return
        self.new[player].append(tranche)
        self.result.played.add(row)

    def _mark_ignored(self) -> None:
        """Writes the reason on the games of ignored results."""
        for reason in set(self.result.ignored.values()):
            rows = [entry for entry, why in self.result.ignored.items() if why is reason]
            mine = np.isin(self.sides.entry, np.array(sorted(rows), dtype=np.int64))
            pooled = mine & (self.sides.exclusion == _OWN_UNRATED)
            self.sides.exclusion[pooled] = EXCLUSION_CODE[reason]

    # --- the pools -----------------------------------------------------------------------------

    def _settle(self, games: IntColumn) -> None:
        """Rates whoever has enough results, new or carried; the others carry theirs on.

        A player rated with a standard rating that stands in keeps the pool until a game counts.
        """
        fresh = {player: tranches for player, tranches in self.new.items() if tranches}
        candidates = [*fresh, *(p for p in self.pools.tranches if p not in fresh)]
        rows = self.players.rows(np.array(candidates, dtype=np.int64))
        for player, row in zip(candidates, rows.tolist(), strict=True):
            if row < 0:
                continue
            carried = self.pools.of(player)
            if self.players.stands_in[row] and not games[row]:
                kept = self.law.pooled_tranches(carried, self.list_date)
                if kept:
                    self.result.pools.tranches[player] = tuple(kept)
            if self.players.rating[row] > 0:
                continue
            tranches = self.law.pooled_tranches((*carried, *fresh.get(player, ())), self.list_date)
            if not tranches:
                continue
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
        return FirstRating(rating, publishable, tuple(reasons))
