"""A whole event without a pointer: organiser, players, arbiter, a complaint and its decision."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from arrocco.words import say
from tests.browser.conftest import BUILT, NewTab
from tests.browser.hall_stage import Signed, hall_office, served, signed
from tests.browser.keyboard import choose, press, send, tab_to, tick, type_in

__all__ = ["hall_office", "served", "signed"]

pytestmark = pytest.mark.skipif(
    not (BUILT / "hall-live.js").exists(), reason="NOT BUILT: run `npm ci && npm run build`"
)
SLOW = 60_000
MINE = say("it", "hall_pages.js.turn.yours")
TURN = re.compile(f"^({MINE}|{say('it', 'hall_pages.js.turn.theirs')})$")


def announced(page: Page) -> str:
    """The organiser announces an event of one round; its address."""
    page.goto("/it/hall/new")
    type_in(page, "#name", "Trofeo delle Piante")
    type_in(page, "#rounds", "1")
    type_in(page, "#tolerance", "5:00")
    type_in(page, "#disconnection_rule", "L'orologio corre.")
    send(page, "main .actions button.primary")
    expect(page).to_have_url(re.compile(r"/hall/trofeo"))
    return page.url


def asks(page: Page, what: str, **fields: str) -> None:
    """Opens the box of a command, fills it and sends it, by keys alone."""
    form = f"form[action$='ask/{what}']"
    if not page.locator(form).first.is_visible():
        press(page, f"details:has(> {form}) > summary")
    for name, value in fields.items():
        field = f"{form} [name={name}]"
        is_list = page.locator(field).first.evaluate("one => one.tagName") == "SELECT"
        (choose if is_list else type_in)(page, field, value)
    send(page, f"{form} .actions button, {form} > button")
    expect(page.locator(".notice.done")).to_be_visible(timeout=SLOW)


def plays(page: Page, move: str) -> None:
    """A move, typed."""
    expect(page.locator("[data-part=status]")).to_have_text(MINE, timeout=SLOW)
    type_in(page, "#typed-move", move)
    page.keyboard.press("Enter")


def test_an_event_from_its_announcement_to_a_decided_complaint(
    new_tab: NewTab, signed: Signed
) -> None:
    arbiter, white, black = new_tab("it"), new_tab("it"), new_tab("it", width=390)
    for page, who in ((arbiter, "arbiter"), (white, "white"), (black, "black")):
        signed(page, who)
    event = announced(arbiter)
    asks(arbiter, "enter", email="white@example.org")
    black.goto(event)
    send(black, "form[action$='ask/enter'] button")
    asks(black, "check_in")
    white.goto(event)
    arbiter.goto(event)
    asks(arbiter, "pair_round")
    asks(arbiter, "open_round")

    for page in (white, black):  # both are taken to their board
        page.wait_for_url(re.compile(r"/hall/game/"), timeout=SLOW)
        expect(page.locator("[data-part=status]")).to_have_text(TURN, timeout=SLOW)
        page.wait_for_load_state()
    is_first = white.locator("[data-part=status]").inner_text() == MINE
    first, second = (white, black) if is_first else (black, white)
    plays(first, "e4")
    plays(second, "e5")
    tab_to(first, "[data-part=resign]")
    first.keyboard.press("Enter")
    press(first, "[data-part=resign-dialog] button.danger")
    expect(first.locator("[data-part=result]")).to_be_visible(timeout=SLOW)

    arbiter.goto(event)
    close = arbiter.locator("form[action$='ask/close_round'] button.primary")
    expect(close).to_be_visible(timeout=SLOW)
    asks(arbiter, "close_round")
    asks(
        arbiter,
        "correct_result",
        round="1",
        board="1",
        points="5,5",
        article="5.16",
        reason="Avevano concordato la patta.",
    )
    expect(arbiter.locator("[data-live=rounds]")).to_contain_text("½–½")

    second.goto(event)
    send(second, "a.button[href$='/filings']")
    choose(second, "#kind", "complaint")
    choose(second, "#round", "1")
    tick(second, "input[name=grounds][value=conduct]")
    type_in(second, "#text", "Non abbiamo concordato nulla.")
    tick(second, "#member")
    send(second, "form[action$='/filings'] button.primary")
    arbiter.goto(second.url)
    choose(arbiter, "#outcome", "rejected")
    type_in(arbiter, "#reasons", "Il registro della chat lo dice.")
    send(arbiter, "form[action$='/decide'] button.primary")
    expect(arbiter.locator(".notice.done")).to_be_visible(timeout=SLOW)
    arbiter.goto(event)
    asks(arbiter, "close_event")
