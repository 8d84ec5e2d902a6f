"""The durable log of all games and events: acknowledged means committed.

Every record that arrives while a commit is under way goes into the next one, so a thousand boards
cost one disk write for each turn of the disk and not a thousand. A write is one or more records
that belong together: all of them are there after a crash, or none.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from queue import SimpleQueue
from typing import Any, NamedTuple, Protocol

from arrocco.errors import Refusal

MOST_WAITING = 20_000
"""Records that may wait for the disk; more are refused rather than kept in memory."""
MOST_TOGETHER = 2_000
"""Records of one transaction, so that none holds up the others for long."""


class Record(NamedTuple):
    """One line of a log: `number` is its place in the stream, from 0."""

    stream: str
    number: int
    body: bytes


class LogStore(Protocol):
    """Where logs are kept. Its methods block and are called from one thread at a time."""

    def append(self, records: Sequence[Record]) -> None:
        """Writes records durably in one transaction, all or none of them.

        Raises whatever its database raises: then nothing was written.
        """
        ...

    def read(self, stream: str) -> list[bytes]:
        """A whole stream, in order; empty where there is none."""
        ...

    def streams(self, prefix: str) -> list[str]:
        """The names of all streams that begin so, in order."""
        ...

    def close(self) -> None: ...


class NotWritten(Refusal):
    """The log could not be written: nothing has happened."""


class _Write(NamedTuple):
    records: Sequence[Record]
    done: asyncio.Future[None]


class Journal:
    """Writes the records of all streams, as many together as have come meanwhile."""

    def __init__(self, store: LogStore) -> None:
        self._store = store
        self._waiting: list[_Write] = []
        self._records = 0
        self._thread = _Thread()
        self._writer: asyncio.Task[None] | None = None
        self._closed = False
        self.commits = 0
        self.written = 0

    async def write(self, records: Sequence[Record]) -> None:
        """Returns once the records are on the disk. Raises `NotWritten` if they are not."""
        if self._closed or self._records + len(records) > MOST_WAITING:
            raise NotWritten.of("hall_live.not_written")
        done = asyncio.get_running_loop().create_future()
        self._waiting.append(_Write(records, done))
        self._records += len(records)
        if self._writer is None:
            self._writer = asyncio.create_task(self._write_all())
        await done

    async def read(self, stream: str) -> list[bytes]:
        lines: list[bytes] = await self._thread.do(self._store.read, stream)
        return lines

    async def streams(self, prefix: str) -> list[str]:
        names: list[str] = await self._thread.do(self._store.streams, prefix)
        return names

    async def close(self) -> None:
        """Writes what waits, then takes no more."""
        self._closed = True
        if self._writer is not None:
            await self._writer
        await self._thread.do(self._store.close)
        self._thread.end()

    # --- the writer ----------------------------------------------------------------------------

    async def _write_all(self) -> None:
        """Commits until nothing waits any more."""
        try:
            while self._waiting:
                await self._commit(self._next_batch())
        finally:
            self._writer = None

    def _next_batch(self) -> list[_Write]:
        taken, count = 0, 0
        for write in self._waiting:
            if taken and count + len(write.records) > MOST_TOGETHER:
                break
            taken += 1
            count += len(write.records)
        batch, self._waiting = self._waiting[:taken], self._waiting[taken:]
        self._records -= count
        return batch

    async def _commit(self, batch: list[_Write]) -> None:
        records = [record for write in batch for record in write.records]
        failure = await self._append(records)
        if failure is None:
            for write in batch:
                _tell(write.done)
            return
        # One faulty stream must not keep another board from going on.
        for write in batch:
            alone = failure if len(batch) == 1 else await self._append(write.records)
            _tell(write.done, alone)

    async def _append(self, records: Sequence[Record]) -> Exception | None:
        try:
            await self._thread.do(self._store.append, records)
        except Exception as error:  # whatever the database says, the waiters must hear of it
            return error
        self.commits += 1
        self.written += len(records)
        return None


class _Thread:
    """The one thread that talks to the store.

    Whatever it does between two writes keeps the boards from going on, so it does next to nothing:
    the executors of the standard library take several times as long to hand over a call.
    """

    def __init__(self) -> None:
        self._calls: SimpleQueue[_Call | None] = SimpleQueue()
        threading.Thread(target=self._run, name="hall-journal", daemon=True).start()

    def do(self, call: Callable[..., Any], *args: Any) -> asyncio.Future[Any]:
        """What a call gives, once its turn has come."""
        loop = asyncio.get_running_loop()
        answer = loop.create_future()
        self._calls.put(_Call(call, args, loop, answer))
        return answer

    def end(self) -> None:
        self._calls.put(None)

    def _run(self) -> None:
        while (call := self._calls.get()) is not None:
            try:
                answer, failure = call.call(*call.args), None
            except Exception as error:
                answer, failure = None, error
            with suppress(RuntimeError):  # the loop is closed: nobody waits any more
                call.loop.call_soon_threadsafe(_settle, call.answer, answer, failure)


class _Call(NamedTuple):
    call: Callable[..., Any]
    args: tuple[Any, ...]
    loop: asyncio.AbstractEventLoop
    answer: asyncio.Future[Any]


def _settle(future: asyncio.Future[Any], answer: Any, failure: Exception | None) -> None:
    if future.done():
        return
    if failure is None:
        future.set_result(answer)
    else:
        future.set_exception(failure)


def _tell(done: asyncio.Future[None], failure: Exception | None = None) -> None:
    if done.done():  # whoever waited has gone
        return
    if failure is None:
        done.set_result(None)
        return
    refusal = NotWritten.of("hall_live.not_written")
    refusal.__cause__ = failure
    done.set_exception(refusal)
