"""A server's processes apart: pages cannot touch a clock, and none outlives or doubles another."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import time
import urllib.request
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed

from arrocco.hall.game import Phase, fold
from arrocco.hall.game.log import decode
from arrocco.live.log_reader import SqliteLogReader
from arrocco.store.hall_file import hall_file
from tests.serving import (
    COMMAND,
    EVENT,
    Server,
    children,
    command_of,
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
MOVES = ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6", "b5a4", "g8f6", "e1g1", "f8e7"]


def get(server: Server, path: str) -> str:
    with urllib.request.urlopen(server.address + path, timeout=60) as answer:
        return str(answer.read().decode())


def test_a_site_that_stands_still_delays_no_move(tmp_path: Path) -> None:
    tokens = make_office(tmp_path, 2)

    async def play(server: Server) -> list[float]:
        await open_round(server.hall, 1)
        game, *players = await seated(server, tokens, 1)
        os.kill(server.pid("site"), signal.SIGSTOP)
        with pytest.raises(OSError):
            await asyncio.to_thread(urllib.request.urlopen, server.address + "/en", timeout=1)
        times = []
        for ply, uci in enumerate(MOVES):
            began = time.perf_counter()
            answer = await players[ply % 2].ask(game, type="move", uci=uci, ply=ply)
            times.append(time.perf_counter() - began)
            assert answer["type"] == "done", answer
            update = await players[1 - ply % 2].hear("update")
            assert update["events"][-1]["uci"] == uci
        for player in players:
            await player.close()
        return times

    with serving(tmp_path) as server:
        times = asyncio.run(play(server))
    assert max(times) < 1.0, times


def test_pages_read_what_the_hall_has_written(tmp_path: Path) -> None:
    tokens = make_office(tmp_path, 2)

    async def play(server: Server) -> None:
        await open_round(server.hall, 1)
        game, white, black = await seated(server, tokens, 1)
        address = f"/api/v1/hall/games/{game}"
        for ply, page in enumerate((white, black, white)):
            await page.ask(game, type="move", uci=MOVES[ply], ply=ply)
            seen = json.loads(await asyncio.to_thread(get, server, address))
            assert seen["last"] == MOVES[ply]
        assert "Prova" in await asyncio.to_thread(get, server, f"/en/hall/{EVENT}")
        numbers = await server.hall.numbers()
        assert (numbers.games, numbers.moves, numbers.sockets) == ({"running": 1}, 3, 2)
        assert numbers.process is not None
        assert numbers.process.pid == server.pid("hall")
        for page in (white, black):
            await page.close()

    with serving(tmp_path) as server:
        asyncio.run(play(server))


def test_a_second_server_is_refused_and_told_who_is_there(tmp_path: Path) -> None:
    make_office(tmp_path, 0)
    second = [*COMMAND, "--office", str(tmp_path), "--port", "0", "--lang", "en"]
    with serving(tmp_path) as server:
        refused = subprocess.run(second, capture_output=True, text=True, timeout=120, check=False)
        assert refused.returncode == 1
        assert f"process {server.process.pid} on " in refused.stderr
        assert server.address in refused.stderr
        for part in ("site", "hall"):
            alone = subprocess.run(
                [*second, "--only", part], capture_output=True, text=True, timeout=120, check=False
            )
            assert alone.returncode == 1
        assert "Arrocco" in get(server, "/en")


def test_a_killed_hall_comes_back_and_its_games_stand_still(tmp_path: Path) -> None:
    tokens = make_office(tmp_path, 2)

    async def play(server: Server) -> None:
        await open_round(server.hall, 1)
        game, *players = await seated(server, tokens, 1)
        for ply in range(4):
            await players[ply % 2].ask(game, type="move", uci=MOVES[ply], ply=ply)
        first = server.pid("hall")
        os.kill(first, signal.SIGKILL)
        for player in players:
            await player.open()
            view = (await player.join(game))["view"]
            assert view["phase"] == "paused"
            assert len(view["moves"]) == 4
        assert server.pid("hall") != first
        answer = await players[0].ask(game, type="move", uci=MOVES[4], ply=4)
        assert answer["key"] == "hall.paused"
        assert "paused" in await asyncio.to_thread(get, server, f"/api/v1/hall/games/{game}")
        for player in players:
            await player.close()

    with serving(tmp_path) as server:
        asyncio.run(play(server))


def test_a_killed_site_comes_back_and_no_game_notices(tmp_path: Path) -> None:
    tokens = make_office(tmp_path, 2)

    async def play(server: Server) -> None:
        await open_round(server.hall, 1)
        game, *players = await seated(server, tokens, 1)
        os.kill(server.pid("site"), signal.SIGKILL)
        for ply in range(4):
            answer = await players[ply % 2].ask(game, type="move", uci=MOVES[ply], ply=ply)
            assert answer["type"] == "done"
        assert "Prova" in await asyncio.to_thread(get, server, f"/en/hall/{EVENT}")
        for player in players:
            await player.close()

    with serving(tmp_path) as server:
        asyncio.run(play(server))


def test_a_killed_parent_leaves_nobody_behind_and_the_next_server_starts(tmp_path: Path) -> None:
    make_office(tmp_path, 0)
    with serving(tmp_path) as server:
        processes = [server.pid("site"), server.pid("hall")]
        processes += [below for pid in processes for below in children(pid)]
        assert len(processes) > 2, "the hall has a process that thinks"
        server.process.kill()
        server.process.wait()
        with serving(tmp_path) as following:
            assert "Arrocco" in get(following, "/en")
            asyncio.run(eventually(lambda: not any(is_alive(pid) for pid in processes)))
            assert not [command_of(pid) for pid in processes if is_alive(pid)]


def test_a_clean_stop_ends_all_and_keeps_everything(tmp_path: Path) -> None:
    tokens = make_office(tmp_path, 2)

    async def play(server: Server) -> None:
        await open_round(server.hall, 1)
        game, white, _ = await seated(server, tokens, 1)
        await white.ask(game, type="move", uci="e2e4", ply=0)
        server.process.send_signal(signal.SIGTERM)
        with pytest.raises(ConnectionClosed) as closed:
            await white.hear("nothing")
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1012

    with serving(tmp_path) as server:
        asyncio.run(play(server))
        assert server.process.wait(30) == 0
    reader = SqliteLogReader(hall_file(tmp_path))
    state = fold([decode(line) for line in reader.read(f"game:{EVENT}-1-1")])
    reader.close()
    assert state.ply == 1
    assert state.phase is Phase.RUNNING, "what becomes of it is for the next start"
