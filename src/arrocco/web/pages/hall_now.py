"""What is being played now, as a part of the home page: a few boards of a running event."""

from __future__ import annotations

from typing import NamedTuple

import chess
from anyio import to_thread
from litestar import Response

from arrocco.errors import Refusal
from arrocco.hall.event.games import game_id
from arrocco.hall.game import GameRole, Phase, view_for
from arrocco.live.index import OPEN
from arrocco.live.reader import EventReader, HallReader
from arrocco.store.sql import hall_events
from arrocco.web.pages.hall_common import hall_of, hall_page
from arrocco.web.view import TheView, View

MAX_BOARDS = 6
_MAX_EVENTS = 5
"""How many of the newest open events are looked at for one that is being played."""


class BoardNow(NamedTuple):
    """A board as those who look on may see it; squares from a8 to h1, as classes of a piece."""

    game: str
    number: int
    white: str
    black: str
    squares: list[str]


@hall_page("/hall/now")
async def playing_now(view: TheView) -> Response[str]:
    """The first boards of an event that is being played; nothing where there is none."""
    try:
        hall = hall_of(view)
    except Refusal:
        return view.partial("hall/_now.html", event=None, boards=[])
    for name in await to_thread.run_sync(_open_events, view):
        event = await hall.find_event(name)
        if event is None or event.state.rules is None or event.state.last_round is None:
            continue
        boards = await _boards(hall, event)
        if boards:
            return view.partial("hall/_now.html", event=event, boards=boards)
    return view.partial("hall/_now.html", event=None, boards=[])


def _open_events(view: View) -> list[str]:
    with view.office.desk.database.reading() as connection:
        _, still = hall_events.search(connection, status=(OPEN,), limit=_MAX_EVENTS)
    return [event.id for event in still]


async def _boards(hall: HallReader, event: EventReader) -> list[BoardNow]:
    boards: list[BoardNow] = []
    last = event.state.last_round
    if last is None:
        return []
    for number in range(1, len(last.boards) + 1):
        name = game_id(event.state, last.number, number)
        game = await hall.find_game(name)
        if game is None:
            continue
        seen = view_for(game.state, GameRole.SPECTATOR, hall.time.now())
        if seen.phase is Phase.RUNNING:
            names = seen.white.name, seen.black.name
            boards.append(BoardNow(name, number, *names, _squares(seen.fen)))
        if len(boards) == MAX_BOARDS:
            break
    return boards


def _squares(fen: str) -> list[str]:
    position = chess.BaseBoard(fen.split(" ")[0])
    pieces = [position.piece_at(chess.square_mirror(square)) for square in chess.SQUARES]
    return [
        f"{chess.COLOR_NAMES[piece.color]} {chess.piece_name(piece.piece_type)}" if piece else ""
        for piece in pieces
    ]
