"""One list in figures: how ratings are spread, over all players and over the active ones."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date

import numpy as np

from arrocco.engine.columns import BoolColumn, IntColumn
from arrocco.engine.statistics.distribution import (
    Distribution,
    distribution,
    mean_hundredths,
)
from arrocco.ratinglist import UNKNOWN
from arrocco.units import Hundredths


@dataclass(frozen=True)
class ListFigures:
    """The columns of a list that are looked at; rows by id, a rating of 0 is none."""

    on: date
    id: IntColumn
    rating: IntColumn
    inactive: BoolColumn
    k: IntColumn
    games: IntColumn
    federation: IntColumn
    """By player: index into `federations`."""
    federations: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.id)


@dataclass(frozen=True)
class FederationShare:
    """What a federation has of a list's rated players."""

    federation: str
    rated: int
    active: int
    total: int
    mean: Hundredths | None


@dataclass(frozen=True)
class ListStatistics:
    """A list in figures."""

    on: date
    players: int
    rated: Distribution
    active: Distribution
    """Of those rated, who is not flagged as inactive."""
    k: tuple[tuple[int, int], ...]
    """Each K that the list prints, with how many rated players have it."""
    games: Distribution
    """Games in the period, of the rated players that have any."""
    federations: tuple[FederationShare, ...] = field(default=(), repr=False)


def list_statistics(listed: ListFigures) -> ListStatistics:
    """Counts one list."""
    rated = listed.rating > 0
    active = rated & ~listed.inactive
    printed = listed.k[rated & (listed.k != UNKNOWN) & (listed.k > 0)]
    kinds, numbers = np.unique(printed, return_counts=True)
    return ListStatistics(
        on=listed.on,
        players=len(listed),
        rated=distribution(listed.rating[rated]),
        active=distribution(listed.rating[active]),
        k=tuple(zip(kinds.tolist()[::-1], numbers.tolist()[::-1], strict=True)),
        games=distribution(listed.games[rated & (listed.games > 0)]),
        federations=_shares(listed, rated, active),
    )


def _shares(
    listed: ListFigures, rated: BoolColumn, active: BoolColumn
) -> tuple[FederationShare, ...]:
    size = len(listed.federations)
    by_rated = np.bincount(listed.federation[rated], minlength=size).tolist()
    by_active = np.bincount(listed.federation[active], minlength=size).tolist()
    totals = np.zeros(size, dtype=np.int64)
    np.add.at(totals, listed.federation[rated], listed.rating[rated])
    found = [
        FederationShare(name, count, of_active, total, mean_hundredths(total, count))
        for name, count, of_active, total in zip(
            listed.federations, by_rated, by_active, totals.tolist(), strict=True
        )
        if count
    ]
    return tuple(sorted(found, key=lambda share: (-share.rated, share.federation)))
