"""The players of an invented year and the lists it opens with."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path
from random import Random

import numpy as np

from arrocco.dates import Month
from arrocco.demo.generate.federation import federation
from arrocco.desk import Office
from arrocco.desk.list_import import kind_of
from arrocco.formats.lists import write_list
from arrocco.office.roles import Asker
from arrocco.records.ratinglist import UNKNOWN, RatingList
from arrocco.records.report import Birth

HOME, GUEST = "ITA", "SMR"
"""The two federations; one player in five is of the second."""
MARCH_LIST, OPENING = date(2025, 4, 1), date(2025, 5, 1)
FIRST_MONTH = Month(2025, 5)
_FIDE_FLOOR = 1400
_NO_FEWER = 1000
_SHARES = {
    "fide-rapid": 60,
    "fide-blitz": 50,
    "rio-rapid": 22,
    "rio-blitz": 30,
    "rio-bullet": 15,
    "uisp": 25,
    "fsi": 85,
}
"""Of a hundred players so many have a rating of that kind when the year opens."""
_NEW_NUMBERS = 990_000_001


@dataclass
class Person:
    """An invented player; `strength` is how well they really play."""

    id: int
    name: str
    federation: str
    sex: str
    title: str
    birth: Birth
    strength: int
    rated: bool
    """Whether they have a standard rating when the year opens."""
    alive: bool = True

    @property
    def is_junior(self) -> bool:
        return self.birth.year >= OPENING.year - 16


@dataclass
class World:
    """Everybody there is, and the lists the year opens with."""

    people: list[Person]
    lists: dict[tuple[str, date], RatingList]
    busy: dict[int, list[tuple[date, date]]] = field(default_factory=dict)
    """By number: the days on which somebody plays."""
    new_numbers: int = _NEW_NUMBERS

    def is_free(self, person: Person, first: date, last: date) -> bool:
        """Whether somebody lives and plays nowhere in these days."""
        spans = self.busy.get(person.id, ())
        return person.alive and all(end < first or start > last for start, end in spans)

    def new_number(self) -> int:
        """A number that nobody has yet."""
        self.new_numbers += 1
        return self.new_numbers


def invent(players: int, seed: int) -> World:
    """Makes up the players and their ratings of every kind."""
    made = federation(players, seed, law="fide", period=FIRST_MONTH)
    home = players * 4 // 5
    codes = np.array([HOME] * home + [GUEST] * (players - home), dtype=np.object_)
    standard = [replace(listed, federation=codes[: len(listed)]) for listed in made.lists[:2]]
    # A player who was on no list in April has no row there; codes follow the rows of May.
    may, april = standard[0], made.lists[1]
    april = replace(april, federation=may.federation[may.rows(april.id)])
    lists = {("fide", OPENING): may, ("fide", MARCH_LIST): april}
    people = [
        Person(
            id=int(made.id[row]),
            name=str(may.name[row]),
            federation=str(may.federation[row]),
            sex="w" if made.is_woman[row] else "m",
            title=str(may.title[row]),
            birth=_birth(int(made.birth[row])),
            strength=int(made.strength[row]),
            rated=bool(may.rating[row] > 0),
        )
        for row in range(players)
    ]
    for system, share in _SHARES.items():
        day = MARCH_LIST if system == "uisp" else OPENING
        rng = Random(f"{seed}:{system}")
        lists[system, day] = _drawn(rng, may, people, system, day, share)
        if system.startswith("fide-"):
            lists[system, MARCH_LIST] = replace(lists[system, day], on=MARCH_LIST)
    return World(people, lists)


def _birth(number: int) -> Birth:
    return Birth(number // 10_000, number // 100 % 100, number % 100)


def _drawn(
    rng: Random, of: RatingList, people: list[Person], system: str, day: date, share: int
) -> RatingList:
    """A list on which some of the players have a rating near their strength."""
    is_fide = system.startswith("fide-")
    least = _FIDE_FLOOR if is_fide else _NO_FEWER
    rating = np.zeros(len(people), dtype=np.int32)
    for row, person in enumerate(people):
        drawn = max(person.strength + rng.randrange(-70, 71), least)
        if rng.randrange(100) < share and not (is_fide and person.strength < _FIDE_FLOOR):
            rating[row] = drawn
    kept = rating > 0
    unknown = np.full(int(kept.sum()), UNKNOWN, dtype=np.int32)
    return RatingList(
        id=of.id[kept],
        name=of.name[kept],
        federation=of.federation[kept],
        sex=of.sex[kept],
        title=of.title[kept],
        rating=rating[kept],
        games=unknown,
        k=unknown.copy(),
        birth=of.birth[kept],
        flag=of.flag[kept],
        system=kind_of(system),
        on=day,
    )


def import_lists(office: Office, boss: Asker, world: World, folder: Path) -> None:
    """Takes the opening lists over, as an office does that follows another."""
    for (system, day), listed in sorted(world.lists.items(), key=lambda one: (one[0][1], one[0])):
        path = folder / f"{system}-{day}.csv"
        write_list(listed, path, "csv")
        office.lists.import_list(boss, system, day, path)
