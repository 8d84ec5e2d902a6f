"""The points that results are worth in a tournament, so that the points of a line can be checked.

By default a win is 1, a draw ½, a loss 0; a full-point or pairing-allocated bye is worth a win, a
half-point bye a draw. Records 162, XXS, BB? and 299 change that.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from arrocco.formats.trf import records as r
from arrocco.formats.trf.cells import Cell

_COLOURS = "wb- "

_BY_162 = {"W": "1W+F", "D": "=DH", "L": "0L", "A": "Z -", "P": "U"}
"""The result codes that a symbol of record 162 sets; X (unknown result) has no code in 001."""

_BY_BB = {"W": "1W+F", "D": "=DH", "L": "0L", "Z": "Z ", "F": "-", "U": "U"}

_BY_XXS = {
    "WW": ("w- ", "1W"),
    "BW": ("b", "1W"),
    "WD": ("w- ", "=D"),
    "BD": ("b", "=D"),
    "WL": ("w- ", "0L"),
    "BL": ("b", "0L"),
    "ZPB": (_COLOURS, "Z "),
    "HPB": (_COLOURS, "H"),
    "FPB": (_COLOURS, "F"),
    "PAB": (_COLOURS, "U"),
    "FW": (_COLOURS, "+"),
    "FL": (_COLOURS, "-"),
    "W": (_COLOURS, "1W+F"),
    "D": (_COLOURS, "=DH"),
    "L": (_COLOURS, "0L"),
}
"""Colours and result codes that a code of XXS sets."""

_KIND_OF_299 = {
    "1": "W",
    "W": "W",
    "=": "D",
    "D": "D",
    "0": "L",
    "L": "L",
    "F": "F",
    "H": "H",
    "Z": "Z",
    " ": "Z",
    "+": "+",
    "-": "-",
}
"""The kind of 299 that speaks of a result code."""

_EVERYBODY, _EVERY_ROUND = 0, 0


@dataclass
class _Abnormal:
    """Points of record 299, added up: by player, round and kind how many records, and their sum.

    Everybody's have the player 0, those of every round the round 0.
    """

    points: dict[tuple[int, int, str], tuple[int, int]] = field(default_factory=dict)
    bonus: dict[tuple[int, int], int] = field(default_factory=dict)
    """Tenths by player and round, whatever the results."""

    def add(self, record: r.AbnormalPoints) -> None:
        if record.points is None:
            return
        ids = {identity for identity in record.ids if identity}
        if not record.kind:
            # a bonus or penalty counts once, and needs to say whose it is
            for identity in ids:
                given = identity, record.round or _EVERY_ROUND
                self.bonus[given] = self.bonus.get(given, 0) + record.points
            return
        for identity in ids or {_EVERYBODY}:
            place = identity, record.round or _EVERY_ROUND, record.kind
            records, total = self.points.get(place, (0, 0))
            self.points[place] = records + 1, total + record.points

    def of(self, number: int, round_: int, result: str) -> tuple[int, int]:
        """How many records speak of one result of a player, and the sum of their points."""
        kind = _KIND_OF_299.get(result, "")
        records = total = 0
        for whose in (_EVERYBODY, number):
            for when in (_EVERY_ROUND, round_):
                more, points = self.points.get((whose, when, kind), (0, 0))
                records, total = records + more, total + points
        return records, total


@dataclass
class Worth:
    """What each result is worth, in tenths, by colour and code (``w1``, ``-H``)."""

    tenths: dict[str, int] = field(default_factory=dict)
    abnormal: _Abnormal = field(default_factory=_Abnormal)

    @classmethod
    def of(cls, records: Iterable[r.Record], *, team_event: bool) -> Worth:
        """The points of a tournament from its records, the last one winning."""
        worth = cls()
        worth._set(_COLOURS, "1W+FU", 10)
        worth._set(_COLOURS, "=DH", 5)
        worth._set(_COLOURS, "0LZ -", 0)
        for record in records:
            if isinstance(record, r.Scoring):
                worth._add(record)
            elif isinstance(record, r.AbnormalPoints) and not team_event:
                # in team events 299 speaks of teams, not of players
                worth.abnormal.add(record)
        return worth

    def _add(self, record: r.Scoring) -> None:
        values = dict(record.values)
        if record.tag == "162":
            if "W" in values:
                values.setdefault("P", values["W"])
            for symbol, points in values.items():
                self._set(_COLOURS, _BY_162.get(symbol, ""), points)
        elif record.tag == "XXS":
            for code, points in record.values:
                self._set(*_BY_XXS[code], points)
        elif record.tag.startswith("BB"):
            for symbol, points in record.values:
                self._set(_COLOURS, _BY_BB[symbol], points)

    def _set(self, colours: str, codes: str, points: int) -> None:
        for colour in colours:
            for code in codes:
                self.tenths[colour + code] = points

    def points(self, number: int, cells: Sequence[Cell]) -> int | None:
        """The tenths a player's rounds are worth; `None` where a round cannot be read."""
        tenths = self.tenths
        total = 0
        for cell in cells:
            if not cell.sound:
                return None
            total += tenths[cell.colour + cell.result]
        return total + sum(self.beside(number, cells).values())

    def beside(self, number: int, cells: Sequence[Cell]) -> dict[int, int]:
        """The tenths of a player by round that 299 adds to the results or takes from them.

        Those of no round in particular have the round 0.
        """
        tenths = {
            round_: points
            for (whose, round_), points in self.abnormal.bonus.items()
            if whose == number
        }
        if not self.abnormal.points:
            return tenths
        for round_, cell in enumerate(cells, start=1):
            records, points = self.abnormal.of(number, round_, cell.result)
            if records:
                more = points - records * self.tenths[cell.colour + cell.result]
                tenths[round_] = tenths.get(round_, 0) + more
        return tenths
