"""The games of all files, one round at a time.

Every game stands on two lines. It is taken from the line of the lower starting number, after the
other line was seen to tell the same; whatever does not agree makes its file one for the careful
reader.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from arrocco.formats.trf.cells import read_cell
from arrocco.formats.trf_columnar import codes as c
from arrocco.formats.trf_columnar.numbers import BLANK, Mask, whole
from arrocco.formats.trf_columnar.people import MAX_MISSING, People
from arrocco.formats.trf_columnar.table import Table

_SEPARATORS: Final = np.uint32(0x00FF00FF)
_BLANK_SEPARATORS: Final = np.uint32(0x00200020)

Rows = NDArray[np.int32]


@dataclass
class Round:
    """The games of one round in the order of lines: `lower` and `higher` are rows of the table.

    `pair` tells colours, results and kind as in `codes.PAIR`.
    """

    lower: Rows
    higher: Rows
    pair: NDArray[np.uint8]
    remarked: NDArray[np.intp]
    """The games about which there is something to say, if both lines agree on them."""


@dataclass
class Games:
    """All games, what they are worth to each line, and what is to be looked at by file."""

    rounds: list[Round]
    codes: list[NDArray[np.uint8]]
    """The code of each line's cell, by round."""
    worth: NDArray[np.int32]
    allocated: list[Rows]
    """The lines with a pairing-allocated bye, by round."""
    trailing: Mask
    """Files in whose last round nobody has an opponent or a point."""


def read_games(table: Table, people: People) -> Games:
    """Reads all rounds; lines that do not agree are marked bad in the table."""
    finder = _Finder(table, people)
    most = len(table.opponent)
    worth = np.zeros(table.lines, np.int32)
    trailing = np.zeros(len(table.files), np.bool_)
    rounds: list[Round] = []
    codes: list[NDArray[np.uint8]] = []
    allocated: list[Rows] = []
    after = 0
    for index in reversed(range(most)):
        # files whose last round this is are those that join here
        lines = table.lines_with_round(index)
        opponent, code = _cells(table, people, index, lines)
        codes.append(code)
        rounds.append(finder.games(opponent, code))
        worth[:lines] += c.WORTH.take(code)
        allocated.append(np.flatnonzero(code == c.ALLOCATED_BYE).astype(np.int32))
        if lines > after:
            files = slice(*np.searchsorted(table.first, (after, lines)).tolist())
            starts = table.first[files] - after
            trailing[files] = np.minimum.reduceat(code[after:lines], starts) >= c.FIRST_EMPTY
        after = lines
    return Games(rounds[::-1], codes[::-1], worth, allocated[::-1], trailing)


def extent(table: Table, games: Games, file: int) -> tuple[int, int]:
    """The last round in which a file has an opponent or a point, and the last one written."""
    rows = slice(*table.first[file : file + 2].tolist())
    used = written = 0
    for index in range(int(table.cells[file])):
        opponent, game = table.opponent[index, rows], table.game[index, rows]
        if ((opponent != BLANK) | (game != BLANK)).any():
            written = index + 1
        if (games.codes[index][rows] < c.FIRST_EMPTY).any():
            used = index + 1
    return used, written


def _cells(
    table: Table, people: People, index: int, lines: int
) -> tuple[NDArray[np.uint32], NDArray[np.uint8]]:
    """The opponents and the codes of one round."""
    words, games = table.opponent[index, :lines], table.game[index, :lines]
    opponent, fine = whole(words)
    letters = games ^ _BLANK_SEPARATORS
    separators = letters & _SEPARATORS
    letters >>= np.uint32(8)
    letters |= letters >> np.uint32(8)
    codes: NDArray[np.uint8] = c.CODES.take(letters & np.uint32(0xFFFF))
    strange = (opponent == 0) == (codes < c.FIRST_BYE)
    if not codes.all():
        strange |= codes == 0
    if separators.any():
        strange |= separators != 0
    if not fine.all():
        strange |= ~fine
    for row in np.flatnonzero(strange & ~table.bad[:lines]).tolist():
        text = b"".join(int(word).to_bytes(4, "little") for word in (words[row], games[row]))
        cell = read_cell(text.decode("latin-1"))
        if not cell.sound:
            table.bad[row] = True
            continue
        opponent[row], codes[row] = cell.opponent, c.code_of(cell)
        if cell.remarks:
            people.odd[row] = True
    return opponent, codes


class _Finder:
    """Finds the line of an opponent by the starting number."""

    def __init__(self, table: Table, people: People) -> None:
        self.table = table
        self.number = people.number.astype(np.uint32)
        lengths = np.diff(table.first)
        # the lines of a file with larger numbers are bad
        last = np.minimum(people.number[table.first[1:] - 1], lengths + MAX_MISSING)
        base = np.concatenate([[0], np.cumsum(last + 1)])
        self.last = np.repeat(last, lengths).astype(np.uint32)
        self.base = np.repeat(base[:-1], lengths).astype(np.int32)
        self.rows: Any = np.full(int(base[-1]), -1, np.int32)
        usable = people.number <= self.last
        self.rows[(self.base + people.number)[usable]] = np.flatnonzero(usable)

    def games(self, opponent: NDArray[np.uint32], code: NDArray[np.uint8]) -> Round:
        """The games of a round on which both lines agree."""
        bad = self.table.bad[: len(code)]
        lower = np.flatnonzero(opponent > self.number[: len(code)])
        theirs, last = opponent.take(lower), self.last.take(lower)
        agreed = theirs <= last
        higher = self.rows.take(self.base.take(lower) + np.minimum(theirs, last).astype(np.int32))
        agreed &= higher >= 0
        agreed &= opponent.take(higher, mode="wrap") == self.number.take(lower)
        codes = code.take(lower).astype(np.uint16) * np.uint16(c.PAIRS)
        codes += code.take(higher, mode="wrap")
        pair = c.PAIR.take(codes)
        remarked = pair >= c.REMARKED
        if remarked.any():
            agreed &= pair != c.NO_GAME
        paired = opponent != 0
        if not agreed.all():
            bad[lower[~agreed]] = True
            self._check_mirrored(paired, lower, bad)
        elif np.count_nonzero(paired) != 2 * len(lower):
            self._check_mirrored(paired, lower, bad)
        return Round(lower.astype(np.int32), higher, pair, np.flatnonzero(remarked))

    def _check_mirrored(self, paired: Mask, lower: NDArray[np.intp], bad: Mask) -> None:
        """Finds the files in which somebody names an opponent of a lower number in vain.

        Where all games agree, one line of each two with an opponent is the lower one.
        """
        file = self.table.file[: len(paired)]
        files = len(self.table.files)
        lines = np.bincount(file[paired], minlength=files)
        games = np.bincount(file[lower], minlength=files)
        bad |= (lines != 2 * games)[file]
