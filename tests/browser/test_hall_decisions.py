"""What is decided about a game as a player sees it: a corrected result, a permission, a swap."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from arrocco.hall.event.acts.results import CorrectResult
from tests.browser.conftest import BUILT, NewTab, Served
from tests.browser.hall_stage import Remote, Signed, hall_office, remote, signed
from tests.browser.test_hall_player import EVENT, GAME, come, round_of_one_board

__all__ = ["hall_office", "remote", "signed"]

pytestmark = pytest.mark.skipif(
    not (BUILT / "hall-game.js").exists(), reason="NOT BUILT: run `npm ci && npm run build`"
)


@pytest.fixture
def served(remote: Remote) -> Served:
    return remote.served


def test_5_6_5_16_11_2_a_player_asks_is_answered_swaps_colours_and_has_a_result_corrected(
    remote: Remote, new_tab: NewTab, signed: Signed
) -> None:
    page: Page = new_tab("en")
    signed(page, "white")
    round_of_one_board(remote)
    come(page)
    page.locator("[data-part=permission-box] summary").click()
    page.select_option("#permission-what", "leave")
    page.locator("[data-part=permission] button").click()
    expect(page.locator("[data-part=requests]")).to_contain_text("waiting for the arbiter")
    remote.act(GAME, type="answer_leaving", side="white", granted=True, reason="the bell")
    expect(page.locator("[data-part=requests]")).to_contain_text("allowed")
    remote.act(GAME, type="correct_colours", reason="wrong colours")
    expect(page.locator("h1")).to_have_text("Betulla, Carlo – Abete, Bea")
    remote.act(
        GAME, type="declare_result", scores=[10, 0], against="black", article="6.9f", reason="x"
    )
    expect(page.locator("[data-part=result]")).to_contain_text("by decision of the arbiter")
    correction = CorrectResult(
        by="2", round=1, board=1, points=(0, 10), article="5.16", reason="upheld"
    )
    remote.ask(EVENT, correction)
    expect(page.locator("[data-part=result]")).to_contain_text("0–1")
    expect(page.locator("[data-part=result]")).to_contain_text("result changed on appeal")
