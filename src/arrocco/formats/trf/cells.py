"""One round of one player: the opponent, the colour and the result in ten columns.

The meaning of a cell depends on its ten characters alone, so each text is read once and kept: a
report of 284 players over 9 rounds has 2556 cells but far fewer different ones.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, NamedTuple

from arrocco.formats.trf.columns import whole
from arrocco.records.report import ByeKind

FIRST_COLUMN: Final = 92
"""The first column of round 1."""

WIDTH: Final = 10
"""The columns from one round to the next."""

MAX_ROUNDS: Final = 999
"""Round numbers have three columns."""

PLAYED: Final = "1=0"
FORFEITED: Final = "+-"
SHORT: Final = "WDL"
RESULTS: Final = frozenset(PLAYED + FORFEITED + SHORT + "HFUZ" + " ")

BYES: Final = {
    "H": ByeKind.HALF_POINT,
    "F": ByeKind.FULL_POINT,
    "U": ByeKind.PAIRING_ALLOCATED,
    "Z": ByeKind.ZERO_POINT,
    " ": ByeKind.ZERO_POINT,
    "-": ByeKind.ZERO_POINT,
    "+": ByeKind.FULL_POINT,
}
"""What a result means where there is no opponent; a blank is a zero-point bye."""

_BYE_CODES = frozenset("HFUZ")
_AS_BYE = {"1": "F", "=": "H", "0": "Z", "W": "F", "D": "H", "L": "Z"}


class Remark(NamedTuple):
    """What is to be said of a cell; `offset` counts columns from the first one of the cell."""

    key: str
    offset: int
    details: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Cell:
    """What a player's line says of one round.

    `opponent` is 0 where there is none. `colour` is ``w``, ``b`` or ``-``. `result` is a code of
    the format in capitals, a blank where none is given. A cell that is not `sound` yields neither
    a game nor a bye, and its remarks say why.
    """

    opponent: int = 0
    colour: str = " "
    result: str = " "
    sound: bool = True
    remarks: tuple[Remark, ...] = ()

    @property
    def is_blank(self) -> bool:
        """Whether nothing at all is written."""
        return self.result == " " and self.colour == " " and not self.opponent and self.sound

    @property
    def is_empty(self) -> bool:
        """Whether the round says nothing of a game or of points: no opponent, no result."""
        return not self.opponent and self.result in " Z-" and self.sound


BLANK: Final = Cell()


def column(round_: int) -> int:
    """The first column of a round."""
    return FIRST_COLUMN + WIDTH * (round_ - 1)


@lru_cache(maxsize=1 << 16)
def read_cell(text: str) -> Cell:
    """Reads the ten columns of a round (fewer where the line ends)."""
    text = text.ljust(WIDTH)
    if not text.strip(" "):
        return BLANK
    for offset in (4, 6, 8, 9):
        if text[offset] != " ":
            remark = Remark("round_not_aligned", offset, {"text": text.strip()})
            return Cell(sound=False, remarks=(remark,))
    remarks: list[Remark] = []
    opponent = _opponent(text[:4].strip(), remarks)
    colour = _colour(text[5], remarks)
    result = _result(text[7], remarks)
    if opponent is None or result is None:
        # with an opponent a game is lost, without one only a bye
        if result is None:
            key = "bye_unknown" if opponent == 0 else "result_unknown"
            remarks.append(Remark(key, 7, {"text": text[7]}))
        return Cell(opponent or 0, colour, " ", False, tuple(remarks))
    if opponent:
        return _paired(opponent, colour, result, remarks)
    return _unpaired(colour, result, remarks)


def _opponent(word: str, remarks: list[Remark]) -> int | None:
    if not word:
        return 0
    number = whole(word)
    if number is None:
        remarks.append(Remark("opponent_not_a_number", 0, {"text": word}))
    return number


def _colour(letter: str, remarks: list[Remark]) -> str:
    if letter in "wb-":
        return letter
    if letter == " ":
        return "-"
    if letter in "WB":
        remarks.append(Remark("colour_form", 5, {"text": letter}))
        return letter.lower()
    remarks.append(Remark("colour_unknown", 5, {"text": letter}))
    return "-"


def _result(letter: str, remarks: list[Remark]) -> str | None:
    if letter in RESULTS:
        return letter
    code = {"½": "="}.get(letter, letter.upper())
    if code not in RESULTS:
        return None
    remarks.append(Remark("result_form", 7, {"text": letter}))
    return code


def _paired(opponent: int, colour: str, result: str, remarks: list[Remark]) -> Cell:
    sound = True
    if result == " ":
        remarks.append(Remark("result_missing", 7, {"opponent": opponent}))
        sound = False
    elif result in _BYE_CODES:
        remarks.append(Remark("bye_with_opponent", 7, {"text": result, "opponent": opponent}))
        sound = False
    return Cell(opponent, colour, result, sound, tuple(remarks))


def _unpaired(colour: str, result: str, remarks: list[Remark]) -> Cell:
    if result in _AS_BYE:
        if colour != "-":
            remarks.append(Remark("result_without_opponent", 0, {"text": result}))
            return Cell(0, colour, result, False, tuple(remarks))
        remarks.append(Remark("bye_as_result", 7, {"text": result}))
        result = _AS_BYE[result]
    elif result in FORFEITED:
        remarks.append(Remark("forfeit_without_opponent", 0, {"text": result}))
    elif colour != "-":
        remarks.append(Remark("bye_with_colour", 5, {"text": colour}))
    return Cell(0, colour, result, True, tuple(remarks))


def write_cell(cell: Cell) -> str:
    """The eight columns of a round."""
    if cell.is_blank:
        return " " * (WIDTH - 2)
    opponent = f"{cell.opponent:>4}" if cell.opponent else "0000"
    return f"{opponent} {cell.colour} {cell.result}"
