"""12.1, 12.6 — whether every game of an event was watched: what prizes and announcements wait for.

Only how far an engine has looked is asked here, never what it has said.
"""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import Connection

from arrocco.hall.event.games import game_id
from arrocco.hall.event.state import State
from arrocco.records.report import GameKind
from arrocco.store.sql import watched_games


class UnwatchedBoard(NamedTuple):
    """A game that no engine has looked at to its end, and where it was paired."""

    round: int
    board: int
    game: str


def unwatched_games(connection: Connection, event: State) -> tuple[str, ...]:
    """12.1 — the games of an event that no engine has looked at to their end, in order.

    Also one whose result was entered by hand: whoever played it, nobody has watched it. A forfeit
    is no game.
    """
    return tuple(unwatched.game for unwatched in unwatched_boards(connection, event))


def unwatched_boards(connection: Connection, event: State) -> list[UnwatchedBoard]:
    """12.6 — the same with their places. A check that was waived is none any more, unless the game
    has been played in the hall since."""
    name = event.created.event
    whole, seen = watched_games.completed(connection, name), watched_games.names(connection, name)
    return [
        UnwatchedBoard(round_.number, number, game)
        for round_ in event.rounds
        for number, board in enumerate(round_.boards, start=1)
        if board.result is not None and board.result.kind is not GameKind.FORFEIT
        for game in [board.game or game_id(event, round_.number, number)]
        if game not in whole
        and not ((round_.number, number) in event.waived_checks and game not in seen)
    ]


def games_are_watched(connection: Connection, event: State) -> bool:
    """12.6 — whether the event is over and every game played in the hall was watched.

    Without an engine no game is: the event is not watched, and prizes stay held.
    """
    return event.closed is not None and not unwatched_games(connection, event)
