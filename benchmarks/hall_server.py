"""The server that `hall_load` measures: the hall's socket in Litestar on uvicorn, and a bare echo.

Started by `hall_load` as a process of its own:
``python -m benchmarks.hall_server FOLDER BOARDS CONTROL ROUNDS DELAY``.
It prints its port, then waits for the end of its input.
"""

from __future__ import annotations

import asyncio
import os
import resource
import socket
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from arrocco.hall.event import Rules
from arrocco.hall.event.acts import Command
from arrocco.hall.event.acts.entries import Enter
from arrocco.hall.event.acts.officials import AppointArbiter, SetRules
from arrocco.hall.event.acts.pairing import PairByHand
from arrocco.hall.event.acts.rounds import CloseRound, OpenRound
from arrocco.hall.event.creation import Create
from arrocco.hall.event.records import Arbiter, PairingSystem, Person
from arrocco.hall.event.rules import Spectators
from arrocco.office.roles import Asker, Role

EVENT = "load"
CHIEF, ORGANISER = "900001", "900002"


def make_app(hall: Any, boards: int) -> Any:
    """An application with the two sockets; a token is the number of its account."""
    import msgspec
    from litestar import Litestar, WebSocket, get, websocket
    from litestar.datastructures import State

    from arrocco.office.roles import Permission
    from arrocco.web.cookies import CookieJar
    from arrocco.web.guard import admit
    from arrocco.web.hall_socket import hall_socket
    from arrocco.web.routes import ANONYMOUS, PERMISSION

    open_to_all = {PERMISSION: Permission.LOOK_UP, ANONYMOUS: True}

    class Accounts:
        def asker_of(self, token: str, address: str) -> Asker:
            return Asker(account=int(token), name=token, role=Role.PLAYER, address=address)

    class Office:
        accounts = Accounts()

    @websocket("/echo", opt=open_to_all)
    async def echo(socket: WebSocket[Any, Any, Any]) -> None:
        await socket.accept()
        while (message := await socket.receive())["type"] == "websocket.receive":
            text = msgspec.json.encode(msgspec.json.decode(message.get("text") or "")).decode()
            await socket.send({"type": "websocket.send", "text": text, "bytes": None})

    @get("/memory", opt=open_to_all)
    async def memory() -> int:
        """What the process holds now, in kilobytes."""
        pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
        return pages * resource.getpagesize() // 1024

    @get("/commits", opt=open_to_all)
    async def commits() -> int:
        """How often the hall has written to the disk."""
        count: int = hall.journal.commits
        return count

    @get("/next", opt=open_to_all)
    async def next_round() -> int:
        """Closes a round whose games have ended and begins another."""
        return await begin_round(hall, boards)

    state = State({"office": Office(), "live": hall, "cookies": CookieJar(secure=False)})
    handlers = [hall_socket, echo, memory, commits, next_round]
    return Litestar(handlers, guards=[admit], state=state, openapi_config=None, logging_config=None)


async def make_event(hall: Any, boards: int, control: str, rounds: int, delay: int) -> None:
    """An event with all its players."""
    from datetime import date, timedelta

    day = date(2026, 11, 16)
    await hall.create_event(Create(by=ORGANISER, event=EVENT, name="Load", start=day, end=day))
    rules = Rules(
        system=PairingSystem.MANUAL,
        rounds=rounds,
        time_control=control,
        tolerance=timedelta(hours=1),
        disconnection_rule="The clock runs on.",
        federation_id_required=False,
        rated=False,
        spectators=Spectators(delay=timedelta(seconds=delay)),
    )
    people = (
        Person(account=str(n), surname=f"Prova{n}", name="Nome") for n in range(1, 2 * boards + 1)
    )
    commands = [
        SetRules(by=ORGANISER, rules=rules),
        AppointArbiter(by=ORGANISER, arbiter=Arbiter(account=CHIEF, name="Capo", chief=True)),
        *(Enter(by=ORGANISER, person=person) for person in people),
    ]
    await have_done(hall, commands)


async def begin_round(hall: Any, boards: int) -> int:
    """The same people at the same boards once more; the number of the round."""
    pairs = tuple((n, n + 1) for n in range(1, 2 * boards, 2))
    state = hall.events[EVENT].state
    commands: list[Command] = [
        *([CloseRound(by=CHIEF)] if state.rounds else []),
        PairByHand(by=CHIEF, boards=pairs, reason="load"),
        OpenRound(by=CHIEF),
    ]
    await have_done(hall, commands)
    return len(hall.events[EVENT].state.rounds)


async def have_done(hall: Any, commands: Sequence[Command]) -> None:
    for command in commands:
        outcome = await hall.events[EVENT].ask(command)
        assert not outcome.objections, outcome.objections


async def serve(folder: Path, boards: int, control: str, rounds: int, delay: int) -> None:
    """Serves until the input ends."""
    import uvicorn

    from arrocco.live.analysis import thinking_process
    from arrocco.live.hall import Hall
    from arrocco.live.interpreter import serve_boards
    from arrocco.live.sqlite_log import SqliteLog

    hall = Hall(SqliteLog(folder / "hall.sqlite"), thinking_process())
    await hall.start()
    await make_event(hall, boards, control, rounds, delay)
    serve_boards()
    listening = socket.create_server(("127.0.0.1", 0), backlog=2048)
    config = uvicorn.Config(
        make_app(hall, boards),
        ws=os.environ.get("HALL_WS", "websockets-sansio"),
        ws_per_message_deflate=False,
        ws_ping_interval=None,
        log_level="critical",
        lifespan="off",
    )
    server = uvicorn.Server(config)
    task = asyncio.create_task(server.serve(sockets=[listening]))
    print(listening.getsockname()[1], flush=True)
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
    server.should_exit = server.force_exit = True
    await task
    await hall.stop()


if __name__ == "__main__":
    import uvloop

    folder, boards, control, rounds, delay = sys.argv[1:6]
    uvloop.run(serve(Path(folder), int(boards), control, int(rounds), int(delay)))
