"""An invented federation: its players as columns, and the lists that show them.

Players stand in the order of their ids, and ids are given federation by federation, so that the
players of one federation are neighbours.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from arrocco.dates import Month
from arrocco.demo.generate import profile as p
from arrocco.demo.generate.calendar import Calendar
from arrocco.demo.generate.draws import WHOLE, Ints, Mask, Part, Rng, below, chance, stream
from arrocco.demo.generate.names import Bytes, person_names, text_of
from arrocco.demo.generate.titles import TITLES, title_codes
from arrocco.engine.players import ASSUMED_GAMES
from arrocco.errors import Illegal
from arrocco.laws.classes import TimeClass
from arrocco.laws.rating import RatingLaw
from arrocco.records.ratinglist import UNKNOWN, RatingList
from arrocco.records.report import Birth

Small = NDArray[np.int16]

FIRST_ID: Final = 900_000_001
MAX_PLAYERS: Final = 10_000_000
FEWEST_RATED: Final = 60
LARGE: Final = 50_000
"""From so many players a list is mostly of unrated ones, as the world's is."""
SMALL_LIST_RATED: Final = 7000

CODES: Final = np.array([code.encode() for code in p.FEDERATIONS], dtype="S3")
SEXES: Final = np.array([b"m", b"w"], dtype="S1")
"""As reports write them; lists write M and F."""

_FLAGS = np.array(["", "w", "i", "wi"], dtype=np.object_)


@dataclass
class Federation:
    """The players of all federations, one row each, and what a list hides of them.

    `ratings`, `games` and `listed` have one column for each list, the newest first.
    """

    law: str
    seed: int
    rated_share: int
    profile: p.Profile
    calendar: Calendar
    id: Ints
    name: Bytes
    code: NDArray[np.int16]
    """The federation, an index into `CODES`."""
    is_woman: Mask
    birth: NDArray[np.int32]
    """The full date, yyyymmdd: lists show the year of it."""
    title: NDArray[np.int8]
    k: NDArray[np.int32]
    inactive: Mask
    strength: Small
    """How well a player really plays, rated or not."""
    ratings: list[NDArray[np.int32]]
    games: list[NDArray[np.int32]]
    listed: list[Mask]

    def __len__(self) -> int:
        return len(self.id)

    @property
    def edition(self) -> RatingLaw:
        return self.calendar.law

    @property
    def arguments(self) -> dict[str, Any]:
        """What to ask for to get this federation again."""
        return {
            "seed": self.seed,
            "law": self.law,
            "rating": self.profile.list_kind,
            "period": str(self.calendar.period),
            "players": len(self),
            "rated_share": self.rated_share,
        }

    @property
    def rated(self) -> int:
        """How many have a rating on the newest list."""
        return int((self.ratings[0] > 0).sum())

    @cached_property
    def _texts(self) -> dict[str, NDArray[np.object_]]:
        codes = np.array(list(p.FEDERATIONS), dtype=np.object_)
        return {
            "name": text_of(self.name),
            "federation": codes[self.code],
            "sex": np.array(["M", "F"], dtype=np.object_)[self.is_woman.astype(np.int8)],
            "title": np.array(TITLES, dtype=np.object_)[self.title],
            "flag": _FLAGS[self.is_woman + 2 * self.inactive.astype(np.int8)],
        }

    def rating_list(self, number: int = 0) -> RatingList:
        """One list: 0 is the one that opens the period, 1 the one before it."""
        rows: Any = slice(None) if self.listed[number].all() else self.listed[number]
        rating = self.ratings[number][rows]
        year = self.birth[rows] // 10_000 * 10_000
        k = np.where(rating > 0, self.k[rows], UNKNOWN).astype(np.int32)
        texts = {name: column[rows] for name, column in self._texts.items()}
        return RatingList(
            id=self.id[rows],
            rating=rating,
            games=self.games[number][rows],
            k=k,
            birth=year,
            system=self.profile.list_kind,
            on=self.calendar.lists[number],
            **texts,
        )

    @property
    def lists(self) -> list[RatingList]:
        """All lists, the newest first."""
        return [self.rating_list(number) for number in range(len(self.ratings))]


def federation(
    players: int,
    seed: int,
    *,
    law: str = "fide",
    period: Month | None = None,
    rated_share: int | None = None,
    time_class: TimeClass | str = TimeClass.BLITZ,
) -> Federation:
    """Makes up a federation: the same arguments give the same players.

    `rated_share` is in parts of 10,000; without it a large list has as few rated players as the
    regulation's own, a small one has most of its players rated. `time_class` chooses among the
    ratings of RIO. Raises `Illegal` when the players are too few or too many.
    """
    profile = p.profile_of(law, time_class)
    calendar = Calendar.of(law, period or profile.period)
    if rated_share is None:
        rated_share = max(profile.rated_share, 0 if players >= LARGE else SMALL_LIST_RATED)
    if not calendar.law.HAS_UNRATED:
        rated_share = WHOLE
    if players > MAX_PLAYERS or players * rated_share < FEWEST_RATED * WHOLE:
        raise Illegal.of(
            "generate.refused.no_federation",
            players=players,
            share=rated_share,
            whole=WHOLE,
            rated=FEWEST_RATED,
            most=MAX_PLAYERS,
        )
    return _Maker(players, seed, rated_share, profile, calendar).make(law)


class _Maker:
    """Draws the columns one after the other, all from one stream."""

    def __init__(
        self, players: int, seed: int, rated_share: int, profile: p.Profile, calendar: Calendar
    ) -> None:
        self.size, self.seed = players, seed
        self.profile, self.calendar, self.law = profile, calendar, calendar.law
        self.rng = stream(seed, Part.PLAYERS)
        self.rated_share = rated_share
        self.floor = self._floor_under(self.law)

    def _floor_under(self, law: RatingLaw) -> int:
        return int(getattr(law, "FLOOR", self.profile.floor))

    def make(self, law: str) -> Federation:
        rng, size = self.rng, self.size
        code = _shared_out(size)
        ids = FIRST_ID + np.cumsum(rng.integers(1, 10, size, dtype=np.int64))
        is_woman = chance(rng, size, 1200)
        rating = self._ratings()
        is_rated = rating > 0
        hidden = p.UNRATED_STRENGTH.draw(rng, size)
        age = self._ages(rating)
        peak = rating + np.where((age > 20) & is_rated, below(rng, 80, size), 0)
        inactive = is_rated & chance(rng, size, 3500)
        return Federation(
            law=law,
            seed=self.seed,
            rated_share=self.rated_share,
            profile=self.profile,
            calendar=self.calendar,
            id=ids,
            name=person_names(rng, is_woman),
            code=code,
            is_woman=is_woman,
            birth=_birth_dates(rng, self.calendar.lists[0].year - age),
            title=title_codes(rng, peak, is_woman),
            k=self._coefficients(rating, peak, age),
            inactive=inactive,
            strength=np.where(is_rated, rating, hidden).astype(np.int16),
            **self._history(rating, ~inactive),
        )

    def _ratings(self) -> Ints:
        """Exactly the share asked for is rated; a lower floor stretches the lower part."""
        rng, size = self.rng, self.size
        above = p.RATINGS.draw(rng, size)
        usual = p.STRETCHED_UNTIL - 1400
        low = above * (p.STRETCHED_UNTIL - self.floor) // usual
        rating = np.where(above < usual, self.floor + low, 1400 + above)
        rated = (size * self.rated_share) // WHOLE
        rating[rng.permutation(size)[rated:]] = 0
        return rating

    def _ages(self, rating: Ints) -> Ints:
        rng, size = self.rng, self.size
        places = rng.integers(0, WHOLE * 1000, size, dtype=np.int64)
        age = p.AGES.at(places)
        for chosen, ages in ((rating == 0, p.AGES_UNRATED), (rating >= 2200, p.AGES_STRONG)):
            age[chosen] = ages.at(places[chosen])
        # Nobody is 2000 at seven: strength takes years.
        return np.maximum(age, 6 + (rating - 1400) // 100)

    def _coefficients(self, rating: Ints, peak: Ints, age: Ints) -> NDArray[np.int32]:
        """K by the line of the regulation that fits the player's past."""
        law, size = self.law, self.size
        if law.K_FROM_TOURNAMENT:
            return np.full(size, UNKNOWN, dtype=np.int32)
        is_new = chance(self.rng, size, 1200) & (rating < 2200)
        on = self.calendar.lists[0]
        juniors = [law.is_junior(Birth(on.year - years), on) for years in range(200)]
        is_junior = np.array(juniors)[age]
        reached = [0, *law.k_ratings()]
        line = np.searchsorted(reached, peak, side="right") - 1
        table = [
            [
                [law.k_line(games, highest, junior).k for junior in (False, True)]
                for games in (ASSUMED_GAMES, 0)
            ]
            for highest in reached
        ]
        coefficients: NDArray[np.int32] = np.array(table, dtype=np.int32)[
            line, is_new.astype(np.int64), is_junior.astype(np.int64)
        ]
        return coefficients

    def _history(self, rating: Ints, active: Mask) -> dict[str, list[Any]]:
        """The lists backwards: before each one some ratings were different and some not there."""
        rng, size = self.rng, self.size
        ratings, listed = [rating.astype(np.int32)], [np.ones(size, dtype=np.bool_)]
        games = [self._games(rating, active)]
        for law in self.calendar.laws[1:]:
            floor = self._floor_under(law)
            now = ratings[-1].astype(np.int64)
            moved = (now > 0) & (games[-1] > 0)
            before = np.where(moved, now - (below(rng, 61, size) - 30), now)
            before[(before < floor) | (moved & chance(rng, size, 300))] = 0
            if self.law.HAS_UNRATED:
                dropped = (now == 0) & chance(rng, size, 10)
                before = np.where(dropped, floor + below(rng, 30, size), before)
                was_listed = (before > 0) | chance(rng, size, WHOLE - 30)
            else:
                was_listed = before > 0
            listed.append(listed[-1] & was_listed)
            ratings.append(np.where(listed[-1], before, 0).astype(np.int32))
            games.append(self._games(ratings[-1], active))
        return {"ratings": ratings, "games": games, "listed": listed}

    def _games(self, rating: Any, active: Mask) -> NDArray[np.int32]:
        """The rated games behind a list: most players had none in that period."""
        rng, size = self.rng, self.size
        played = active & (rating > 0) & chance(rng, size, 3000)
        return np.where(played, 3 + below(rng, 12, size), 0).astype(np.int32)


def _shared_out(players: int) -> NDArray[np.int16]:
    """The federation of each row; what does not divide goes to the largest."""
    weights = list(p.FEDERATIONS.values())
    counts = [players * weight // sum(weights) for weight in weights]
    counts[0] += players - sum(counts)
    return np.repeat(np.arange(len(weights), dtype=np.int16), counts)


def _birth_dates(rng: Rng, year: Ints) -> NDArray[np.int32]:
    """Full dates in the years given; the day is one that every month has."""
    size = len(year)
    return (year * 10_000 + (1 + below(rng, 12, size)) * 100 + 1 + below(rng, 28, size)).astype(
        np.int32
    )
