"""A hall to try things in: time that only tests move, a log in memory, sockets that only listen."""

from __future__ import annotations

import asyncio
import errno
import heapq
import threading
from collections.abc import Callable, Coroutine, Sequence
from datetime import date, timedelta
from itertools import count
from typing import Any, TypeVar
from weakref import WeakSet

import chess
import msgspec

from arrocco.errors import Unavailable
from arrocco.hall.chain import ALONE
from arrocco.hall.event import Rules as EventRules
from arrocco.hall.event.acts import Command
from arrocco.hall.event.acts.entries import Enter
from arrocco.hall.event.acts.officials import AppointArbiter, SetRules
from arrocco.hall.event.acts.pairing import PairByHand
from arrocco.hall.event.acts.rounds import OpenRound
from arrocco.hall.event.creation import Create
from arrocco.hall.event.records import Arbiter, PairingSystem, Person
from arrocco.hall.game import events as e
from arrocco.hall.game.records import Rules, SeatedPlayer
from arrocco.live.analysis import Answer, Thinking
from arrocco.live.connection import Connection
from arrocco.live.event_room import EventRoom
from arrocco.live.hall import TO_THE_SEATS, Hall
from arrocco.live.journal import CommitUnknown, Record
from arrocco.live.room import Room
from arrocco.office.roles import Asker
from arrocco.office.roles import Role as OfficeRole

START = 1_700_000_000_000
WHITE, BLACK, ARBITER, STRANGER = "1", "2", "9", "7"
GAME = f"{ALONE}g"
T = TypeVar("T")
_LOGS: WeakSet[MemoryLog] = WeakSet()
_STAGES: WeakSet[Stage] = WeakSet()


class VirtualAlarm:
    def __init__(self) -> None:
        self.is_off = False

    def cancel(self) -> None:
        self.is_off = True


class VirtualTime:
    """Time stands still until a test lets it pass."""

    def __init__(self, now: int = START) -> None:
        self._now = now
        self._order = count()
        self._alarms: list[tuple[int, int, VirtualAlarm, Callable[[], None]]] = []

    def now(self) -> int:
        return self._now

    def not_before(self, moment: int) -> None:
        self._now = max(self._now, moment)

    def call_at(self, moment: int, what: Callable[[], None]) -> VirtualAlarm:
        alarm = VirtualAlarm()
        heapq.heappush(self._alarms, (moment, next(self._order), alarm, what))
        return alarm

    async def pass_by(self, milliseconds: int) -> None:
        """Lets time pass; whatever is due on the way is done."""
        until = self._now + milliseconds
        while self._alarms and self._alarms[0][0] <= until:
            moment, _, alarm, what = heapq.heappop(self._alarms)
            self._now = max(self._now, moment)
            if not alarm.is_off:
                what()
                await settle()
        self._now = until
        await settle()


class MemoryLog:
    """Logs that are kept in memory, and a disk that can be full."""

    def __init__(self) -> None:
        _LOGS.add(self)
        self.kept: dict[str, dict[int, bytes]] = {}
        self.commits: list[int] = []
        self.is_full = False
        self.bad_stream = ""
        self.goes_away = ""
        """Whether the database goes away ``before`` or ``after`` it writes, and does not say so."""
        self.gate: threading.Event | None = None
        self.has_begun = threading.Event()
        """Whether a commit has begun, whatever it waits for."""

    def append(self, records: Sequence[Record]) -> None:
        self.has_begun.set()
        if self.gate is not None:
            self.gate.wait(5)
        if self.is_full:
            raise OSError(errno.ENOSPC, "no space")
        if self.goes_away == "before":
            raise CommitUnknown("gone")
        for stream, number, _ in records:
            if stream == self.bad_stream or number in self.kept.get(stream, {}):
                raise OSError(f"{stream} {number} cannot be written")
        for stream, number, body in records:
            self.kept.setdefault(stream, {})[number] = body
        self.commits.append(len(records))
        if self.goes_away == "after":
            raise CommitUnknown("gone")

    def read(self, stream: str) -> list[bytes]:
        if self.goes_away:
            raise Unavailable.of("faults.database_lost")
        return [body for _, body in sorted(self.kept.get(stream, {}).items())]

    def streams(self, prefix: str) -> list[str]:
        return sorted(name for name in self.kept if name.startswith(prefix))

    def close(self) -> None:
        pass


class Ear:
    """Something that listens; `heard` are the messages as programs read them."""

    def __init__(self) -> None:
        self.heard: list[dict[str, Any]] = []

    def send(self, message: bytes) -> None:
        self.heard.append(msgspec.json.decode(message))

    def close(self, code: int) -> None:
        self.heard.append({"type": "close", "code": code})

    def of(self, kind: str) -> list[dict[str, Any]]:
        return [one for one in self.heard if one["type"] == kind]


async def settle() -> None:
    """Waits until nothing moves any more; where a test holds the disk, until it is waited for."""
    if any(log.gate is not None and not log.gate.is_set() for log in _LOGS):
        await asyncio.sleep(0.03)
        return
    seen_still = 0
    for _ in range(2000):
        is_written = all(stage.hall.journal.is_idle for stage in _STAGES)
        is_still = is_written and asyncio.all_tasks() == {asyncio.current_task()}
        seen_still = seen_still + 1 if is_still else 0
        if seen_still == 2:  # what is called at the end of a task comes a turn after it
            return
        await asyncio.sleep(0 if is_still else 0.001)
    raise AssertionError("something goes on for ever")


def by_material(fen: str, color: chess.Color) -> Answer:
    """Enough for tests: a side that has not the material cannot mate."""
    return Answer(not chess.Board(fen).has_insufficient_material(color), "material")


def asker(account: str, player: int | None = None) -> Asker:
    number = int(account) if account else None
    role = OfficeRole.PLAYER if account else OfficeRole.PUBLIC
    return Asker(account=number, name=f"person {account}", role=role, player=player)


def created(game: str = GAME, control: str = "180+2", **rules: Any) -> e.Created:
    return e.Created(
        at=START,
        game=game,
        white=SeatedPlayer(WHITE, "Adani, Ada"),
        black=SeatedPlayer(BLACK, "Belli, Bea"),
        control=control,
        rules=Rules(**{"tolerance": 600_000, **rules}),
        board=1,
        round=1,
    )


class Stage:
    """A hall with virtual time and a log in memory."""

    def __init__(self, store: MemoryLog | None = None, time: VirtualTime | None = None) -> None:
        self.store = store or MemoryLog()
        self.time = time or VirtualTime()
        self.hall = Hall(
            self.store,
            Thinking(by_material),
            time=self.time,
            arbiters=frozenset({ARBITER}),
        )
        self._ids = count(1)
        _STAGES.add(self)

    async def game(self, **options: Any) -> Room:
        return await self.hall.create_game(created(**options))

    def connect(self, account: str, player: int | None = None) -> Client:
        return Client(self, Connection(self.hall, asker(account, player)))

    def next_id(self) -> str:
        return f"m{next(self._ids)}"


class Client:
    """A page in a browser, as far as the server knows."""

    def __init__(self, stage: Stage, connection: Connection) -> None:
        self.stage, self.connection = stage, connection
        self.heard: list[dict[str, Any]] = []

    def say(self, **message: Any) -> None:
        self.connection.receive(msgspec.json.encode(message))

    async def hear(self) -> list[dict[str, Any]]:
        """The messages since the last time."""
        await settle()
        new = [msgspec.json.decode(message) for message in self.connection.take_unsent()]
        self.heard.extend(new)
        return new

    async def join(self, game: str = GAME, **options: Any) -> list[dict[str, Any]]:
        self.say(type="join", game=game, **options)
        return await self.hear()

    async def wish(
        self, kind: str, game: str = GAME, id: str = "", at_ply: int | None = None, **fields: Any
    ) -> dict[str, Any]:
        """Asks for something and gives the answer to it."""
        message: dict[str, Any] = {
            "type": "wish",
            "id": id or self.stage.next_id(),
            "game": game,
            "wish": {"type": kind, **fields},
        }
        if at_ply is not None:
            message["ply"] = at_ply
        self.say(**message)
        return self.answer(await self.hear(), str(message["id"]))

    async def command(self, kind: str, event: str = "open", **fields: Any) -> dict[str, Any]:
        name = self.stage.next_id()
        self.say(type="command", id=name, event=event, command={"type": kind, **fields})
        return self.answer(await self.hear(), name)

    @staticmethod
    def answer(heard: list[dict[str, Any]], name: str) -> dict[str, Any]:
        return next(one for one in heard if one.get("id") == name)


async def seated(stage: Stage, **options: Any) -> tuple[Room, Client, Client, Client]:
    """A game under way with both players and the arbiter there."""
    room = await stage.game(**options)
    white, black, arbiter = (stage.connect(one) for one in (WHITE, BLACK, ARBITER))
    for client in (white, black, arbiter):
        await client.join(room.id)
    answer = await arbiter.wish("start", room.id)
    assert answer["type"] == "done", answer
    for client in (white, black, arbiter):
        await client.hear()
    return room, white, black, arbiter


def run(play: Callable[[Stage], Coroutine[Any, Any, T]]) -> T:
    """Plays a scene on a new stage."""

    async def scene() -> T:
        stage = Stage()
        try:
            return await play(stage)
        finally:
            await stage.hall.stop()

    return asyncio.run(scene())


# --- events ---------------------------------------------------------------------------------------

CHIEF, HELPER = "100", "101"
ORGANISER = "99"


def event_rules(**changes: Any) -> EventRules:
    given: dict[str, Any] = {
        "system": PairingSystem.MANUAL,
        "rounds": 3,
        "time_control": "180+2",
        "tolerance": timedelta(minutes=5),
        "disconnection_rule": "The clock runs on.",
        "federation_id_required": False,
        **changes,
    }
    return EventRules(**given)


def person(number: int) -> Person:
    return Person(
        account=str(number), surname=f"Prova{number}", name="Nome", id=99_000_000 + number
    )


async def event(stage: Stage, players: int = 4, name: str = "open", **rules: Any) -> EventRoom:
    """An event with arbiters and players 1, 2, …, and no round yet."""
    day = date(2026, 11, 16)
    made = await stage.hall.create_event(
        Create(by=ORGANISER, event=name, name="Open di prova", start=day, end=day)
    )
    assert not made.objections, made
    room = stage.hall.events[name]
    commands: list[Command] = [
        SetRules(by=ORGANISER, rules=event_rules(**rules)),
        AppointArbiter(by=ORGANISER, arbiter=Arbiter(account=CHIEF, name="Capo", chief=True)),
        AppointArbiter(by=CHIEF, arbiter=Arbiter(account=HELPER, name="Aiuto", zone=(2, 2))),
        *(Enter(by=ORGANISER, person=person(n)) for n in range(1, players + 1)),
    ]
    for command in commands:
        outcome = await room.ask(command)
        assert not outcome.objections, (command, outcome.objections)
    return room


async def open_round(stage: Stage, room: EventRoom) -> list[Room]:
    """Pairs 1-2, 3-4, … and opens the round; its games have not started."""
    boards = tuple((n, n + 1) for n in range(1, len(room.state.entries), 2))
    for command in (
        PairByHand(by=CHIEF, boards=boards, reason="by hand"),
        OpenRound(by=CHIEF),
    ):
        outcome = await room.ask(command)
        assert not outcome.objections, outcome.objections
    return list(stage.hall.rooms_of(room))


async def start_round(stage: Stage) -> None:
    await stage.time.pass_by(TO_THE_SEATS)
