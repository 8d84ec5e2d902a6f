"""A statistician asks for a replay in a browser, watches it, and looks at what it found."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from arrocco.desk import Office
from arrocco.office.roles import Role
from arrocco.words import Language, say
from tests.browser.conftest import BUILT, NewTab, Served, keep
from tests.browser.desk_served import answering
from tests.browser.languages import first_in
from tests.web.offices import logged_in_cookie
from tests.web.public_fixtures import public_folder

__all__ = ["public_folder"]
HERE = "/statistics/replays"


@pytest.fixture
def office(public_folder: Path, tmp_path: Path) -> Iterator[Office]:
    """The office that is served: three lists, a correction, a merger."""
    folder = Path(shutil.copytree(public_folder, tmp_path / "office"))
    with closing(Office.open(folder)) as opened:
        yield opened


@pytest.fixture
def served(office: Office) -> Iterator[Served]:
    """Answers on a free port until the test is over."""
    with answering(office) as server:
        yield server


def log_in(page: Page, office: Office, served: Served) -> None:
    cookie = logged_in_cookie(office, Role.FEDERATION_OFFICER)
    page.context.add_cookies([{"name": "arrocco_session", "value": cookie, "url": served.address}])


def is_too_wide(page: Page) -> bool:
    return bool(page.evaluate("document.documentElement.scrollWidth > innerWidth"))


@first_in("it")
def test_a_replay_is_asked_for_and_its_result_appears_by_itself(
    new_tab: NewTab, office: Office, served: Served, language: Language
) -> None:
    page = new_tab(language, width=1200 if language == "en" else 390)
    log_in(page, office, served)
    page.goto(f"/{language}/statistics")
    page.get_by_role("link", name=say(language, "statistics_pages.replay_link")).click()
    page.locator("#system").select_option("fide")
    page.get_by_role("button", name=say(language, "replay_pages.choose")).click()
    page.locator("#first").select_option("2025-06-01")
    page.locator("#last").select_option("2025-07-01")
    page.locator("#other").select_option("fide@2012-07-01")
    assert not is_too_wide(page)
    keep(page, language, "replay-asking")
    page.get_by_role("button", name=say(language, "replay_pages.ask")).click()
    expect(page).to_have_url(f"{served.address}/{language}{HERE}/1")
    if not (BUILT / "site.js").is_file():
        office.replays.wait(30)
        page.reload()
    expect(page.locator("#means svg").first).to_be_visible(timeout=90_000)
    assert page.locator("h1").count() == 1
    found = office.replays.get(1).found
    assert found is not None
    expect(page.locator("#most tbody tr")).to_have_count(found.lists[-1]["different"])
    expect(page.locator("#differences svg").first).to_be_visible()
    assert not is_too_wide(page)
    keep(page, language, "replay-found")
    first = page.locator("#most tbody tr").first
    name = first.locator("a").inner_text()
    first.locator("a").click()
    expect(page.locator("h1")).to_contain_text(name)
    page.goto(f"/{language}{HERE}")
    assert not is_too_wide(page)
    expect(page.locator("section[aria-labelledby=all] tbody tr")).to_have_count(1)
    keep(page, language, "replays")
