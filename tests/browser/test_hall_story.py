"""An event by clicks: a file of players, a changed proposal, all boards, a corrected result."""

from __future__ import annotations

import asyncio
import re
from concurrent.futures import ThreadPoolExecutor

import pytest
from playwright.sync_api import Page, expect

from arrocco.desk import Office
from arrocco.office.roles import Asker, Role
from tests.browser.conftest import BUILT, NewTab, Served, keep
from tests.browser.hall_stage import Remote, hall_office, remote, session_of
from tests.browser.test_hall_game import announce
from tests.serving import Page as SocketPage
from tests.web.offices import PASSWORD

__all__ = ["hall_office", "remote"]

pytestmark = pytest.mark.skipif(
    not (BUILT / "hall-proposal.js").exists(), reason="NOT BUILT: run `npm ci && npm run build`"
)
PLAYERS = 4


@pytest.fixture
def served(remote: Remote) -> Served:
    return remote.served


def with_accounts(office: Office, count: int) -> list[str]:
    """Players with accounts and numbers; their names before the @ of their addresses."""
    admin = Asker(account=1, name="Ada Rossi", role=Role.SYSTEM_ADMINISTRATOR)
    people = [f"c{number}" for number in range(1, count + 1)]
    for number, who in enumerate(people, start=1):
        invited = f"{who}@example.org"
        token = office.accounts.invite(admin, invited, Role.PLAYER, "", 99000030 + number)
        office.accounts.accept_invitation(token, f"Nome{number} Cognome{number}", PASSWORD)
    return people


def play(remote: Remote, office: Office, games: list[str]) -> None:
    """Both sides move once at every board and White resigns, over sockets of their own."""

    async def all_play() -> None:
        for game in games:
            state = remote.state(game)
            pages = []
            for seat in (state.white, state.black):
                who = f"c{int(seat.player.id) - 4}"
                page = SocketPage(remote.server, session_of(office, who))
                await page.open()
                await page.join(game)
                pages.append(page)
            white, black = pages
            for page, wish in (
                (white, {"type": "move", "uci": "e2e4", "ply": 0}),
                (black, {"type": "move", "uci": "e7e5", "ply": 1}),
                (white, {"type": "resign"}),
            ):
                answer = await page.ask(game, **wish)
                assert answer["type"] == "done", answer
            for page in pages:
                await page.close()

    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, all_play()).result(60)


def looked_at(page: Page, name: str) -> None:
    """Keeps a picture at both widths; nothing is wider than the window."""
    page.wait_for_load_state()  # of the page that a click has led to
    for width, height in ((1366, 650), (390, 844)):
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), (name, width)
        keep(page, "en", f"{name}-{width}")
    page.set_viewport_size({"width": 1366, "height": 650})


def test_an_event_from_a_file_of_players_to_a_corrected_result(
    new_tab: NewTab, remote: Remote, hall_office: Office
) -> None:
    page = new_tab("en")
    token = session_of(hall_office, "arbiter")
    cookie = {"name": "arrocco_session", "value": token, "url": remote.served.address}
    page.context.add_cookies([cookie])  # type: ignore[list-item]
    people = with_accounts(hall_office, PLAYERS)
    event = announce(page, "en")
    page.get_by_role("link", name="Schedule and places").click()
    page.fill("#description", "Four people, one round.")
    looked_at(page, "hall-schedule")
    page.get_by_role("button", name="Save the schedule").click()
    page.get_by_role("link", name="Enter and invite players").first.click()
    text = "\n".join(f"{99000031 + at},{who}@example.org" for at, who in enumerate(people))
    file = {"name": "players.csv", "mimeType": "text/csv", "buffer": text.encode()}
    page.set_input_files("#file", file)  # type: ignore[arg-type]
    page.get_by_role("button", name="Enter the players").click()
    expect(page.locator("#told ~ * tbody tr")).to_have_count(PLAYERS)
    looked_at(page, "hall-invite")
    page.goto(event)
    page.get_by_role("link", name="Proposal for round 1").click()
    seats = page.locator(".seat")
    first, third = seats.nth(0).inner_text(), seats.nth(2).inner_text()
    expect(seats.nth(2)).to_be_enabled()  # what is pressed earlier would be lost
    seats.nth(0).press("Enter")
    seats.nth(2).press("Enter")
    expect(seats.nth(0)).to_have_text(re.compile(re.escape(third.split()[-2])))
    expect(page.locator("[data-part=checks]")).to_contain_text("2 boards differ")
    seats.nth(2).drag_to(seats.nth(1))
    expect(page.locator("[data-part=said]")).to_contain_text("Swapped")
    looked_at(page, "hall-proposal")
    assert first != third
    page.fill("#reason", "as drawn by lot")
    page.get_by_role("button", name="Publish these pairings").click()
    page.locator("form[action$='ask/open_round'] button").click()
    looked_at(page, "hall-event-arbiter")
    games = page.locator("[data-live=rounds] a[href*='/hall/game/']")
    names = [str(one.get_attribute("href")).rpartition("/")[2] for one in games.all()]
    page.goto(f"{event}/wall")
    expect(page.locator(".tile.running")).to_have_count(2)
    page.get_by_text("Acts at many boards").click()
    page.get_by_role("button", name="Pause").click()
    expect(page.locator(".tile.paused")).to_have_count(2)
    page.fill("[data-part=bulk] [name=reason]", "the power is back")
    looked_at(page, "hall-wall-bulk")
    page.get_by_role("button", name="Resume").click()
    expect(page.locator(".tile.running")).to_have_count(2)
    # What is announced while the line is lost is sent once it is back.
    page.context.set_offline(True)
    expect(page.locator("[data-part=connection]").first).to_contain_text("reconnecting")
    page.fill("[data-part=announce] [name=text]", "Ten minutes of break.")
    page.get_by_role("button", name="Announce", exact=True).click()
    expect(page.locator("[data-part=bulk-told]")).to_contain_text("as soon as the connection")
    page.context.set_offline(False)
    expect(page.locator("[data-part=bulk-told]")).to_contain_text("Announced to all players: Ten")
    play(remote, hall_office, names)
    page.goto(event)
    expect(page.locator(".told")).to_contain_text("Ten minutes of break.")
    page.locator("form[action$='ask/close_round'] button").click()
    page.locator("details:has(> form[action$='ask/correct_result']) > summary").click()
    page.fill("#correct_result-board", "1")
    page.select_option("#correct_result-points", "5,5")
    page.select_option("#correct_result-article", "5.16")
    page.fill("#correct_result-reason", "the appeal was upheld")
    page.locator("form[action$='ask/correct_result'] button").click()
    expect(page.locator("[data-live=rounds] tbody tr").first).to_contain_text("½–½")
    pgn = page.request.get(f"{event}/files/pgn").text()
    assert pgn.count('[Result "1/2-1/2"]') == 1
    assert "=" in page.request.get(f"{event}/files/trf16").text()
    page.goto(f"/en/hall/game/{names[0]}")
    expect(page.locator("[data-part=result]")).to_contain_text("½")
    page.goto(f"{event}/announcement")
    looked_at(page, "hall-announcement")
