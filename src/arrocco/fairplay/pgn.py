"""Games of PGN files as they are watched."""

from __future__ import annotations

import io

import chess.pgn

from arrocco.fairplay.records import WatchedGame
from arrocco.formats.pgn import read_games
from arrocco.formats.pgn.game import PgnGame
from arrocco.laws.hall import laws_held_under


def watched_games(data: bytes, source: str, time_class: str = "") -> list[WatchedGame]:
    """The games of a file that begin at the usual position. Raises `Malformed`.

    Without a pace each game has that of its own time control, and none where it tells none.
    """
    known, _ = read_games(data, source)
    text = io.StringIO(data.decode("utf-8-sig", errors="replace"))
    watched: list[WatchedGame] = []
    for number, game in enumerate(known, 1):
        read = chess.pgn.read_game(text)
        if read is None:
            break
        if not game.is_whole or "FEN" in read.headers:
            continue
        moves = tuple(move.uci() for move in read.mainline_moves())
        if moves:
            pace = time_class or _pace(game)
            watched.append(_watched(game, moves, f"{source}#{number}", pace))
    return watched


def _pace(game: PgnGame) -> str:
    """RIO 14.3 — the class of a game's time control; empty outside all of them."""
    if game.time_control is None:
        return ""
    time_class = laws_held_under(game.day).rio.time_class(game.time_control)
    return "" if time_class is None else time_class.value


def _watched(game: PgnGame, moves: tuple[str, ...], name: str, time_class: str) -> WatchedGame:
    return WatchedGame(
        id=name,
        white=game.white,
        black=game.black,
        white_rating=game.white_rating,
        black_rating=game.black_rating,
        time_class=time_class,
        moves=moves,
        spent=_spent(game),
        event=game.event,
    )


def _spent(game: PgnGame) -> tuple[int | None, ...]:
    """The time of each move: the clock before less the clock after, with the increment."""
    control = game.time_control
    increment = 0 if control is None else control.increment * 1000
    left: list[int | None] = [None, None]
    spent: list[int | None] = []
    for ply, clock in enumerate(game.clocks):
        before = left[ply % 2]
        known = before is not None and clock is not None
        spent.append(max(0, before + increment - clock) if known else None)  # type: ignore[operator]
        left[ply % 2] = clock
    return tuple(spent)
