"""A registration is amended in the browser: dates, rounds, strength, and its history is shown."""

from __future__ import annotations

from datetime import date

from playwright.sync_api import expect

from arrocco.desk import Office
from arrocco.office.roles import Role
from arrocco.words import Language, say
from tests.browser.conftest import NewTab, keep
from tests.browser.desk_served import *  # noqa: F403 - fixtures
from tests.browser.languages import first_in
from tests.browser.test_desk_jobs import button, log_in
from tests.web.desk_office import OPEN, people_in


@first_in("it")
def test_an_arbiter_amends_a_registration(
    new_tab: NewTab, work: Office, language: Language
) -> None:
    page = new_tab(language, width=390 if language == "it" else 1366)
    log_in(page, language, Role.ARBITER)
    page.goto(f"/{language}/desk/tournaments/{OPEN}")
    page.get_by_role("link", name=say(language, "desk_pages.amend.title"), exact=True).click()
    page.fill("#start", "2025-06-21")
    page.fill("#end", "2025-06-22")
    page.fill("#rounds", "5")
    page.fill("#top_rating", "2210")
    button(page, language, "desk_pages.register.assess").click()
    expect(page.locator("p.wrong").first).to_be_visible()
    button(page, language, "desk_pages.register.spread").click()
    expect(page.locator("input[name=day_3]")).to_have_value("2025-06-21")
    expect(page.locator("input[name=day_4]")).to_have_value("2025-06-22")
    button(page, language, "desk_pages.register.assess").click()
    result = page.locator("#result")
    expect(result).to_contain_text("2210")
    assert not page.evaluate("document.documentElement.scrollWidth > innerWidth")
    keep(page, language, "desk-amend-assessed")
    page.fill("#reason", "La sala è libera una settimana dopo.")
    button(page, language, "desk_pages.amend.button").click()
    expect(page.locator("main")).to_contain_text("La sala è libera")
    expect(page.locator("#amendments")).to_have_text(say(language, "desk_pages.amend.history"))
    assert not page.evaluate("document.documentElement.scrollWidth > innerWidth")
    keep(page, language, "desk-amend-done")
    found = work.tournaments.get(people_in(work).arbiter, OPEN)
    assert (found.registration.start, found.registration.end) == (
        date(2025, 6, 21),
        date(2025, 6, 22),
    )
    assert [one.day.day for one in found.registration.schedule] == [21, 21, 21, 22, 22]
    assert len(found.amendments) == 1
