"""From a report file to a `Report`: the lines are put together, contradictions are found."""

from __future__ import annotations

from arrocco.findings import Finding, Place
from arrocco.formats.trf import checks
from arrocco.formats.trf import records as r
from arrocco.formats.trf.cells import BLANK, column
from arrocco.formats.trf.columns import whole
from arrocco.formats.trf.document import MAX_RESULTS, Line, TrfDocument, read
from arrocco.formats.trf.games import Row, check_byes, take
from arrocco.formats.trf.header import Header
from arrocco.formats.trf.scoring import Worth
from arrocco.formats.trf.seen import Seen, in_order, refusal
from arrocco.records.report import Entry, NationalRecord, Report, System
from arrocco.units import Rating

LEAST_TABLE = 50_000
MAX_PADDING = 10
"""Cells of a table of players and rounds that are read in any case, and for each one written."""


def read_report(data: bytes, source: str) -> tuple[Report, list[Finding]]:
    """Reads a report file and everything that is wrong with it.

    Raises `Malformed` only where nothing can be taken: an empty or binary file, one without any
    player, or one beyond the bounds of `document`.
    """
    document, in_lines = read(data, source)
    report, between_lines = to_report(document)
    return report, in_order(in_lines + between_lines)


def to_report(document: TrfDocument) -> tuple[Report, list[Finding]]:
    """Puts the lines of a document together, with what is wrong between lines.

    Games on which lines disagree are left out and reported as errors. Raises `Malformed` when the
    document has no player.
    """
    seen = Seen(document.source)
    header = Header(document, seen)
    players = list(document.all(r.PlayerRecord))
    if not players:
        raise refusal("no_players", document.source)
    header.check()
    system = header.system()
    team_event = system is System.TEAM or any(document.all(r.Team))
    rounds = _rounds(players, header, seen)
    _check_size(players, rounds, document.source)
    rows = _rows(players, rounds, seen)
    if not team_event:
        checks.apply_byes_240(document, rows, rounds, seen)
    games, byes = take(rows, rounds, seen)
    report = Report(
        source=document.source,
        name=header.text("012"),
        city=header.text("022"),
        federation=header.text("032"),
        start=header.day("042"),
        end=header.day("052"),
        system=system,
        system_text=header.text("092"),
        chief_arbiter=header.text("102"),
        deputies=tuple(header.deputies),
        time_control_text=header.text("122"),
        time_control=header.time_control(),
        rounds=rounds,
        entries=_entries(players, rows, document, seen),
        games=games,
        byes=byes,
    )
    _set_round_dates(report, header, seen)
    _set_match_games(report, header, seen)
    checks.check_players(players, header, seen)
    checks.check_counts(players, header, seen)
    checks.check_line_lengths(players, rounds, seen)
    records = (line.record for line in document.lines)
    worth = Worth.of(records, team_event=team_event)
    checks.check_points(players, rows, worth, seen)
    checks.check_members(document, (row.number for row in rows), seen)
    check_byes(byes, seen)
    _look_for_system(report, seen)
    return report, seen.findings()


def _rounds(players: list[tuple[Line, r.PlayerRecord]], header: Header, seen: Seen) -> int:
    """The number of rounds: up to the last one with an opponent or a point, or as declared.

    Rounds at the end in which nobody has an opponent or a point count only where the file declares
    them: some programs write one round too many.
    """
    written = max(len(player.rounds) for _, player in players)
    used = 0
    for _, player in players:
        for round_ in range(len(player.rounds), used, -1):
            if not player.rounds[round_ - 1].is_empty:
                used = round_
                break
    declared = header.rounds()
    rounds = used if declared is None else max(used, min(declared, written))
    line = header.line("142") or header.line("XXR")
    if declared is not None and declared > rounds:
        seen.add("rounds_missing", line, 5, declared=declared, found=rounds)
    elif declared is not None and declared < rounds:
        seen.add("rounds_undeclared", line, 5, declared=declared, found=rounds)
    if written > rounds:
        first = next(line for line, player in players if len(player.rounds) > rounds)
        seen.add("empty_rounds", first.number, column(rounds + 1), written=written, rounds=rounds)
    if not used:
        seen.add("no_games")
    return rounds


def _check_size(players: list[tuple[Line, r.PlayerRecord]], rounds: int, source: str) -> None:
    """Refuses a table far larger than what is written: one long line makes all others as long."""
    written = sum(len(player.rounds) for _, player in players)
    bound = min(MAX_RESULTS, LEAST_TABLE + MAX_PADDING * written)
    if len(players) * rounds > bound:
        raise refusal("too_many_results", source, most=bound)


def _rows(players: list[tuple[Line, r.PlayerRecord]], rounds: int, seen: Seen) -> list[Row]:
    """The rounds of each player; the games of a repeated starting number are not taken."""
    by_number: dict[int, Row] = {}
    for line, player in players:
        if player.number is None:
            continue
        row = by_number.get(player.number)
        if row is not None:
            row.taken = False
            seen.add("start_number_repeated", line.number, 5, number=player.number, first=row.line)
            continue
        missing = rounds - len(player.rounds)
        cells = player.rounds + (BLANK,) * missing if missing > 0 else player.rounds[:rounds]
        by_number[player.number] = Row(player.number, line.number, cells)
    return list(by_number.values())


def _entries(
    players: list[tuple[Line, r.PlayerRecord]], rows: list[Row], document: TrfDocument, seen: Seen
) -> list[Entry]:
    """The entries in the order of lines, the first of those with the same number."""
    source = document.source
    lines = {row.line for row in rows}
    national = _national(document, {row.number for row in rows}, seen)
    return [
        Entry(
            player.number,
            player.name,
            player.id,
            Rating(player.rating) if player.rating is not None else None,
            player.federation,
            player.sex,
            player.title,
            player.birth,
            player.points,
            player.rank,
            tuple(national.get(player.number, ())),
            Place(source, line.number),
        )
        for line, player in players
        if player.number is not None and line.number in lines
    ]


def _national(
    document: TrfDocument, numbers: set[int], seen: Seen
) -> dict[int, list[NationalRecord]]:
    """The national ratings by starting number."""
    by_entry: dict[int, list[NationalRecord]] = {}
    given: set[tuple[int, str]] = set()
    for line, record in document.all(r.NationalRating):
        number = record.number
        if number not in numbers or number is None:
            seen.add(
                "national_without_player",
                line.number,
                5,
                federation=record.federation,
                number=line.text[4:8].strip(),
            )
            continue
        if (number, record.federation) in given:
            seen.add(
                "national_repeated", line.number, 5, federation=record.federation, number=number
            )
            continue
        given.add((number, record.federation))
        rating = Rating(record.rating) if record.rating is not None else None
        place = Place(document.source, line.number)
        national = NationalRecord(record.federation, rating, whole(record.id) or None, place)
        by_entry.setdefault(number, []).append(national)
    return by_entry


def _set_round_dates(report: Report, header: Header, seen: Seen) -> None:
    """One date for each round, `None` where the file gives none; empty without any date."""
    days = header.round_days()
    if not any(days):
        return
    if len(days) != report.rounds:
        seen.add(
            "round_dates_miscounted", header.line("132"), 92, dates=len(days), rounds=report.rounds
        )
    missing = (None,) * (report.rounds - len(days))
    report.round_dates = days[: report.rounds] + missing


def _set_match_games(report: Report, header: Header, seen: Seen) -> None:
    """The length of a match: as declared, or else its rounds, which is then said."""
    if report.system is not System.MATCH or len(report.entries) != 2:
        return
    declared = header.rounds()
    report.facts.match_games = declared or report.rounds
    if declared is None:
        seen.add("match_length_from_rounds", header.line("092"), 5, rounds=report.rounds)


def _look_for_system(report: Report, seen: Seen) -> None:
    """What the games look like is only said, where the file names no system."""
    if report.system is not System.UNKNOWN or report.system_text:
        return
    if len(report.entries) == 2 and report.games:
        seen.add("looks_like_match", games=len(report.games))
    elif checks.all_met_once(report.games, len(report.entries)):
        seen.add("looks_like_round_robin", players=len(report.entries))
