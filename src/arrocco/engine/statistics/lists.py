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
from arrocco.records.ratinglist import UNKNOWN
from arrocco.units import Hundredths

BAND = 100
"""Points of a band of ratings."""
AGES = (0, 10, 14, 18, 25, 35, 45, 55, 65, 75)
"""Where groups of years of age begin."""
SEXES = ("women", "men", "unknown")


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
    birth: IntColumn | None = None
    """The year, 0 where it is not known; `None` where nobody looks at people."""
    sex: IntColumn | None = None
    """Index into `SEXES`."""

    def __len__(self) -> int:
        return len(self.id)


@dataclass(frozen=True)
class Band:
    """How many rated players have a rating from `low` on, up to the next band."""

    low: int
    rated: int
    active: int


@dataclass(frozen=True)
class AgeGroup:
    """Rated players of some years of age and one sex."""

    low: int
    high: int | None
    sex: str
    rated: int
    active: int
    mean: Hundredths | None


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
    bands: tuple[Band, ...] = field(default=(), repr=False)
    ages: tuple[AgeGroup, ...] = field(default=(), repr=False)
    """Where births and sexes are known."""


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
        bands=_bands(listed, rated, active),
        ages=_ages(listed, rated, active),
    )


def _bands(listed: ListFigures, rated: BoolColumn, active: BoolColumn) -> tuple[Band, ...]:
    """All bands from the lowest to the highest that anybody is in."""
    if not rated.any():
        return ()
    first = int(listed.rating[rated].min()) // BAND
    size = int(listed.rating[rated].max()) // BAND + 1
    counts = [
        np.bincount(listed.rating[part] // BAND, minlength=size).tolist()[first:]
        for part in (rated, active)
    ]
    return tuple(
        Band((first + place) * BAND, *both) for place, both in enumerate(zip(*counts, strict=True))
    )


def _ages(listed: ListFigures, rated: BoolColumn, active: BoolColumn) -> tuple[AgeGroup, ...]:
    """By years of age on the list's day, as far as births are known."""
    if listed.birth is None or listed.sex is None:
        return ()
    known = rated & (listed.birth > 0)
    age = listed.on.year - listed.birth
    age_groups = []
    for low, high in zip(AGES, (*AGES[1:], None), strict=True):
        within = known & (age >= low) & ((age < high) if high is not None else True)
        for place, sex in enumerate(SEXES):
            part = within & (listed.sex == place)
            count = int(part.sum())
            age_groups.append(
                AgeGroup(
                    low,
                    None if high is None else high - 1,
                    sex,
                    count,
                    int((part & active).sum()),
                    mean_hundredths(int(listed.rating[part].sum()), count),
                )
            )
    return tuple(age_groups) if any(group.rated for group in age_groups) else ()


def _shares(
    listed: ListFigures, rated: BoolColumn, active: BoolColumn
) -> tuple[FederationShare, ...]:
    size = len(listed.federations)
    by_rated = np.bincount(listed.federation[rated], minlength=size).tolist()
    by_active = np.bincount(listed.federation[active], minlength=size).tolist()
    totals = np.zeros(size, dtype=np.int64)
    np.add.at(totals, listed.federation[rated], listed.rating[rated])
    federation_shares = [
        FederationShare(name, count, of_active, total, mean_hundredths(total, count))
        for name, count, of_active, total in zip(
            listed.federations, by_rated, by_active, totals.tolist(), strict=True
        )
        if count
    ]
    return tuple(sorted(federation_shares, key=lambda share: (-share.rated, share.federation)))
