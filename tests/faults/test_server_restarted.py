"""A restart under load: games are handed over to the next process and go on by themselves."""

from __future__ import annotations

import asyncio
import random
import signal
import subprocess
import time
import urllib.request
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from benchmarks.hall_players import random_game
from websockets.exceptions import ConnectionClosed, WebSocketException

from arrocco.hall.game import events as e
from arrocco.hall.game.acts.pause import Paused, Resumed
from arrocco.hall.game.log import decode
from arrocco.hall.game.records import Cause
from arrocco.hall.game.recovery import HANDED_OVER, RECOVERED, TAKEN_OVER
from arrocco.live.opening import log_reader
from arrocco.live.takeover import LONGEST_PAUSE
from arrocco.store.sql.database import Database, sqlite_url
from tests.databases import *  # noqa: F403 (fixtures)
from tests.serving import (
    COMMAND,
    EVENT,
    Page,
    Server,
    eventually,
    is_alive,
    make_office,
    open_round,
    seated,
    serving,
)

pytestmark = [
    # What a server cuts off, the clients' library leaves to the collector now and then.
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]
BOARDS = 20
PLIES = 160
PACE = 0.4
AT_ONCE = 50
"""Boards that are taken at one time: more would wait for each other longer than a socket does."""
SECONDS = 1800
RESTARTS = 1012


class Board:
    """Two scripted players who come back when the server goes, as pages do."""

    def __init__(self, server: Server, tokens: list[str], number: int, pace: float) -> None:
        self.server, self.tokens, self.number, self.pace = server, tokens, number, pace
        rng = random.Random(number)
        while len(game := random_game(rng, PLIES)) < PLIES:
            pass
        self.moves = game
        self.game = ""
        self.pages: tuple[Page, Page] | None = None
        self.acknowledged: list[str] = []
        self.refused: list[Any] = []
        self.returns = 0
        self.codes: set[int | None] = set()

    async def sit_down(self) -> None:
        self.game, *pages = await seated(self.server, self.tokens, self.number)
        self.pages = (pages[0], pages[1])

    async def play(self, stop: asyncio.Event) -> None:
        while not stop.is_set() and len(self.acknowledged) < len(self.moves):
            ply = len(self.acknowledged)
            answer = await self.move(ply)
            if answer["type"] == "done":
                self.acknowledged.append(self.moves[ply])
            else:
                self.refused.append(answer)
                return
            await asyncio.sleep(self.pace)

    async def move(self, ply: int) -> dict[str, Any]:
        """A move, sent again under the same name until it is answered."""
        assert self.pages is not None
        name = f"b{self.number}-{ply}"
        while True:
            page = self.pages[ply % 2]
            try:
                wish = {"type": "move", "uci": self.moves[ply], "ply": ply}
                await page.send(type="wish", id=name, game=self.game, wish=wish)
                while (answer := await page.hear("done", "refused"))["id"] != name:
                    pass
            except ConnectionClosed as closed:
                self.codes.add(code_of(closed))
                await self.come_back()
            else:
                return answer

    async def come_back(self) -> None:
        assert self.pages is not None
        self.returns += 1
        for page in self.pages:
            while True:
                try:
                    await page.open()
                    await page.send(type="join", game=self.game)
                    break
                except (OSError, WebSocketException):  # refused or late: a page tries again as well
                    await asyncio.sleep(0.5)


def code_of(closed: ConnectionClosed) -> int | None:
    """The code with which the server has closed a socket; none where it was only gone."""
    return None if closed.rcvd is None else closed.rcvd.code


def log_of(folder: Path, board: int, database: str = "") -> list[e.Event]:
    with closing(Database(database or sqlite_url(folder), read_only=True)) as opened:
        log = log_reader(folder, opened)
        try:
            return [decode(line) for line in log.read(f"game:{EVENT}-1-{board}")]
        finally:
            log.close()


def pauses(events: list[e.Event]) -> list[tuple[Paused, Resumed]]:
    stops = [event for event in events if isinstance(event, Paused)]
    goes = [one for one in events if isinstance(one, Resumed)]
    return list(zip(stops, goes, strict=True))


@pytest.mark.parametrize("kind", ["sqlite", pytest.param("postgresql", marks=pytest.mark.soak)])
def test_twenty_boards_move_while_the_server_is_restarted(
    kind: str, tmp_path: Path, empty_url: Callable[[str], str]
) -> None:
    database = empty_url(kind) if kind == "postgresql" else ""
    longest = longest_pause(tmp_path, database, BOARDS, PACE)
    print(f"longest pause {longest} ms of {BOARDS} boards")
    assert longest <= LONGEST_PAUSE


@pytest.mark.soak
@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_five_hundred_boards_move_while_the_server_is_restarted(
    kind: str, tmp_path: Path, empty_url: Callable[[str], str]
) -> None:
    database = empty_url(kind) if kind == "postgresql" else ""
    longest = longest_pause(tmp_path, database, 500, 5.0)
    print(f"longest pause {longest} ms of 500 boards")
    assert longest <= LONGEST_PAUSE


def time_paused(stops: list[tuple[Paused, Resumed]], until: int) -> int:
    """The milliseconds of all pauses that were over at a moment; what two share counts once."""
    paused, end = 0, 0
    for stopped, went_on in stops:
        if went_on.at <= until:
            paused += went_on.at - max(stopped.stopped, end)
            end = went_on.at
    return paused


def longest_pause(folder: Path, database: str, number: int, pace: float) -> int:
    """Plays at boards through a restart; the milliseconds that the worst of them stood still."""
    tokens = make_office(folder, 2 * number, database)

    async def play(server: Server) -> list[Board]:
        await open_round(server.hall, number, f"{SECONDS}+0")
        boards = [Board(server, tokens, board, pace) for board in range(1, number + 1)]
        for first in range(0, number, AT_ONCE):
            await asyncio.gather(*(board.sit_down() for board in boards[first : first + AT_ONCE]))
        stop = asyncio.Event()
        playing = [asyncio.create_task(board.play(stop)) for board in boards]
        hall, site = server.pid("hall"), server.pid("site")
        await eventually(lambda: all(board.acknowledged for board in boards), 300)
        server.process.send_signal(signal.SIGHUP)
        await eventually(lambda: all(board.returns for board in boards), 300)
        made = [len(board.acknowledged) for board in boards]
        await eventually(
            lambda: all(
                board.refused or len(board.acknowledged) > before + 2
                for board, before in zip(boards, made, strict=True)
            ),
            300,
        )
        assert server.pid("hall", but=hall) != hall
        await eventually(lambda: not is_alive(site), 300)
        stop.set()
        await asyncio.gather(*playing)
        for board in boards:
            for page in board.pages or ():
                await page.close()
        return boards

    with serving(folder, database=database) as server:
        boards = asyncio.run(play(server))
    longest = 0
    for board in boards:
        assert not board.refused, board.refused
        assert board.codes == {RESTARTS}
        events = log_of(folder, board.number, database)
        moved = [event for event in events if isinstance(event, e.Moved)]
        assert [one.uci for one in moved][: len(board.acknowledged)] == board.acknowledged
        stops = pauses(events)
        [(stopped, went_on)] = [pair for pair in stops if pair[0].reason == HANDED_OVER]
        # Others than the hand-over are the server's too: a disk that was slow meanwhile.
        assert {(stop.by, stop.article) for stop, _ in stops} == {("", "11.6")}
        assert (went_on.reason, went_on.by, went_on.article) == (TAKEN_OVER, "", "11.6")
        longest = max(longest, went_on.at - stopped.at)
        gone = [one for one in events if isinstance(one, e.Disconnected) and one.at == stopped.at]
        assert [one.cause for one in gone] == [Cause.SERVER] * 2
        assert RECOVERED not in [one.reason for one in events if isinstance(one, e.Act)]
        started = next(one for one in events if isinstance(one, e.Started))
        played = moved[-1].at - started.at - time_paused(stops, moved[-1].at)
        left = moved[-1].white + moved[-1].black
        assert 2 * SECONDS * 1000 - left == played, "the pause is nobody's"
    return longest


@pytest.mark.soak
def test_a_game_goes_on_without_a_player_who_does_not_come_back(tmp_path: Path) -> None:
    tokens = make_office(tmp_path, 2)

    async def play(server: Server) -> None:
        await open_round(server.hall, 1)
        game, white, black = await seated(server, tokens, 1)
        await white.ask(game, type="move", uci="e2e4", ply=0)
        server.process.send_signal(signal.SIGHUP)
        with pytest.raises(ConnectionClosed):
            await white.hear("nothing")
        await white.open()
        view = await white.join(game)
        while view["view"]["phase"] != "running":
            view = await white.hear("view", "update")
            view = view if "view" in view else {"view": {"phase": view["phase"]}}
        assert not any(
            isinstance(one, e.Connected) and one.side.value == "black"
            for one in log_of(tmp_path, 1)[-4:]
        )
        await black.open()
        await black.join(game)
        answer = await black.ask(game, type="move", uci="e7e5", ply=1)
        assert answer["type"] == "done", answer
        for page in (white, black):
            await page.close()

    with serving(tmp_path) as server:
        asyncio.run(play(server))
    [(stopped, went_on)] = pauses(log_of(tmp_path, 1))
    assert went_on.at - stopped.at <= LONGEST_PAUSE


def test_the_port_refuses_nobody_while_the_site_is_restarted(tmp_path: Path) -> None:
    make_office(tmp_path, 0)
    again = [*COMMAND, "--office", str(tmp_path), "--restart", "--lang", "en"]
    with serving(tmp_path) as server:
        site = server.pid("site")
        told = subprocess.run(again, capture_output=True, text=True, timeout=120, check=True)
        assert "games continue" in told.stdout
        answered, until = 0, time.monotonic() + 60
        while server.pid("site") == site and time.monotonic() < until:
            with urllib.request.urlopen(server.address + "/en", timeout=60) as answer:
                answered += answer.status == 200
        assert answered
        with urllib.request.urlopen(server.address + "/en", timeout=60) as answer:
            assert answer.status == 200
    refused = subprocess.run(again, capture_output=True, text=True, timeout=120, check=False)
    assert refused.returncode == 1
    assert "no server on this computer" in refused.stderr


def test_sockets_opened_during_a_restart_wait_for_the_next_hall(tmp_path: Path) -> None:
    tokens = make_office(tmp_path, 2)

    async def play(server: Server) -> tuple[int, set[int | None]]:
        await open_round(server.hall, 1)
        first, opened, codes = server.pid("hall"), 0, set[int | None]()
        server.process.send_signal(signal.SIGHUP)
        until = time.monotonic() + 60
        while is_alive(first) and time.monotonic() < until:
            page = Page(server, tokens[1])
            try:
                await page.open()
                await page.join(f"{EVENT}-1-1")
                opened += 1
                await page.close()
            except ConnectionClosed as closed:
                codes.add(code_of(closed))
        await page.open()
        await page.join(f"{EVENT}-1-1")
        await page.close()
        return opened, codes

    with serving(tmp_path) as server:
        opened, codes = asyncio.run(play(server))
    assert opened
    assert codes <= {RESTARTS}, "none is refused, and none is just gone"
