"""Whether players notice the video: the time of a move without it, and with all of them supervised.

The program itself, `arrocco serve` with all its processes, on loopback. At every board moves are
made at blitz pace: alone, with every player in the video conference, and alone again. Each sends
what a page sends (`video_senders`): camera with microphone and screen, over segments or Janus, a
still every other second and what the browser measures; an arbiter follows all and watches one.
Everything shares the machine. Who sends stands behind what is measured, since every player has a
machine of their own; ``--first`` is for a machine that others use: server and boards go before all
other programs. With ``--browser`` Chromium encodes for all players meanwhile.

``python -m benchmarks.hall_video --players 10 60 150 --seconds 30 --engine segments janus``
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import NamedTuple

import msgspec
from tests.serving import (
    EVENT,
    Page,
    Server,
    children,
    command_of,
    make_office,
    open_round,
    seated,
    serving,
)

from arrocco.hall.event.acts.consent import WORDS, ConsentToVideo
from arrocco.hall.event.rules import Supervision
from arrocco.video.janus import is_installed
from arrocco.video.recordings import FOLDER
from arrocco.video.settings import ENGINE, LISTEN_AT, EngineName
from benchmarks.hall_load import _going_first, _machine, figures, shown
from benchmarks.hall_players import random_game
from benchmarks.rtp_senders import is_possible
from benchmarks.video_senders import Task

PLAYERS, SECONDS = (10, 60, 150), 20.0
MOVE_EVERY = 2.0
"""Seconds between two moves of one board: blitz."""
SETTLE = 5.0
"""Seconds for the first slices, which are shorter."""
PARTS = ("site", "hall", "video", "janus")


class Boards:
    """Two players at each board, with a random game."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self.times: list[float] = []
        self.refused = 0

    async def play(self, game: str, pages: tuple[Page, Page], moves: list[str]) -> None:
        """Plays on until the time is over."""
        await asyncio.sleep(self._rng.random() * MOVE_EVERY)
        due = time.perf_counter()
        for ply, uci in enumerate(moves):
            began = time.perf_counter()
            answer = await pages[ply % 2].ask(game, type="move", uci=uci, ply=ply)
            self.times.append(time.perf_counter() - began)
            if answer["type"] != "done":
                self.refused += 1
                return
            due += MOVE_EVERY
            await asyncio.sleep(max(0, due - time.perf_counter()))


# --- what it costs --------------------------------------------------------------------------------


class Cost(NamedTuple):
    """So far: processor seconds of each part, its memory in megabytes, bytes kept and sent."""

    at: float
    processor: dict[str, float]
    memory: dict[str, float]
    kept: int
    sent: int
    senders: float = 0.0
    """Processor seconds of those who send."""


async def cost_of(server: Server, senders: asyncio.subprocess.Process | None) -> Cost:
    processor, memory = dict[str, float](), dict[str, float]()
    ticks, page = os.sysconf("SC_CLK_TCK"), os.sysconf("SC_PAGE_SIZE")
    direct = children(server.process.pid)
    sending = 0.0 if senders is None else sum(map(_processor, [senders.pid, *below(senders.pid)]))
    for pid in (*direct, *(below for one in direct for below in children(one))):
        command = command_of(pid)
        part = next((one for one in PARTS if f"{one}_process" in command), "")
        part = part or ("janus" if Path(command.partition("\0")[0]).name == "janus" else "")
        with suppress(OSError):
            fields = Path(f"/proc/{pid}/stat").read_text("ascii").rsplit(")", 1)[1].split()
            if part:
                processor[part] = (int(fields[11]) + int(fields[12])) / ticks
                memory[part] = int(fields[21]) * page / 1e6
    kept = sum(path.stat().st_size for path in (server.folder / FOLDER).rglob("*"))
    sent = 0
    if senders is not None and senders.stdin is not None and senders.stdout is not None:
        senders.stdin.write(b"how much\n")
        sent = int(await senders.stdout.readline())
    return Cost(time.perf_counter(), processor, memory, kept, sent, sending)


def below(pid: int) -> list[int]:
    """All processes that a process has started, directly or not."""
    return [one for child in children(pid) for one in (child, *below(child))]


def _processor(pid: int) -> float:
    with suppress(OSError):
        fields = Path(f"/proc/{pid}/stat").read_text("ascii").rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return 0.0


@asynccontextmanager
async def sending(task: Task) -> AsyncIterator[asyncio.subprocess.Process]:
    """All players in the video conference, until the block is over."""
    command = (sys.executable, "-m", "benchmarks.video_senders")
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=pipe)
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        process.stdin.write(msgspec.json.encode(task) + b"\n")
        assert await process.stdout.readline() == b"joined\n", "the players could not join"
        yield process
        process.stdin.close()
        await process.wait()
    finally:
        with suppress(ProcessLookupError):
            process.kill()


class Played(NamedTuple):
    """What was measured of one round."""

    boards: Boards
    before: Cost
    after: Cost


async def alone(players: int, seconds: float) -> list[float]:
    """The times of moves without any video."""
    with tempfile.TemporaryDirectory(prefix="hall-video-") as scratch:
        folder = Path(scratch) / "office"
        tokens = make_office(folder, players)
        with serving(folder) as server:
            await open_round(server.hall, players // 2, "3600+0", supervision=Supervision.NONE)
            return (await _round(server, tokens, seconds, None)).boards.times


async def watched(
    players: int, seconds: float, engine: str, *, by_browser: bool, first: bool
) -> Played:
    """A round whose players are all in the video conference."""
    with tempfile.TemporaryDirectory(prefix="hall-video-") as scratch:
        folder = Path(scratch) / "office"
        tokens = make_office(folder, players)
        os.environ |= {ENGINE: engine, LISTEN_AT: "127.0.0.1"}
        with serving(folder) as server:
            await open_round(server.hall, players // 2, "3600+0", supervision=Supervision.FULL)
            for number in range(2, players + 2):
                consent = ConsentToVideo(by=str(number), words=WORDS)
                assert not (await server.hall.ask(EVENT, consent)).objections
            task = Task(
                address=server.address,
                tokens=tokens[: players + 1],
                engine=engine,
                by_browser=by_browser,
                first=first,
            )
            async with sending(task) as senders:
                await asyncio.sleep(SETTLE)
                return await _round(server, tokens, seconds, senders)


async def _round(
    server: Server,
    tokens: list[str],
    seconds: float,
    senders: asyncio.subprocess.Process | None,
) -> Played:
    rng, count = random.Random(len(tokens)), (len(tokens) - 1) // 2
    tables = [await seated(server, tokens, board) for board in range(1, count + 1)]
    played, games = Boards(rng), [random_game(rng, int(seconds / MOVE_EVERY)) for _ in tables]
    before = await cost_of(server, senders)
    await asyncio.gather(
        *(
            played.play(game, (white, black), moves)
            for (game, white, black), moves in zip(tables, games, strict=True)
        )
    )
    after = await cost_of(server, senders)
    for _, white, black in tables:
        await white.close()
        await black.close()
    return Played(played, before, after)


async def measure(
    players: int, seconds: float, engine: str, *, by_browser: bool, goes_first: bool
) -> list[tuple[str, str]]:
    """The rows of one size: moves alone, with video, and alone again."""
    first = await alone(players, seconds)
    played = await watched(players, seconds, engine, by_browser=by_browser, first=goes_first)
    again = await alone(players, seconds)
    before, after = played.before, played.after
    took, times = after.at - before.at, played.boards.times
    used = {part: after.processor[part] - before.processor.get(part, 0) for part in after.processor}
    each = 1000 * (used.get("video", 0) + used.get("janus", 0)) / took / players
    ratio = figures(times)[1] / max(figures(first)[1], figures(again)[1])
    sent, kept = (after.sent - before.sent, after.kept - before.kept)
    name = f"{players} players, {players // 2} boards, {engine}"
    return [
        (f"{name}: move alone", shown(first)),
        (f"{name}: move with video", f"{shown(times)}, {played.boards.refused} refused"),
        (f"{name}: move alone again", shown(again)),
        (f"{name}: p99 with video by the slower one alone (at most 2)", f"{ratio:.2f} times"),
        (f"{name}: processor", ", ".join(f"{p} {100 * s / took:.1f} %" for p, s in used.items())),
        (f"{name}: who sends", f"{100 * (after.senders - before.senders) / took:.0f} % of a core"),
        (f"{name}: video for a player", f"{each:.2f} ms of processor a second"),
        (f"{name}: memory", ", ".join(f"{p} {m:.0f} MB" for p, m in after.memory.items())),
        (f"{name}: sent by a player", f"{8 * sent / took / players / 1000:.0f} kbit/s"),
        (f"{name}: kept on the disk", f"{kept / took / players / 1000:.1f} kB/s for a player"),
    ]


def run(
    sizes: tuple[int, ...] = PLAYERS,
    seconds: float = SECONDS,
    engines: tuple[str, ...] = (EngineName.SEGMENTS,),
    *,
    first: bool = False,
    by_browser: bool = False,
) -> list[tuple[str, str]]:
    """What was measured, and the figures."""
    with _going_first(first) as goes_first:
        rows = [("the machine", _machine(goes_first))]
        for players in sizes:
            for engine in engines:
                if engine == EngineName.JANUS and not (is_installed() and is_possible()):
                    rows.append(("over Janus", "not measured: needs Debian's package janus"))
                    continue
                measured = measure(
                    players, seconds, engine, by_browser=by_browser, goes_first=bool(goes_first)
                )
                rows += asyncio.run(measured)
        rows.append(("the machine, at the end", _machine(goes_first)))
    return rows


def main() -> None:
    """Prints the figures of the sizes asked for."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--players", type=int, nargs="+", default=list(PLAYERS))
    asked.add_argument("--seconds", type=float, default=SECONDS)
    asked.add_argument("--engine", nargs="+", choices=list(EngineName), default=["segments"])
    asked.add_argument("--first", action="store_true", help="real-time priority, where allowed")
    asked.add_argument("--browser", action="store_true", help="Chromium encodes for all players")
    options = asked.parse_args()
    for players in options.players:  # each as soon as it is known: the largest takes minutes
        for engine in options.engine:
            rows = run(
                (players,),
                options.seconds,
                (engine,),
                first=options.first,
                by_browser=options.browser,
            )
            for what, figure in rows:
                print(f"{what}: {figure}", flush=True)


if __name__ == "__main__":
    main()
