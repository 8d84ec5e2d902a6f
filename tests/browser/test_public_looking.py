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

from arrocco.desk import Office
from arrocco.words import Language, say
from tests.browser.conftest import BUILT, NewTab, Served, keep
from tests.browser.languages import first_in
from tests.desk.offices import name_of, player_id
from tests.web.apps import app_of
from tests.web.public_fixtures import public_folder  # noqa: F401 - a fixture

LOOKS = (("desktop", 1280, False), ("phone", 390, False), ("dark", 1280, True))
PAGES = {
    "lists": "/lists",
    "list": "/lists/fide/latest",
    "changes": "/lists/fide/latest/changes",
    "files": "/lists/fide/latest/files",
    "search": "/players?q=finta",
    "player": f"/players/{player_id(9)}",
    "period": f"/players/{player_id(8)}/fide/2025-07-01",
    "first-rating": f"/players/{player_id(14)}/fide/2025-06-01",
    "tournaments": "/tournaments",
    "tournament": "/tournaments/2",
    "game": "/tournaments/2/games/1",
    "statistics": "/statistics/fide",
}


@pytest.fixture(scope="module")
def served(public_folder: Path) -> Iterator[Served]:  # noqa: F811
    """The office with lists, on a free port."""
    with (
        closing(Office.open(public_folder)) as office,
        closing(socket.create_server(("127.0.0.1", 0))) as listening,
    ):
        app = app_of(office)
        server = uvicorn.Server(uvicorn.Config(app, log_level="error", lifespan="off"))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
        thread.start()
        yield Served(f"http://127.0.0.1:{listening.getsockname()[1]}", office.folder)
        server.should_exit = True
        thread.join(60)


@first_in("it")
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


@first_in("en")
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


@first_in("it")
def test_pages_fit_every_screen(new_tab: NewTab, language: Language) -> None:
    for look, width, dark in LOOKS:
        page = new_tab(language, width=width, dark=dark)
        for name, path in PAGES.items():
            page.goto(f"/{language}{path}")
            if name == "player":
                page.wait_for_load_state("networkidle")  # its chart comes with the tournaments
            wide = page.evaluate("document.documentElement.scrollWidth > innerWidth")
            assert not wide, f"{name} is wider than a {look} screen"
            if name == "list":
                expect(page.locator("#q")).to_be_visible()
                expect(page.locator("#sex")).to_be_visible(visible=look != "phone")
            keep(page, language, f"public-{name}-{look}")


def test_a_receipt_prints_on_one_sheet(tab: Page) -> None:
    tab.goto(f"/en/players/{player_id(8)}/fide/2025-07-01")
    printed = tab.pdf(format="A4")
    assert b"/Count 1" in printed, "the number of its pages"


@pytest.mark.skipif(not (BUILT / "replay.js").exists(), reason="NOT BUILT: run `npm run build`")
def test_a_game_is_replayed_by_keys_and_a_chart_is_one_tab_stop(new_tab: NewTab) -> None:
    page = new_tab("en")
    page.goto("/en/tournaments/2")
    page.locator("td.cell a").first.click()
    page.wait_for_url("**/tournaments/2/games/*")
    current = page.locator(".san[aria-current]")
    expect(page.locator("cg-board piece")).to_have_count(32)
    expect(current).to_have_count(0)
    page.keyboard.press("ArrowRight")
    expect(current).to_have_text("e4")
    page.keyboard.press("End")
    expect(current).to_have_text("e5")
    expect(page.locator("[data-part=live]")).to_contain_text("e5")
    page.keyboard.press("Home")
    expect(current).to_have_count(0)

    page.goto("/en/statistics/fide")
    bands = page.locator("#bands")
    expect(bands.locator(".uplot")).to_be_visible()
    assert bands.locator(".chart [tabindex='0']:visible").count() == 1
    before = bands.locator(".chart-told").text_content()
    bands.locator(".chart-field").focus()
    page.keyboard.press("Home")
    expect(bands.locator(".chart-told")).not_to_have_text(before or "")
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.skipif(not (BUILT / "site.js").exists(), reason="NOT BUILT: run `npm run build`")
@first_in("en")
def test_two_players_are_compared_by_names_that_are_suggested(
    new_tab: NewTab, language: Language
) -> None:
    page = new_tab(language)
    page.goto(f"/{language}/compare")
    for key, number in (("a", 8), ("b", 9)):
        field = page.locator(f"#{key}")
        field.click()
        page.keyboard.type(name_of(number).split(",")[0].lower())
        options = page.locator(f"#{key}-suggestions [role=option]")
        chosen = options.filter(has_text=name_of(number))
        expect(chosen).to_have_count(1)
        places = [each.strip() for each in options.locator("bdi").all_text_contents()]
        for _ in range(places.index(name_of(number)) + 1):
            page.keyboard.press("ArrowDown")
        expect(chosen).to_have_attribute("aria-selected", "true")
        page.keyboard.press("Enter")
        expect(field).to_have_value(f"{name_of(number)} ({player_id(number)})")
        expect(page.locator(f"#{key}-suggestions")).to_be_hidden()
        assert page.url.endswith("/compare"), "a choice fills the field and goes nowhere"
    page.keyboard.press("Enter")
    expect(page.locator("thead bdi")).to_have_text([name_of(8), name_of(9)])
    keep(page, language, "public-compared")
    page.set_viewport_size({"width": 390, "height": 844})
    expect(page.locator(".rating-chart canvas").first).to_be_visible()
    expect(page.locator(".rating-chart .legend li")).to_have_text([name_of(8), name_of(9)])
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.skipif(not (BUILT / "site.css").exists(), reason="NOT BUILT: run `npm run build`")
def test_the_typefaces_are_the_sites_own_and_figures_stand_in_columns(tab: Page) -> None:
    asked: list[str] = []
    tab.on("request", lambda request: asked.append(request.url))
    tab.goto("/en/lists/fide/latest")
    tab.evaluate("document.fonts.ready.then(() => true)")
    for face in ("Source Sans 3 Variable", "Source Serif 4 Variable"):
        assert tab.evaluate(f"document.fonts.check('1em \"{face}\"')")
    fonts = [address for address in asked if address.endswith(".woff2")]
    assert fonts
    assert all(address.startswith(tab.url.partition("/en/")[0]) for address in fonts)
    figures = tab.locator("td.num").first
    assert "tabular-nums" in figures.evaluate("e => getComputedStyle(e).fontVariantNumeric")
