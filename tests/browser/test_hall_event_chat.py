"""5.2 — what a player writes to the event's arbiters away from a board, and a page that follows."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import BUILT, NewTab
from tests.browser.hall_stage import Signed, hall_office, served, signed
from tests.browser.test_hall_game import announce

__all__ = ["hall_office", "served", "signed"]

pytestmark = pytest.mark.skipif(
    not (BUILT / "hall-event.js").exists(), reason="NOT BUILT: run `npm ci && npm run build`"
)
CHAT = "[data-part=event-chat]"


def test_a_player_without_a_board_writes_and_the_wall_answers(
    new_tab: NewTab, signed: Signed
) -> None:
    arbiter, white, black = new_tab("en"), new_tab("en", width=390, dark=True), new_tab("en")
    for page, who in ((arbiter, "arbiter"), (white, "white"), (black, "black")):
        signed(page, who)
    event = announce(arbiter, "en")
    for page in (white, black):
        page.goto(event)
        page.locator("form[action$='ask/enter'] button").click()
    arbiter.goto(f"{event}/wall")
    white.locator(f"{CHAT} summary").click()
    white.locator(f"{CHAT} [name=text]").fill("When does <i>round</i> 1 start?")
    white.locator(f"{CHAT} form button").click()
    expect(white.locator(f"{CHAT} li")).to_contain_text("You")
    expect(white.locator(f"{CHAT} [name=text]")).to_have_value("")
    expect(arbiter.locator("[data-part=event-chat-unread]")).to_have_text("✉ 1 unread")
    arbiter.locator(f"{CHAT} summary").click()
    expect(arbiter.locator("[data-part=event-chat-unread]")).to_be_hidden()
    expect(arbiter.locator(f"{CHAT} li")).to_contain_text("When does <i>round</i> 1 start?")
    expect(arbiter.locator(f"{CHAT} select")).to_have_value("1")
    arbiter.locator(f"{CHAT} [name=text]").fill("At three.")
    arbiter.locator(f"{CHAT} form button").click()
    expect(white.locator(f"{CHAT} li").nth(1)).to_contain_text("At three.")
    expect(arbiter.locator(f"{CHAT} li").nth(1)).to_contain_text("Dora Cedro to Abete, Bea")
    black.reload()
    black.locator(f"{CHAT} summary").click()
    expect(black.locator("[data-part=event-chat-empty]")).to_be_visible()


def test_the_page_of_an_event_shows_results_as_they_come(new_tab: NewTab, signed: Signed) -> None:
    arbiter, white, public = new_tab("en"), new_tab("en"), new_tab("en")
    for page, who in ((arbiter, "arbiter"), (white, "white")):
        signed(page, who)
    event = announce(arbiter, "en")
    for who in ("white", "black"):
        arbiter.goto(event)
        arbiter.locator("summary", has_text="Enter a player").click()
        arbiter.locator("form[action$='ask/enter'] input[name=email]").fill(f"{who}@example.org")
        arbiter.locator("form[action$='ask/enter']:has(input[name=email]) button").click()
    arbiter.get_by_text("Pair manually", exact=True).first.click()
    arbiter.locator("textarea[name=boards]").fill("1 2")
    arbiter.locator("form[action$=pair_by_hand] button").click()
    arbiter.get_by_role("button", name="Start round 1").click()
    public.goto(event)
    white.goto(event)
    white.get_by_role("link", name="Go to your board").click()
    expect(white.locator("[data-part=status]")).to_have_text("Your move")
    white.get_by_role("button", name="Resign").click()
    white.locator("dialog button.danger").click()
    # The round is unfolded, as it is when the page comes; its table follows all the same.
    expect(public.locator("details.round td.nowrap")).to_contain_text("0–1")
    expect(public.locator("details.round")).to_have_attribute("open", "")
    phone = new_tab("en", width=390)
    phone.goto(white.url)
    expect(phone.locator("coords.files")).to_be_attached()
    assert phone.evaluate("document.documentElement.scrollWidth") == 390
