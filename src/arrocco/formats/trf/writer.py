"""From a `Report` to a regular report file.

Lines end with CR LF (the format asks for CR, programs of today for LF) and are UTF-8 without a mark
at the start. Reading the file back gives the same report, but for what the format cannot hold:
`docs/formats-trf.md` lists it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from arrocco.errors import Inconsistent
from arrocco.formats.trf import records as r
from arrocco.formats.trf import systems
from arrocco.formats.trf.cells import MAX_ROUNDS, Cell
from arrocco.formats.trf.document import Line, TrfDocument, write
from arrocco.formats.trf.players import MAX_NUMBER
from arrocco.records.report import Bye, ByeKind, Entry, Game, GameKind, Report, System

Version = Literal["trf16", "trf26"]

_BYE_CODES = {
    ByeKind.HALF_POINT: "H",
    ByeKind.FULL_POINT: "F",
    ByeKind.PAIRING_ALLOCATED: "U",
    ByeKind.ZERO_POINT: "Z",
}

_RESULT_CODES = {
    GameKind.PLAYED: {
        (2, 0): "10",
        (1, 1): "==",
        (0, 2): "01",
        (0, 0): "00",
        (1, 0): "=0",
        (0, 1): "0=",
    },
    GameKind.FORFEIT: {(2, 0): "+-", (0, 2): "-+", (0, 0): "--"},
    GameKind.SHORT: {
        (2, 0): "WL",
        (1, 1): "DD",
        (0, 2): "LW",
        (0, 0): "LL",
        (1, 0): "DL",
        (0, 1): "LD",
    },
}
"""The codes of White and Black by kind of game and half points."""

_YEARS_OF_TWO_DIGITS = range(1970, 2070)


def from_report(
    report: Report, version: Version, tie_breaks: Sequence[str] = (), code: str = ""
) -> bytes:
    """Writes a report as TRF16 or TRF26.

    `tie_breaks` are the codes by which its ranks were made (212), `code` that of its pairings where
    more is known of them than the report says (192). TRF16 has no place for either.

    Raises `Inconsistent` where the report contradicts itself (two games of an entry in a round) or
    holds what the version has no place for (national ratings in TRF16).
    """
    head = _tournament(report, version, code)
    if version == "trf26" and tie_breaks:
        head.append(r.Text("212", ",".join(tie_breaks)))
    records = [*head, *_players(report)]
    if version == "trf26":
        records += [
            r.NationalRating(
                n.federation, e.number, rating=n.rating, id="" if n.id is None else str(n.id)
            )
            for e in report.entries
            for n in e.national
        ]
    elif any(entry.national for entry in report.entries):
        raise Inconsistent.of("trf.refused.national_ratings")
    lines = [Line.of(record, number) for number, record in enumerate(records, start=1)]
    return write(TrfDocument(report.source, "utf-8", lines))


def _tournament(report: Report, version: Version, code: str) -> list[r.Record]:
    control = report.time_control
    control_text = report.time_control_text or (str(control) if control else "")
    system_text = report.system_text or systems.WORDS[report.system]
    rated = sum(entry.rating is not None for entry in report.entries)
    records: list[r.Record] = [
        _text("012", report.name),
        _text("022", report.city),
        _text("032", report.federation),
        r.Day("042", report.start),
        r.Day("052", report.end),
        r.Count("062", len(report.entries)),
        r.Count("072", rated),
        _text("092", system_text),
        _text("102", report.chief_arbiter),
        *(_text("112", deputy) for deputy in report.deputies),
        _text("122", control_text),
    ]
    if any(report.round_dates):
        for day in report.round_dates:
            if day and day.year not in _YEARS_OF_TWO_DIGITS:
                raise Inconsistent.of("trf.refused.round_date", day=day)
        records.append(r.RoundDates(report.round_dates))
    if version == "trf16":
        if report.rounds > _last_with_points(report):
            # TRF16 has no record for it; pairing programs have, and every reader knows theirs.
            records.append(r.Count("XXR", report.rounds))
        return records
    if report.rounds:
        is_match = report.system is System.MATCH and len(report.entries) == 2
        announced = report.facts.match_games if is_match else None
        records.append(r.Count("142", announced or report.rounds))
    if code or report.system in systems.CODES:
        records.append(r.Text("192", code or systems.CODES[report.system]))
    if control is not None:
        records.append(r.Text("222", control.code))
    return records


def _last_with_points(report: Report) -> int:
    """The last round that is seen without being declared: with a game or a bye worth points."""
    rounds = [game.round for game in report.games]
    rounds += [bye.round for bye in report.byes if bye.kind is not ByeKind.ZERO_POINT]
    return max(rounds, default=0)


def _text(tag: str, text: str) -> r.Text:
    return r.Text(tag, _one_line(text))


def _one_line(text: str) -> str:
    """Text without line breaks and control characters, which would break the columns."""
    return "".join(char if char.isprintable() else " " for char in text).strip()


def _players(report: Report) -> list[r.Record]:
    if report.rounds > MAX_ROUNDS:
        raise Inconsistent.of("trf.refused.rounds", rounds=report.rounds, most=MAX_ROUNDS)
    cells = {entry.number: [Cell(0, "-", "Z")] * report.rounds for entry in report.entries}
    if len(cells) != len(report.entries):
        raise Inconsistent.of("trf.refused.same_number")
    placed: set[tuple[int, int]] = set()

    def place(number: int, round_: int, cell: Cell) -> None:
        if number not in cells or not 1 <= round_ <= report.rounds:
            raise Inconsistent.of("trf.refused.no_entry", round=round_, entry=number)
        if (number, round_) in placed:
            raise Inconsistent.of("trf.refused.two_games", round=round_, entry=number)
        placed.add((number, round_))
        cells[number][round_ - 1] = cell

    for game in report.games:
        white, black = _codes(game)
        colours = "wb" if game.colours_known else "--"
        place(game.white, game.round, Cell(game.black, colours[0], white))
        place(game.black, game.round, Cell(game.white, colours[1], black))
    for bye in report.byes:
        place(bye.entry, bye.round, _bye(bye))
    return [_player(entry, tuple(cells[entry.number])) for entry in report.entries]


def _codes(game: Game) -> tuple[str, str]:
    codes = _RESULT_CODES.get(game.kind, {}).get((game.white_score, game.black_score))
    if codes is None or game.white == game.black:
        raise Inconsistent.of(
            "trf.refused.result", round=game.round, white=game.white, black=game.black
        )
    return codes[0], codes[1]


def _bye(bye: Bye) -> Cell:
    return Cell(0, "-", _BYE_CODES[bye.kind])


_NAME_WIDTH = 33


def _player(entry: Entry, cells: tuple[Cell, ...]) -> r.PlayerRecord:
    """Record 001; a name longer than its columns is cut, a number that does not fit is refused."""
    for number, least, most in (
        (entry.number, 1, MAX_NUMBER),
        (entry.rating, 1, 9999),
        (entry.id, 1, 99_999_999_999),
        (entry.points, 0, 999),
        (entry.rank, 1, 9999),
    ):
        if number is not None and not least <= number <= most:
            raise Inconsistent.of("trf.refused.no_room", entry=entry.number, number=number)
    return r.PlayerRecord(
        entry.number,
        entry.sex[:1],
        entry.title[:3],
        _one_line(entry.name)[:_NAME_WIDTH].rstrip(),
        entry.rating,
        _one_line(entry.federation)[:3],
        entry.id,
        entry.birth,
        entry.points,
        entry.rank,
        cells,
    )
