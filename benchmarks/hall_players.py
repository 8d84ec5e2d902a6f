"""Those whom `hall_load` sends to the hall: two players at each board, with random legal games.

All games are chosen before anything is measured: players who think would take the processor from
the server they wait for.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections import Counter
from collections.abc import Coroutine
from typing import Any

import chess
import msgspec
from websockets.asyncio.client import ClientConnection, connect

decode = msgspec.json.Decoder().decode


def random_game(rng: random.Random, plies: int) -> list[str]:
    """A game of at most so many half moves; it may be over before."""
    board, moves = chess.Board(), list[str]()
    seen: Counter[tuple[object, ...]] = Counter()
    while len(moves) < plies:
        legal = list(board.legal_moves)
        if not legal or board.halfmove_clock >= 100 or board.is_insufficient_material():
            break
        move = rng.choice(legal)
        board.push(move)
        moves.append(move.uci())
        position = (board.board_fen(), board.turn, board.castling_rights, board.ep_square)
        seen[position] += 1
        if seen[position] == 3:
            break
    return moves


class Table:
    """Two players at a board, and their games of all rounds."""

    def __init__(self, port: int, number: int, games: list[list[str]]) -> None:
        self._port, self._number, self._games = port, number, games
        self._accounts = (2 * number - 1, 2 * number)
        self._pages: list[ClientConnection] = []
        self._readers: list[asyncio.Task[None]] = []
        self._round = self._ply = self._count = 0
        self._game = ""
        self._answers: dict[str, asyncio.Future[float]] = {}
        self.started, self.over = asyncio.Event(), asyncio.Event()
        self.times: list[float] = []
        self.refused: list[str] = []
        self.late: list[float] = []
        self._flag_at = 0.0

    # --- coming and going ----------------------------------------------------------------------

    async def sit_down(self) -> None:
        for account in self._accounts:
            page = await connect(
                f"ws://127.0.0.1:{self._port}/hall/socket",
                additional_headers={"Cookie": f"arrocco_session={account}"},
                compression=None,
                ping_interval=None,
            )
            self._pages.append(page)
            self._readers.append(asyncio.create_task(self._read(page)))

    async def begin(self, round_: int) -> None:
        """Goes to the board of a round, and leaves the one before, as a page does."""
        left, self._game = self._game, f"load-{round_}-{self._number}"
        self._round, self._ply = round_, 0
        self.started.clear()
        self.over.clear()
        for page in self._pages:
            if left:
                await page.send(f'{{"type":"leave","game":"{left}"}}')
            await page.send(f'{{"type":"join","game":"{self._game}"}}')

    async def get_up(self) -> None:
        for page in self._pages:
            await page.close()
        await asyncio.gather(*self._readers, return_exceptions=True)

    # --- playing -------------------------------------------------------------------------------

    def next_move(self) -> Coroutine[Any, Any, None] | None:
        """The player to move plays, where the game goes on."""
        if self.over.is_set() or self._ply == len(self._games[self._round - 1]):
            return None
        return self._move()

    async def _move(self) -> None:
        uci = self._games[self._round - 1][self._ply]
        began, answered = await self._ask({"type": "move", "uci": uci, "ply": self._ply})
        self.times.append(answered - began)
        self._ply += 1

    async def resign(self) -> None:
        """A game that has lasted long enough ends."""
        if not self.over.is_set():
            await self._ask({"type": "resign"})
            await self.over.wait()

    async def _ask(self, wish: dict[str, object]) -> tuple[float, float]:
        """When a wish was sent, and when its answer came."""
        self._count += 1
        name = f"m{self._count}"
        answered: asyncio.Future[float] = asyncio.get_running_loop().create_future()
        self._answers[name] = answered
        message = {"type": "wish", "id": name, "game": self._game, "wish": wish}
        data = msgspec.json.encode(message).decode()
        began = time.perf_counter()
        await self._pages[self._ply % 2].send(data)
        return began, await answered

    # --- hearing -------------------------------------------------------------------------------

    async def _read(self, page: ClientConnection) -> None:
        async for data in page:
            now = time.perf_counter()
            for line in str(data).split("\n"):
                self._take(decode(line), now)

    def _take(self, message: dict[str, Any], now: float) -> None:
        if message["type"] in ("done", "refused"):
            waiting = self._answers.pop(message["id"], None)
            if waiting is not None:
                waiting.set_result(now)
            if message["type"] == "refused":
                self.refused.append(message["key"])
        elif message["type"] == "view" and message["game"] == self._game:
            view = message["view"]
            if view["phase"] == "running":
                if not self.started.is_set():
                    self._flag_at = now + view["clock"]["white"] / 1000
                self.started.set()
            elif view["phase"] == "ended" and not self.over.is_set():
                self.over.set()
                if view["result"]["reason"] == "time":
                    self.late.append(now - self._flag_at)


class Wall:
    """The chief arbiter, who looks at all boards of the event."""

    def __init__(self, port: int, account: str) -> None:
        self._port, self._account = port, account
        self._page: ClientConnection | None = None
        self._reader: asyncio.Task[None] | None = None
        self.boards = self.bytes = 0
        """What was shown so far."""

    async def look(self) -> None:
        self._page = await connect(
            f"ws://127.0.0.1:{self._port}/hall/socket",
            additional_headers={"Cookie": f"arrocco_session={self._account}"},
            compression=None,
            ping_interval=None,
            max_size=None,
        )
        await self._page.send('{"type":"wall","event":"load"}')
        self._reader = asyncio.create_task(self._read(self._page))

    async def look_away(self) -> None:
        if self._page is not None and self._reader is not None:
            await self._page.close()
            await asyncio.gather(self._reader, return_exceptions=True)

    async def _read(self, page: ClientConnection) -> None:
        async for data in page:
            self.bytes += len(data)
            self.boards += str(data).count('"fen":')
