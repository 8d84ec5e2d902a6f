"""The event of the living hall from entries to its last round, and then the next one."""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any
from zoneinfo import ZoneInfo

import msgspec

from arrocco.demo.event.arbiter import Arbiter, announcement
from arrocco.demo.event.cast import FEDERATION
from arrocco.demo.event.course import create_event
from arrocco.demo.event.page import Message, Refused
from arrocco.demo.event.player import DemoPlayer, Part, Tally
from arrocco.demo.living.camera import Camera, Devices, Fault
from arrocco.demo.living.cast import Cast, Seat
from arrocco.demo.living.film import film_of, screen_of
from arrocco.hall.event.records import TieBreak
from arrocco.hall.event.rules import Rules, Supervision
from arrocco.live.opening import ROME
from arrocco.video.erasure import erase
from arrocco.video.recordings import recording_files

ROUNDS = 5
THINKING = (1_500, 7_000)
"""Milliseconds for a move: slow enough to be followed."""
_CONTROL = "300+3"
_PREFIX = "live-"
"""What the name of every event begins with."""
_VISITOR = 1
"""The first entry."""
_COVERED, _TWO_MONITORS = 4, 9
"""Whose devices are not in order: places in the cast."""


@dataclass(frozen=True)
class Pace:
    """How long an event is, and the seconds between its steps."""

    rounds: int = ROUNDS
    tolerance: timedelta = timedelta(minutes=3)

    before_round: float = 30
    """From a published pairing to the start of its round."""
    after_round: float = 30
    after_event: float = 90
    call_waits: float = 150
    """How long a call is left to the visitor's arbiter before the other one answers."""
    thinking: tuple[int, int] = THINKING
    covered: tuple[float, float] = (45, 30)
    """For how long one camera is covered, and for how long it is not, in turn."""


@dataclass(frozen=True)
class Address:
    """The server as its sockets and requests are reached."""

    origin: str

    @property
    def socket(self) -> str:
        return f"ws{self.origin.removeprefix('http')}/hall/socket?lang=en"


class LivingArbiter(Arbiter):
    """The chief arbiter: pairs and opens rounds at a pace, leaves calls to the visitor for long."""

    def __init__(self, site: Address, event: str, seat: Seat, pace: Pace, seed: int) -> None:
        super().__init__(site, event, seat.session, Tally(), seed)
        self._pace = pace
        self._paired: list[Message] = []

    def _hear(self, message: Message) -> None:
        if message["type"] == "event":
            self._paired = message["boards"]
        super()._hear(message)

    async def prepare(self, cast: Cast) -> None:
        """Says the rules, takes office, appoints the visitor's arbiter, enters the visitor."""
        await self._page.open()
        await self._ask("set_rules", rules=msgspec.to_builtins(_rules(self._pace)))
        for seat, is_chief in ((cast.chief, True), (cast.assistant, False)):
            name = "Halvon Brovisko" if is_chief else "Mirtara Quelandi"
            account = {"account": str(seat.account), "name": name, "chief": is_chief}
            await self._ask("appoint_arbiter", arbiter=account)
        await self._ask("enter", person=_person(cast.visitor))
        await self._page.say(type="event", event=self._event)
        await self._page.say(type="wall", event=self._event)

    async def hold_round(self, number: int) -> None:
        """One round, from its pairing until every game is over."""
        self._round, self._count, self._results, self._boards = number, 0, {}, {}
        # The visitor's seat is kept, whether or not anybody sat there in the round before.
        for entry in {_VISITOR, *self._missed}:
            with suppress(Refused):
                await self._ask("check_in", entry=entry)
        self._missed.clear()
        await self._ask("pair_round")
        await asyncio.sleep(self._pace.before_round)
        with suppress(Refused):  # somebody else has opened it
            await self._ask("open_round")
        await self._page.say(type="event", event=self._event)
        answering = asyncio.create_task(self._answer_calls())
        try:
            await self._until(lambda: self._count > 0)
            await self._admit_visitor()
            await self._until(lambda: self._count > 0 and self.running == 0)
        finally:
            answering.cancel()
            await asyncio.gather(answering, return_exceptions=True)
        with suppress(Refused):
            await self._ask("close_round")
        await asyncio.sleep(self._pace.after_round)

    async def _admit_visitor(self) -> None:
        """9.1 — marks whoever sits there as seen, so that nobody needs a camera to look around."""
        for board in self._paired:
            for side in ("white", "black"):
                if board[side] == _VISITOR:
                    with suppress(Refused):  # the game is over already
                        await self._act(board["game"], "set_vcs", side=side, on=True)

    async def _answer_calls(self) -> None:
        """11.1 — comes to a call that nobody else has answered for a while."""
        while True:
            await self._until(lambda: any(board["calls"] for board in self._boards.values()))
            await asyncio.sleep(self._pace.call_waits)
            for game in [name for name, board in self._boards.items() if board["calls"]]:
                with suppress(Refused):
                    await self._answer(game)
                self._boards[game]["calls"] = 0


USUAL = Pace()


async def live(cast: Cast, pace: Pace = USUAL) -> None:
    """Plays event after event until it is cancelled."""
    number = 0
    while True:
        await asyncio.to_thread(erase_old, cast)
        await play_event(cast, pace, number)
        number += 1
        await asyncio.sleep(pace.after_event)


def erase_old(cast: Cast) -> None:
    """Of what is filmed only the last event is kept: nobody's results are announced here (12.3)."""
    folder = Path(cast.recordings)
    filmed = sorted({event for event, _ in recording_files(folder) if event.startswith(_PREFIX)})
    for event in filmed[:-1]:
        erase(folder, event, f"{_time_of(cast):%Y-%m-%dT%H:%M:%SZ}", "demo", "the demo goes on")


async def play_event(cast: Cast, pace: Pace, number: int) -> str:
    """One event, from its announcement to its end; its name."""
    site = Address(cast.address)
    now = _time_of(cast)
    event = f"{_PREFIX}{now:%Y%m%d-%H%M%S}"
    day = now.astimezone(ZoneInfo(ROME)).date()
    body = announcement(event, f"Torneo dal vivo {now:%d/%m %H:%M}", day, day + timedelta(days=1))
    await asyncio.to_thread(create_event, site, cast.chief.token, body)
    chief = LivingArbiter(site, event, cast.chief, pace, number)
    await chief.prepare(cast)
    rng = Random(event)
    players = [
        DemoPlayer(
            site,
            event,
            seat.person,
            seat.session,
            _part(rng, place),
            Tally(),
            rng.randrange(1 << 30),
            pace.thinking,
        )
        for place, seat in enumerate(cast.players)
    ]
    cameras = await asyncio.to_thread(_cameras, cast, event, pace)
    for player in players:
        await player.enter()
        await player.consent_to_video()
    async with asyncio.TaskGroup() as everybody:
        for player in players:
            everybody.create_task(player.play())
        filming = [everybody.create_task(camera.run()) for camera in cameras]
        for round_ in range(1, pace.rounds + 1):
            await chief.hold_round(round_)
        await chief.close_event()
        for task in filming:
            task.cancel()
    await chief.go()
    return event


def _part(rng: Random, place: int) -> Part:
    """Two call the arbiter in some round, one loses the line: something for a wall to show."""
    return Part(
        loses_line=frozenset({rng.randint(1, ROUNDS)} if place % 5 == 3 else ()),
        calls_from=rng.randint(1, 2) if place in (2, 7) else None,
    )


def _cameras(cast: Cast, event: str, pace: Pace) -> list[Camera]:
    """Of everybody; one is covered now and then, one player has a second monitor."""
    faults = {_COVERED: Fault(*pace.covered), _TWO_MONITORS: Fault(has_second_monitor=True)}
    shown = [
        Devices(film_of(seat.number), screen_of(seat.number), faults.get(place, Fault()))
        for place, seat in enumerate(cast.players)
    ]
    return [
        Camera(cast.address, seat.token, event, devices)
        for seat, devices in zip(cast.players, shown, strict=True)
    ]


def _time_of(cast: Cast) -> datetime:
    """The demo's own time."""
    return datetime.fromtimestamp((time.monotonic_ns() + cast.ahead) / 1e9, UTC)


def _rules(pace: Pace) -> Rules:
    return Rules(
        rounds=pace.rounds,
        time_control=_CONTROL,
        tolerance=pace.tolerance,
        disconnection_rule="The clock runs on; who is not back before the flag falls loses (7.5).",
        call_stops_clocks=True,
        supervision=Supervision.FULL,
        rated=False,
        tie_breaks=(TieBreak.BUCHHOLZ_CUT_1, TieBreak.BUCHHOLZ),
    )


def _person(seat: Seat) -> dict[str, Any]:
    return {
        "account": str(seat.account),
        "surname": seat.surname,
        "name": seat.name,
        "id": seat.number,
        "federation": FEDERATION,
        "sex": seat.sex,
        "birth": {"year": seat.birth},
        "rating": seat.rating,
    }
