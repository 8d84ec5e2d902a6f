"""How many positions the analyser settles, how long it takes, and that no verdict is wrong.

``python -m benchmarks.unwinnable FILE`` reads other positions than the committed ones: on each line
two characters for who can mate (``WB``, ``W-``, ``-B`` or ``--``), a space and a FEN.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from time import process_time

import chess

from arrocco.hall.unwinnable.analysis import analyse
from arrocco.hall.unwinnable.position import from_board

POSITIONS = Path(__file__).parents[1] / "tests" / "cases" / "unwinnable.txt"
MAX_MS = 50
"""A verdict may take so long."""


def questions(path: Path) -> Iterator[tuple[chess.Board, chess.Color, bool]]:
    """Every position of a file, asked for both sides, with the right answer."""
    for line in path.read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            board = chess.Board(line[3:])
            yield board, chess.WHITE, line[0] == "W"
            yield board, chess.BLACK, line[1] == "B"


def run(path: Path = POSITIONS) -> list[tuple[str, str]]:
    """What was measured, and the figures."""
    times: list[float] = []
    settled = wrong = late = 0
    for board, side, expected in questions(path):
        started = process_time()
        verdict = analyse(from_board(board, side)).can_mate
        times.append(1000 * (process_time() - started))
        if verdict is not None:
            settled += times[-1] <= MAX_MS
            late += times[-1] > MAX_MS
            wrong += verdict is not expected
    times.sort()
    return [
        ("questions", f"{len(times):,}"),
        (f"settled within {MAX_MS} ms (at least 95 %)", f"{100 * settled / len(times):.1f} %"),
        ("settled later", f"{late}"),
        ("wrong (must be 0)", f"{wrong}"),
        ("p50", f"{times[len(times) // 2]:.2f} ms"),
        ("p99", f"{times[len(times) * 99 // 100]:.1f} ms"),
        ("max", f"{times[-1]:.1f} ms"),
    ]


if __name__ == "__main__":
    for what, figure in run(*map(Path, sys.argv[1:2])):
        print(f"{what:<36}{figure}")
