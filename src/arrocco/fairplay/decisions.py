"""Which moves of a game are decisions, and of whom."""

from __future__ import annotations

from collections.abc import Iterable

from arrocco.fairplay.records import Decision, GameAnalysis, PositionAnalysis

NAMELESS = ("", "?")
"""In files of games: not one player, so not told of how players differ."""
FIRST_PLY = 16
"""Eight moves each: what is played before is mostly known by heart."""
UNDECIDED = 50, 950
"""Thousandths of a point that the best move must promise: outside, any move does."""
TRANSFERABLE_GAP = 400
"""Where the second choice loses this much more, everybody finds the first: a recapture, a mate."""


def decisions_of(analysis: GameAnalysis, *, white: bool) -> list[Decision]:
    """The decisions of a side, in order."""
    spent = analysis.game.spent
    return [
        Decision(
            game=analysis.game.id,
            ply=position.ply,
            rank=position.rank,
            loss=position.loss,
            gap=position.gap,
            spent=spent[position.ply] if position.ply < len(spent) else None,
        )
        for position in analysis.positions
        if (position.ply % 2 == 0) == white and is_decision(position)
    ]


def is_decision(position: PositionAnalysis) -> bool:
    """Whether a move says something: neither opening, nor forced, nor in a decided game."""
    low, high = UNDECIDED
    return (
        position.ply >= FIRST_PLY
        and position.legal > 1
        and low <= position.lines[0].expected <= high
        and position.gap < TRANSFERABLE_GAP
    )


def by_player(analyses: Iterable[GameAnalysis]) -> dict[str, list[Decision]]:
    """The decisions of every player in some games."""
    decisions: dict[str, list[Decision]] = {}
    for analysis in analyses:
        for white in (True, False):
            player = analysis.game.player(white=white)
            decisions.setdefault(player, []).extend(decisions_of(analysis, white=white))
    return decisions
