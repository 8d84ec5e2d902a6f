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
    "WW": ("w- ", "1W"), "BW": ("b", "1W"), "WD": ("w- ", "=D"), "BD": ("b", "=D"),
    "WL": ("w- ", "0L"), "BL": ("b", "0L"), "ZPB": (_COLOURS, "Z "), "HPB": (_COLOURS, "H"),
    "FPB": (_COLOURS, "F"), "PAB": (_COLOURS, "U"), "FW": (_COLOURS, "+"), "FL": (_COLOURS, "-"),
    "W": (_COLOURS, "1W+F"), "D": (_COLOURS, "=DH"), "L": (_COLOURS, "0L"),
}  # fmt: skip
"""Colours and result codes that a code of XXS sets."""

_BY_299 = {
    "W": "1W", "D": "=D", "L": "0L", "F": "F", "H": "H", "Z": "Z ", "+": "+", "-": "-",
}  # fmt: skip


@dataclass
class Worth:
    """What each result is worth, in tenths, by colour and code (``w1``, ``-H``)."""

    tenths: dict[str, int] = field(default_factory=dict)
    abnormal: list[r.AbnormalPoints] = field(default_factory=list)

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
                worth.abnormal.append(record)
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
        return total + self._abnormal_difference(number, cells) if self.abnormal else total

    def _abnormal_difference(self, number: int, cells: Sequence[Cell]) -> int:
        difference = 0
        for record in self.abnormal:
            ids = {identity for identity in record.ids if identity}
            if record.points is None or (ids and number not in ids):
                continue
            if not record.kind:
                # a bonus or penalty counts once, and needs to say whose it is
                difference += record.points if ids else 0
                continue
            codes = _BY_299.get(record.kind, "")
            for index, cell in enumerate(cells, start=1):
                if record.round in (None, 0, index) and cell.result in codes:
                    difference += record.points - self.tenths[cell.colour + cell.result]
        return difference
