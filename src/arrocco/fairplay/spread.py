"""How much more honest players differ over an event than chance alone would have them differ.

Two parts are measured by the method of moments. Within a player's event: how far single games lie
from what that player does, against the variance of chance (1 is chance). Between players: each
has a leaning of their own, the same in every decision, so that it grows with the decisions where
chance averages out. The variance of a standardised figure over ``n`` decisions is then

    within + between * n

Measured over single games only, the second part is nearly unseen, and honest players stand out.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from math import sqrt
from typing import NamedTuple

from msgspec import Struct

MILLION = 1_000_000
MIN_PLAYERS = 20
"""Below so many players over an event, how they differ is hardly known, and this is said."""


class SpreadKind(StrEnum):
    """From what the spread of a baseline was measured."""

    PLAYERS = "players"
    """Players over their whole event."""
    FEW_PLAYERS = "few_players"
    SINGLE_GAMES = "single_games"
    """An older baseline: single games, so that more honest players stand out than is stated."""


class Between(Struct, frozen=True, kw_only=True):
    """The variance that a player's leaning adds with each decision, in millionths."""

    first: int
    third: int
    loss: int


class Spread(Struct, frozen=True, kw_only=True):
    """How far honest players lie from what is expected of them."""

    players: int
    """Players over an event; of an older baseline, sides of games."""
    first: float
    third: float
    loss: float
    """Standard deviations of games about what their player does; at least 1, that of chance."""
    between: Between | None = None
    """Nothing in an older baseline, which measured single games."""

    @property
    def kind(self) -> SpreadKind:
        if self.between is None:
            return SpreadKind.SINGLE_GAMES
        is_few = self.players < MIN_PLAYERS
        return SpreadKind.FEW_PLAYERS if is_few else SpreadKind.PLAYERS

    def over(self, figure: str, decisions: float) -> Dispersion:
        """What chance's variance is multiplied with, for a player with so many decisions."""
        each = 0 if self.between is None else getattr(self.between, figure)
        return Dispersion(getattr(self, figure) ** 2, each * decisions / MILLION)

    def known(self, figure: str, decisions: int) -> Known:
        """How well it is known where all its players together had so many decisions."""
        each = decisions / max(1, self.players)
        return Known(self.over(figure, each).variance, self.players, each)


class Dispersion(NamedTuple):
    """The parts of the variance of a standardised figure."""

    within: float
    between: float

    @property
    def variance(self) -> float:
        return self.within + self.between

    @property
    def deviation(self) -> float:
        return sqrt(self.variance)


class Known(NamedTuple):
    """From what a spread is known: its variance, of so many players with so many decisions each."""

    dispersion: float
    players: int
    decisions: float


class SideSum(NamedTuple):
    """A side of a game: observed less expected, the variance of chance, decisions."""

    residual: float
    variance: float
    decisions: int


class Measured(NamedTuple):
    """One figure's spread: a deviation within, millionths of variance a decision between."""

    within: float
    between: int


def measure(players: Sequence[Sequence[SideSum]]) -> Measured:
    """The spread of a figure over players, each told by the sides of their games in an event."""
    squares, freedom = 0.0, 0
    for sides in players:
        decisions = sum(side.decisions for side in sides)
        leaning = sum(side.residual * sqrt(side.decisions / side.variance) for side in sides) / max(
            1, decisions
        )
        squares += sum(
            (side.residual - leaning * sqrt(side.variance * side.decisions)) ** 2 / side.variance
            for side in sides
        )
        freedom += max(0, len(sides) - 1)
    within = max(1.0, squares / freedom) if freedom else 1.0
    beyond = sum(_standardised(sides) ** 2 - within for sides in players)
    decisions = sum(side.decisions for sides in players for side in sides)
    between = max(0.0, beyond / decisions) if decisions else 0.0
    return Measured(round(sqrt(within), 4), round(between * MILLION))


def _standardised(sides: Sequence[SideSum]) -> float:
    return sum(side.residual for side in sides) / sqrt(sum(side.variance for side in sides))
