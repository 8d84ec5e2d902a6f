"""The ranks of a report file, made again by the tie-breaks that it states (C.07; 202 and 212)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from functools import partial
from typing import NamedTuple

from arrocco.formats.trf import records as r
from arrocco.formats.trf.cells import FORFEITED, Cell
from arrocco.formats.trf.document import TrfDocument
from arrocco.formats.trf.scoring import Worth
from arrocco.hall.event import direct_encounter
from arrocco.hall.event.cards import Slot, SlotKind
from arrocco.hall.event.records import PairingSystem, TieBreak
from arrocco.hall.event.rules import Rules
from arrocco.hall.event.standings import parted_by
from arrocco.hall.event.tiebreaks import ACRONYMS, VALUES, Results
from arrocco.hall.pairing.trf_tournament import NEW_TEXT
from arrocco.laws.online.score import Scoring
from arrocco.laws.online.side import Side

POINTS = "PTS"
_BY_CODE = {code.replace("-", "/"): tie_break for tie_break, code in ACRONYMS.items()}
_OF_RATINGS = (TieBreak.AVERAGE_RATING, TieBreak.PERFORMANCE)
_SIDES = {"w": Side.WHITE, "b": Side.BLACK}
_BYES = {
    "U": SlotKind.ALLOCATED_BYE,
    "F": SlotKind.ALLOCATED_BYE,
    "+": SlotKind.ALLOCATED_BYE,
    "H": SlotKind.HALF_POINT_BYE,
}
_HALF_POINTS = {"1": 2, "W": 2, "+": 2, "U": 2, "F": 2, "=": 1, "D": 1, "H": 1}


@dataclass(frozen=True, slots=True)
class Place:
    """Where a player of a file stands: the rank stated, and the first and last that fit.

    Several fit where no tie-break that was compared tells players apart.
    """

    number: int
    rank: int | None
    first: int
    last: int

    @property
    def fits(self) -> bool:
        return self.rank is None or self.first <= self.rank <= self.last


@dataclass(frozen=True)
class FileStandings:
    """Everybody of a file in order, and which of the tie-breaks stated were compared."""

    places: tuple[Place, ...]
    compared: tuple[str, ...]
    left_out: tuple[str, ...]
    """From the first on that is not known here, or rests on ratings that somebody lacks."""

    @property
    def wrong(self) -> tuple[Place, ...]:
        return tuple(place for place in self.places if not place.fits)


class Stated(NamedTuple):
    """What a TRF26 file of an event says besides its report: see `from_report`."""

    tie_breaks: tuple[str, ...]
    code: str


def stated_of(rules: Rules, start: date) -> Stated:
    """By which tie-breaks an event ranks, and by which rules it pairs.

    All events are paired by the text of today, which older days do not suggest.
    """
    codes = (POINTS, *(ACRONYMS[tie_break].replace("-", "/") for tie_break in rules.tie_breaks))
    if rules.system is not PairingSystem.SWISS:
        return Stated(codes, "")
    return Stated(codes, "FIDE_DUTCH" if start >= NEW_TEXT else "FIDE_DUTCH_2026")


def stated_codes(document: TrfDocument) -> tuple[str, ...]:
    """The codes of 212, or those of 202 after the points; none where a file has neither."""
    texts = {
        line.record.tag: line.record.text
        for line in document.lines
        if isinstance(line.record, r.Text)
    }
    for tag, before in (("212", ()), ("202", (POINTS,))):
        codes = tuple(code for code in re.split(r"[,\s]+", texts.get(tag, "").upper()) if code)
        if codes:
            return (*before, *codes)
    return ()


def ranked(document: TrfDocument, codes: tuple[str, ...]) -> FileStandings:
    """The standings of a Swiss tournament of single players by these codes.

    Points given beside the results (299) are not added up here, so nothing is compared with them.
    """
    results, players = _results(document)
    if any(document.all(r.AbnormalPoints)):
        anywhere = tuple(Place(n, players[n].rank, 1, len(players)) for n in sorted(players))
        return FileStandings(anywhere, (), codes)
    # Who has no rank among others who have is out of the standings, and met them all the same.
    groups = [sorted(n for n, player in players.items() if player.rank) or sorted(players)]
    compared: list[str] = []
    for code in codes:
        tie_break = _BY_CODE.get(re.sub(r"[:#!-]", "/", code))
        if code == POINTS:
            groups = parted_by(groups, results.score)
        elif tie_break is TieBreak.DIRECT_ENCOUNTER:
            groups = [part for group in groups for part in direct_encounter.split(results, group)]
        elif tie_break is None or (tie_break in _OF_RATINGS and _lacks_rating(players)):
            break
        else:
            groups = parted_by(groups, partial(VALUES[tie_break], results))
        compared.append(code)
    places, first = [], 1
    for group in groups:
        last = first + len(group) - 1
        places += [Place(number, players[number].rank, first, last) for number in group]
        first = last + 1
    return FileStandings(tuple(places), tuple(compared), codes[len(compared) :])


def _lacks_rating(players: dict[int, r.PlayerRecord]) -> bool:
    """10 — where somebody is unrated, a tie-break of ratings needs rules that no file states."""
    return not all(player.rating for player in players.values())


def _results(document: TrfDocument) -> tuple[Results, dict[int, r.PlayerRecord]]:
    records = [line.record for line in document.lines]
    players = {
        record.number: record
        for record in records
        if isinstance(record, r.PlayerRecord) and record.number
    }
    tenths = Worth.of(records, team_event=False).tenths
    rounds = max(
        (
            round_
            for player in players.values()
            for round_, cell in enumerate(player.rounds, start=1)
            if cell.opponent
        ),
        default=0,
    )
    blank = Cell(0, "-", "Z")
    cards = {
        number: tuple(
            _slot(round_, cell, tenths)
            for round_, cell in enumerate((*player.rounds, *[blank] * rounds)[:rounds], start=1)
        )
        for number, player in players.items()
    }
    loss, forfeit = tenths["w0"], tenths["--"]
    scoring = Scoring(tenths["w1"], tenths["w="], loss, min(loss, forfeit))
    ratings = {number: player.rating or 0 for number, player in players.items()}
    return Results(cards, scoring, ratings), players


def _slot(round_: int, cell: Cell, tenths: dict[str, int]) -> Slot:
    points, half_points = tenths[cell.colour + cell.result], _HALF_POINTS.get(cell.result, 0)
    if not cell.opponent:
        kind = _BYES.get(cell.result, SlotKind.ZERO_POINT_BYE)
        return Slot(round_, kind, points, half_points)
    kind = SlotKind.PLAYED
    if cell.result in FORFEITED:
        kind = SlotKind.FORFEIT_WIN if half_points else SlotKind.FORFEIT_LOSS
    return Slot(round_, kind, points, half_points, cell.opponent, _SIDES.get(cell.colour))
