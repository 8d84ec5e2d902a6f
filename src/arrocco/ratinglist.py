"""A rating list as columns: what FIDE's files, our CSV and Parquet, and the engine all share.

One list holds one kind of rating (standard, rapid, RIO blitz, UISP ...). A combined FIDE file
yields one `RatingList` for each kind it carries. Rows are sorted by player id; ids are unique.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date

import numpy as np
from numpy.typing import NDArray

from arrocco.report import Birth, PlayerId
from arrocco.units import Rating

UNKNOWN = -1
"""In `k` and `games`: the list does not say. In `rating` and `birth` the value 0 means none."""

Int64 = NDArray[np.int64]
Int32 = NDArray[np.int32]
Text = NDArray[np.object_]


@dataclass(frozen=True)
class ListedPlayer:
    """One row of a list."""

    id: PlayerId
    name: str
    federation: str
    sex: str
    title: str
    rating: Rating | None
    games: int | None
    k: int | None
    birth: Birth | None
    flag: str

    @property
    def is_inactive(self) -> bool:
        return "i" in self.flag


@dataclass
class RatingList:
    """The columns of one list.

    `birth` is yyyymmdd with zeros for what is not known (19870000 is the year 1987); `flag` is as
    FIDE writes it (``i`` inactive, ``w`` woman, ``wi`` both). `extra` holds further text columns a
    format carries (``w_title``, ``o_title``, ``foa_title``) so that writing loses nothing.
    """

    id: Int64
    name: Text
    federation: Text
    sex: Text
    title: Text
    rating: Int32
    games: Int32
    k: Int32
    birth: Int32
    flag: Text
    system: str = ""
    """Which rating this is: ``standard``, ``rapid``, ``blitz`` ..."""
    on: date | None = None
    """The first day the list is in force, where the file tells."""
    source: str = ""
    extra: dict[str, Text] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.id)

    def row(self, player: PlayerId) -> int | None:
        """The row of a player, found by binary search."""
        index = int(np.searchsorted(self.id, player))
        return index if index < len(self.id) and int(self.id[index]) == player else None

    def rows(self, players: Int64) -> Int64:
        """The rows of many players at once; -1 for those not on the list."""
        if not len(self.id):
            return np.full(len(players), -1, dtype=np.int64)
        index = np.minimum(np.searchsorted(self.id, players), len(self.id) - 1)
        return np.where(self.id[index] == players, index, -1).astype(np.int64)

    def player(self, player: PlayerId) -> ListedPlayer | None:
        """One player's row, or `None` when the list does not have them."""
        row = self.row(player)
        return None if row is None else self.at(row)

    def at(self, row: int) -> ListedPlayer:
        """The player in a given row."""
        rating, games, k = int(self.rating[row]), int(self.games[row]), int(self.k[row])
        return ListedPlayer(
            id=int(self.id[row]),
            name=str(self.name[row]),
            federation=str(self.federation[row]),
            sex=str(self.sex[row]),
            title=str(self.title[row]),
            rating=Rating(rating) if rating > 0 else None,
            games=None if games == UNKNOWN else games,
            k=None if k == UNKNOWN else k,
            birth=birth_from_number(int(self.birth[row])),
            flag=str(self.flag[row]),
        )


def birth_from_number(number: int) -> Birth | None:
    """Reads the packed form yyyymmdd used in columns."""
    if number == 0:
        return None
    year, rest = divmod(number, 10_000)
    month, day = divmod(rest, 100)
    return Birth(year, month or None, day or None)


def birth_to_number(birth: Birth | None) -> int:
    """Packs a birth date into yyyymmdd, zeros for what is not known."""
    if birth is None:
        return 0
    return birth.year * 10_000 + (birth.month or 0) * 100 + (birth.day or 0)
