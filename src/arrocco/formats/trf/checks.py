"""Checks of a file as a whole: counts, repeated numbers, ranks, points and declared byes."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

from arrocco.formats.trf import records as r
from arrocco.formats.trf.cells import BYES, FIRST_COLUMN, WIDTH, Cell
from arrocco.formats.trf.columns import show_tenths
from arrocco.formats.trf.document import Line, TrfDocument
from arrocco.formats.trf.games import Row
from arrocco.formats.trf.header import Header
from arrocco.formats.trf.scoring import Worth
from arrocco.formats.trf.seen import Seen
from arrocco.records.report import Game

PlayerLine = tuple[Line, r.PlayerRecord]


def check_players(players: list[PlayerLine], header: Header, seen: Seen) -> None:
    """Ids, ranks and points given, their repetitions, and the order of starting numbers."""
    players = [(line, player) for line, player in players if player.number is not None]
    ids: dict[int, int] = {}
    ranks: set[int] = set()
    for line, player in players:
        number = player.number
        if player.id is None:
            if not line.text[57:68].strip(" 0"):
                seen.add("id_missing", line.number, 58, player=number, name=player.name)
        elif player.id in ids:
            seen.add(
                "id_repeated",
                line.number,
                58,
                player=number,
                id=player.id,
                other=ids[player.id],
            )
        else:
            ids[player.id] = number or 0
        if player.points is None and not line.text[80:84].strip():
            seen.add("points_missing", line.number, 81, player=number)
        if player.rank is None:
            if not line.text[85:89].strip(" 0"):
                seen.add("rank_missing", line.number, 86, player=number)
        elif player.rank in ranks and not header.is_trf26:
            seen.add("rank_repeated", line.number, 86, player=number, rank=player.rank)
        else:
            ranks.add(player.rank)
    for (_, previous), (line, player) in pairwise(players):
        if (player.number or 0) < (previous.number or 0):
            seen.add("numbers_unsorted", line.number, 5, player=player.number)
            break


def check_counts(players: list[PlayerLine], header: Header, seen: Seen) -> None:
    """The numbers of players and of rated players, where the file gives them."""
    rated = sum(player.rating is not None for _, player in players)
    for tag, key, counted in (
        ("062", "players_miscounted", len(players)),
        ("072", "rated_miscounted", rated),
    ):
        declared = header.number(tag)
        if declared is not None and declared != counted:
            seen.add(key, header.line(tag), 5, declared=declared, counted=counted)


def check_line_lengths(players: list[PlayerLine], rounds: int, seen: Seen) -> None:
    """Lines that end before the last round's result: the blanks at their end were cut."""
    width = FIRST_COLUMN + WIDTH * rounds - 3
    for line, _ in players:
        if len(line.text) < width and rounds:
            seen.add("blanks_cut", line.number, len(line.text) + 1)


def check_points(players: list[PlayerLine], rows: list[Row], worth: Worth, seen: Seen) -> None:
    """The points of each line against its own results."""
    by_number = {row.number: row for row in rows}
    for line, player in players:
        row = by_number.get(player.number or 0)
        if player.points is None or row is None or row.line != line.number:
            continue
        expected = worth.points(row.number, row.cells)
        if expected is not None and expected != player.points:
            seen.add(
                "points_differ",
                line.number,
                81,
                player=row.number,
                given=show_tenths(player.points),
                expected=show_tenths(expected),
            )


def apply_byes_240(document: TrfDocument, rows: list[Row], rounds: int, seen: Seen) -> None:
    """Record 240 of an individual event: names the byes of rounds that 001 leaves blank."""
    by_number = {row.number: row for row in rows}
    for line, record in document.all(r.Byes):
        if (
            record.kind not in ("F", "H", "Z")
            or record.round is None
            or not 1 <= record.round <= rounds
        ):
            continue
        index = record.round - 1
        for position, identity in enumerate(record.ids):
            row = by_number.get(identity)
            column = 11 + 5 * position
            if not identity:
                continue
            if row is None:
                seen.add("member_unknown", line.number, column, record="240", id=identity)
                continue
            cell = row.cells[index]
            if not cell.opponent and cell.result == " " and cell.sound:
                row.set_cell(index, Cell(0, "-", record.kind))
            elif cell.opponent or BYES.get(cell.result) is not BYES[record.kind]:
                seen.add(
                    "bye_contradicts_240",
                    line.number,
                    column,
                    player=identity,
                    round=record.round,
                    kind=record.kind,
                    player_line=row.line,
                )


def check_members(document: TrfDocument, numbers: Iterable[int], seen: Seen) -> None:
    """Members of teams that are no players of the file."""
    known = set(numbers)
    for line in document.lines:
        record = line.record
        if not isinstance(record, r.OldTeam | r.Team):
            continue
        first = 37 if isinstance(record, r.OldTeam) else 74
        for position, member in enumerate(record.members):
            if member and member not in known:
                seen.add(
                    "member_unknown",
                    line.number,
                    first + 5 * position,
                    record=line.text[:3],
                    id=member,
                )


def all_met_once(games: list[Game], players: int) -> bool:
    """Whether every two players met exactly once."""
    if players < 3 or len(games) != players * (players - 1) // 2:
        return False
    pairs = {(min(game.white, game.black), max(game.white, game.black)) for game in games}
    return len(pairs) == len(games)
