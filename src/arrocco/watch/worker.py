"""A worker: takes games from the queue, has an engine look at their positions, writes as it goes.

It can be stopped or killed at any moment: the next one goes on behind what was written.
"""

from __future__ import annotations

import hashlib
import logging
import secrets
import time
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from threading import Event

import chess
import chess.engine
import msgspec

from arrocco.fairplay.decisions import FIRST_PLY
from arrocco.fairplay.engine import Analyser, EngineFailed
from arrocco.fairplay.records import EngineSetting, PositionAnalysis
from arrocco.live.log_reader import LogReader
from arrocco.store.sql import watched_games
from arrocco.store.sql.database import Database
from arrocco.store.sql.watched_games import QueuedGame
from arrocco.watch.games import game_state

log = logging.getLogger("arrocco.watch")

HELD_FOR = timedelta(seconds=90)
"""A game belongs to a worker that has written this lately; a position takes far less."""
SAVE_POSITIONS, SAVE_SECONDS = 16, 10.0
_POSITIONS = msgspec.json.Decoder(tuple[PositionAnalysis, ...])

Now = Callable[[], datetime]


def digest_of(moves: Sequence[str]) -> str:
    """Of the moves that positions were analysed behind: a move taken back makes another."""
    return hashlib.sha256(" ".join(moves).encode("ascii")).hexdigest()


def read_positions(text: str) -> tuple[PositionAnalysis, ...]:
    return _POSITIONS.decode(text)


def write_positions(positions: Sequence[PositionAnalysis]) -> str:
    return msgspec.json.encode(positions).decode()


def write_setting(setting: EngineSetting) -> str:
    return msgspec.json.encode(setting).decode()


class Worker:
    """One engine at work on the queue."""

    def __init__(
        self, database: Database, logs: LogReader, engine: str, now: Now, stop: Event | None = None
    ) -> None:
        self._database, self._logs, self._engine, self._now = database, logs, engine, now
        self._stop = stop or Event()
        self._name = secrets.token_hex(8)
        self._analysers: dict[int, Analyser] = {}

    def close(self) -> None:
        for analyser in self._analysers.values():
            analyser.close()
        self._analysers.clear()

    def work(self) -> bool:
        """Takes one game and analyses what waits of it; false where nothing waits.

        Raises `EngineFailed` where the engine does not start; the game is free again then.
        """
        now = self._now()
        with self._database.writing() as connection:
            queued = watched_games.take(connection, self._name, now, now + HELD_FOR)
        if queued is None:
            return False
        try:
            analyser = self._analyser(queued.nodes)
        except EngineFailed:
            with self._database.writing() as connection:  # nobody has to wait for this worker
                watched_games.save(connection, queued, self._name, None)
            raise
        try:
            self._analyse(queued, analyser)
        except (chess.engine.EngineError, TimeoutError) as error:
            # It has died, or says nothing any more: another one starts with the next game.
            log.warning("the engine failed at game %s: %s", queued.game, error or "no answer")
            self.close()
            self._stop.wait(1)
        return True

    def _analyse(self, queued: QueuedGame, analyser: Analyser) -> None:
        state = game_state(self._logs, queued.game)
        moves = () if state is None else tuple(moved.uci for moved in state.moves)
        # What was taken back since it was queued is not there to be analysed.
        plies = min(queued.plies, len(moves))
        if plies < queued.plies:
            with self._database.writing() as connection:
                watched_games.shorten(connection, queued, plies)
        setting = write_setting(analyser.setting)
        positions: list[PositionAnalysis] = []
        done = 0
        is_same = queued.setting == setting and queued.digest == digest_of(moves[: queued.done])
        if is_same and queued.done <= plies:
            positions, done = list(read_positions(queued.positions)), queued.done
        board = chess.Board()
        saved = time.monotonic()
        for ply, uci in enumerate(moves[:plies]):
            move = chess.Move.from_uci(uci)
            if ply >= max(done, FIRST_PLY):
                if self._stop.is_set():
                    break
                positions.append(analyser.position(board, move))
                done = ply + 1
                is_due = time.monotonic() - saved > SAVE_SECONDS
                if len(positions) % SAVE_POSITIONS == 0 or is_due:
                    saved = time.monotonic()
                    if not self._save(queued, moves, done, positions, setting, still=True):
                        return  # another worker has it: this one was away too long
            board.push(move)
        else:
            done = plies
        self._save(queued, moves, done, positions, setting, still=False)

    def _save(
        self,
        queued: QueuedGame,
        moves: Sequence[str],
        done: int,
        positions: Sequence[PositionAnalysis],
        setting: str,
        *,
        still: bool,
    ) -> bool:
        written = QueuedGame(
            game=queued.game,
            nodes=queued.nodes,
            event=queued.event,
            plies=queued.plies,
            is_over=queued.is_over,
            done=done,
            digest=digest_of(moves[:done]),
            setting=setting,
            positions=write_positions(positions),
        )
        until = self._now() + HELD_FOR if still else None
        with self._database.writing() as connection:
            return watched_games.save(connection, written, self._name, until)

    def _analyser(self, nodes: int) -> Analyser:
        if nodes not in self._analysers:
            self.close()  # one engine at a time
            self._analysers[nodes] = Analyser(nodes, path=self._engine)
        return self._analysers[nodes]
