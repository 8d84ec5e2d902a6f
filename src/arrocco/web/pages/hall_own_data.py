"""What the hall has of somebody, in the file of their own data: their events and their games.

The logs of all events are read for it. So it is done for one at a time, and whoever asks again
before having it is refused.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import msgspec
from anyio import to_thread

from arrocco.errors import Refusal, Unavailable
from arrocco.hall import event as ev
from arrocco.hall.event.own_data import own_data
from arrocco.hall.game import Phase, State, fold
from arrocco.hall.game.log import decode
from arrocco.live.event_people import EventPeople
from arrocco.live.reader import HallReader
from arrocco.office.roles import Asker
from arrocco.web.command_rate import TooManyCommands
from arrocco.web.pages.hall_common import NoHall, hall_of
from arrocco.web.view import View


class Exports:
    """Who waits for a file of their own data: each once, and one after the other."""

    def __init__(self) -> None:
        self._waiting: set[int | None] = set()
        self._turn = asyncio.Lock()

    @asynccontextmanager
    async def turn_of(self, account: int | None) -> AsyncIterator[None]:
        """The turn of an account. Raises `TooManyCommands` for one that waits already."""
        if account in self._waiting:
            raise TooManyCommands.of("hall_live.too_many_messages")
        self._waiting.add(account)
        try:
            async with self._turn:
                yield
        finally:
            self._waiting.discard(account)


async def own_hall_files(view: View) -> dict[str, bytes]:
    """``hall.json`` and, where there are any, the asker's games that are over in ``games.pgn``.

    An event whose log cannot be read is named among those that are missing, and none is a reason
    to keep the rest from somebody.
    """
    try:
        hall = hall_of(view)
    except NoHall:
        return {}
    state = view.request.app.state
    if "exports" not in state:
        state.exports = Exports()
    exports: Exports = state.exports
    async with exports.turn_of(view.asker.account):
        return await _files(view, hall)


async def _files(view: View, hall: HallReader) -> dict[str, bytes]:
    events: list[dict[str, Any]] = []
    games: list[State] = []
    missing: list[str] = []
    for stream in await hall.streams("event:"):
        try:
            data = await _own_of(hall, stream, view.asker)
            games += await _games_of(hall, data)
        except Unavailable:
            raise
        except Refusal:
            missing.append(stream.removeprefix("event:"))
            continue
        events += [data] if data else []
    said = msgspec.json.encode({"events": events, "could_not_be_read": missing})
    files = {"hall.json": msgspec.json.format(said, indent=2)}
    if games:
        files["games.pgn"] = (await to_thread.run_sync(ev.to_event_pgn, games)).encode()
    return files


async def _own_of(hall: HallReader, stream: str, asker: Asker) -> dict[str, Any]:
    lines = await hall.read(stream)
    return await to_thread.run_sync(_own, lines, asker)


def _own(lines: list[bytes], asker: Asker) -> dict[str, Any]:
    # Most events are none of the asker's: a look at the bytes spares them being folded.
    marks = [f'"{asker.account}"'.encode()]
    marks += [] if asker.player is None else [str(asker.player).encode()]
    if not any(mark in line for line in lines for mark in marks):
        return {}
    records = [ev.decode(line) for line in lines]
    state = ev.fold(records)
    return own_data(state, records, EventPeople(state).account_of(asker))


async def _games_of(hall: HallReader, found: dict[str, Any]) -> list[State]:
    """The games of somebody's boards; one that is being played is not told before its end."""
    games = []
    for board in found.get("boards", ()):
        lines = await hall.read(f"game:{board['game']}")
        if lines:
            state = await to_thread.run_sync(_game, lines)
            games += [state] if state.phase is Phase.ENDED else []
    return games


def _game(lines: list[bytes]) -> State:
    return fold([decode(line) for line in lines])
