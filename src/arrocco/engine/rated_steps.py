"""The steps of one player's computation in the order a person reads them.

The steps are the engine's; here they are gathered for a period that is still in memory.
"""

from __future__ import annotations

import numpy as np

from arrocco.engine.explain import EventRow, PlayerRows, Step, steps_of_player
from arrocco.engine.rate_reports import RatedReports
from arrocco.engine.receipt_steps import (
    listed_since,
    open_readings,
    tournament_steps,
    unrated_steps,
    without_repetition,
)
from arrocco.words import Language

__all__ = [
    "articles_of",
    "closing_steps",
    "event_steps",
    "open_readings",
    "tournament_steps",
    "without_repetition",
]


def event_steps(
    rated: RatedReports, player: PlayerRows, event: EventRow, language: Language
) -> list[Step]:
    """All the steps of one tournament, those of its own method first."""
    return [
        *_listed_since(rated, player, event),
        *_round_robin_steps(rated, player, event, language),
        *tournament_steps(player, event),
    ]


def _listed_since(rated: RatedReports, player: PlayerRows, event: EventRow) -> list[Step]:
    period = rated.period
    index = list(period.tournaments).index(event.tournament)
    mine = (period.entries.tournament == index) & (period.entries.player == player.row)
    return listed_since(event, was_rated=bool((period.entries.shown[mine] > 0).any()))


def closing_steps(rated: RatedReports, player: PlayerRows) -> list[Step]:
    """The steps after the tournaments."""
    return without_repetition(steps_of_player(rated.period, player), player)


def articles_of(rated: RatedReports, player: PlayerRows, language: Language) -> list[str]:
    """Every article that a player's computation cites."""
    steps = closing_steps(rated, player)
    for event in player.events:
        steps = steps + event_steps(rated, player, event, language)
    games = [game.article for event in player.events for game in event.games]
    return [*games, *(step.article for step in steps)]


# --- FIDE 2010, 8.58 ------------------------------------------------------------------------------


def _round_robin_steps(
    rated: RatedReports, player: PlayerRows, event: EventRow, language: Language
) -> list[Step]:
    """How a round robin rates its unrated players, or that it does so for the opponents."""
    index = list(rated.period.tournaments).index(event.tournament)
    rated_round_robin = rated.period.outcome.first_ratings.round_robins.get(index)
    if rated_round_robin is None or rated_round_robin.table is None:
        return []
    law = event.tournament.law
    if player.rating is not None:
        return [Step("report.round_robin.opponents", law.article("round_robin"), {})]
    entries = rated.period.entries
    for result, step in zip(
        rated_round_robin.results, rated_round_robin.table.unrated, strict=True
    ):
        if result.player == player.row:
            players = [
                int(entries.player[row])
                for row in _staying(rated, index, rated_round_robin.dropped)
            ]
            names = [rated.name(row) for row in players]
            return unrated_steps(law, rated_round_robin.table, step, names, language)
    return []


def _staying(rated: RatedReports, tournament: int, dropped: set[int]) -> list[int]:
    """The entries the round robin was computed among, in the order its table names them."""
    entries = rated.period.entries
    rows = np.flatnonzero(entries.tournament == tournament).tolist()
    return [
        row
        for row in rows
        if row not in dropped and (entries.shown[row] > 0 or entries.own[row] == 0)
    ]
