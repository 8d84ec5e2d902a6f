"""The FSI online regulation, article 3: which scores a game can have."""

from __future__ import annotations

from dataclasses import dataclass

from arrocco.errors import Illegal
from arrocco.laws.edition import Edition
from arrocco.laws.online.side import Side

Pair = tuple[int, int]
"""The scores of two players of a game, in the unit of the event's scoring."""


@dataclass(frozen=True)
class Scoring:
    """What an event gives for a game, in any one unit; by default half points, 1 - ½ - 0.

    Raises `Illegal` unless a win is worth most, then a draw, a loss and a forfeit.
    """

    win: int = 2
    draw: int = 1
    loss: int = 0
    forfeit: int = 0

    def __post_init__(self) -> None:
        if not self.win > self.draw >= self.loss >= self.forfeit >= 0:
            raise Illegal.of(
                "laws.refused.no_scoring", win=self.win, draw=self.draw, loss=self.loss
            )

    @property
    def normal(self) -> frozenset[int]:
        """The scores a single player can normally have."""
        return frozenset({self.win, self.draw, self.loss, self.forfeit})

    @property
    def most(self) -> int:
        """The most that both players of a game together normally have."""
        return max(self.win + self.loss, 2 * self.draw)


HALF_POINTS = Scoring()
"""3.1 — one point, half a point and nothing, where an event's rules say nothing else."""


class Scores(Edition):
    """The scores of a game, also after a sanction."""

    def scores_of_game(self, winner: Side | None, scoring: Scoring = HALF_POINTS) -> Pair:
        """3.1 — the scores of White and Black in a played game; without a winner it is drawn."""
        if winner is None:
            return scoring.draw, scoring.draw
        return (scoring.win, scoring.loss) if winner is Side.WHITE else (scoring.loss, scoring.win)

    def scores_of_forfeit(self, absent: Side | None, scoring: Scoring = HALF_POINTS) -> Pair:
        """3.1 — the scores of White and Black where one side, or with `None` both, did not come."""
        if absent is None:
            return scoring.forfeit, scoring.forfeit
        if absent is Side.WHITE:
            return scoring.forfeit, scoring.win
        return scoring.win, scoring.forfeit

    def score_is_legal(self, pair: Pair, scoring: Scoring = HALF_POINTS) -> bool:
        """3.2 — each score is a normal one, and both together are not above the normal most."""
        return all(score in scoring.normal for score in pair) and sum(pair) <= scoring.most

    def legal_scores(self, scoring: Scoring = HALF_POINTS) -> list[Pair]:
        """3.2 — every pair of scores a game can end with, the highest first."""
        scores = sorted(scoring.normal, reverse=True)
        pairs = [(score, other) for score in scores for other in scores]
        return [pair for pair in pairs if self.score_is_legal(pair, scoring)]
