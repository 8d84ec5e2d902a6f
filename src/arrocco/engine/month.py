"""A period from many batches: gathers their sums, then lets the law settle every player."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date

import numpy as np

from arrocco.engine.batch import PeriodContext, RatedBatch, count_excluded, first_starts
from arrocco.engine.columns import IntColumn, Tournament
from arrocco.engine.first_ratings import Newcomers, UnratedEvent
from arrocco.engine.outcome import Outcome, Totals, of_first_players, settle_period
from arrocco.engine.period import Period, rate_period
from arrocco.engine.players import Players
from arrocco.engine.pools import Pools


@dataclass(frozen=True)
class NewPlayer:
    """What reports tell about a player no list has yet."""

    id: int
    name: str
    federation: str
    sex: str
    title: str
    birth: int

    @property
    def list_sex(self) -> str:
        """As lists write it, M or F; reports write m and w."""
        return {"m": "M", "w": "F"}.get(self.sex, "")


@dataclass(frozen=True)
class PlayerTotals:
    """The totals of some players by id: the form in which sums travel."""

    id: IntColumn
    games: IntColumn
    half: IntColumn
    expected: IntColumn
    variation: IntColumn


@dataclass
class BatchSums:
    """All that leaves a batch: totals by player, events of unrated players, newcomers, counts."""

    tournaments: list[Tournament]
    totals: PlayerTotals
    events: dict[int, list[UnratedEvent]]
    """By tournament of the batch; here `player` is the player's id."""
    newcomers: list[NewPlayer]
    first_starts: dict[int, date]
    """By player: when the first tournament starts, where it decides about the rating on entry."""
    entered: IntColumn
    """Ids of those who took part, where they are listed for it (UISP, I.1)."""
    excluded: Counter[str]
    entries: int
    games: int
    without_id: int


def sums_of(context: PeriodContext, rated: RatedBatch) -> BatchSums:
    """Takes out of a rated batch what the period needs."""
    ids = np.concatenate([context.current.id, rated.newcomers, [0]])
    totals = rated.totals
    played = np.flatnonzero(totals.games > 0)
    played = played[ids[played] > 0]
    return BatchSums(
        tournaments=rated.tournaments,
        totals=PlayerTotals(
            ids[played],
            totals.games[played],
            totals.half[played],
            totals.expected[played],
            totals.variation[played],
        ),
        events={
            index: [event._replace(player=int(ids[event.player])) for event in events]
            for index, events in rated.events.items()
        },
        newcomers=_new_players(rated),
        first_starts=first_starts(context, rated.batch),
        entered=_entered(rated),
        excluded=rated.excluded,
        entries=len(rated.entries),
        games=len(rated.games),
        without_id=rated.without_id,
    )


def _entered(rated: RatedBatch) -> IntColumn:
    """Who took part in a tournament whose law lists everybody who did."""
    lists_them = np.array([t.law.lists_every_entrant() for t in rated.tournaments], dtype=np.bool_)
    if not lists_them.any():
        return np.zeros(0, dtype=np.int64)
    ids = rated.batch.entries.id[lists_them[rated.entries.tournament]]
    return np.unique(ids[ids > 0]).astype(np.int64)


def _new_players(rated: RatedBatch) -> list[NewPlayer]:
    """The newcomers of a batch, each as the fullest of its reports shows them."""
    columns = rated.batch.entries
    players: dict[int, NewPlayer] = {}
    for row in np.flatnonzero(np.isin(columns.id, rated.newcomers)).tolist():
        player = NewPlayer(
            int(columns.id[row]),
            columns.name[row].decode("utf-8", "replace"),
            columns.federation[row].decode("utf-8", "replace"),
            columns.sex[row].decode("utf-8", "replace"),
            columns.title[row].decode("utf-8", "replace"),
            int(columns.birth[row]),
        )
        players[player.id] = _fuller(player, players.get(player.id))
    return list(players.values())


def _fuller(player: NewPlayer, other: NewPlayer | None) -> NewPlayer:
    """Of two reports about a newcomer the one that tells more; the same in whatever order."""
    return player if other is None else min(player, other, key=_order)


def _order(player: NewPlayer) -> tuple[int, tuple[str, ...]]:
    words = player.name, player.federation, player.sex, player.title, str(player.birth or "")
    return words.count(""), words


@dataclass
class PeriodBuilder:
    """Gathers batches, in any order, and settles the period once all are in."""

    context: PeriodContext
    players: Players
    """The players of the list that opens the period."""
    pools: Pools
    totals: list[PlayerTotals] = field(default_factory=list)
    tournaments: list[Tournament] = field(default_factory=list)
    events: dict[int, list[UnratedEvent]] = field(default_factory=lambda: defaultdict(list))
    newcomers: dict[int, NewPlayer] = field(default_factory=dict)
    first_starts: dict[int, date] = field(default_factory=dict)
    entered: set[int] = field(default_factory=set)
    excluded: Counter[str] = field(default_factory=Counter)
    entries: int = 0
    games: int = 0
    without_id: int = 0

    def __post_init__(self) -> None:
        self._listed = Totals.zero(len(self.players))

    def add(self, sums: BatchSums) -> None:
        """Takes in the sums of one batch."""
        rows = self.players.rows(sums.totals.id)
        known = rows >= 0
        for name in ("games", "half", "expected", "variation"):
            column = getattr(self._listed, name)
            column[rows[known]] += getattr(sums.totals, name)[known]
        if not known.all():
            self.totals.append(PlayerTotals(*(getattr(sums.totals, n)[~known] for n in _TOTALS)))
        offset = len(self.tournaments)
        self.tournaments += sums.tournaments
        for index, events in sums.events.items():
            self.events[offset + index] += events
        for player in sums.newcomers:
            self.newcomers[player.id] = _fuller(player, self.newcomers.get(player.id))
        self.first_starts |= sums.first_starts
        self.entered.update(sums.entered.tolist())
        self.excluded.update(sums.excluded)
        self.entries += sums.entries
        self.games += sums.games
        self.without_id += sums.without_id

    def settle(self) -> Outcome:
        """The law's step, with newcomers added to the players."""
        context = self.context
        players = self._all_players()
        totals = Totals.zero(len(players))
        places = players.places_of(self.players)
        for name in ("games", "half", "expected", "variation"):
            column = getattr(totals, name)
            column[places] = getattr(self._listed, name)
            for part in self.totals:
                np.add.at(column, players.rows(part.id), getattr(part, name))
        newcomers = Newcomers(context.law, context.list_date, self.tournaments, players, self.pools)
        if context.law.HAS_UNRATED:
            newcomers.take_events(self._events_by_row(players))
        first = newcomers.settle(totals.games)
        entered = np.isin(players.id, list(self.entered)) if self.entered else None
        return settle_period(
            context.law, context.list_date, context.opened_on, players, totals, first, entered
        )

    def settle_with_round_robins(self, rated: RatedBatch) -> Period:
        """The law's step when all entries are at hand, in one batch."""
        context, players = self.context, self._all_players()
        # Who has no id is somebody new in every entry: a row past all others, for this once.
        ids = rated.batch.entries.id.copy()
        nameless = np.flatnonzero(ids <= 0)
        ids[nameless] = 1 + np.arange(len(nameless)) + (players.id[-1] if len(players) else 0)
        everybody = players.with_new(ids[nameless], np.zeros(len(nameless), dtype=np.int64))
        entries = replace(rated.entries, player=everybody.rows(ids))
        period = rate_period(
            context.law,
            context.list_date,
            rated.tournaments,
            everybody,
            entries,
            rated.games,
            self.pools,
            opened_on=context.opened_on,
        )
        return replace(period, outcome=of_first_players(period.outcome, len(players)))

    def _events_by_row(self, players: Players) -> dict[int, list[UnratedEvent]]:
        flat = [event for events in self.events.values() for event in events]
        rows = iter(players.rows(np.array([e.player for e in flat], dtype=np.int64)).tolist())
        return {
            index: [event._replace(player=next(rows)) for event in events]
            for index, events in self.events.items()
        }

    def _all_players(self) -> Players:
        ids = np.array(sorted(self.newcomers), dtype=np.int64)
        births = np.array([self.newcomers[id_].birth for id_ in ids.tolist()], dtype=np.int64)
        players = self.players.with_new(ids, births).with_affiliated(self.context.affiliated)
        return with_borrowed_ratings(self.context, players, self.first_starts)


_TOTALS = ("id", "games", "half", "expected", "variation")


def with_borrowed_ratings(
    context: PeriodContext, players: Players, first_starts: Mapping[int, date] | None = None
) -> Players:
    """Players without a rating of this kind, with the one that stands in for it.

    FIDE rapid and blitz take the standard rating; RIO and UISP give one on entry.
    """
    borrowed = np.zeros(len(players), dtype=np.int64)
    if context.standard is not None:
        borrowed = context.standard.ratings(context.standard.rows(players.id))
    elif not context.law.HAS_UNRATED:
        entering = np.flatnonzero(players.rating == 0)
        borrowed[entering] = context.entry_ratings(players.id[entering], first_starts)
    stands_in = (players.rating == 0) & (borrowed > 0)
    if not stands_in.any():
        return players
    rating = np.where(stands_in, borrowed, players.rating)
    return replace(players, rating=rating, stands_in=stands_in)


def rate_month(
    month: PeriodBuilder,
    batches: Iterable[RatedBatch],
    on_rated: Callable[[RatedBatch], None] = lambda _: None,
) -> Outcome:
    """Gathers rated batches and settles the period; `on_rated` sees every batch as it stands.

    Where round robins have a method of their own (FIDE 2010) there must be one batch: what a
    player's first event is can decide about the games of others.
    """
    context = month.context
    if not context.law.RATES_ROUND_ROBINS:
        for rated in batches:
            month.add(sums_of(context, rated))
            on_rated(rated)
        return month.settle()
    (rated,) = batches
    month.add(sums_of(context, rated))
    period = month.settle_with_round_robins(rated)
    rated = replace(
        rated,
        sides=period.sides,
        sums=period.sums,
        expected_points=period.expected_points,
        round_robins=period.outcome.first_ratings.round_robins,
    )
    month.excluded = count_excluded(period.sides)
    on_rated(rated)
    return period.outcome
