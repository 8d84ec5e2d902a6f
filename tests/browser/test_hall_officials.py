"""Officials at work before a browser: what is refused stands where it was written."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from arrocco.words import Language, say
from tests.browser.conftest import BUILT, NewTab, keep
from tests.browser.hall_stage import Signed, hall_office, served, signed
from tests.browser.languages import first_in
from tests.browser.test_hall_game import announce, does, words_of

__all__ = ["hall_office", "served", "signed"]

pytestmark = pytest.mark.skipif(
    not (BUILT / "hall-event.js").exists(), reason="NOT BUILT: run `npm ci && npm run build`"
)
FIELDS = ("round", "points", "scope", "rounds", "fine")
"""What some sanctions are asked for, and others not."""


def opened(page: Page, what: str) -> None:
    """Opens the box of a command with the keyboard, as anybody can."""
    summary = page.locator(f"details:has(> form[action$='ask/{what}']) > summary")
    summary.focus()
    page.keyboard.press("Enter")


def enter(page: Page, event: str) -> None:
    for who in ("white", "black"):
        page.goto(event)
        opened(page, "enter")
        page.fill("#enter-email", f"{who}@example.org")
        page.keyboard.press("Enter")
        expect(page.locator(".notice.done")).to_be_visible()


@first_in("it")
def test_a_sanction_asks_what_its_article_needs_and_says_what_is_missing_there(
    new_tab: NewTab, signed: Signed, language: Language
) -> None:
    page = new_tab(language, width=390 if language == "it" else 1280)
    signed(page, "arbiter")
    event = announce(page, language, announced_fine="20")
    enter(page, event)
    opened(page, "impose")
    for article, asked in (
        ("6.9a", ()),
        ("6.9f", ("round", "points")),
        ("6.9g", ("fine",)),
        ("6.9h", ("rounds",)),
        ("6.9j", ("scope",)),
    ):
        page.select_option("#impose-article", article)
        shown = tuple(one for one in FIELDS if page.locator(f"#impose-{one}").is_visible())
        assert shown == asked, article
    page.select_option("#impose-article", "6.9g")
    page.fill("#impose-fine", "21")
    page.fill("#impose-reason", "Rumore")
    page.keyboard.press("Enter")
    expect(page.locator("#impose-fine")).to_be_focused()
    expect(page.locator("#impose-fine")).to_be_in_viewport()
    expect(page.locator("#impose-fine-wrong")).to_contain_text(
        say(language, "hall.objection.fine_above_announced.text")
    )
    expect(page.locator("#impose-reason")).to_have_value("Rumore")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    keep(page, language, "hall-event-refused")
    page.fill("#impose-fine", "20")
    page.keyboard.press("Enter")
    expect(page.locator(".notice.done")).to_be_visible()


def test_players_are_marked_present_where_they_stand_in_the_table(
    new_tab: NewTab, signed: Signed
) -> None:
    page, other = new_tab("en"), new_tab("en")
    for one in (page, other):
        signed(one, "arbiter")
    page.goto("/en/hall/new")
    page.select_option("#check_in", "yes")
    page.fill("#name", "Presenti")
    page.fill("#tolerance", "5:00")
    page.fill("#disconnection_rule", "Decide l'orologio.")
    page.click("main .actions button.primary")
    event = page.url
    enter(page, event)
    other.goto(event)
    page.evaluate("window.stays = true")
    rows = page.locator("[data-live=entries] tbody tr")
    rows.first.get_by_role("button", name="Check in a player").press("Enter")
    expect(rows.first).to_contain_text("✓ checked in")
    expect(rows.nth(1).get_by_role("button")).to_be_focused()
    page.keyboard.press("Enter")
    expect(rows.nth(1)).to_contain_text("✓ checked in")
    assert page.evaluate("window.stays"), "the page was not loaded again"
    expect(page.locator("[data-live=desk-next]")).to_contain_text("Checked in: 2 of 2")
    # After a refusal the page, whose address is then that of a form, still follows.
    opened(other, "enter")
    other.fill("#enter-email", "nobody@example.org")
    other.keyboard.press("Enter")
    expect(other.locator("#enter-email")).to_be_focused()
    opened(page, "pair_round")
    page.locator("form[action$='ask/pair_round'] button").click()
    expect(other.get_by_role("button", name="Start round 1")).to_be_visible()
    expect(other.locator("#enter-email")).to_have_value("nobody@example.org")


@first_in("en")
def test_what_is_wrong_with_an_act_stands_beside_its_field(
    new_tab: NewTab, signed: Signed, language: Language
) -> None:
    page, t = new_tab(language, width=390 if language == "it" else 1280), words_of(language)
    signed(page, "arbiter")
    event = announce(page, language)
    enter(page, event)
    opened(page, "pair_round")
    page.locator("form[action$='ask/pair_round'] button").click()
    page.locator("form[action$='ask/open_round'] button").click()
    page.goto(f"{event}/wall")
    page.locator(".tile").click()
    expect(page.locator("#act-choice option[value=pause]")).to_be_attached(timeout=60_000)
    assert not page.locator("#act-choice option[value=answer_call]").count(), "nobody has called"
    assert not page.locator("#act-choice option[value=withdraw]").count(), "nothing was done yet"
    page.select_option("#act-choice", "add_time")
    submit = page.locator("[data-part=act-submit]")
    expect(submit).to_have_text(t("js.do.add_time"))
    page.select_option("#act-side", "black")
    expect(page.locator("#act-side option[value=black]")).to_contain_text("Betulla")
    page.fill("#act-time", "1.30")
    page.fill("#act-reason", "Rumore")
    submit.click()
    expect(page.locator("#act-time-wrong")).to_contain_text(t("js.acts.no_time"))
    expect(page.locator("#act-time")).to_have_attribute("aria-invalid", "true")
    expect(page.locator("#act-time")).to_be_focused()
    page.fill("#act-time", "1:30")
    submit.click()
    expect(page.locator("[data-part=act-told]")).to_contain_text(t("js.acts.done"))
    expect(page.locator("[data-part=acts-done] li")).to_contain_text("+1:30")
    page.select_option("#act-choice", "fine")
    page.fill("#act-cents", "20")
    page.fill("#act-reason", "Rumore")
    submit.click()
    expect(page.locator("#act-cents-wrong")).to_contain_text(
        say(language, "hall.objection.fine_not_announced.text")
    )
    expect(page.locator("[data-part=notice]")).to_be_hidden()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    keep(page, language, "hall-act-refused")
    does(page, "warn", "Rumore", side="white")
    options = page.locator("#act-corrects option")
    page.select_option("#act-choice", "withdraw")
    expect(options).to_have_count(1)  # time that was added is put right by another act
    number = page.locator("[data-part=acts-done] li").last.get_attribute("value")
    expect(options).to_contain_text(f"{number}: {t('js.act.warned')}")
    page.fill("#act-reason", "Era il vicino")
    submit.click()
    expect(page.locator("[data-part=acts-done] li.withdrawn")).to_have_count(1)
