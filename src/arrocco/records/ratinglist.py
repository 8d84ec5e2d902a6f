"""A rating list as columns: what FIDE's files, our CSV and Parquet, and the engine all share.

One list holds one kind of rating (standard, rapid, RIO blitz, UISP ...). A combined FIDE file
yields one `RatingList` for each kind it carries. Rows are sorted by player id; ids are unique.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from datetime import date
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arrocco.records.report import Birth, PlayerId
from arrocco.records.textcolumn import ArrowText, Text, TextColumn, as_arrow, text_at, words_of
from arrocco.units import Rating

UNKNOWN = -1
"""In `k` and `games`: the list does not say. In `rating` and `birth` the value 0 means none."""

INACTIVE, AMONG_TOP, OFF_LIST, STRUCK_OFF = "i", "t", "x", "d"
"""Letters of a flag. The first is FIDE's own; the others are marks of the text of 2010: inactive
and still among the top players (7.24), inactive for good and off the list (7.23b), struck off the
list for a rating below the floor (7.21)."""

Int64 = NDArray[np.int64]
Int32 = NDArray[np.int32]


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
        return INACTIVE in self.flag

    @property
    def is_off_list(self) -> bool:
        """Whether the list itself leaves the player out, whose last rating still counts."""
        return OFF_LIST in self.flag

    @property
    def is_struck_off(self) -> bool:
        """Whether the player is named on this list for the last time, without a rating."""
        return STRUCK_OFF in self.flag


@dataclass
class RatingList:
    """The columns of one list.

    `birth` is yyyymmdd with zeros for what is not known (19870000 is the year 1987); `flag` is as
    FIDE writes it (``i`` inactive, ``w`` woman, ``wi`` both), with the marks named above. `extra`
    holds further text columns a format carries (``w_title``, ``o_title``, ``foa_title``) so that
    writing loses nothing.
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

    def marked(self, letter: str) -> NDArray[np.bool_]:
        """Who has a letter in the flag."""
        flags, codes = words_of(self.kept("flag"))
        marked: NDArray[np.bool_] = np.array([letter in flag for flag in flags], np.bool_)[codes]
        return marked

    def chosen(self, rows: NDArray[np.bool_]) -> RatingList:
        """The list with only some of its rows."""
        every = {column.name: getattr(self, column.name) for column in fields(self)}
        columns: dict[str, Any] = {
            name: column[rows] for name, column in every.items() if isinstance(column, np.ndarray)
        }
        extra = {name: column[rows] for name, column in self.extra.items()}
        return replace(self, **columns, extra=extra)

    def kept(self, name: str) -> Text | ArrowText:
        """A column of texts as it is kept, which spares making texts that nobody looks at."""
        column: Text | ArrowText = vars(self)[name]
        return column

    def arrow(self, name: str) -> ArrowText:
        """A column of texts as Arrow writes it."""
        return as_arrow(self.extra[name] if name in self.extra else self.kept(name))

    def player(self, player: PlayerId) -> ListedPlayer | None:
        """One player's row, or `None` when the list does not have them."""
        row = self.row(player)
        return None if row is None else self.at(row)

    def at(self, row: int) -> ListedPlayer:
        """The player in a given row."""
        rating, games, k = int(self.rating[row]), int(self.games[row]), int(self.k[row])
        texts = {name: text_at(self.kept(name), row) for name in _TEXTS}
        return ListedPlayer(
            id=int(self.id[row]),
            rating=Rating(rating) if rating > 0 else None,
            games=None if games == UNKNOWN else games,
            k=None if k == UNKNOWN else k,
            birth=birth_from_number(int(self.birth[row])),
            **texts,
        )


_TEXTS = ("name", "federation", "sex", "title", "flag")
for _name in _TEXTS:
    setattr(RatingList, _name, TextColumn(_name))


def list_of_ratings(ids: Int64, ratings: Int64) -> RatingList:
    """A list that tells nothing of its players but their ratings; ids are in order, 0 is none."""
    text = np.full(len(ids), "", dtype=np.object_)
    unknown = np.full(len(ids), UNKNOWN, dtype=np.int32)
    birth = np.zeros(len(ids), dtype=np.int32)
    return RatingList(
        ids, text, text, text, text, ratings.astype(np.int32), unknown, unknown, birth, text
    )


def empty_list(system: str = "", on: date | None = None) -> RatingList:
    """A list without players."""
    nobody = np.zeros(0, dtype=np.int64)
    return replace(list_of_ratings(nobody, nobody), system=system, on=on)


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
