"""While the server is restarted a board comes back by itself, and nobody reloads anything."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable
from functools import partial

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import BUILT, NewTab, Served
from tests.browser.hall_stage import Program, Signed, hall_office, program, signed
from tests.browser.test_hall_game import drag, shows
from tests.browser.test_hall_player import GAME, come, round_of_one_board, turn

__all__ = ["hall_office", "program", "signed"]

pytestmark = pytest.mark.skipif(
    not (BUILT / "hall-game.js").exists(), reason="NOT BUILT: run `npm ci && npm run build`"
)
RESTARTS = 1012
MAX_WAIT = 90
WATCH = """
window.closeCodes = []
const Plain = WebSocket
window.WebSocket = class extends Plain {
  constructor(...given) {
    super(...given)
    this.addEventListener("close", (event) => window.closeCodes.push(event.code))
  }
}
"""


@pytest.fixture
def served(program: Program) -> Served:
    return program.served


@pytest.fixture
def players(new_tab: NewTab, signed: Signed) -> tuple[Page, Page]:
    pages = new_tab("en"), new_tab("en")
    for page, who in zip(pages, ("white", "black"), strict=True):
        signed(page, who)
        page.add_init_script(WATCH)
    return pages


def seconds(page: Page, part: str) -> float:
    """What a clock shows."""
    minutes, _, rest = page.locator(f"[data-part={part}] .clock").inner_text().partition(":")
    return 60 * int(minutes) + float(rest)


def until(page: Page, condition: Callable[[], bool]) -> None:
    """Waits without a script: the pages forbid what Playwright would evaluate again and again."""
    end = time.monotonic() + MAX_WAIT
    while not condition():
        assert time.monotonic() < end
        page.wait_for_timeout(50)


def clock_runs(page: Page, part: str) -> None:
    before = seconds(page, part)
    until(page, lambda: seconds(page, part) < before)
    assert before - seconds(page, part) < 3


def close_codes(page: Page) -> list[int]:
    """With which codes the sockets of a page were closed."""
    codes: list[int] = page.evaluate("window.closeCodes")
    return codes


def is_restarted(page: Page) -> bool:
    return close_codes(page) == [RESTARTS]


def test_the_board_is_back_with_its_position_and_running_clocks(
    program: Program, players: tuple[Page, Page]
) -> None:
    white, black = players
    round_of_one_board(program)
    come(white, black)
    drag(white, "e2e4", "white")
    turn(black)
    drag(black, "e7e5", "black")
    turn(white)
    for page in players:
        page.evaluate("window.isTheSamePage = true")
    hall = program.server.pid("hall")
    program.server.process.send_signal(signal.SIGHUP)
    for page in players:
        until(page, partial(is_restarted, page))
    assert program.server.pid("hall", but=hall) != hall
    # White is to move, and White's clock runs on both pages; the other one stands.
    for page, mine, other in ((white, "bottom", "top"), (black, "top", "bottom")):
        shows(page, "e5")
        standing = seconds(page, other)
        clock_runs(page, mine)
        assert seconds(page, other) == standing
        assert page.evaluate("window.isTheSamePage") is True
    turn(white)
    drag(white, "g1f3", "white")
    expect(black.locator("[data-part=moves]")).to_contain_text("Nf3", timeout=1000 * MAX_WAIT)
    turn(black)
    assert program.state(GAME).ply == 3
    assert [close_codes(page) for page in players] == [[RESTARTS]] * 2, "once is enough"
