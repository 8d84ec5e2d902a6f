"""Boards that are played over real sockets, and what each move took and cost."""

from __future__ import annotations

import asyncio
import random
import time
from dataclasses import dataclass, field
from typing import Any

from benchmarks.hall_players import random_game

from arrocco.hall.game import events as e
from tests.faults.served_hall import Page, Server, game_of

PLIES = 400


@dataclass
class Move:
    """A move as its player saw it; seconds of the player's own watch."""

    ply: int
    used: float
    took: float
    """From sending it until it was acknowledged."""


@dataclass
class Board:
    """Two players who take turns at a steady pace."""

    number: int
    moves: list[Move] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.game = game_of(self.number)
        rng = random.Random(self.number)
        self.planned = random_game(rng, PLIES)
        while len(self.planned) < PLIES // 2:
            self.planned = random_game(rng, PLIES)
        self._pages: list[Page] = []
        self._shown = 0.0
        self._pause = random.Random(self.number)

    async def sit_down(self, server: Server, tokens: list[str]) -> None:
        for side in (0, 1):
            page = await Page.open(server, tokens[2 * self.number - 1 + side])
            await page.join(self.game)
            self._pages.append(page)

    async def begin(self) -> None:
        """Waits until the game runs."""
        while (await self._pages[0].view())["phase"] != "running":
            pass
        self._shown = time.monotonic()

    async def play(self, pace: float, until: float) -> list[Move]:
        """Moves about every `pace` seconds; gives the moves of this time."""
        made: list[Move] = []
        await asyncio.sleep(self._pause.uniform(0, pace))
        while time.monotonic() < until and len(self.moves) < len(self.planned):
            move = await self._move()
            if move is None:
                break
            made.append(move)
            await asyncio.sleep(pace * self._pause.uniform(0.5, 1.5))
        return made

    async def _move(self) -> Move | None:
        """The next move; `None` where the position was dead and the game is over (2.2d)."""
        ply = len(self.moves)
        page, opponent = self._pages[ply % 2], self._pages[(ply + 1) % 2]
        began = time.monotonic()
        used = began - self._shown
        answer = await page.ask(self.game, "move", uci=self.planned[ply], ply=ply)
        took = time.monotonic() - began
        if answer.get("key") == "hall.game_over":
            self.planned = self.planned[:ply]
            return None
        if answer["type"] != "done":
            self.refused.append(answer["key"])
            raise AssertionError(f"{self.game}: {answer}")
        # The opponent's time begins when they see the move.
        while not _shows(await opponent.hear(), ply):
            pass
        self._shown = time.monotonic()
        move = Move(ply, used, took)
        self.moves.append(move)
        return move

    async def get_up(self) -> None:
        for page in self._pages:
            await page.close()

    def overcharged(self, log: list[e.Event]) -> list[tuple[int, float]]:
        """By the log: the ply of each move, and by how many ms it cost more than was used.

        A clock that the server held counts from where it was let go: then it is less.
        """
        spent = {event.ply: event.spent for event in log if isinstance(event, e.Moved)}
        return [(move.ply, spent[move.ply] - 1000 * move.used) for move in self.moves]


def _shows(message: dict[str, Any], ply: int) -> bool:
    if message["type"] == "update":
        return any(one["type"] == "moved" and one["ply"] == ply for one in message["events"])
    return message["type"] == "view" and len(message["view"]["moves"]) > ply
