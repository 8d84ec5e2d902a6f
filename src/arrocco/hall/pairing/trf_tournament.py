"""From a report file to the tournament that a pairing program sees.

Read are TRF16, TRF26 and what JaVaFo (XXR XXC XXZ XXS XXA XXP) and bbpPairings (BB?) add. A round
in which somebody has an opponent was paired; byes written for the round after the last of these are
those of players who will be away, or who are to have the bye by the arbiter's choice.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import date
from itertools import pairwise

from arrocco.errors import Malformed
from arrocco.formats.trf import records as r
from arrocco.formats.trf.cells import BLANK, FORFEITED, Cell
from arrocco.formats.trf.document import TrfDocument, read
from arrocco.formats.trf.reader import to_report
from arrocco.formats.trf.scoring import Worth
from arrocco.hall.pairing.records import Edition, Past, Player
from arrocco.hall.pairing.tournament import Forbidden, Numbering, Tournament, with_acceleration
from arrocco.laws.online.side import Side

NEW_TEXT = date(2026, 2, 1)
"""C.04.3 — the day from which tournaments are paired by the text of 2026."""

_SIDES = {"w": Side.WHITE, "b": Side.BLACK}
_INITIAL = {"W": Side.WHITE, "B": Side.BLACK, "white1": Side.WHITE, "black1": Side.BLACK}
_NOT_TO_PAIR = frozenset("HFZU")


def read_tournament(data: bytes, source: str) -> Tournament:
    """The tournament of a file.

    Raises `Malformed` where the file contradicts itself: pairings would rest on what it does not
    say. That ids or birth dates are missing is nothing to a pairing and not told.
    """
    document, in_lines = read(data, source)
    report, between = to_report(document)
    findings = [in_line for in_line in (*in_lines, *between) if in_line.is_error]
    if findings:
        raise Malformed.of("pairing.refused.file", findings=tuple(findings), file=source)
    return _Reading(document).tournament(report.start)


class _Reading:
    """The records of a file, put together."""

    def __init__(self, document: TrfDocument) -> None:
        self.records = [line.record for line in document.lines]
        self.source = document.source
        self.lines = sorted(
            (player_record for _, player_record in document.all(r.PlayerRecord)),
            key=lambda player_record: player_record.number or 0,
        )
        self.worth = Worth.of(self.records, team_event=False)
        self.played = max(
            (
                number
                for line in self.lines
                for number, cell in enumerate(line.rounds, start=1)
                if cell.opponent
            ),
            default=0,
        )

    def tournament(self, start: date | None) -> Tournament:
        code = " ".join(self._texts("192")).upper()
        if "TEAM" in code or (
            not code and any(isinstance(record, r.Team) for record in self.records)
        ):
            raise Malformed.of("pairing.refused.teams", file=self.source)
        options = " ".join(self._texts("XXC")).split()
        if "rank" in options:
            raise Malformed.of("pairing.refused.rank", file=self.source)
        stated = [_INITIAL.get(word) for word in (*options, *self._initial())]
        virtual = self._virtual()
        tenths = self.worth.tenths
        made = Tournament(
            players=tuple(
                Player(number, self._past(line), virtual.get(number, ()))
                for line in self.lines
                if (number := line.number) is not None
            ),
            rounds=self._rounds(),
            played=self.played,
            names={line.number: line.name for line in self.lines if line.number is not None},
            absent=frozenset(self._absent()),
            forbidden=tuple(self._forbidden()),
            initial_colour=next((side for side in stated if side is not None), None),
            win=max(tenths["w1"], tenths["b1"]),
            loss=min(tenths["w0"], tenths["b0"]),
            edition=_edition(code, start),
            numbering=self._numbering(),
        )
        if "BAKU" in code and not virtual:
            made = replace(made, players=with_acceleration(made))
        return made

    def _numbering(self) -> Numbering:
        """C.04.2 2.1 — by rating, as far as a file tells; unrated players come last."""
        ratings = [line.rating or 0 for line in self.lines]
        if any(later > earlier for earlier, later in pairwise(ratings)):
            return Numbering.NOT_BY_RATING
        scored = [line.points or 0 for line in self.lines]
        falls = all(later <= earlier for earlier, later in pairwise(scored))
        if not any(ratings) and self.played > 1 and falls and len(set(scored)) > 1:
            return Numbering.BY_RESULT
        return Numbering.BY_RATING

    def _texts(self, tag: str) -> list[str]:
        return [
            record.text
            for record in self.records
            if isinstance(record, r.Text) and record.tag == tag
        ]

    def _initial(self) -> list[str]:
        return [record.colour for record in self.records if isinstance(record, r.InitialColour)]

    def _rounds(self) -> int:
        stated = [
            record.number or 0
            for record in self.records
            if isinstance(record, r.Count) and record.tag in ("142", "XXR")
        ]
        return max([*stated, self.played])

    def _past(self, line: r.PlayerRecord) -> tuple[Past, ...]:
        cells = (*line.rounds, *[BLANK] * self.played)[: self.played]
        past = [self._round(cell) for cell in cells]
        beside = self.worth.beside(line.number or 0, cells)
        if past:
            # Points of no round count from the first game on: a bye is not worth more by them.
            first = next((n for n, round_ in enumerate(past, start=1) if round_.colour), 1)
            beside[first] = beside.get(first, 0) + beside.pop(0, 0)
        return tuple(
            replace(round_, points=round_.points + beside.get(n, 0))
            for n, round_ in enumerate(past, start=1)
        )

    def _round(self, cell: Cell) -> Past:
        colour = _SIDES.get(cell.colour)
        points = self.worth.tenths[cell.colour + cell.result]
        if not cell.opponent:
            return Past(points=points, allocated_bye=cell.result == "U")
        if cell.result in FORFEITED:
            return Past(cell.opponent, None, points, forfeited_colour=colour)
        # Games of less than a move each had opponent and colour.
        return Past(cell.opponent, colour, points)

    def _absent(self) -> Iterable[int]:
        for line in self.lines:
            later = line.rounds[self.played :]
            if line.number is not None and later and later[0].result in _NOT_TO_PAIR:
                yield line.number
        for record in self.records:
            is_away = isinstance(record, r.Ids) and record.tag == "XXZ"
            has_bye = isinstance(record, r.Byes) and record.round == self.played + 1
            if (is_away or has_bye) and isinstance(record, r.Ids | r.Byes):
                yield from record.ids

    def _forbidden(self) -> Iterable[Forbidden]:
        for record in self.records:
            if isinstance(record, r.Ids) and record.tag == "XXP":
                yield Forbidden(frozenset(record.ids))
            elif isinstance(record, r.ProhibitedPairings):
                yield Forbidden(
                    frozenset(record.ids), record.first_round or 1, record.last_round or 0
                )

    def _virtual(self) -> dict[int, tuple[int, ...]]:
        """Virtual points by player and round, from 250 (ranges) and XXA (a player each)."""
        virtual: dict[int, dict[int, int]] = {}
        last = self._rounds()
        for record in self.records:
            if isinstance(record, r.PlayerAcceleration) and record.number is not None:
                for number, points in enumerate(record.points, start=1):
                    virtual.setdefault(record.number, {})[number] = points
            elif isinstance(record, r.Acceleration):
                points = record.game_points or record.match_points or 0
                first_id = record.first_id or 1
                for line in self.lines:
                    if first_id <= (line.number or 0) <= (record.last_id or first_id):
                        own = virtual.setdefault(line.number or 0, {})
                        until = min(record.last_round or record.first_round or 1, last)
                        own |= dict.fromkeys(range(record.first_round or 1, until + 1), points)
        return {
            number: tuple(own.get(round_, 0) for round_ in range(1, max(own, default=0) + 1))
            for number, own in virtual.items()
        }


def _edition(code: str, start: date | None) -> Edition:
    """The text that record 192 names, else the one in force on the day the tournament starts."""
    if "2017" in code:
        return Edition.DUTCH_2017
    if "2026" in code or start is None or start >= NEW_TEXT:
        return Edition.DUTCH_2026
    return Edition.DUTCH_2017
