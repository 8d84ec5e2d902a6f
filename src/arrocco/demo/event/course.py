"""The event from beginning to end: a server, an arbiter, players, rounds, validated standings."""

from __future__ import annotations

import asyncio
import json
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from arrocco.demo.event.arbiter import Arbiter, announcement
from arrocco.demo.event.cast import Invented, Session
from arrocco.demo.event.page import Where
from arrocco.demo.event.player import DemoPlayer, Part, Tally
from arrocco.demo.event.site import Clock, Site, serving
from arrocco.desk import Office
from arrocco.hall import event as ev
from arrocco.hall.event.games import game_id
from arrocco.hall.game import State as GameState
from arrocco.live.opening import ROME

EVENT = "demo"
_LONGEST = timedelta(minutes=20)
"""Within which the event is over; one that begins late in the evening ends on the next day."""
ACTS = {"resume": 1, "warn": 1, "correct_result": 2}
"""What the arbiter does once, besides answering calls, and from which round on there may be an
occasion; a game is resumed that was paused before."""
NO_SHOW_ROUND = CALLS_FROM = 2


@dataclass(frozen=True)
class Plan:
    """How large the event is."""

    name: str
    rounds: int
    tolerance: timedelta
    seed: int
    language: str = "en"
    """That of the arbiter's report."""


@dataclass
class Course:
    """How far the event is, for whoever watches."""

    tally: Tally
    round: int = 0
    boards: int = 0
    running: int = 0


@dataclass(frozen=True)
class Played:
    """A finished event and what it leaves."""

    state: ev.State
    games: list[GameState]
    arbiters_report: bytes
    """The page with all that officials did, as the site shows it to the arbiter."""
    tally: Tally
    seconds: int
    """Of play, from the first pairing to the end of the last round."""
    waited: datetime
    """To when the clock was put, for complaints to have their time (12.9)."""


async def play_event(
    office: Office,
    clock: Clock,
    plan: Plan,
    people: list[Invented],
    sessions: list[Session],
    arbiter: Session,
    told: Callable[[Course], None],
) -> Played:
    """Plays the whole event over sockets; `told` hears several times a second how far it is."""
    async with serving(office, clock) as site:
        day = clock().astimezone(ZoneInfo(ROME))
        body = announcement(EVENT, plan.name, day.date(), (day + _LONGEST).date())
        await asyncio.to_thread(create_event, site, arbiter.token, body)
        course = Course(Tally())
        boss = Arbiter(site, EVENT, arbiter, course.tally, plan.seed)
        await boss.announce(plan.rounds, plan.tolerance)
        players = [
            DemoPlayer(
                site,
                EVENT,
                person,
                session,
                _part(place, len(people)),
                course.tally,
                plan.seed + place,
            )
            for place, (person, session) in enumerate(zip(people, sessions, strict=True))
        ]
        await asyncio.gather(*(player.enter() for player in players))
        await boss.check_in(len(people))
        watching = asyncio.create_task(_watch(course, boss, told))
        began = asyncio.get_running_loop().time()
        try:
            async with asyncio.TaskGroup() as everybody:
                for player in players:
                    everybody.create_task(player.play())
                for number in range(1, plan.rounds + 1):
                    course.round, course.boards = number, len(people) // 2
                    await boss.play_round(number, _acts_left(course.tally, number))
                await boss.close_event()
        finally:
            watching.cancel()
        seconds = int(asyncio.get_running_loop().time() - began)
        waited = await _let_complaints_pass(site)
        await boss.validate()
        await boss.go()
        state, games = await _what_is_left(site)
        page = await asyncio.to_thread(
            _get, site, arbiter.token, f"/{plan.language}/hall/{EVENT}/report"
        )
    return Played(state, games, page, course.tally, seconds, waited)


def create_event(site: Where, token: str, body: dict[str, Any]) -> None:
    """Announces the event as a program does, over plain HTTP."""
    from arrocco.web.cookies import form_token
    from arrocco.web.guard import TOKEN_HEADER

    headers = {"Cookie": f"arrocco_session={token}", TOKEN_HEADER: form_token(token)}
    address = f"{site.origin}/api/v1/hall/events"
    request = urllib.request.Request(address, json.dumps(body).encode(), headers)
    with urllib.request.urlopen(request) as answer:
        assert json.load(answer)["done"]


def _get(site: Site, token: str, path: str) -> bytes:
    headers = {"Cookie": f"arrocco_session={token}"}
    request = urllib.request.Request(f"{site.origin}{path}", headers=headers)
    with urllib.request.urlopen(request) as answer:
        found: bytes = answer.read()
    return found


def _part(place: int, players: int) -> Part:
    """Who does what: one stays away once, one calls the arbiter, one in eight loses the line."""
    return Part(
        absent=frozenset({NO_SHOW_ROUND} if place == players // 2 else ()),
        loses_line=frozenset({1 + place % 3} if place % 8 == 1 else ()),
        calls_from=CALLS_FROM if place == players - 1 else None,
    )


def _acts_left(tally: Tally, number: int) -> frozenset[str]:
    """What the arbiter has still to do in a round."""
    return frozenset(
        act for act, first in ACTS.items() if number >= first and not tally.happened[f"act_{act}"]
    )


async def _watch(course: Course, boss: Arbiter, told: Callable[[Course], None]) -> None:
    while True:
        course.running = boss.running
        told(course)
        await asyncio.sleep(0.2)


async def _let_complaints_pass(site: Site) -> datetime:
    """12.9 — nobody waits two hours for a demo: the clocks are put ahead instead."""
    room = await site.hall.find_event(EVENT)
    assert room is not None
    until = ev.complaints_until(room.state, room.state.laws)
    assert until is not None
    site.go_to(until + timedelta(seconds=1))
    return until


async def _what_is_left(site: Site) -> tuple[ev.State, list[GameState]]:
    """The event and its games, from the hall."""
    room = await site.hall.find_event(EVENT)
    assert room is not None
    games = []
    for round_ in room.state.rounds:
        for number in range(1, len(round_.boards) + 1):
            game = await site.hall.find_room(game_id(room.state, round_.number, number))
            if game is not None:
                games.append(game.state)
                site.hall.forget(game)
    return room.state, games
