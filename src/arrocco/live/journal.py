"""The durable log of all games and events: acknowledged means committed.

Every record that arrives while a commit is under way goes into the next one, so a thousand boards
cost one disk write for each turn of the disk and not a thousand. A write is one or more records
that belong together: all of them are there after a crash, or none.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from queue import SimpleQueue
from typing import Any, NamedTuple, Protocol

from arrocco.errors import Unavailable
from arrocco.live.tally import COMMIT_BOUNDS, Spread
from arrocco.store.faults import FaultLog, fault_of, one_line

log = logging.getLogger(__name__)

MAX_WAITING = 20_000
"""Records that may wait for the disk; more are refused rather than kept in memory."""
MAX_TOGETHER = 2_000
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

        Raises whatever its database raises: then nothing was written. Raises `CommitUnknown` where
        the database went away before it said whether it was.
        """
        ...

    def read(self, stream: str) -> list[bytes]:
        """A whole stream, in order; empty where there is none."""
        ...

    def streams(self, prefix: str) -> list[str]:
        """The names of all streams that begin so, in order."""
        ...

    def close(self) -> None: ...


class CommitUnknown(Exception):
    """A database went away while it wrote: what it was given is there, or is not."""


class NotWritten(Unavailable):
    """The log could not be written: nothing has happened.

    Only where the key is `MAYBE_WRITTEN` that is not known until the log can be read again.
    """

    @classmethod
    def because(cls, failure: Exception | None) -> NotWritten:
        """The refusal with the words of what is wrong."""
        fault = fault_of(failure)
        key = "hall_live.not_written" if fault is None else fault.key
        refusal = cls.of(MAYBE_WRITTEN if isinstance(failure, CommitUnknown) else key)
        refusal.__cause__ = failure
        refusal.cause = "" if failure is None else one_line(failure)
        return refusal


MAYBE_WRITTEN = "hall_live.maybe_written"


Then = Callable[[NotWritten | None], None]
"""Hears that records are on the disk, or that they are not."""


class _Write(NamedTuple):
    records: Sequence[Record]
    then: Then


class _Call(NamedTuple):
    call: Callable[..., Any]
    args: tuple[Any, ...]
    answer: asyncio.Future[Any]


class Journal:
    """Writes the records of all streams, as many together as have come meanwhile.

    One thread talks to the store. It takes all that waits as soon as a commit is over, without
    asking anybody, and the loop hears once of each commit: whatever is handed over between two
    threads takes longer than what it is about.
    """

    def __init__(self, store: LogStore) -> None:
        self._store = store
        self._jobs: SimpleQueue[_Write | _Call | None] = SimpleQueue()
        self._to_hand_over: list[_Write] = []
        self._loop: asyncio.AbstractEventLoop | None = None
        self._put = self._taken = self._told = 0
        self._closed = False
        self.commits = 0
        self.written = 0
        self.faults = FaultLog(log, "writing the hall's log")
        self.failed = 0
        """Records that could not be written."""
        self.commit_seconds = Spread.of(COMMIT_BOUNDS)
        threading.Thread(target=self._work, name="hall-journal", daemon=True).start()

    @property
    def is_idle(self) -> bool:
        """Whether everybody has heard what became of their records."""
        return self._told == self._put

    @property
    def queued(self) -> int:
        """Records that wait for the disk."""
        return self._put - self._taken

    def put(self, records: Sequence[Record], then: Then) -> None:
        """Has records written; `then` is called on the loop, later, and never raises.

        Raises `NotWritten` where they are not even taken; nothing is called then.
        """
        if self._closed or self._put - self._taken + len(records) > MAX_WAITING:
            raise NotWritten.because(None)
        self._put += len(records)
        if not self._to_hand_over:
            self._loop = asyncio.get_running_loop()
            self._loop.call_soon(self._hand_over)
        self._to_hand_over.append(_Write(records, then))

    async def write(self, records: Sequence[Record]) -> None:
        """Returns once the records are on the disk. Raises `NotWritten` if they are not."""
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.put(records, lambda failure: _settle(done, None, failure))
        await done

    async def read(self, stream: str) -> list[bytes]:
        lines: list[bytes] = await self._do(self._store.read, stream)
        return lines

    async def streams(self, prefix: str) -> list[str]:
        names: list[str] = await self._do(self._store.streams, prefix)
        return names

    async def close(self) -> None:
        """Writes what waits, then takes no more."""
        self._closed = True
        await self._do(self._store.close)
        self._jobs.put(None)

    # --- on the loop ---------------------------------------------------------------------------

    def _hand_over(self) -> None:
        """Wakes the thread once the loop has done what it is at.

        A thread that is woken before has to wait for the interpreter, and keeps the loop from
        going on while it finds that out.
        """
        for write in self._to_hand_over:
            self._jobs.put(write)
        self._to_hand_over.clear()

    def _do(self, call: Callable[..., Any], *args: Any) -> asyncio.Future[Any]:
        """What a call gives, once its turn has come."""
        self._hand_over()  # in order: what is read has what was to be written before
        self._loop = asyncio.get_running_loop()
        answer = self._loop.create_future()
        self._jobs.put(_Call(call, args, answer))
        return answer

    def _committed(self, batch: list[_Write], failures: list[Exception | None], many: int) -> None:
        """Tells everybody of a batch what became of their records, after so many commits."""
        self.commits += many
        for write, failure in zip(batch, failures, strict=True):
            self._told += len(write.records)
            refusal = None
            if failure is None:
                self.written += len(write.records)
                self.faults.succeeded()
            else:
                self.failed += len(write.records)
                refusal = NotWritten.because(failure)
                self.faults.failed(failure)
            try:
                write.then(refusal)
            except Exception:  # the others of the same commit must hear of theirs
                log.exception("after a commit")

    # --- on the thread -------------------------------------------------------------------------

    def _work(self) -> None:
        job = self._jobs.get()
        while job is not None:
            following: _Write | _Call | None = None
            if isinstance(job, _Write):
                batch, following = self._batch(job)
                self._notify(self._committed, batch, *self._commit(batch))
            else:
                self._answer(job)
            job = self._jobs.get() if following is None else following

    def _batch(self, first: _Write) -> tuple[list[_Write], _Write | _Call | None]:
        """What is written together, and what was taken and has to wait."""
        batch, count = [first], len(first.records)
        for _ in range(self._jobs.qsize()):
            job = self._jobs.get()
            if not isinstance(job, _Write):
                return batch, job
            count += len(job.records)
            if count > MAX_TOGETHER:
                return batch, job
            batch.append(job)
        return batch, None

    def _commit(self, batch: list[_Write]) -> tuple[list[Exception | None], int]:
        """Why each write of a batch failed, where it did, and how many commits there were."""
        records = [record for write in batch for record in write.records]
        self._taken += len(records)
        failure = self._append(records)
        if failure is None or len(batch) == 1 or _is_of_the_store(failure):
            return [failure] * len(batch), failure is None
        # One faulty stream must not keep another board from going on.
        failures = [self._append(write.records) for write in batch]
        return failures, failures.count(None)

    def _append(self, records: Sequence[Record]) -> Exception | None:
        began = time.perf_counter()
        try:
            self._store.append(records)
        except Exception as error:  # whatever the database says, the waiters must hear of it
            return error
        finally:
            self.commit_seconds.add(time.perf_counter() - began)
        return None

    def _answer(self, job: _Call) -> None:
        try:
            answer, failure = job.call(*job.args), None
        except Exception as error:
            answer, failure = None, error
        self._notify(_settle, job.answer, answer, failure)

    def _notify(self, what: Callable[..., None], *args: Any) -> None:
        assert self._loop is not None
        with suppress(RuntimeError):  # the loop is closed: nobody waits any more
            self._loop.call_soon_threadsafe(what, *args)


def _is_of_the_store(failure: Exception) -> bool:
    """Whether nothing at all can be written: then trying each write again only takes longer."""
    return isinstance(failure, CommitUnknown) or fault_of(failure) is not None


def _settle(future: asyncio.Future[Any], answer: Any, failure: Exception | None) -> None:
    if future.done():  # whoever waited has gone
        return
    if failure is None:
        future.set_result(answer)
    else:
        future.set_exception(failure)
