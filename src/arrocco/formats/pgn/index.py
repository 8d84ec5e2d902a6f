"""Which games a PGN file has, by their tags alone, and the moves of one of them.

Reading the moves of all games of a large file takes seconds; to find the one that is to be shown
the tags are enough.
"""

from __future__ import annotations

import io
import re
from typing import NamedTuple

import chess
import chess.pgn

from arrocco.formats.pgn.reader import MAX_GAMES, MAX_MOVES
from arrocco.records.report import PlayerId

MAX_GAME = 256 * 1024
"""Characters of a game's text: one that is longer is cut before it is read."""
_TAG = re.compile(r'\[([A-Za-z0-9_]{1,40})\s+"(.{0,300})"\]\s*')
_ROUND = re.compile(r"(\d{1,4})(?:\.\d{1,4})*", re.ASCII)
_KEPT_TAGS = tuple(
    """
    Event Site Date Round White Black Result WhiteElo BlackElo WhiteFideId BlackFideId
    TimeControl SetUp FEN
""".split()
)
"""What goes out again; the rest, as comments do, may tell what is nobody's business."""


class GameHead(NamedTuple):
    """A game as its tags tell it; its text lies between two places of the file."""

    round: int | None
    white: str
    black: str
    white_id: PlayerId | None
    black_id: PlayerId | None
    result: str
    start: int
    end: int


class GameMoves(NamedTuple):
    """The moves of a game, up to the first that cannot be read."""

    start: str
    """The position it starts from, in FEN."""
    moves: tuple[tuple[str, str], ...]
    """Each as programs write it (UCI) and as people do (SAN)."""
    pgn: str
    """The same game written anew, without comments and with the usual tags."""


def text_of(data: bytes) -> str:
    """The text of a file, in UTF-8 or the encoding the format was born with."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def index_games(text: str) -> list[GameHead]:
    """The games of a file in order, no more than a file may have."""
    heads: list[GameHead] = []
    tags: dict[str, str] = {}
    start = place = 0
    is_in_tags = False
    for line in io.StringIO(text):
        tag = _TAG.fullmatch(line) if line.startswith("[") else None
        if tag and not is_in_tags:
            if tags:
                heads.append(_head(tags, start, place))
                if len(heads) >= MAX_GAMES:
                    return heads
            tags, start = {}, place
        if tag:
            tags.setdefault(tag[1], tag[2].replace('\\"', '"').strip())
        if line.strip():
            is_in_tags = tag is not None
        place += len(line)
    if tags:
        heads.append(_head(tags, start, place))
    return heads


def _head(tags: dict[str, str], start: int, end: int) -> GameHead:
    told = _ROUND.fullmatch(tags.get("Round", ""))
    return GameHead(
        int(told[1]) if told else None,
        tags.get("White", ""),
        tags.get("Black", ""),
        _number(tags.get("WhiteFideId", "")),
        _number(tags.get("BlackFideId", "")),
        tags.get("Result", "*"),
        start,
        end,
    )


def _number(text: str) -> PlayerId | None:
    is_number = text.isascii() and text.isdigit() and len(text) <= 15
    return (int(text) or None) if is_number else None


def read_moves(text: str, head: GameHead) -> GameMoves:
    """The moves of one game of a file; none where they cannot be read at all."""
    try:
        game = chess.pgn.read_game(io.StringIO(text[head.start : head.end][:MAX_GAME]))
        board = chess.Board() if game is None else game.board()
    except (ValueError, RecursionError):
        game, board = None, chess.Board()
    start = board.fen()
    plain = chess.pgn.Game()
    if game is not None:
        plain.headers.update({tag: game.headers[tag] for tag in _KEPT_TAGS if tag in game.headers})
    node: chess.pgn.GameNode = plain
    moves: list[tuple[str, str]] = []
    for move in () if game is None else game.mainline_moves():
        if len(moves) >= MAX_MOVES or not move:
            break
        moves.append((move.uci(), board.san(move)))
        board.push(move)
        node = node.add_variation(move)
    exporter = chess.pgn.StringExporter(comments=False, variations=False)
    return GameMoves(start, tuple(moves), plain.accept(exporter) + "\n")
