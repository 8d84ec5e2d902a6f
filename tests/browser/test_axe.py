"""Every page under axe, light and dark, desk and phone; and each role's job by keyboard alone."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import cycle
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from arrocco.office.roles import GRANTS, Permission, Role
from arrocco.web.handbooks.pictures import PICTURES
from arrocco.web.routes import PERMISSION, route_table
from arrocco.words import LANGUAGES, Language
from tests.browser import axe
from tests.browser.conftest import BUILT
from tests.browser.keyboard import tab_to
from tests.browser.whole_office import EVENT, TO_PAIR, Whole, whole_office
from tests.desk.offices import player_id
from tests.web.offices import logged_in_cookie
from tests.web.public_fixtures import public_folder

__all__ = ["public_folder"]

pytestmark = [
    pytest.mark.skipif(not axe.AXE.exists(), reason="NO AXE: run `npm ci` in frontend"),
    pytest.mark.skipif(not (BUILT / "site.js").exists(), reason="NOT BUILT: run `npm run build`"),
]
PageOf = Callable[[Role], Page]
NO_PAGES = {
    r"\.(atom|csv|zip)$|/files?/\{(?!file:int\}$)|/file$|/games$|/pgn$": "files",
    r"/prizes/payments$|/screen/report$|/evidence(/\{|$)|/filings/\{number:int\}/\{": "files",
    r"/progress$|/counting$|^/hall/now$": "parts of other pages",
    r"^/appearance$": "only redirects",
}
"""What axe need not see, and why; all other pages are walked here or looked at by `axe.check` in
the tests that make what they show."""
QUERIES = {
    "/compare": "?a={player}&b=99000102",
    "/invitation": "?token={invitation}",
    "/join": "?token={link}",
    "/players": "?q=finta",
    "/questions/new": "?player={player}&system=fide&on={on}&tournament=1&round=1",
}
INSTEAD = {
    "/hall/{event:str}/proposal": f"/hall/{TO_PAIR}/proposal",
    "/tournaments/{tournament:int}/games/{number:int}": "/tournaments/2/games/1",
    "/desk/corrections/{report:int}": "/desk/corrections/1",
    "/desk/tournaments/{tournament:int}/annul": "/desk/tournaments/1/annul",
}
"""Pages about something else than the example of the others."""
WALKS: dict[Role, tuple[Language, str]] = {
    Role.HEAD_OF_OFFICE: (
        "en",
        r"^(?!/hall/.*/(invite|log|proposal|rating|report|rules|schedule|screen|wall)$)",
    ),
    Role.ARBITER: ("it", r"^/$|^/desk$|^/desk/(tournaments|reports)|^/hall"),
    Role.PLAYER: (
        "it",
        r"^/$|^/desk$|^/my-rating|^/questions|^/hall/(game/\{game:str\}$|\{event:str\}$)",
    ),
    Role.PUBLIC: ("en", r"^/$|^/(log-in|sign-up|forgotten|reset|join|invitation|hall|players)"),
}
"""What each role looks at: a language, and which paths where not all that it may see."""


@pytest.fixture(scope="module")
def whole(public_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Whole]:
    """The office that all tests here look at."""
    with whole_office(public_folder, tmp_path_factory.mktemp("whole") / "office") as made:
        yield made


@pytest.fixture
def page_of(chromium: Browser, whole: Whole) -> Iterator[PageOf]:
    """Opens a page of somebody with a role, with axe in it."""
    contexts: list[BrowserContext] = []

    def opened(role: Role) -> Page:
        address = whole.running.served.address
        context = chromium.new_context(base_url=address)
        contexts.append(context)
        context.set_default_timeout(60_000)
        if role is not Role.PUBLIC:
            cookie = logged_in_cookie(whole.office, role)
            context.add_cookies([{"name": "arrocco_session", "value": cookie, "url": address}])
        axe.prepare(context)
        return context.new_page()

    yield opened
    for context in contexts:
        context.close()


def pages_of(whole: Whole) -> dict[str, Permission]:
    """Every route that gives a page, and who may see it."""
    return {
        path[3:] or "/": handler.opt[PERMISSION]
        for path, method, handler in route_table(whole.running.app)
        if method == "GET" and path.startswith("/en") and path[3:4] in ("", "/")
        if not any(re.search(pattern, path[3:]) for pattern in NO_PAGES)
    }


def walked(whole: Whole, role: Role) -> list[str]:
    """The routes a role walks: those that it may see, and no other test makes."""
    return [
        route
        for route, permission in pages_of(whole).items()
        if role in GRANTS[permission] and re.search(WALKS[role][1], route)
        if route not in axe.checked_routes()
    ]


def paths_of(whole: Whole, role: Role) -> list[str]:
    """The pages a role walks, with their parameters filled."""
    found = []
    for route in walked(whole, role):
        path = INSTEAD.get(route, route) + QUERIES.get(route, "")
        filled = re.sub(r"\{(\w+):\w+\}", r"{\1}", path)
        found.append(filled.format_map(whole.examples))
    return sorted(found)


def test_axe_sees_every_page(whole: Whole) -> None:
    checked, pages = axe.checked_routes(), set(pages_of(whole))
    assert len(checked) > 10
    assert checked <= pages, f"no such page: {checked - pages}"
    seen = checked.union(*(walked(whole, role) for role in WALKS))
    assert seen == pages, f"no test has axe look at {sorted(pages - seen)}"


@pytest.mark.parametrize("role", WALKS)
@pytest.mark.parametrize(
    "sights",
    [
        pytest.param(axe.CROSSED, id="crossed"),
        pytest.param(axe.ALL, id="all", marks=pytest.mark.soak),
    ],
)
def test_every_page_is_clean_under_axe(
    page_of: PageOf, whole: Whole, role: Role, sights: Sequence[axe.Sight]
) -> None:
    page = page_of(role)
    language = WALKS[role][0]
    faults, paths = [], paths_of(whole, role)
    assert len(paths) > 5
    for path in paths:
        answer = page.goto(f"/{language}{path.removesuffix('/') if path == '/' else path}")
        assert answer is not None
        if answer.status in (403, 404) or answer.status >= 500:
            faults.append(f"{role} {path}: status {answer.status}")
        faults += [f"{role} {path}: {fault}" for fault in axe.faults(page, sights)]
    assert not faults, "\n".join(faults)


def test_pages_have_what_the_pictures_of_the_handbooks_show(page_of: PageOf, whole: Whole) -> None:
    pages: dict[Role, Page] = {}
    for language, (name, picture) in zip(cycle(LANGUAGES), PICTURES.items(), strict=False):
        page = pages.setdefault(picture.role, pages.get(picture.role) or page_of(picture.role))
        page.set_viewport_size({"width": picture.width, "height": picture.height})
        page.goto(f"/{language}{picture.path.format_map(whole.examples)}")
        for selector in (*picture.shows, *filter(None, [picture.at])):
            expect(page.locator(selector).first, f"{name}: {selector}").to_be_attached()


# --- by keyboard alone ----------------------------------------------------------------------------


def test_a_player_asks_about_a_game_by_keyboard(page_of: PageOf) -> None:
    page = page_of(Role.PLAYER)
    page.goto(f"/en/players/{player_id(1)}/fide/2025-06-01")
    tab_to(page, "main a[href*='/questions/new']")
    page.keyboard.press("Enter")
    page.wait_for_url("**/questions/new*")
    tab_to(page, "#text")
    page.keyboard.type("Was this a draw?")
    tab_to(page, "main form button.primary")
    page.keyboard.press("Enter")
    expect(page.locator(".states")).to_be_visible()


def test_an_officer_answers_a_question_by_keyboard(page_of: PageOf) -> None:
    page = page_of(Role.RATING_ADMINISTRATOR)
    page.goto("/en/desk")
    tab_to(page, "main a[href='/en/desk/questions']")
    page.keyboard.press("Enter")
    page.wait_for_url("**/desk/questions")
    tab_to(page, "main tbody a")
    page.keyboard.press("Enter")
    page.wait_for_url("**/questions/*")
    tab_to(page, "#text")
    page.keyboard.type("The score sheet says 1-0.")
    tab_to(page, "main form button.primary")
    page.keyboard.press("Enter")
    expect(page.locator(".notice.done")).to_be_visible()


def test_an_arbiter_stops_a_board_by_keyboard(
    page_of: PageOf,
) -> None:
    page = page_of(Role.ARBITER)
    page.goto(f"/en/hall/{EVENT}/wall")
    expect(page.locator(".tile").first).to_be_visible()
    tab_to(page, ".tile")
    page.keyboard.press("Enter")
    expect(page.locator("#act-choice option[value=pause]")).to_be_attached()
    tab_to(page, "#act-choice")
    for _ in range(page.locator("#act-choice option").count()):
        if page.locator("#act-choice").input_value() == "pause":
            break
        page.keyboard.press("ArrowDown")
    tab_to(page, "#act-reason")
    page.keyboard.type("A call of Black.")
    tab_to(page, "[data-part=act-submit]")
    page.keyboard.press("Enter")
    expect(page.locator("[data-part=act-told]")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("dialog.detail")).to_be_hidden()
