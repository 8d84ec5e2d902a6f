"""Files of players that somebody asked for: which games, how far, at how many nodes."""

from __future__ import annotations

from datetime import datetime

import msgspec
from msgspec import Struct
from sqlalchemy import Connection, Row, select

from arrocco.store.sql import moments, seals
from arrocco.store.sql.tables import player_files as files


class FileGame(Struct, frozen=True, kw_only=True):
    """A game of a file as it was when the file was asked for: so it stays."""

    game: str
    event: str
    account: str
    """Whom the player was in that event."""
    records: int
    """Of the game's log."""
    plies: int
    is_over: bool
    is_past: bool = False
    """Whether it was played in an earlier event."""


class PlayerFileRequest(Struct, frozen=True, kw_only=True):
    """A file about a player of an event; `number` is 0 until it is kept."""

    event: str
    entry: int
    nodes: int
    screen_nodes: int
    games: tuple[FileGame, ...]
    account: int
    at: datetime
    number: int = 0


_GAMES = msgspec.json.Decoder(tuple[FileGame, ...])


def add(connection: Connection, request: PlayerFileRequest) -> PlayerFileRequest:
    values = {
        "event": request.event,
        "entry": request.entry,
        "nodes": request.nodes,
        "screen_nodes": request.screen_nodes,
        "account": request.account,
        "games": msgspec.json.encode(request.games).decode(),
        "at": moments.written(request.at),
    }
    (row,) = seals.insert(connection, files, values)
    return _read(row)


def of_player(connection: Connection, event: str, entry: int) -> list[PlayerFileRequest]:
    """The files about a player of an event, in the order they were asked for."""
    wanted = select(files).where(files.c.event == event, files.c.entry == entry)
    return [_read(row) for row in connection.execute(wanted.order_by(files.c.id))]


def _read(row: Row[tuple[object, ...]]) -> PlayerFileRequest:
    value = row._mapping
    return PlayerFileRequest(
        number=value["id"],
        event=value["event"],
        entry=value["entry"],
        nodes=value["nodes"],
        screen_nodes=value["screen_nodes"],
        games=_GAMES.decode(value["games"]),
        account=value["account"],
        at=moments.read(value["at"]),
    )
