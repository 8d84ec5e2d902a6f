"""The program itself while its video fails: players play on, and nobody is blamed."""

from __future__ import annotations

import asyncio
import json
import os
import signal
from typing import Any

import msgspec

from arrocco.hall.game import State, fold
from arrocco.hall.game.log import decode
from arrocco.live.log_reader import SqliteLogReader
from arrocco.store.hall_file import hall_file
from arrocco.video.stream import SLICE
from tests.serving import Page, seated
from tests.video.slices import slices
from tests.video.test_video_process import (
    BLACK,
    GAME,
    WHITE,
    Here,
    Player,
    hear,
    here,
    play,
)

__all__ = ["here"]


def game(here: Here) -> State:
    logs = SqliteLogReader(hall_file(here.server.folder))
    try:
        return fold([decode(line) for line in logs.read(f"game:{GAME}")])
    finally:
        logs.close()


async def moves(page: Page, uci: str, ply: int) -> None:
    """Once the hall has heard that the player is there."""
    async with asyncio.timeout(90):
        while True:
            answer: dict[str, Any] = await page.ask(GAME, type="move", uci=uci, ply=ply)
            if answer["type"] == "done":
                return
            await asyncio.sleep(0.1)


def test_slices_that_are_refused_are_told_and_a_killed_video_stops_no_move(here: Here) -> None:
    async def scene() -> None:
        async with here.page(WHITE) as one, here.page(BLACK) as two:
            white, black = Player(one), Player(two)
            for player in (white, black):
                await player.join()
                await player.send(0)
                await player.send(1)
            sending = [asyncio.create_task(player.send_on()) for player in (white, black)]
            _, at_white, at_black = await seated(here.server, here.tokens, 1)
            await moves(at_white, "e2e4", 0)

            own = white.senders["camera"]
            for change, data, key in (
                ({"recording": black.senders["camera"].recording}, b"x", "video.not_yours"),
                ({"number": 0}, b"x", "video.replayed"),
                ({"number": own.number + 50}, b"x", "video.out_of_order"),
                ({"hash": "0" * 64}, b"x", "video.hash_differs"),
                ({"number": own.number + 50}, bytes(512 * 1024 + 1), "video.too_large"),
            ):
                await one.send(_slice(white, change, data))
                refused = await hear(one, "refused")
                assert (refused["key"], bool(refused["text"])) == (key, True)
            await moves(at_black, "e7e5", 1)

            killed = here.server.pid("video")
            os.kill(killed, signal.SIGKILL)
            for task in sending:
                task.cancel()
            await asyncio.gather(*sending, return_exceptions=True)
            answer = await at_white.ask(GAME, type="move", uci="g1f3", ply=2)
            assert answer["type"] == "done"
            async with asyncio.timeout(90):  # the log says that nobody was watched meanwhile
                while game(here).is_supervised:
                    await asyncio.sleep(0.1)
            answer = await at_black.ask(GAME, type="move", uci="b8c6", ply=3)
            assert answer["type"] == "done"
            state = game(here)
            assert not state.acts
            assert not state.white.vcs.gaps
            assert not state.black.vcs.gaps
            for page in (at_white, at_black):
                await page.close()

    play(scene)


def _slice(player: Player, change: dict[str, Any], data: bytes) -> bytes:
    """The next slice of the camera, with something wrong; the one that is due stays due."""
    sender = player.senders["camera"]
    before, number = sender.before, sender.number
    header, _ = sender.next(slices("camera")[1])
    sender.before, sender.number = before, number
    text = msgspec.json.encode({**json.loads(header), **change})
    return SLICE + len(text).to_bytes(2, "big") + text + data
