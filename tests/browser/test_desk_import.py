"""A long list on its way: how much was sent is shown, and what is too large is told before."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from arrocco.desk import Office
from arrocco.office.roles import Role
from arrocco.words import LANGUAGES, Language, say
from tests.browser.conftest import BUILT, NewTab, Served, keep
from tests.browser.desk_served import *  # noqa: F403 - fixtures
from tests.desk.offices import HEADING, player_id
from tests.web.offices import logged_in_cookie

pytestmark = pytest.mark.skipif(
    not (BUILT / "site.js").exists(), reason="NOT BUILT: run `npm ci && npm run build`"
)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_list_is_sent_with_its_progress_and_the_answer_takes_its_place(
    new_tab: NewTab, served: Served, work: Office, tmp_path: Path, language: Language
) -> None:
    page = new_tab(language, width=1280)
    cookie = logged_in_cookie(work, Role.RATING_ADMINISTRATOR)
    page.context.add_cookies([{"name": "arrocco_session", "value": cookie, "url": served.address}])
    page.goto(f"/{language}/desk/lists/import")
    page.select_option("#system", "fide-rapid")
    page.fill("#list_date", "2025-06-01")

    huge = tmp_path / "huge.csv"
    with huge.open("wb") as file:
        file.truncate(65 << 20)
    page.set_input_files("#file", huge)
    page.click("main form button.primary")
    box = page.locator("[data-upload]")
    expect(box).to_contain_text("arrocco office import-list")
    expect(page.locator("main form button.primary")).to_be_enabled()
    keep(page, language, "desk-import-too-large")

    name = "Altavilla, " + "Fintaa " * 150
    rows = (f'{player_id(1) + n},"{name}",ITA,M,1963,,2100,,0,\n' for n in range(12 << 10))
    large = tmp_path / "rapid.csv"
    large.write_text(HEADING + "".join(rows), "utf-8")
    page.set_input_files("#file", large)
    page.evaluate(
        """() => {
          const seen = [];
          const box = document.querySelector("[data-upload]");
          new MutationObserver(() => {
            seen.push(box.textContent.trim());
            sessionStorage.seen = JSON.stringify(seen);  // the page that waits is another one
          })
            .observe(box, { childList: true, subtree: true, characterData: true });
        }"""
    )
    page.click("main form button.primary")
    expect(page.locator(".notice.done")).to_be_visible(timeout=60_000)
    seen = page.evaluate("JSON.parse(sessionStorage.seen)")
    total = str(-(-large.stat().st_size // (1 << 20)))
    assert any(total in one and "MB" in one for one in seen), seen
    assert say(language, "desk_pages.import.reading") in seen
    keep(page, language, "desk-import-done")
    latest = work.lists.latest("fide-rapid")
    assert latest is not None
    assert latest.players == 12 << 10

    # What comes after the answer is sent in the same way.
    page.fill("#list_date", "2025-06-01")
    page.set_input_files("#file", large)
    page.click("main form button.primary")
    expect(page.locator("#list_date-wrong")).to_be_visible(timeout=60_000)
    keep(page, language, "desk-import-refused")
