"""Kinds of events held by clicks alone: a round robin, teams, a championship of two events."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass

import pytest
from playwright.sync_api import Page, expect

from arrocco.desk import Office
from arrocco.office.roles import Asker, Role
from tests.browser import axe
from tests.browser.conftest import BUILT, NewTab, Served, keep
from tests.browser.hall_stage import Signed, session_of, signed
from tests.browser.socket_games import play_all, seats
from tests.serving import Server, serving
from tests.web.offices import PASSWORD

__all__ = ["signed"]

pytestmark = pytest.mark.skipif(
    not (BUILT / "hall-live.js").exists(), reason="NOT BUILT: run `npm ci && npm run build`"
)
PLAYERS = ("Bea Abete", "Carlo Betulla", "Dina Cedro", "Elio Dafne")
SLOW = 90_000
FIRST = 3
"""The account of the first player."""


@pytest.fixture(scope="module")
def hall_office(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Office]:
    """An office with an arbiter and four players, for all tests of this module."""
    with closing(Office.open(tmp_path_factory.mktemp("kinds") / "office")) as office:
        desk = office.accounts
        desk.accept_invitation(desk.invite_first("admin@example.org"), "Ada Rossi", PASSWORD)
        admin = Asker(account=1, name="Ada Rossi", role=Role.SYSTEM_ADMINISTRATOR)
        token = desk.invite(admin, "arbiter@example.org", Role.ARBITER, "", None)
        desk.accept_invitation(token, "Dora Capo", PASSWORD)
        for number, name in enumerate(PLAYERS, start=1):
            email, player = f"p{number}@example.org", 99000010 + number
            desk.accept_invitation(
                desk.invite(admin, email, Role.PLAYER, "", player), name, PASSWORD
            )
        yield office


@pytest.fixture(scope="module")
def server(hall_office: Office) -> Iterator[Server]:
    with serving(hall_office.folder) as server:
        yield server


@pytest.fixture(scope="module")
def served(server: Server) -> Served:
    return Served(server.address, server.folder)


@dataclass
class Hall:
    """The hall that is served, and those who play there over sockets."""

    server: Server
    office: Office

    def token_of(self, account: str) -> str:
        return session_of(self.office, f"p{int(account) - FIRST + 1}")

    def play(self, page: Page, *results: str) -> list[str]:
        """Plays the games of the open round to these results; their names."""
        games = games_of(page, len(results))
        play_all(self.server, self.token_of, dict(zip(games, results, strict=True)))
        return games


@pytest.fixture
def hall(server: Server, hall_office: Office) -> Hall:
    return Hall(server, hall_office)


def games_of(page: Page, boards: int) -> list[str]:
    """The games of the last round, as the event's page leads to them."""
    links = page.locator("[data-live=rounds] details.round").first.locator("a[href*='/hall/game/']")
    expect(links).to_have_count(boards)
    return [str(link.get_attribute("href")).rpartition("/")[2] for link in links.all()]


def announce(page: Page, name: str, system: str, tolerance: str = "10:00") -> str:
    """An event of one round, or as many as its system has."""
    page.goto("/en/hall/new")
    page.fill("#name", name)
    page.select_option("#system", system)
    page.fill("#tolerance", tolerance)
    page.fill("#disconnection_rule", "The clock runs on.")
    if system == "swiss":
        page.fill("#rounds", "1")
    page.click("main .actions button.primary")
    page.wait_for_url(re.compile(rf"/hall/{name.lower()}-"))
    return page.url


def asks(page: Page, what: str, **fields: str) -> None:
    """Opens the box of a command, fills it and sends it."""
    form = page.locator(f"form[action$='ask/{what}']").first
    if not form.is_visible():
        page.locator(f"details:has(> form[action$='ask/{what}']) > summary").first.click()
    for name, value in fields.items():
        field = form.locator(f"[name={name}]")
        if field.evaluate("one => one.tagName") == "SELECT":
            field.select_option(value)
        else:
            field.fill(value)
    # The page may still show what was done before: the answer to this very form is what counts.
    with page.expect_response(lambda one: f"/ask/{what}" in one.url, timeout=SLOW) as answer:
        form.locator("button").last.click()
    said = page.locator("main [role=alert], main .notice").all_inner_texts()
    assert answer.value.status == 303, (what, answer.value.status, said)
    expect(page.locator(".notice.done")).to_be_visible(timeout=SLOW)


def enter(page: Page, event: str, *numbers: int) -> None:
    for number in numbers:
        page.goto(event)
        asks(page, "enter", email=f"p{number}@example.org")


def hold_round(page: Page, event: str, hall: Hall | None = None, *results: str) -> list[str]:
    """Pairs, opens and closes a round; its games are played, or, without a hall, nobody comes."""
    page.goto(event)
    asks(page, "pair_round")
    asks(page, "open_round")
    games = [] if hall is None else hall.play(page, *results)
    may_be_closed(page)
    asks(page, "close_round")
    return games


def may_be_closed(page: Page) -> None:
    """The page follows: all boards have results."""
    close = page.locator("form[action$='ask/close_round'] button.primary")
    expect(close).to_be_visible(timeout=4 * SLOW)


def test_a_round_robin_of_four_with_its_live_boards_and_cross_table(
    new_tab: NewTab, signed: Signed, hall: Hall
) -> None:
    page, public = new_tab("en"), new_tab("en", width=390)
    signed(page, "arbiter")
    event = announce(page, "Robin", "round_robin")
    enter(page, event, 1, 2, 3, 4)
    games = []
    for results in (("1–0", "½–½"), ("0–1", "1–0"), ("½–½", "0–1")):
        games = hold_round(page, event, hall, *results)
        rows = page.locator("[data-live=rounds] details.round").first.locator("tbody tr")
        for at, result in enumerate(results):
            expect(rows.nth(at)).to_contain_text(result)
    public.goto(f"{event}/live")
    expect(public.locator("a.tile .state")).to_have_text(["½–½", "0–1"])
    rows = public.locator("section[aria-labelledby=cross-table] tbody tr")
    expect(rows).to_have_count(4)
    expect(rows.first.locator("td")).to_have_count(5)  # line, points and three rounds
    points = [float(row.locator("td.num").nth(1).inner_text()) for row in rows.all()]
    assert sum(points) == 6
    assert points == sorted(points, reverse=True)
    pgn = public.request.get(f"/api/v1/hall/events/{event.rpartition('/')[2]}/games.pgn").text()
    assert pgn.count("[Event ") == 6
    assert pgn.count("Qh4#") == pgn.count("Qxf7#") == 2
    public.locator(".live-rounds a").first.click()
    expect(public.locator("a.tile .state")).to_have_text(["1–0", "½–½"])
    assert public.evaluate("document.documentElement.scrollWidth <= innerWidth")
    keep(public, "en", "hall-live-390")
    public.locator("a.tile").first.click()
    public.wait_for_url(re.compile("/hall/game/robin-"))
    page.goto(f"/en/hall/game/{games[1]}")
    expect(page.locator("[data-part=result]")).to_contain_text("0–1")


def test_12_9_a_team_event_from_a_list_with_a_captain_who_complains(
    new_tab: NewTab, signed: Signed, hall: Hall
) -> None:
    page, captain = new_tab("en"), new_tab("en")
    signed(page, "arbiter")
    event = announce(page, "Squadre", "team")
    page.locator("a.button[href$='/teams']").click()
    page.fill("#boards", "2")
    page.fill(
        "#list",
        "Rossi, p1@example.org, p1@example.org, 99000013\nNeri, 99000012, 99000012, 99000014",
    )
    page.click("main form button")
    expect(page.locator(".notice.done")).to_be_visible(timeout=SLOW)
    page.goto(event)
    asks(page, "pair_round")
    signed(captain, "p1")
    captain.goto(event)
    asks(page, "open_round")
    captain.wait_for_url(re.compile("/hall/game/squadre-"), timeout=SLOW)  # taken to the board
    # Rossi has White on the first board and Black on the second, and wins on both.
    hall.play(page, "1–0", "0–1")
    expect(captain.locator("[data-part=result]")).to_contain_text("1–0")
    may_be_closed(page)
    page.goto(f"{event}/teams")
    standing = page.locator("section[aria-labelledby=standings] tbody tr")
    expect(standing).to_have_count(2)
    expect(standing.first).to_contain_text("Rossi")
    expect(standing.first).to_contain_text("2")
    expect(standing.last).to_contain_text("0")
    expect(page.locator("section[aria-labelledby=matches] tbody tr a")).to_have_count(2)
    keep(page, "en", "hall-teams")
    axe.check(page, "/hall/{event:str}/teams")
    captain.goto(event)
    expect(captain.locator("[data-part=own-finished]")).to_contain_text("1–0")
    captain.click("a.button[href$='/filings']")
    captain.fill("#text", "The clocks were wrong")
    captain.check("#member")
    captain.click("form[action$='/filings'] button.primary")
    expect(captain.locator(".notice.done")).to_be_visible(timeout=SLOW)
    page.goto(f"{event}/filings/1")
    expect(page.locator("main")).to_contain_text("The clocks were wrong")


def test_9_1e_a_championship_of_two_events_refuses_the_excluded(
    new_tab: NewTab, signed: Signed, hall: Hall
) -> None:
    page = new_tab("en", width=390)
    signed(page, "arbiter")
    page.goto("/en/hall/championships")
    page.fill("#name", "Coppa")
    page.click("main form button")
    page.wait_for_url(re.compile("/hall/championships/coppa-"))
    cup = page.url
    first = announce(page, "Primo", "swiss", tolerance="0:30")
    second = announce(page, "Secondo", "swiss")
    for name in ("Primo", "Secondo"):
        page.goto(cup)
        page.select_option("#event", label=name)
        page.click("main form button")
        expect(page.locator(".notice.done")).to_be_visible(timeout=SLOW)
    enter(page, first, 1, 2, 3, 4)
    page.goto(first)
    asks(page, "pair_round")
    asks(page, "open_round")
    absent = str(FIRST)
    games = {game: seats(hall.server, game) for game in games_of(page, 2)}
    [missed] = [game for game, accounts in games.items() if absent in accounts]
    [played] = [game for game in games if game != missed]
    play_all(hall.server, hall.token_of, {played: "1–0"}, without=(missed, absent))
    may_be_closed(page)
    asks(page, "close_round")
    asks(page, "exclude_absent", scope="championship", reason="did not come, as before")
    page.goto(second)
    page.locator("details:has(> form[action$='ask/enter']) > summary").click()
    excluded = page.locator("form[action$='ask/enter'] [name=email]")
    excluded.fill("p1@example.org")
    excluded.press("Enter")
    expect(page.locator("main")).to_contain_text("excluded from the championship", timeout=SLOW)
    enter(page, second, 2, 3)
    hold_round(page, second, hall, "0–1")
    page.goto(cup)
    rows = page.locator("section[aria-labelledby=excluded] tbody tr")
    expect(rows).to_have_count(1)
    expect(rows.first).to_contain_text("9.1e")
    standing = page.locator("section[aria-labelledby=standings] tbody tr")
    expect(standing).to_have_count(3)  # everybody who was in one of them, but who is excluded
    expect(page.locator("section[aria-labelledby=standings]")).not_to_contain_text("Abete")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    keep(page, "en", "hall-championship-390")
    axe.check(page, "/hall/championships/{championship:str}")
