"""The hall in another process, asked over its request socket."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from pathlib import Path

import msgspec

from arrocco.errors import Unavailable
from arrocco.hall.event.acts import Command
from arrocco.hall.event.creation import Create
from arrocco.hall.presence import PlayerPresence, RecordingHead
from arrocco.live import requests as r
from arrocco.live.event_room import CommandOutcome
from arrocco.live.numbers import HallNumbers
from arrocco.live.receipts import Receipt
from arrocco.office.roles import Asker

WAIT_FOR_HALL = 8.0
"""Seconds that a request waits for a hall that is starting."""
WAIT_FOR_ANSWER = 30.0
"""Seconds for an answer: pairing a large round takes some."""
WAIT_TO_LOOK = 2.0
"""Seconds for an answer about the hall itself."""
_RETRY = 0.1
MAX_WAITING = 200
"""Requests that may wait at the same time; more are refused at once."""


class HallAway(Unavailable):
    """No hall answers: it is starting, or it is not running."""


class AnswerLost(Unavailable):
    """The hall went away before it answered: nobody here knows whether it was done."""


class RemoteHall:
    """Sends commands to the hall and waits for what became of them."""

    def __init__(self, path: Path, wait: float = WAIT_FOR_HALL) -> None:
        self._path, self._wait = path, wait
        self._waiting = 0

    async def create_event(self, command: Create) -> CommandOutcome:
        return self._outcome(await self.request(r.CreateEvent(command=command)))

    async def ask(
        self,
        event: str,
        command: Command,
        receipt: Receipt | None = None,
        asker: Asker | None = None,
    ) -> CommandOutcome:
        request = r.AskEvent(event=event, command=command, receipt=receipt, asker=asker)
        # With a receipt nothing is done twice, so it can be asked again after a restart.
        return self._outcome(await self.request(request, is_repeatable=receipt is not None))

    async def numbers(self) -> HallNumbers:
        """The hall as it stands; whoever watches does not wait for long. Raises `HallAway`."""
        reply = await self.request(r.Numbers(), wait=0.0, answer_within=WAIT_TO_LOOK)
        assert isinstance(reply, r.Counted)
        return reply.numbers

    async def tell_presence(self, players: list[PlayerPresence]) -> list[tuple[str, str]]:
        """Says who is in the video conference; the answer is who need not be."""
        return await self._tell(r.TellPresence(players=players))

    async def tell_away(self) -> None:
        """Says that the video server can see nobody now, by a fault of its own."""
        await self._tell(r.TellPresence(players=[], is_up=False))

    async def _tell(self, request: r.TellPresence) -> list[tuple[str, str]]:
        reply = await self.request(request, wait=0.0, answer_within=WAIT_TO_LOOK)
        assert isinstance(reply, r.Heard)
        return reply.free

    async def keep_heads(self, event: str, heads: list[RecordingHead]) -> None:
        """Enters the last slices of recordings in the log of their event."""
        await self.request(r.KeepHeads(event=event, heads=heads))

    async def request(
        self,
        request: r.Request,
        *,
        is_repeatable: bool = False,
        wait: float | None = None,
        answer_within: float = WAIT_FOR_ANSWER,
    ) -> r.AnyReply:
        """The hall's answer. Raises `HallAway`, `AnswerLost`, or what the hall refuses."""
        if self._waiting >= MAX_WAITING:
            raise HallAway.of("hall_live.starting")
        self._waiting += 1
        try:
            frame, wait = r.frame(r.encode(request)), self._wait if wait is None else wait
            reply = await self._asked(frame, is_repeatable, wait, answer_within)
        finally:
            self._waiting -= 1
        if isinstance(reply, r.Declined):
            raise r.refusal_of(reply)
        if isinstance(reply, r.Failed):
            raise RuntimeError(f"the hall failed: {reply.error}")
        return reply

    async def _asked(
        self, frame: bytes, is_repeatable: bool, wait: float, answer_within: float
    ) -> r.AnyReply:
        loop = asyncio.get_running_loop()
        until = loop.time() + wait
        while True:
            try:
                reader, writer = await asyncio.open_unix_connection(str(self._path))
            except OSError:  # nobody listens yet, or too many wait
                if loop.time() >= until:
                    raise HallAway.of("hall_live.starting") from None
                await asyncio.sleep(_RETRY)
                continue
            try:
                writer.write(frame)
                await writer.drain()
                async with asyncio.timeout(answer_within):
                    return r.decode_reply(await r.read_frame(reader))
            except (OSError, EOFError, ValueError, msgspec.DecodeError):
                if not is_repeatable or loop.time() >= until:
                    raise AnswerLost.of("hall_live.answer_lost") from None
                await asyncio.sleep(_RETRY)
            finally:
                writer.close()
                with suppress(OSError):
                    await writer.wait_closed()

    @staticmethod
    def _outcome(reply: r.AnyReply) -> CommandOutcome:
        assert isinstance(reply, r.Answered)
        return r.outcome_of(reply)
