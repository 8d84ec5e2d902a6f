"""The calculator: one player's games typed in by hand, through the same columns as a period."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

import numpy as np

from arrocco.engine.columns import Entries, Games, Tournament
from arrocco.engine.explain import PlayerRows, Step, rows_of_player, steps_of_player
from arrocco.engine.kernel import MAX_RATING
from arrocco.engine.period import rate_period
from arrocco.engine.players import Players, assumed_games, unrated_players
from arrocco.engine.pools import Pools
from arrocco.errors import Illegal
from arrocco.laws import tables
from arrocco.laws.rating import InitialRating, PlayerFacts, RatingLaw, Tranche
from arrocco.laws.rounding import half_up, percent_half_up
from arrocco.records.ratinglist import UNKNOWN, birth_to_number
from arrocco.records.timecontrol import TimeControl
from arrocco.units import Hundredths

KEPT_BACK = frozenset({"below_floor", "too_few_games", "first_event_ignored"})
"""Reasons for which a first rating is not published."""


@dataclass(frozen=True)
class Played:
    """A game against an opponent with a rating (`None` unrated), its result in half points."""

    opponent: int | None
    half_points: int


_LAST_DAY = date(9998, 12, 31)
"""The last day that has a month after it."""


def list_of_day(law: RatingLaw, on: date) -> date:
    """The list in force on a day: K, of a junior too, is that of the list (FIDE 2024, 8.3.3)."""
    return law.list_in_force(min(on, _LAST_DAY))


def calculate_change(
    law: RatingLaw,
    on: date,
    rating: int,
    games: Sequence[Played],
    *,
    k: int | None = None,
    facts: PlayerFacts | None = None,
    control: TimeControl | None = None,
    online: bool = False,
) -> tuple[PlayerRows, list[Step]]:
    """The change of a rating by these games, as one tournament of one period.

    K is that of the list in force on the day. Where everybody has a rating (RIO, UISP) an opponent
    without one has the last step of the entry order.
    """
    for value in (rating, *(game.opponent for game in games)):
        if value is not None and not 0 < value <= MAX_RATING:
            raise Illegal.of("engine.refused.no_rating", value=value, most=MAX_RATING)
    if k is not None and not 0 < k <= 200:
        raise Illegal.of("engine.refused.no_coefficient", value=k)
    tournament = Tournament("-", law, on, on, control=control)
    if law.K_FROM_TOURNAMENT:
        if k is None:
            tournament.k, tournament.k_reason = law.tournament_coefficient(control, online=online)
        else:
            tournament.k, tournament.k_reason = k, "given"
    if not law.HAS_UNRATED:
        entering, _ = law.entry_rating_without_lists()
        games = [replace(game, opponent=game.opponent or entering) for game in games]
    players = _players(rating, games, k, facts or PlayerFacts(assumed_games(law)))
    entry = np.arange(len(games) + 1, dtype=np.int64)
    white = np.zeros(len(games), dtype=np.int64)
    half = np.array([game.half_points for game in games], dtype=np.int8)
    period = rate_period(
        law,
        on,
        [tournament],
        players,
        Entries(np.zeros_like(entry), entry, players.rating, players.rating),
        Games(
            round=np.arange(1, len(games) + 1),
            white=white,
            black=entry[1:],
            white_half=half,
            black_half=(2 - half).astype(np.int8),
            exclusion=np.zeros(len(games), dtype=np.int8),
        ),
        Pools(),
        opened_on=list_of_day(law, on),
    )
    rows = rows_of_player(period, 0)
    return rows, steps_of_player(period, rows)


def _players(rating: int, games: Sequence[Played], k: int | None, facts: PlayerFacts) -> Players:
    ids = np.arange(len(games) + 1, dtype=np.int64)
    players = unrated_players(ids, np.zeros_like(ids))
    players.rating = np.array([rating, *(game.opponent or 0 for game in games)], dtype=np.int64)
    players.k[0] = UNKNOWN if k is None else k
    players.birth[0] = birth_to_number(facts.birth)
    players.completed_games[0] = facts.completed_games
    players.highest_published[0] = max(rating, facts.highest_published)
    return players


def calculate_initial(law: RatingLaw, games: Sequence[Played]) -> tuple[InitialRating, list[str]]:
    """The first rating these games against rated opponents come to, and why it is not published.

    Games against unrated opponents add nothing to it; whether a first event is ignored (8.2.1) may
    be read over all games of it.
    """
    rated = [game for game in games if game.opponent is not None]
    if not law.HAS_UNRATED:
        raise Illegal.of("engine.refused.no_initial_rating", law=law.law)
    if not rated:
        raise Illegal.of("engine.refused.no_rated_opponent")
    half = sum(game.half_points for game in rated)
    tranche = Tranche(0, "-", len(rated), sum(game.opponent or 0 for game in rated), half)
    result = law.pooled_initial_rating([tranche])
    reasons = list(result.reasons)
    event_half = sum(game.half_points for game in games)
    if law.first_event_is_ignored(half, event_half, is_first=True, games_against_rated=len(rated)):
        reasons.append("first_event_ignored")
    if law.is_delisted(result.rating):
        reasons.append("below_floor")
    elif not law.first_rating_is_published(result.games, result.rating):
        reasons.append("too_few_games")
    return result, reasons


@dataclass(frozen=True)
class Performance:
    """The rating at which a result would have been expected: the opponents' average plus dp."""

    games: int
    half_points: int
    average: Hundredths
    percent: int
    dp: int
    rating: int


def calculate_performance(games: Sequence[Played]) -> Performance:
    """The performance of a result against rated opponents, by the table of 8.1.1."""
    rated = [game for game in games if game.opponent is not None]
    if not rated:
        raise Illegal.of("engine.refused.no_rated_opponent")
    half, total = sum(g.half_points for g in rated), sum(g.opponent or 0 for g in rated)
    percent = percent_half_up(half, len(rated))
    dp = tables.rating_difference(percent)
    return Performance(
        len(rated),
        half,
        Hundredths(half_up(100 * total, len(rated))),
        percent,
        dp,
        half_up(total, len(rated)) + dp,
    )
