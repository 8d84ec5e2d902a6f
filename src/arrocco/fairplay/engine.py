"""Stockfish over UCI: the same nodes, the same engine, the same answer.

One thread, a fixed number of nodes and a new game for each position: nothing is left of the
positions before, so that a figure can be computed again to the byte.
"""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Iterator
from concurrent.futures import CancelledError
from contextlib import suppress
from pathlib import Path
from threading import Timer
from types import TracebackType
from typing import Any

import chess
import chess.engine

from arrocco.errors import Refusal
from arrocco.fairplay.records import (
    EngineSetting,
    GameAnalysis,
    Line,
    PositionAnalysis,
    WatchedGame,
)
from arrocco.priority import BESIDE_PLAY, step_back_to

PROGRAM = "stockfish"
PLACES = ("/usr/games/stockfish", "/usr/bin/stockfish")
"""Where Debian puts it; its folder of games is often not searched."""
LINES = 3
HASH_MB = 16
_MODEL = "sf15.1"
"""How scores become results: the table of the engine's own games at this version."""
MAX_SECONDS, SLOWEST = 120.0, 10_000
"""Seconds that an engine has for a position, and one more for so many nodes; then it has hung."""
_ENDS_WITHIN = 2.0
START_SECONDS = 60.0
"""An engine on a busy machine, at the lowest priority, may take its time to start."""


class NoEngine(Refusal):
    """There is no engine: games are not watched, and this is said."""

    http_status = 503


class EngineFailed(Refusal):
    """There is an engine, and it does not start."""

    http_status = 503


def find_engine() -> str:
    """The path of the engine. Raises `NoEngine`."""
    path = shutil.which(PROGRAM) or next((p for p in PLACES if Path(p).exists()), None)
    if path is None:
        raise NoEngine.of("fairplay.no_engine")
    return path


class _Uci(chess.engine.UciProtocol):
    """An engine that is ended if it does not start: the library would leave it there."""

    async def initialize(self) -> None:
        try:
            await super().initialize()
        except BaseException:
            with suppress(ProcessLookupError):
                if self.transport is not None:
                    self.transport.kill()
            await asyncio.wait([self.returncode], timeout=_ENDS_WITHIN)
            raise


class Analyser:
    """An engine at work, for one process; a context manager."""

    def __init__(self, nodes: int, *, path: str = "", lines: int = LINES) -> None:
        """Starts it. Raises `NoEngine`, `EngineFailed`."""
        self.nodes, self.lines = nodes, lines
        program = path or find_engine()
        try:
            self._engine = chess.engine.SimpleEngine.popen(_Uci, program, timeout=START_SECONDS)
        except (OSError, chess.engine.EngineError, TimeoutError) as error:
            reason = str(error) or type(error).__name__
            raise EngineFailed.of("fairplay.engine_failed", engine=program, reason=reason) from None
        self._engine.timeout = MAX_SECONDS
        # Also for who computes a baseline beside a hall: no clock waits for an engine.
        step_back_to(self._engine.transport.get_pid(), BESIDE_PLAY)
        try:
            self._engine.configure({"Threads": 1, "Hash": HASH_MB})
        except (chess.engine.EngineError, TimeoutError) as error:
            self.close()
            reason = str(error) or type(error).__name__
            raise EngineFailed.of("fairplay.engine_failed", engine=program, reason=reason) from None
        self.setting = EngineSetting(
            engine=str(self._engine.id.get("name", "?")), nodes=nodes, lines=lines, hash_mb=HASH_MB
        )

    def __enter__(self) -> Analyser:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Ends the engine."""
        self._engine.close()

    def _kill(self) -> None:
        with suppress(ProcessLookupError):
            self._engine.transport.kill()

    def game(self, game: WatchedGame, *, first_ply: int = 0) -> GameAnalysis:
        """Analyses the positions of a game from a ply on."""
        return GameAnalysis(
            game=game, setting=self.setting, positions=tuple(self.positions(game, first_ply))
        )

    def positions(self, game: WatchedGame, first_ply: int = 0) -> Iterator[PositionAnalysis]:
        """The positions of a game as they are analysed, one by one, so that one can stop."""
        board = chess.Board()
        for ply, uci in enumerate(game.moves):
            move = chess.Move.from_uci(uci)
            if ply >= first_ply:
                yield self.position(board, move)
            board.push(move)

    def position(self, board: chess.Board, played: chess.Move) -> PositionAnalysis:
        """The best moves of a position and what the one played is worth beside them."""
        lines = self._search(board)
        worth = next((line for line in lines if line.move == played.uci()), None)
        if worth is None:  # the same question about this move alone
            (worth,) = self._search(board, only=played)
        return PositionAnalysis(
            ply=board.ply(), legal=board.legal_moves.count(), lines=lines, played=worth
        )

    def _search(self, board: chess.Board, only: chess.Move | None = None) -> tuple[Line, ...]:
        # Where nodes are the limit the library waits for ever: one that has hung is ended.
        watchdog = Timer(MAX_SECONDS + self.nodes / SLOWEST, self._kill)
        watchdog.daemon = True
        watchdog.start()
        try:
            infos: Any = self._engine.analyse(
                # The moves before are not told: repetitions and the 50 moves are not the question.
                chess.Board(board.fen()),
                chess.engine.Limit(nodes=self.nodes),
                multipv=self.lines if only is None else 1,
                root_moves=None if only is None else [only],
                game=object(),
            )
        except CancelledError:  # what the library was waiting for went with its engine
            raise chess.engine.EngineTerminatedError("it ended") from None
        finally:
            watchdog.cancel()
        # Nodes may run out in the middle of a depth, of which some lines tell and others do not.
        lines = [_line(info, board) for info in infos if info.get("pv")]
        return tuple(sorted(lines, key=lambda line: -line.expected))


def _line(info: Any, board: chess.Board) -> Line:
    wdl = info["score"].wdl(model=_MODEL, ply=board.ply()).pov(board.turn)
    return Line(info["pv"][0].uci(), wdl.wins + wdl.draws // 2)
