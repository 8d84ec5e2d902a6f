"""An office before an event: a list, people with accounts, a hall whose clock can be put ahead.

Most players sit at sockets of their own in another thread; the others are pages of a browser.
"""

from __future__ import annotations

import asyncio
import random
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from datetime import date, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from playwright.sync_api import Page

from arrocco.demo.event import cast
from arrocco.demo.event.moves import choose
from arrocco.demo.event.player import DemoPlayer, Part, Tally
from arrocco.demo.event.site import Clock
from arrocco.desk import Office
from arrocco.desk.desk import operator
from arrocco.hall import event as ev
from arrocco.hall.game import State
from arrocco.laws.online.fair_play import Seat
from arrocco.laws.systems import system_named
from arrocco.live.opening import ROME, log_reader
from arrocco.live.server_time import as_moment
from arrocco.office.roles import Role
from arrocco.watch.settings import WatchSettings
from arrocco.watch.watch import Watch
from tests.browser.hall_stage import Running, hall_at_work

SYSTEM = "rio-blitz"
JUDGE = "judge@example.org"
"""A member of the Fair Play Committee."""
SEED = 15
NODES = 1000
"""For each move that an engine looks at: here it only has to have looked."""


@dataclass(frozen=True)
class Scale:
    """How large an event is, and how fast those at sockets move, in milliseconds."""

    players: int
    rounds: int
    thinking: tuple[int, int]
    moves: int
    """Those of a player in a browser, before the game is given up."""
    patience: int
    """Seconds within which a round is over."""


@dataclass
class Stage:
    """The office and its hall, who is invited, and what happens in all games."""

    office: Office
    running: Running
    clock: Clock
    people: list[cast.Invented]
    tally: Tally = field(default_factory=Tally)

    def session(self, email: str) -> str:
        """The session of somebody, by e-mail and password."""
        return cast.log_in(self.office, [email])[0].token

    def signed(self, page: Page, email: str) -> None:
        """Signs a browser in."""
        page.context.add_cookies(
            [
                {
                    "name": "arrocco_session",
                    "value": self.session(email),
                    "url": self.running.served.address,
                }
            ]
        )

    def event(self, name: str) -> ev.State:
        """An event as the hall has it."""
        room = self.running.run(self.running.hall.find_event(name))
        assert room is not None
        state: ev.State = room.state
        return state

    def game(self, name: str) -> State:
        """A game as the hall has it."""
        room = self.running.run(self.running.hall.find_room(name))
        assert room is not None
        state: State = room.state
        return state

    def go_to(self, when: datetime) -> None:
        """Puts the clocks of hall and office ahead."""
        self.clock.go_to(when)
        self.running.hall.time.not_before(as_moment(when))

    def watch(self, engine: str) -> None:
        """Has an engine look at every game, as the process beside a server does."""
        database = self.office.desk.database
        settings = WatchSettings(engine=engine, nodes=NODES)
        logs = log_reader(self.office.folder, database)
        Watch(database, logs, settings, self.office.desk.now).run_until_empty()


@contextmanager
def staged(folder: Path, players: int) -> Iterator[Stage]:
    """An office with a list in force, an arbiter, an administrator and players, being served."""
    clock = Clock()
    with closing(Office.open(folder, now=clock)) as office:
        people = cast.invent(players, SEED)
        today = clock().astimezone(ZoneInfo(ROME)).date()
        in_force: date = system_named(SYSTEM).edition_on(today).list_in_force(today)
        cast.import_list(office, people, folder / "opening.csv", in_force)
        cast.open_accounts(office, people)
        _name_judge(office)
        with hall_at_work(office) as running:
            yield Stage(office, running, clock, people)


def _name_judge(office: Office) -> None:
    """13.1 — a member of the committee, who decides about appeals."""
    admin = operator(Role.SYSTEM_ADMINISTRATOR)
    token = office.accounts.invite(admin, JUDGE, Role.COMMITTEE, "", None)
    office.accounts.accept_invitation(token, "Gino Esperto", cast.PASSWORD)
    [session] = cast.log_in(office, [JUDGE])
    seat = Seat.ANTI_CHEATING_EXPERT
    office.committee.name_member(admin, session.account, seat, resolution="Delibera finta 2")


class Where:
    """The addresses of the server, as those at sockets want them."""

    def __init__(self, address: str) -> None:
        self.origin = address
        self.socket = f"{address.replace('http', 'ws')}/hall/socket?lang=en"


@contextmanager
def at_sockets(
    stage: Stage, event: str, people: list[cast.Invented], scale: Scale
) -> Iterator[None]:
    """These players play whatever comes, each over a socket, until the event is closed."""
    sessions = cast.log_in(stage.office, [person.email for person in people])
    where = Where(stage.running.served.address)
    players = [
        DemoPlayer(
            where,
            event,
            person,
            session,
            _part(place, scale.rounds),
            stage.tally,
            SEED + place,
            scale.thinking,
        )
        for place, (person, session) in enumerate(zip(people, sessions, strict=True))
    ]
    all_follow = threading.Event()
    faults: list[BaseException] = []

    async def play() -> None:
        await asyncio.gather(*(player.follow() for player in players))
        all_follow.set()
        await asyncio.gather(*(player.play() for player in players))

    def run() -> None:
        try:
            asyncio.run(play())
        except BaseException as fault:  # told to the test, which would wait for ever
            faults.append(fault)
            all_follow.set()

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    assert all_follow.wait(60)
    yield
    thread.join(60)
    assert not faults, faults
    assert not thread.is_alive(), "they have heard that the event is over"


def _part(place: int, rounds: int) -> Part:
    """One in four loses the line once."""
    return Part(loses_line=frozenset({1 + place // 4 % rounds} if place % 4 == 1 else ()))


def next_move(state: State, rng: random.Random) -> str:
    """A move with some sense for whoever is to move; never a promotion, which asks for more."""
    board = state.board.copy(stack=False)
    move = choose(board, 1800, rng)
    if move.promotion is None:
        return move.uci()
    plain = [one for one in board.legal_moves if one.promotion is None]
    return rng.choice(plain).uci() if plain else move.uci()
