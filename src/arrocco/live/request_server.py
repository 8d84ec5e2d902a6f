"""Answers what other processes ask of this process's hall."""

from __future__ import annotations

import asyncio
import logging
import socket
from contextlib import suppress

import msgspec

from arrocco.errors import Refusal
from arrocco.hall.event.acts import Command
from arrocco.hall.event.creation import Create
from arrocco.hall.presence import PlayerPresence, RecordingHead
from arrocco.live import requests as r
from arrocco.live.event_room import CommandOutcome
from arrocco.live.hall import Hall
from arrocco.live.numbers import hall_numbers
from arrocco.live.receipts import Receipt
from arrocco.live.time_watch import TimeWatch
from arrocco.office.roles import Asker

log = logging.getLogger(__name__)

MAX_CONNECTIONS = 300
"""Requests that are answered at the same time; more are closed unanswered."""
BACKLOG = 256
"""Requests that wait in the system while the hall starts."""
WAIT_FOR_REQUEST = 5.0
"""Seconds in which a request has to come once its connection is there."""


class NoSuchEvent(Refusal, LookupError):
    """There is no event of that name."""

    http_status = 404


class LocalCommands:
    """The hall of this very process, asked as pages ask one that is elsewhere."""

    def __init__(self, hall: Hall) -> None:
        self._hall = hall

    async def create_event(self, command: Create) -> CommandOutcome:
        return await self._hall.create_event(command)

    async def ask(
        self,
        event: str,
        command: Command,
        receipt: Receipt | None = None,
        asker: Asker | None = None,
    ) -> CommandOutcome:
        room = await self._hall.find_event(event)
        if room is None:
            raise NoSuchEvent.of("hall_live.no_such_event")
        if asker is None:
            return await room.ask(command, receipt)
        return await room.ask_as(asker, command, receipt)

    async def tell_presence(self, players: list[PlayerPresence]) -> list[tuple[str, str]]:
        return self._hall.presence.take(players)

    async def tell_away(self) -> None:
        self._hall.presence.leave()

    async def keep_heads(self, event: str, heads: list[RecordingHead]) -> None:
        await self._hall.keep_heads(event, heads)


class RequestServer:
    """Listens at a socket that it was given and does not own."""

    def __init__(self, hall: Hall | Refusal, watch: TimeWatch | None = None) -> None:
        """`watch` is that of this process, where it is the hall's own.

        Where there is a refusal in the place of a hall, everybody gets that.
        """
        self._hall, self._watch = hall, watch
        self._server: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    async def start(self, listening: socket.socket) -> None:
        self._server = await asyncio.start_unix_server(
            self._connected, sock=listening.dup(), backlog=BACKLOG
        )

    async def stop(self, grace: float) -> None:
        """Takes no more requests and finishes those that it has."""
        if self._server is not None:
            self._server.close()
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=grace)
        for task in self._tasks:
            task.cancel()

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        try:
            if len(self._tasks) < MAX_CONNECTIONS:
                self._tasks.add(task)
                await self._serve(reader, writer)
        except (OSError, EOFError, ValueError):  # whoever asked has gone, or talks nonsense
            log.debug("a request came to nothing", exc_info=True)
        finally:
            self._tasks.discard(task)
            writer.close()
            with suppress(OSError):
                await writer.wait_closed()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        async with asyncio.timeout(WAIT_FOR_REQUEST):
            data = await r.read_frame(reader)
        writer.write(r.frame(r.encode(await self.answer(data))))
        await writer.drain()

    async def answer(self, data: bytes) -> r.Reply:
        """What a request gets; never raises what a request can bring about."""
        try:
            return await self._answer(r.decode_request(data))
        except Refusal as refusal:
            return r.declined(refusal)
        except (msgspec.DecodeError, RecursionError) as error:
            return r.Failed(error=f"not a request: {error}")
        except Exception as error:
            log.exception("a request to the hall failed")
            return r.Failed(error=type(error).__name__)

    async def _answer(self, request: r.AnyRequest) -> r.Reply:
        hall = self._hall
        if isinstance(hall, Refusal):
            return r.declined(hall)
        commands = LocalCommands(hall)
        match request:
            case r.CreateEvent():
                return r.reply_of(await commands.create_event(request.command))
            case r.AskEvent():
                outcome = await commands.ask(
                    request.event, request.command, request.receipt, request.asker
                )
                return r.reply_of(outcome)
            case r.TellPresence(is_up=False):
                hall.presence.leave()
                return r.Heard()
            case r.TellPresence():
                return r.Heard(free=hall.presence.take(request.players))
            case r.KeepHeads():
                await hall.keep_heads(request.event, request.heads)
                return r.Heard()
            case r.Numbers():
                return r.Counted(numbers=hall_numbers(hall, self._watch))
