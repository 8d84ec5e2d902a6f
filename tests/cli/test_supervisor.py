"""The parent of a server's processes: what it does when it is told to, at any moment."""

from __future__ import annotations

import asyncio
from typing import cast

import pytest

from arrocco.cli.serving import supervisor
from arrocco.cli.serving.supervisor import HALL, SITE, Plan, Supervisor
from arrocco.web.child import HAND_OVER, HANDED_OVER, OPEN, READY, WARM

LOADING = 3600.0


class Part:
    """A process that says what it is scripted to, and ends when it is told to."""

    def __init__(self, name: str, pid: int, *, starts: bool) -> None:
        self.name, self.pid, self.status = name, pid, cast("int | None", None)
        self.killed = False
        self._starts = starts
        self._said = {READY, WARM} if starts else set[str]()
        self._over = asyncio.Event()

    async def says(self, what: str) -> bool:
        if what not in self._said:
            await self._over.wait()
        return what in self._said

    def has_said(self, what: str) -> bool:
        return what in self._said

    def tell(self, order: str) -> None:
        if order == HAND_OVER:
            self._said.add(HANDED_OVER)

    async def ended(self) -> int:
        await self._over.wait()
        return 0

    async def end(self, order: str) -> int:
        assert order != OPEN
        if not self._starts:
            await asyncio.sleep(LOADING)  # it still loads, and hears nothing
        self.status = 0
        self._over.set()
        return 0

    async def kill(self) -> int:
        self.killed = True
        self.status = -9
        self._over.set()
        return -9


class Parts:
    """A plan whose first processes start, and whose next ones never get ready."""

    def __init__(self) -> None:
        self.made: list[Part] = []

    async def start(self, name: str) -> Part:
        is_first = name not in {part.name for part in self.made}
        self.made.append(Part(name, len(self.made), starts=is_first))
        return self.made[-1]


async def until(happened: object) -> None:
    assert callable(happened)
    while not happened():
        await asyncio.sleep(0.01)


@pytest.mark.parametrize("name", [SITE, HALL])
def test_a_server_that_is_being_restarted_stops_at_once(name: str) -> None:
    """A minute passed until it looked again, and systemd had killed the boards by then."""

    async def play() -> list[Part]:
        plan = Parts()
        parent = Supervisor(cast(Plan, plan), [name], lambda: None)
        running = asyncio.create_task(parent.run())
        async with asyncio.timeout(5):
            await until(lambda: plan.made)
            parent.restart()
            await until(lambda: len(plan.made) == 2)
            parent._stop.set()
            await running
        return plan.made

    first, following = asyncio.run(play())
    assert (first.status, first.killed) == (0, False), "it ends as it should"
    assert following.killed


def test_a_part_that_does_not_start_again_leaves_the_one_before(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(supervisor, "READY_WITHIN", 0.05)
    monkeypatch.setattr("tests.cli.test_supervisor.LOADING", 0.05)

    async def play() -> list[Part]:
        plan = Parts()
        parent = Supervisor(cast(Plan, plan), [SITE], lambda: None)
        running = asyncio.create_task(parent.run())
        async with asyncio.timeout(5):
            await until(lambda: plan.made)
            parent.restart()
            await until(lambda: len(plan.made) == 2 and plan.made[1].status is not None)
            assert plan.made[0].status is None
            parent._stop.set()
            await running
        return plan.made

    assert len(asyncio.run(play())) == 2
