"""A hall under load that somebody will kill: boards that play, offer, call and are paused.

Usage: hall_child.py FOLDER SEED. Every answer that says something was done is printed, after it was
acknowledged and before anything else is asked: what stands on standard output must be in the logs.
"""

from __future__ import annotations

import asyncio
import random
import sys
from pathlib import Path

from msgspec.json import encode

from arrocco.hall.event.acts.pairing import PairByHand
from arrocco.hall.event.acts.rounds import OpenRound
from arrocco.hall.game import Command, Phase
from arrocco.hall.game import commands as c
from arrocco.hall.game.acts.clock_time import AddTime
from arrocco.hall.game.acts.pause import Pause, Resume
from arrocco.laws.online.side import Side
from arrocco.live.analysis import Thinking
from arrocco.live.hall import Hall
from arrocco.live.receipts import Receipt
from arrocco.live.room import Room
from arrocco.live.sqlite_log import SqliteLog
from tests.live import stage

BOARDS = 20


def some_wish(room: Room, rng: random.Random) -> Command:
    """Something that a player or the arbiter could ask of a game as it stands."""
    state = room.state
    player = state.seat(rng.choice(list(Side))).player.id
    kind = rng.random()
    if state.phase is Phase.PAUSED:
        return Resume(by=stage.CHIEF, reason="go on")
    if kind < 0.05:
        return c.OfferDraw(by=player)
    if kind < 0.08:
        return c.CallArbiter(by=player, text="?")
    if kind < 0.11:
        return Pause(by=stage.CHIEF, reason="a moment")
    if kind < 0.14:
        return AddTime(by=stage.CHIEF, reason="noise", side=Side.WHITE, time=1000)
    if kind < 0.16 and state.ply > 10:
        return c.Resign(by=player)
    move = rng.choice(list(state.board.legal_moves))
    return c.Move(by=state.seat(state.turn).player.id, uci=move.uci(), ply=state.ply)


async def play(room: Room, rng: random.Random) -> None:
    """Asks for one thing after the other and prints what was acknowledged."""
    for side in Side:
        await room.answer(c.Connect(by=room.state.seat(side).player.id))
    asked = 0
    while True:
        if room.state.phase is Phase.ENDED or not any(room.state.board.legal_moves):
            return
        wish = some_wish(room, rng)
        asked += 1
        receipt = Receipt("child", str(asked))
        answer = await room.answer(wish, receipt=receipt)
        if answer.refusal is None:
            written = room.state.number
            line = [room.id, written, asked, type(wish).__name__]
            print(encode(line).decode(), flush=True)
        await asyncio.sleep(0)


async def play_all(folder: Path, seed: int) -> None:
    hall = Hall(SqliteLog(folder / "hall.sqlite"), Thinking(stage.by_material))
    on_stage = stage.Stage.__new__(stage.Stage)
    on_stage.hall = hall
    event = await stage.event(on_stage, players=2 * BOARDS)
    boards = tuple((n, n + 1) for n in range(1, 2 * BOARDS, 2))
    await event.ask(PairByHand(by=stage.CHIEF, boards=boards, reason="by hand"))
    print('"ready"', flush=True)
    await event.ask(OpenRound(by=stage.CHIEF))
    for room in hall.rooms.values():
        await room.answer(c.Start(by=""))
    rng = random.Random(seed)
    await asyncio.gather(
        *(play(room, random.Random(rng.random())) for room in tuple(hall.rooms.values()))
    )


def main(arguments: list[str]) -> None:
    folder, seed = arguments
    asyncio.run(play_all(Path(folder), int(seed)))


if __name__ == "__main__":
    main(sys.argv[1:])
