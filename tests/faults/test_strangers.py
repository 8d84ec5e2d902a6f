"""Two things strangers could stop: the moves, by forms, and the pages, by uploads."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

import pytest

from tests.faults.attacked_boards import Board
from tests.faults.served_hall import Page, Server, make_office, serving
from tests.faults.test_attacks import QUIET, Phase, percentile, phase

SECONDS, PACE = 5.0, 0.1
MAX_SLOWER = 400.0
"""Milliseconds that the slowest tenth of the moves may take longer than in quiet."""
MAX_PAGE_SLOWER = 4.0
"""Seconds that a page may take longer than the slowest one in quiet."""


async def load_pages(server: Server) -> list[float]:
    """How long a page takes, again and again."""
    took: list[float] = []
    until = time.monotonic() + SECONDS
    while time.monotonic() < until:
        began = time.monotonic()
        answer = await asyncio.to_thread(server.get, "/en/law")
        took.append(time.monotonic() - began)
        assert answer.status == 200
        await asyncio.sleep(0.1)
    return took


async def attack(
    server: Server, tokens: list[str], kind: str
) -> tuple[Phase, Phase, list[float], list[float]]:
    """Moves in quiet and under an attack, and pages in quiet and under the same attack."""
    board = Board(1)
    await board.sit_down(server, tokens)
    chief = await Page.open(server, tokens[0])
    assert (await chief.ask(board.game, "start"))["type"] == "done"
    await board.begin()
    quiet, pages = await asyncio.gather(
        phase(QUIET, server, [board], SECONDS, PACE), load_pages(server)
    )
    attacked, slower_pages = await asyncio.gather(
        phase(kind, server, [board], SECONDS, PACE), load_pages(server)
    )
    await chief.close()
    await board.get_up()
    return quiet, attacked, pages, slower_pages


@pytest.mark.parametrize("kind", ["forms", pytest.param("uploads", marks=pytest.mark.soak)])
def test_neither_moves_nor_pages_wait_for_strangers(tmp_path: Path, kind: str) -> None:
    tokens = make_office(tmp_path / "office", 1, "7200+0")
    with serving(tmp_path / "office", tmp_path / "log") as server:
        quiet, attacked, pages, slower_pages = asyncio.run(attack(server, tokens, kind))
    print(quiet, attacked, max(pages), max(slower_pages), sep="\n")
    assert sum(attacked.attack.values()) > 0
    assert "TimeoutError" not in attacked.attack, "whoever sends a file is answered in 20 seconds"
    slower = percentile(attacked.took, 0.9) - percentile(quiet.took, 0.9)
    assert slower < MAX_SLOWER, f"moves take {slower:.0f} ms longer"
    assert max(slower_pages) < max(pages) + MAX_PAGE_SLOWER
