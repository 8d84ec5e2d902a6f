"""The games of a report: every game stands on two lines, and both must tell the same.

A game on which the two lines disagree is left out and reported as an error; it is never taken from
one line alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from arrocco.findings import Place
from arrocco.formats.trf.cells import BYES, Cell, column
from arrocco.formats.trf.seen import Seen
from arrocco.records.report import Bye, ByeKind, Game, GameKind
from arrocco.units import HalfPoints

_SCORE: Final = {"1": 2, "=": 1, "0": 0, "+": 2, "-": 0, "W": 2, "D": 1, "L": 0}

_KINDS: Final = {
    **dict.fromkeys(("10", "01", "==", "00", "=0", "0="), GameKind.PLAYED),
    **dict.fromkeys(("+-", "-+", "--"), GameKind.FORFEIT),
    **dict.fromkeys(("WL", "LW", "DD", "LL", "DL", "LD"), GameKind.SHORT),
}
"""The pairs of codes that two lines may give to one game; no other pair is taken."""

_UNUSUAL: Final = frozenset(("00", "=0", "0=", "LL", "DL", "LD"))
"""Pairs that only an arbiter's decision makes."""


@dataclass(slots=True)
class Row:
    """A player's line with all rounds of the tournament."""

    number: int
    line: int
    cells: Sequence[Cell]
    taken: bool = True
    """False where another line has the same number: its games cannot be told apart."""

    def set_cell(self, index: int, cell: Cell) -> None:
        """Replaces the cell of one round; the record's own tuple is copied once."""
        if not isinstance(self.cells, list):
            self.cells = list(self.cells)
        self.cells[index] = cell


def take(rows: list[Row], rounds: int, seen: Seen) -> tuple[list[Game], list[Bye]]:
    """The games and byes on which the lines agree, by round and then in the order of lines."""
    by_number = {row.number: row for row in rows}
    games: list[Game] = []
    byes: list[Bye] = []
    source = seen.source
    for index in range(rounds):
        round_, place_column = index + 1, column(index + 1)
        for row in rows:
            cell = row.cells[index]
            if not (cell.sound and row.taken):
                continue  # reported where the cell was read, or where the number is repeated
            if not cell.opponent:
                place = Place(source, row.line, place_column)
                byes.append(Bye(round_, row.number, BYES[cell.result], place))
                continue
            other = by_number.get(cell.opponent)
            if other is None or other is row:
                key = "unknown_opponent" if other is None else "paired_with_self"
                seen.add(
                    key,
                    row.line,
                    place_column,
                    round=round_,
                    player=row.number,
                    opponent=cell.opponent,
                )
                continue
            mirror = other.cells[index]
            if not (mirror.sound and other.taken):
                continue  # reported there
            if mirror.opponent != row.number:
                _say_not_mutual(row, other, round_, by_number, seen)
            elif row.number < other.number:
                game = _game(row, other, round_, seen)
                if game is not None:
                    games.append(game)
    return games, byes


def _say_not_mutual(
    row: Row, other: Row, round_: int, by_number: dict[int, Row], seen: Seen
) -> None:
    """The opponent's line names somebody else, or nobody."""
    third = by_number.get(other.cells[round_ - 1].opponent)
    two_games = third is not None and third.cells[round_ - 1].opponent == other.number
    seen.add(
        "two_games_in_round" if two_games else "mirror_missing",
        row.line,
        column(round_),
        round=round_,
        player=row.number,
        opponent=other.number,
        opponent_line=other.line,
        third=other.cells[round_ - 1].opponent,
    )


def _game(row: Row, other: Row, round_: int, seen: Seen) -> Game | None:
    """The game of two lines that name each other; `row` has the lower number."""
    cell, mirror = row.cells[round_ - 1], other.cells[round_ - 1]
    place_column = column(round_)
    kind = _KINDS.get(cell.result + mirror.result)
    if kind is None or (cell.colour == mirror.colour and cell.colour != "-"):
        seen.add(
            "result_not_mirrored" if kind is None else "colours_equal",
            row.line,
            place_column + (7 if kind is None else 5),
            round=round_,
            player=row.number,
            opponent=other.number,
            opponent_line=other.line,
            result=cell.result,
            mirror=mirror.result,
            colour=cell.colour,
        )
        return None
    if cell.result + mirror.result in _UNUSUAL:
        seen.add(
            "unusual_score_pair",
            row.line,
            place_column + 7,
            round=round_,
            player=row.number,
            opponent=other.number,
            result=cell.result,
            mirror=mirror.result,
        )
    colours = cell.colour + mirror.colour
    if "-" in colours and (kind is not GameKind.FORFEIT or colours != "--"):
        seen.add(
            "colour_missing" if colours == "--" else "colour_one_sided",
            row.line,
            place_column + 5,
            round=round_,
            player=row.number,
            opponent=other.number,
        )
    if colours in ("wb", "w-", "-b", "--"):
        white, black, first, second = row, other, cell, mirror
    else:
        white, black, first, second = other, row, mirror, cell
    return Game(
        round_,
        white.number,
        black.number,
        HalfPoints(_SCORE[first.result]),
        HalfPoints(_SCORE[second.result]),
        kind,
        colours != "--",
        Place(seen.source, white.line, place_column),
    )


def check_byes(byes: list[Bye], seen: Seen) -> None:
    """At most one pairing-allocated bye in a round, and one for a player."""
    rounds: set[int] = set()
    players: set[int] = set()
    for bye in byes:
        if bye.kind is not ByeKind.PAIRING_ALLOCATED:
            continue
        line, place_column = bye.place.line, bye.place.column
        if bye.round in rounds:
            seen.add("second_bye_in_round", line, place_column, round=bye.round, player=bye.entry)
        if bye.entry in players:
            seen.add("second_bye_of_player", line, place_column, round=bye.round, player=bye.entry)
        rounds.add(bye.round)
        players.add(bye.entry)
