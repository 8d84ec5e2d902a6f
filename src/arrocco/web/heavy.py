"""Answers that heavy work is done for: at once where it is quick, else after a page that waits.

A handler that hands work over is asynchronous: while the work waits or runs, no thread of those
that answer pages is taken.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from threading import Event, Thread
from typing import Any

from anyio import to_thread
from litestar import Response
from litestar.response import Redirect

from arrocco.desk.heavy_tasks import in_office, place_of
from arrocco.errors import Refusal
from arrocco.office.roles import Asker
from arrocco.operation.heavy import MAX_WAITING, HeavyWork, Job, WorkersStopped
from arrocco.web.view import View

START_AFTER = 10.0
"""Seconds after which the processes start that nobody has needed yet: pages and hall come first."""
ANSWER_SECONDS = 2.0
"""How long a browser waits before it is shown its place in the queue."""
IMPORT_SECONDS = 900.0
DRAFT_SECONDS = 3600.0
LIST_MEMORY = 6 << 30
"""A list of all players of the world is imported or made by an administrator, one at a time."""
WAITING = "/waiting"
Finish = Callable[[View, Any], Response[Any]]
"""Makes the answer of what came of the work: its result, or the `Refusal` it was stopped by."""


class Lanes:
    """The queues of heavy work: strangers wait for each other, never those who work here."""

    def __init__(self) -> None:
        self._closing = Event()
        preload = ("arrocco.web.comparison", "arrocco.web.report_work")
        self.public = HeavyWork(workers=1, preload=preload)
        self.accounts = HeavyWork(preload=preload)
        self.imports = HeavyWork(
            workers=1,
            max_waiting=2,
            max_of_one=1,
            deadline=IMPORT_SECONDS,
            max_memory=LIST_MEMORY,
            preload=preload,
        )
        self.drafts = HeavyWork(
            workers=1,
            max_of_one=MAX_WAITING,
            deadline=DRAFT_SECONDS,
            max_memory=LIST_MEMORY,
            preload=preload,
        )

    def of(self, asker: Asker) -> HeavyWork:
        """The queue of somebody."""
        return self.public if asker.account is None else self.accounts

    def find(self, token: str, asker: Asker) -> tuple[HeavyWork, Job | None]:
        """The job of a token with its queue, if it is the asker's own and still known."""
        for queue in (self.of(asker), self.imports):
            job = queue.find(token, owner_of(asker))
            if job is not None:
                return queue, job
        return self.of(asker), None

    def start_soon(self) -> None:
        """Starts the processes once all else has started, so that nobody waits for them."""
        Thread(target=self._start, name="heavy-start", daemon=True).start()

    def _start(self) -> None:
        if self._closing.wait(START_AFTER):
            return
        with suppress(WorkersStopped):  # closed before it was open
            self.public.start()
            self.accounts.start()

    def close(self) -> None:
        """Ends all processes."""
        self._closing.set()
        for queue in self.by_name().values():
            queue.close()

    def by_name(self) -> dict[str, HeavyWork]:
        """The queues by their names."""
        return {
            "public": self.public,
            "accounts": self.accounts,
            "imports": self.imports,
            "drafts": self.drafts,
        }


def lanes_of(view: View) -> Lanes:
    """The queues of the site."""
    lanes: Lanes = view.request.app.state.heavy
    return lanes


def heavy_of(view: View) -> HeavyWork:
    """The queue of whoever asks."""
    return lanes_of(view).of(view.asker)


def owner_of(asker: Asker) -> str:
    """Whose job it is: the account's, or without one the address's."""
    return f"account {asker.account}" if asker.account is not None else f"address {asker.address}"


async def answer(
    view: View,
    finish: Finish,
    function: Callable[..., Any],
    *args: Any,
    queue: HeavyWork | None = None,
    afterwards: Callable[[], None] | None = None,
) -> Response[Any]:
    """Has the work done in another process and answers with it, or with the page that waits.

    `afterwards` is called when the work is done or was refused, however the answer is fetched.
    """
    heavy = queue or heavy_of(view)
    try:
        job = await to_thread.run_sync(lambda: heavy.submit(owner_of(view.asker), function, *args))
    except Refusal as refusal:
        if afterwards is not None:
            afterwards()
        return await to_thread.run_sync(finish, view, refusal)
    if afterwards is not None:
        job.future.add_done_callback(lambda _: afterwards())
    job.then = finish
    if not await _is_done(job, ANSWER_SECONDS):
        return Redirect(view.url(f"{WAITING}/{job.token}"), status_code=303)
    heavy.forget(job)
    return await to_thread.run_sync(lambda: finish(view, job.outcome()))


async def result(view: View, function: Callable[..., Any], *args: Any) -> Any:
    """What came of the work, for programs: they wait as long as it takes. Raises `Refusal`."""
    heavy = heavy_of(view)
    job = await to_thread.run_sync(lambda: heavy.submit(owner_of(view.asker), function, *args))
    await _is_done(job, None)
    heavy.forget(job)
    outcome = await to_thread.run_sync(job.outcome)
    if isinstance(outcome, Refusal):
        raise outcome
    return outcome


async def answer_in_office(
    view: View,
    finish: Finish,
    work: Callable[..., Any],
    *args: Any,
    queue: HeavyWork | None = None,
    afterwards: Callable[[], None] | None = None,
) -> Response[Any]:
    """Answers with what a use case of the office gives: `work` gets the office and `args`."""
    place = await to_thread.run_sync(place_of, view.office)
    given = (place, work, *args)
    return await answer(view, finish, in_office, *given, queue=queue, afterwards=afterwards)


async def result_in_office(view: View, work: Callable[..., Any], *args: Any) -> Any:
    """What a use case of the office gives, however long it takes. Raises `Refusal`."""
    place = await to_thread.run_sync(place_of, view.office)
    return await result(view, in_office, place, work, *args)


async def _is_done(job: Job, seconds: float | None) -> bool:
    waiting = asyncio.wrap_future(job.future)
    done, _ = await asyncio.wait({asyncio.ensure_future(_settled(waiting))}, timeout=seconds)
    return bool(done)


async def _settled(waiting: asyncio.Future[Any]) -> None:
    """Ends with the job, whatever came of it."""
    await asyncio.wait({waiting})
    if not waiting.cancelled():
        waiting.exception()  # looked at: the outcome is taken from the job itself
