"""7.9 — who was off the video conference, when and how often: a part of the arbiter's report."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from arrocco.hall.game import State as GameState
from arrocco.hall.game.vcs_gaps import vcs_gaps, vcs_only
from arrocco.laws.online.connection import Absence, VcsConsequence
from arrocco.laws.online.law import OnlineLaw
from arrocco.laws.online.side import Side


class ConferenceGaps(NamedTuple):
    """One player in one game: every stretch off the conference, and what 7.9 makes of them."""

    round: int
    board: int
    player: str
    gaps: tuple[Absence, ...]
    alone: int
    """Those without a matching disconnection from the board."""
    consequence: VcsConsequence
    """How far an arbiter may go; nothing of it was done by itself."""


def conference_gaps(games: Iterable[GameState], law: OnlineLaw) -> tuple[ConferenceGaps, ...]:
    """Every player who was off the conference during a game, by round and board."""
    conference_gapses = []
    for game in games:
        for side in Side:
            gaps = vcs_gaps(game, side)
            if gaps:
                alone = vcs_only(game, side, law)
                conference_gapses.append(
                    ConferenceGaps(
                        game.created.round,
                        game.created.board,
                        game.seat(side).player.name,
                        tuple(gaps),
                        alone,
                        law.vcs_consequence(alone),
                    )
                )
    return tuple(sorted(conference_gapses, key=lambda one: (one.round, one.board)))
