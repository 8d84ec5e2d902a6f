"""The games that came with the reports of tournaments, and their places in the cross-table."""

from __future__ import annotations

from collections import OrderedDict, defaultdict
from threading import Lock
from typing import NamedTuple

from arrocco.desk import Office
from arrocco.desk.lookup import AcceptedFile
from arrocco.errors import Inconsistent
from arrocco.formats.pgn.index import GameHead, GameMoves, index_games, read_moves, text_of
from arrocco.records.report import Entry
from arrocco.store.sql import reports
from arrocco.web.crosstable import CrossTable

MAX_KEPT_GAMES = 50_000
"""Games whose tags are kept in memory, of all tournaments looked at lately."""
MAX_LISTED = 400


class SentGame(NamedTuple):
    """A game of a tournament, by the number that its address has."""

    number: int
    blob: str
    head: GameHead


class Games:
    """The games of tournaments, their tags kept by the hash of their file."""

    def __init__(self, office: Office) -> None:
        self._office = office
        self._kept: OrderedDict[str, list[GameHead]] = OrderedDict()
        self._lock = Lock()

    def of(self, accepted: tuple[AcceptedFile, ...]) -> list[SentGame]:
        """The games that came with accepted reports, in the order they were sent."""
        with self._office.desk.database.reading() as connection:
            sent = [
                reports.get(connection, accepted_file.entry.report) for accepted_file in accepted
            ]
        sent_games: list[SentGame] = []
        for report in sent:
            if report is not None and report.games_blob:
                for head in self._heads(report.games_blob):
                    sent_games.append(SentGame(len(sent_games) + 1, report.games_blob, head))
        return sent_games

    def moves(self, game: SentGame) -> GameMoves:
        """The moves of a game. Raises `Inconsistent` where its file is damaged."""
        return read_moves(text_of(self._office.desk.blobs.get(game.blob)), game.head)

    def _heads(self, blob: str) -> list[GameHead]:
        with self._lock:
            if blob in self._kept:
                self._kept.move_to_end(blob)
                return self._kept[blob]
        try:
            heads = index_games(text_of(self._office.desk.blobs.get(blob)))
        except Inconsistent:  # a file that is damaged is told by the verification, not by a page
            return []
        with self._lock:
            self._kept[blob] = heads
            while sum(map(len, self._kept.values())) > MAX_KEPT_GAMES and len(self._kept) > 1:
                self._kept.popitem(last=False)
        return heads


def by_cell(table: CrossTable, games: list[SentGame]) -> dict[tuple[int, int, int], int]:
    """The numbers of games by round and both entries, whoever had White."""
    by_id: dict[int, int] = {}
    by_name: dict[str, list[int]] = defaultdict(list)
    for line in table.lines:
        if line.entry.id is not None:
            by_id[line.entry.id] = line.entry.number
        by_name[_plain(line.entry)].append(line.entry.number)
    cells: dict[tuple[int, int, int], int] = {}
    for game in games:
        head = game.head
        white = _entry(by_id, by_name, head.white_id, head.white)
        black = _entry(by_id, by_name, head.black_id, head.black)
        if head.round is not None and white is not None and black is not None:
            cells.setdefault((head.round, white, black), game.number)
            cells.setdefault((head.round, black, white), game.number)
    return cells


def _entry(
    by_id: dict[int, int], by_name: dict[str, list[int]], player: int | None, name: str
) -> int | None:
    if player is not None and player in by_id:
        return by_id[player]
    known = by_name.get(name.casefold().strip(), [])
    return known[0] if len(known) == 1 else None


def _plain(entry: Entry) -> str:
    return entry.name.casefold().strip()


class Pairing(NamedTuple):
    """A board of a round: both entries and what each made of it."""

    white: Entry
    black: Entry
    result: str
    has_colours: bool
    unplayed: bool
    game: int | None


def pairings_of(
    table: CrossTable, number: int, games: dict[tuple[int, int, int], int]
) -> list[Pairing]:
    """The pairings of a round, in the order of the table."""
    lines = {line.entry.number: line for line in table.lines}
    pairings: list[Pairing] = []
    seen: set[int] = set()
    for line in table.lines:
        cell = line.cells[number - 1]
        if cell.opponent is None or cell.opponent not in lines or line.entry.number in seen:
            continue
        other = lines[cell.opponent]
        seen |= {line.entry.number, cell.opponent}
        theirs = other.cells[number - 1].result
        sides = (line.entry, other.entry), f"{cell.result}\u2009:\u2009{theirs}"
        if cell.white is False:
            sides = (other.entry, line.entry), f"{theirs}\u2009:\u2009{cell.result}"
        pairings.append(
            Pairing(
                *sides[0],
                sides[1],
                cell.white is not None,
                cell.unplayed,
                games.get((number, line.entry.number, cell.opponent)),
            )
        )
    return pairings
