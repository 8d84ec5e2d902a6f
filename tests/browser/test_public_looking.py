"""Looking up in a browser: lists by filters, a player's rating opened to its games, a file."""

from __future__ import annotations

import hashlib
import socket
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
import uvicorn
from playwright.sync_api import Page, expect

from arrocco.web.app import create_app
from arrocco.wiring.office import Office
from arrocco.words import LANGUAGES, Language, say
from tests.browser.conftest import BUILT, NewTab, Served, keep
from tests.web.public_fixtures import public_folder  # noqa: F401 - a fixture
from tests.wiring.office.offices import name_of, player_id

LOOKS = (("desktop", 1280, False), ("phone", 390, False), ("dark", 1280, True))
PAGES = {
    "lists": "/lists", "list": "/lists/fide/latest", "changes": "/lists/fide/latest/changes",
    "files": "/lists/fide/latest/files", "search": "/players?q=finta",
    "player": f"/players/{player_id(9)}", "period": f"/players/{player_id(8)}/fide/2025-07-01",
    "first-rating": f"/players/{player_id(14)}/fide/2025-06-01", "tournaments": "/tournaments",
    "tournament": "/tournaments/2",
}  # fmt: skip


@pytest.fixture(scope="module")
def served(public_folder: Path) -> Iterator[Served]:  # noqa: F811
    """The office with lists, on a free port."""
    with (
        closing(Office.open(public_folder)) as office,
        closing(socket.create_server(("127.0.0.1", 0))) as listening,
    ):
        app = create_app(office, secure=False)
        server = uvicorn.Server(uvicorn.Config(app, log_level="error", lifespan="off"))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
        thread.start()
        yield Served(f"http://127.0.0.1:{listening.getsockname()[1]}", office.folder)
        server.should_exit = True
        thread.join(10)


@pytest.mark.parametrize("language", LANGUAGES)
def test_from_the_home_page_to_the_games_behind_a_rating(
    new_tab: NewTab, language: Language
) -> None:
    page = new_tab(language)
    page.goto(f"/{language}")
    page.fill("#q", "imbriani")
    page.keyboard.press("Enter")
    page.click(f"text={name_of(8)}")
    expect(page.locator("h1")).to_have_text(name_of(8))
    first = page.locator(".periods details").first
    first.locator("summary").click()
    if (BUILT / "site.js").exists():
        expect(first.locator(".receipt tbody tr")).to_have_count(7)
        keep(page, language, "public-player-opened")
        first.locator(".sheet-links a").first.click()
    else:
        first.locator("a").click()
    page.wait_for_url(f"**/players/{player_id(8)}/fide/2025-07-01")
    expect(page.locator(".receipt .result")).to_contain_text("1814")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_list_is_filtered_and_sorted(new_tab: NewTab, language: Language) -> None:
    page = new_tab(language)
    page.goto(f"/{language}/lists")
    page.click("tbody th a >> nth=0")
    page.select_option("#sex", "F")
    page.fill("[name=rating_from]", "1500")
    page.click(".filters button")
    names = page.locator("tbody th bdi")
    expect(names).to_have_text([name_of(number) for number in (3, 6, 9, 12)])
    page.click(f"thead a:has-text('{say(language, 'public.list.born')}')")
    assert "sex=F" in page.url, "the filters stay"
    expect(page.locator("thead th[aria-sort]")).to_have_count(1)
    page.fill("#q", "nobody at all")
    page.click(".filters button")
    expect(page.locator(".empty")).to_contain_text(say(language, "public.list.nobody"))


def test_a_downloaded_file_has_the_hash_that_is_shown(tab: Page) -> None:
    tab.goto("/en/lists/fide/latest/files")
    row = tab.locator("tr", has_text="list.xml")
    with tab.expect_download() as download:
        row.locator("a").click()
    data = Path(download.value.path()).read_bytes()
    assert row.locator("code").inner_text() == hashlib.sha256(data).hexdigest()
    assert download.value.suggested_filename == "fide-2025-07-01-list.xml"


@pytest.mark.parametrize("language", LANGUAGES)
def test_pages_fit_every_screen(new_tab: NewTab, language: Language) -> None:
    for look, width, dark in LOOKS:
        page = new_tab(language, width=width, dark=dark)
        for name, path in PAGES.items():
            page.goto(f"/{language}{path}")
            if name == "player":
                page.wait_for_load_state("networkidle")  # its chart comes with the tournaments
            wide = page.evaluate("document.documentElement.scrollWidth > innerWidth")
            assert not wide, f"{name} is wider than a {look} screen"
            keep(page, language, f"public-{name}-{look}")


def test_a_receipt_prints_on_one_sheet(tab: Page) -> None:
    tab.goto(f"/en/players/{player_id(8)}/fide/2025-07-01")
    printed = tab.pdf(format="A4")
    assert b"/Count 1" in printed, "the number of its pages"
