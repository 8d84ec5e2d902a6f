"""Heavy work in processes of its own: bounded in number, time, memory and in who may fill it.

What takes long for a large file must not take the threads that answer pages. A job waits in one
queue, runs in a process with lowered priority, and is killed at its deadline. Nobody can fill the
queue alone: an account or an address has a few places in it.
"""

from __future__ import annotations

import multiprocessing
import os
import pickle
import resource
import secrets
import threading
from collections.abc import Callable
from concurrent.futures import CancelledError, Future, InvalidStateError
from concurrent.futures import TimeoutError as FutureTimeout
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from dataclasses import dataclass, field
from time import monotonic
from typing import Any

from pebble import ProcessExpired, ProcessPool

from arrocco.errors import Refusal, Unavailable

MAX_WAITING = 16
"""Jobs that wait or run; one more is refused."""
MAX_OF_ONE = 3
"""Jobs of one account, or of one address without an account."""
DEADLINE = 30.0
"""Seconds that a job may run, counted from when it leaves the queue."""
MAX_MEMORY = 1536 << 20
"""Bytes that one process may have for itself."""
KEPT_SECONDS = 600
MAX_KEPT = 24
"""Results that wait to be fetched: how long, and how many."""
_NICENESS = 10
_PRELOADED = "arrocco.desk.heavy_tasks"


class QueueFull(Unavailable):
    """There is no place in the queue."""

    RETRY_AFTER = 15


class TooManyJobs(Unavailable):
    """One account or address has as many jobs as it may."""

    RETRY_AFTER = 10
    http_status = 429


class JobFailed(Refusal):
    """A job was stopped: it took too long, or more memory than there is for it."""

    http_status = 422


class WorkersStopped(Unavailable):
    """The processes were stopped before a job was done: the server is about to end."""


@dataclass
class Job:
    """One piece of heavy work, from when it was asked for until its result is taken away."""

    owner: str
    future: Future[Any]
    deadline: float
    token: str = field(default_factory=lambda: secrets.token_urlsafe(18))
    ended_at: float | None = None
    then: Callable[..., Any] | None = None
    """What makes an answer of the result, where it is fetched later."""

    def outcome(self) -> Any:
        """What came of it: the result, or the `Refusal` that was raised. Waits until it is done."""
        try:
            return pickle.loads(self.future.result())
        except (BrokenProcessPool, CancelledError):
            return WorkersStopped.of("heavy.refused.stopped")
        except FutureTimeout:
            return JobFailed.of("heavy.refused.too_long", seconds=round(self.deadline))
        except (MemoryError, ProcessExpired):
            return JobFailed.of("heavy.refused.too_much", megabytes=MAX_MEMORY >> 20)


class HeavyWork:
    """The processes for heavy work, and the queue before them; they start with the first job."""

    def __init__(
        self,
        *,
        workers: int = 0,
        max_waiting: int = MAX_WAITING,
        max_of_one: int = MAX_OF_ONE,
        deadline: float = DEADLINE,
        max_memory: int = MAX_MEMORY,
        preload: tuple[str, ...] = (),
    ) -> None:
        self.workers = workers or max(1, (os.cpu_count() or 1) // 2)
        self._max_waiting, self._max_of_one = max_waiting, max_of_one
        self._deadline, self._max_memory = deadline, max_memory
        self._preload = [_PRELOADED, *preload]
        self._lock, self._starting = threading.Lock(), threading.Lock()
        self._pool: ProcessPool | None = None
        self._closed = False
        self._jobs: dict[str, Job] = {}

    def start(self) -> ProcessPool:
        """Starts the processes, which takes a moment: never in an event loop."""
        with self._starting:
            if self._closed:
                raise WorkersStopped.of("heavy.refused.stopped")
            if self._pool is None or not self._pool.active:
                # Not forked from here: this process has threads, and locks that they hold.
                context = multiprocessing.get_context("forkserver")
                context.set_forkserver_preload(self._preload)
                self._pool = ProcessPool(
                    max_workers=self.workers,
                    initializer=_prepare,
                    initargs=[self._max_memory],
                    context=context,
                )
                self._pool.schedule(_nothing)
            return self._pool

    def submit(
        self, owner: str, function: Callable[..., Any], *args: Any, deadline: float | None = None
    ) -> Job:
        """Puts a job into the queue; the function and all it is given must be picklable.

        Raises `QueueFull` or `TooManyJobs`, both with the time after which to ask again.
        """
        seconds = deadline or self._deadline
        pool = self.start()
        with self._lock:
            self._forget_old()
            open_jobs = [job for job in self._jobs.values() if not job.future.done()]
            if sum(job.owner == owner for job in open_jobs) >= self._max_of_one:
                raise TooManyJobs.of("heavy.refused.too_many_of_one", most=self._max_of_one)
            if len(open_jobs) >= self._max_waiting:
                raise QueueFull.of("heavy.refused.queue_full", waiting=len(open_jobs))
            future = pool.schedule(_call, args=[function, args], timeout=seconds)
            job = Job(owner, future, seconds)
            self._jobs[job.token] = job
        future.add_done_callback(lambda _: self._ended(job))
        return job

    def place(self, job: Job) -> int:
        """The place in the queue: 1 is next, 0 is running or done."""
        if job.future.running() or job.future.done():
            return 0
        with self._lock:
            waiting = [
                other.token
                for other in self._jobs.values()
                if not (other.future.running() or other.future.done())
            ]
        return waiting.index(job.token) + 1 if job.token in waiting else 0

    def waiting(self) -> int:
        """How many jobs wait or run."""
        with self._lock:
            return sum(not job.future.done() for job in self._jobs.values())

    def find(self, token: str, owner: str) -> Job | None:
        """The job of a token, if it is the asker's own and still known."""
        with self._lock:
            self._forget_old()
            job = self._jobs.get(token)
        return job if job is not None and job.owner == owner else None

    def forget(self, job: Job) -> None:
        """Takes away a job whose result was given at once."""
        with self._lock:
            self._jobs.pop(job.token, None)

    def close(self) -> None:
        """Kills what runs and drops what waits."""
        with self._starting:
            pool, self._pool, self._closed = self._pool, None, True
        if pool is not None:
            pool.stop()  # type: ignore[no-untyped-call]
            pool.join()
        with self._lock:
            jobs = list(self._jobs.values())
        for job in jobs:
            # A job that was just being handed to a process may be forgotten by the pool.
            with suppress(InvalidStateError):
                job.future.set_exception(CancelledError())

    def _ended(self, job: Job) -> None:
        job.ended_at = monotonic()

    def _forget_old(self) -> None:
        """Drops results that nobody has fetched; the lock is held."""
        now = monotonic()
        ended = [job for job in self._jobs.values() if job.ended_at is not None]
        for number, job in enumerate(reversed(ended)):
            assert job.ended_at is not None
            if number >= MAX_KEPT or now - job.ended_at > KEPT_SECONDS:
                del self._jobs[job.token]


def _call(function: Callable[..., Any], args: tuple[Any, ...]) -> bytes:
    """What came of a call, pickled here: what cannot be is an error of this job alone."""
    try:
        outcome = function(*args)
    except Refusal as refusal:
        outcome = refusal
    return pickle.dumps(outcome, protocol=pickle.HIGHEST_PROTOCOL)


def _nothing() -> None:
    """Has the processes started: they are when there is something to do."""


def _prepare(max_memory: int) -> None:
    """Readies a process: pages and the hall come first, and its memory is bounded."""
    os.nice(_NICENESS)
    os.umask(0o077)
    resource.setrlimit(resource.RLIMIT_DATA, (max_memory, max_memory))
