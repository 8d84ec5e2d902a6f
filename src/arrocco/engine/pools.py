"""The pools of results that unrated players carry from list to list until they are rated."""

from __future__ import annotations

from dataclasses import dataclass, field

from arrocco.laws.rating import InitialRating, Tranche


@dataclass(frozen=True)
class FirstRating:
    """What the pool of one player comes to on a list."""

    rating: InitialRating
    publishable: bool
    reasons: tuple[str, ...]
    """Why it is not published: ``too_few_games``, ``below_floor``; or how it came about."""
    tranches: tuple[Tranche, ...] = ()
    """The results it was computed from, those of earlier lists first."""


@dataclass
class Pools:
    """Pools by player id; a player without results has no entry."""

    tranches: dict[int, tuple[Tranche, ...]] = field(default_factory=dict)

    def of(self, player: int) -> tuple[Tranche, ...]:
        return self.tranches.get(player, ())
