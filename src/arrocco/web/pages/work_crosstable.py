"""A report as a table: a line a player, a column a round."""

from __future__ import annotations

from dataclasses import dataclass

from arrocco.report import ByeKind, Entry, GameKind, Report

MOST_LINES = 400
MAX_CELLS = 40_000
"""Longer tables are cut: they are to be looked at, not to be printed."""
_BYES = {
    ByeKind.HALF_POINT: "½ –", ByeKind.FULL_POINT: "1 –", ByeKind.PAIRING_ALLOCATED: "+ –",
    ByeKind.ZERO_POINT: "0 –",
}  # fmt: skip
_PLAYED = {2: "1", 1: "½", 0: "0"}
_FORFEIT = {2: "+", 1: "=", 0: "−"}


@dataclass(frozen=True)
class Cell:
    """A round of a player: ``5w1`` is a win with White against number 5."""

    text: str = ""
    unplayed: bool = False


@dataclass(frozen=True)
class TableLine:
    """A player's line: the entry, the rounds and the half points of the games."""

    entry: Entry
    cells: tuple[Cell, ...]
    half_points: int
    games: int


@dataclass(frozen=True)
class CrossTable:
    """The lines that are shown, by rank where the report has ranks, and how many there are."""

    lines: tuple[TableLine, ...]
    total: int
    rounds: int


def cross_table(report: Report, white: str, black: str) -> CrossTable:
    """The table of a report; `white` and `black` are the letters of the colours."""
    rounds = max([report.rounds, *(game.round for game in report.games)], default=0)
    cells: dict[tuple[int, int], Cell] = {}
    halves: dict[int, int] = {}
    games: dict[int, int] = {}
    for game in report.games:
        played = game.kind is GameKind.PLAYED
        for own, other, score, colour in (
            (game.white, game.black, game.white_score, white),
            (game.black, game.white, game.black_score, black),
        ):
            letter = colour if game.colours_known else ""
            result = (_PLAYED if played else _FORFEIT).get(int(score), "?")
            cells[own, game.round] = Cell(f"{other}{letter} {result}", not played)
            halves[own] = halves.get(own, 0) + int(score)
            games[own] = games.get(own, 0) + played
    for bye in report.byes:
        cells[bye.entry, bye.round] = Cell(_BYES[bye.kind], True)
    ordered = sorted(report.entries, key=lambda one: (one.rank or 10**6, one.number))
    lines = tuple(
        TableLine(
            entry,
            tuple(cells.get((entry.number, number), Cell()) for number in range(1, rounds + 1)),
            halves.get(entry.number, 0),
            games.get(entry.number, 0),
        )
        for entry in ordered[: min(MOST_LINES, MAX_CELLS // max(rounds, 1))]
    )
    return CrossTable(lines, len(report.entries), rounds)
