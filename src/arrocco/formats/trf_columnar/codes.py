"""Colour and result of a cell as one small number, and what two such numbers make of a game.

The tables are not written by hand: the careful reader is asked once about every cell and every pair
of cells, and only what it takes without a remark has a number.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from arrocco.formats.trf.cells import FORFEITED, PLAYED, SHORT, Cell, read_cell
from arrocco.formats.trf.games import Row, take
from arrocco.formats.trf.scoring import Worth
from arrocco.formats.trf.seen import Seen
from arrocco.records.reportbatch import KIND_OF

_COLOURS = "wb- "

_GAMES = [
    read_cell(f"   1 {colour} {code}") for colour in "wb-" for code in PLAYED + FORFEITED + SHORT
]
_BYES = [read_cell(f"0000 - {code}") for code in "HFU"]
_EMPTY = [read_cell(f"0000 - {code}") for code in "Z "]

FIRST_BYE: Final = 1 + len(_GAMES)
FIRST_EMPTY: Final = FIRST_BYE + len(_BYES)
"""Codes below `FIRST_BYE` need an opponent, the others may not have one; 0 is any other cell."""

_CODE_OF = {
    (cell.opponent > 0, cell.colour, cell.result): code
    for code, cell in enumerate(_GAMES + _BYES + _EMPTY, start=1)
}
_LIKE = {"+": "F", "-": "Z"}
"""A forfeit without an opponent is a bye."""


def colour_and_result(code: int) -> Cell:
    """A cell with the code of a game; the opponent is not told."""
    return _GAMES[code - 1]


def code_of(cell: Cell) -> int:
    """The code of a sound cell."""
    if cell.opponent:
        return _CODE_OF[True, cell.colour, cell.result]
    return _CODE_OF[False, "-", _LIKE.get(cell.result, cell.result)]


ALLOCATED_BYE: Final = code_of(read_cell("0000 - U"))

PAIRS: Final = 64
"""A pair of codes is one number: the first times this plus the second."""

LOWER_IS_WHITE: Final = 1
KIND_SHIFT, WHITE_SHIFT, BLACK_SHIFT = 1, 3, 5
"""Where a game's kind and half points stand in its number."""
REMARKED: Final = 0x80
"""Set in the number of a game that is taken, but about which there is something to say."""
NO_GAME: Final = 0xFF


def _codes() -> np.ndarray[tuple[int], np.dtype[np.uint8]]:
    """Codes by the byte of the colour plus 256 times that of the result."""
    codes = np.zeros(1 << 16, np.uint8)
    for colour in _COLOURS:
        for result in PLAYED + FORFEITED + SHORT + "HFUZ ":
            for opponent in ("   1", "0000"):
                cell = read_cell(f"{opponent} {colour} {result}")
                if cell.sound and not cell.remarks:
                    codes[ord(colour) | ord(result) << 8] = code_of(cell)
    return codes


def _pairs() -> np.ndarray[tuple[int], np.dtype[np.uint8]]:
    """What the lines of two opponents make together, the lower starting number first."""
    pairs = np.full(PAIRS * PAIRS, NO_GAME, np.uint8)
    for first, cell in enumerate(_GAMES, start=1):
        for second, mirror in enumerate(_GAMES, start=1):
            pairs[first * PAIRS + second] = _pair(cell, mirror)
    return pairs


def _pair(cell: Cell, mirror: Cell) -> int:
    seen = Seen("")
    lines = [Row(1, 1, [replace(cell, opponent=2)]), Row(2, 2, [replace(mirror, opponent=1)])]
    games, _ = take(lines, 1, seen)
    if not games:
        return NO_GAME
    (game,) = games
    return (
        (REMARKED if seen.findings() else 0)
        | (LOWER_IS_WHITE if game.white == 1 else 0)
        | KIND_OF[game.kind] << KIND_SHIFT
        | game.white_score << WHITE_SHIFT
        | game.black_score << BLACK_SHIFT
    )


def _worth() -> np.ndarray[tuple[int], np.dtype[np.uint8]]:
    """The tenths of a point by code, as long as a file does not say otherwise."""
    tenths = Worth.of((), team_event=False).tenths
    worth = np.zeros(PAIRS, np.uint8)
    for (_, colour, result), code in _CODE_OF.items():
        worth[code] = tenths[colour + result]
    return worth


CODES: Final = _codes()
PAIR: Final = _pairs()
WORTH: Final = _worth()
