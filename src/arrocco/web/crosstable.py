"""A report as a table: a line a player, a column a round."""

from __future__ import annotations

from msgspec import Struct

from arrocco.records.report import EXCLUDED_KINDS, ByeKind, Entry, Game, GameKind, Report

MAX_LINES = 400
MAX_CELLS = 40_000
"""Where a table that is only to be looked at is cut."""
BYE_MARKS = {
    ByeKind.HALF_POINT: "½",
    ByeKind.FULL_POINT: "+",
    ByeKind.PAIRING_ALLOCATED: "+",
    ByeKind.ZERO_POINT: "–",
}
_BYE_POINTS = {
    ByeKind.HALF_POINT: 1,
    ByeKind.FULL_POINT: 2,
    ByeKind.PAIRING_ALLOCATED: 2,
    ByeKind.ZERO_POINT: 0,
}
"""Half points, as a bye is worth where the report does not print the points itself."""
_PLAYED = {2: "1", 1: "½", 0: "0"}
_FORFEIT = {2: "+", 1: "=", 0: "–"}


class Cell(Struct, frozen=True):
    """A round of a player: the result, and whom it was against."""

    result: str = ""
    opponent: int | None = None
    white: bool | None = None
    """None where the report does not say who had White."""
    unplayed: bool = False
    excluded: bool = False
    """Played, and excluded from rating by a decision (FIDE 2024, 5.1)."""


class TableLine(Struct, frozen=True):
    """A player's line: the entry, the rounds and the half points of games and byes."""

    entry: Entry
    cells: tuple[Cell, ...]
    half_points: int

    @property
    def points(self) -> int:
        """In tenths: as reported, or counted where a correction has changed a result."""
        reported = self.entry.points
        return 5 * self.half_points if reported is None else reported


class CrossTable(Struct, frozen=True):
    """The lines that are shown, by rank or else by points, and how many there are."""

    lines: tuple[TableLine, ...]
    total: int
    rounds: int
    places: dict[int, int]
    """By number of an entry: its place in the table, the one numbering that a page uses."""


def cross_table(report: Report, max_lines: int | None = None) -> CrossTable:
    """The table of a report: whole, or so many lines of it and no more cells than a page has."""
    rounds = max([report.rounds, *(game.round for game in report.games)], default=0)
    cells: dict[tuple[int, int], Cell] = {}
    half_points: dict[int, int] = {}
    for game in report.games:
        cells[game.white, game.round] = _cell(game, white=True)
        cells[game.black, game.round] = _cell(game, white=False)
        for entry, score in ((game.white, game.white_score), (game.black, game.black_score)):
            half_points[entry] = half_points.get(entry, 0) + int(score)
    for bye in report.byes:
        cells[bye.entry, bye.round] = Cell(BYE_MARKS[bye.kind], unplayed=True)
        half_points[bye.entry] = half_points.get(bye.entry, 0) + _BYE_POINTS[bye.kind]
    ordered = sorted(report.entries, key=lambda entry: _standing(entry, half_points))
    shown = None if max_lines is None else min(max_lines, MAX_CELLS // max(rounds, 1))
    lines = tuple(
        TableLine(
            entry,
            tuple(cells.get((entry.number, number), Cell()) for number in range(1, rounds + 1)),
            half_points.get(entry.number, 0),
        )
        for entry in ordered[:shown]
    )
    places = {entry.number: place for place, entry in enumerate(ordered, start=1)}
    return CrossTable(lines, len(ordered), rounds, places)


def _standing(entry: Entry, half_points: dict[int, int]) -> tuple[int, int, int]:
    """The rank that the report gives; behind it, and where there is none, by points."""
    counted = 5 * half_points.get(entry.number, 0)
    points = counted if entry.points is None else int(entry.points)
    return entry.rank or 10**6, -points, entry.number


def _cell(game: Game, *, white: bool) -> Cell:
    excluded = game.kind in EXCLUDED_KINDS
    unplayed = game.kind is not GameKind.PLAYED and not excluded
    score = int(game.white_score if white else game.black_score)
    return Cell(
        (_FORFEIT if unplayed else _PLAYED).get(score, "?"),
        game.black if white else game.white,
        white if game.colours_known else None,
        unplayed,
        excluded,
    )
