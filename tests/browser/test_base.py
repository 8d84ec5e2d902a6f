"""The base pages under a browser: by keyboard only, in both languages, light, dark, on a phone."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from arrocco.office.roles import Role
from arrocco.words import Language, say
from tests.browser.conftest import BUILT, NewTab, keep
from tests.browser.languages import first_in
from tests.web.offices import PASSWORD, email_of

PHONE = 390


def log_in(page: Page, language: Language, role: Role) -> None:
    page.goto(f"/{language}/log-in")
    page.fill("#email", email_of(role))
    page.fill("#password", PASSWORD)
    page.click("main button")
    page.wait_for_url(f"**/{language}")


@first_in("en")
def test_logging_in_by_keyboard_only(new_tab: NewTab, language: Language) -> None:
    page = new_tab(language)
    page.goto("/")
    assert page.url.endswith(f"/{language}")
    page.keyboard.press("Tab")
    assert page.locator(":focus").inner_text() == say(language, "web.layout.skip")
    for _ in range(20):
        page.keyboard.press("Tab")
        if page.locator(":focus").inner_text() == say(language, "web.layout.log_in"):
            break
    page.keyboard.press("Enter")
    page.wait_for_url("**/log-in")
    expect(page.locator("#email")).to_be_focused()
    page.keyboard.type(email_of(Role.SYSTEM_ADMINISTRATOR))
    page.keyboard.press("Tab")
    page.keyboard.type(PASSWORD)
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/{language}")
    expect(page.locator("header")).to_contain_text("Ada Rossi")
    keep(page, language, "home-administrator")


@first_in("it")
def test_pages_look_as_they_should(new_tab: NewTab, language: Language) -> None:
    looks = (("light", 1200, False), ("dark", 1200, True), ("phone", PHONE, False))
    for name, width, dark in looks:
        page = new_tab(language, width=width, dark=dark)
        page.goto(f"/{language}/no/such/page")
        keep(page, language, f"missing-{name}")
        page.goto(f"/{language}")
        keep(page, language, f"home-{name}")
        page.goto(f"/{language}/log-in")
        keep(page, language, f"log-in-{name}")
        log_in(page, language, Role.SYSTEM_ADMINISTRATOR)
        for path in ("account", "accounts", "audit"):
            page.goto(f"/{language}/{path}")
            wide = page.evaluate("document.documentElement.scrollWidth > innerWidth")
            assert not wide, f"{path} is wider than a {name} screen"
            keep(page, language, f"{path}-{name}")


def test_inviting_and_closing_ask_first(tab: Page) -> None:
    log_in(tab, "en", Role.SYSTEM_ADMINISTRATOR)
    tab.goto("/en/accounts")
    tab.fill("#email", "guest@example.org")
    tab.select_option("#role", "arbiter")
    tab.click("section button.primary")
    expect(tab.locator(".notice code")).to_contain_text("/en/invitation?token=")
    keep(tab, "en", "invited")
    row = tab.locator("tr", has_text="guest@example.org")
    row.locator("summary").click()
    keep(tab, "en", "asking-first")
    row.locator("button").click()
    expect(tab.locator(".notice.done")).to_contain_text("withdrawn")


@pytest.mark.skipif(not (BUILT / "site.js").exists(), reason="NOT BUILT: npm run build in frontend")
def test_light_and_dark_change_at_once_and_are_kept(tab: Page) -> None:
    tab.goto("/en")
    light = tab.evaluate("getComputedStyle(document.body).backgroundColor")
    tab.click("[data-theme-choice=dark]")
    assert tab.url.endswith("/en"), "the page was left"
    assert tab.evaluate("getComputedStyle(document.body).backgroundColor") != light
    tab.goto("/en/log-in")
    assert tab.evaluate("document.documentElement.dataset.theme") == "dark"
