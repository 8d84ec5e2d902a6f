"""5.10, 8.2, 12.4 — the arbiter asks to see something: both pages, on a laptop and a phone."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from playwright.sync_api import WebSocketRoute, expect

from arrocco.hall.event.acts.room_checks import RequestRoomCheck
from arrocco.hall.event.rules import Supervision
from arrocco.hall.game import Phase
from arrocco.hall.game.records import InspectionPoint
from arrocco.words import Language, say
from tests.browser.conftest import BUILT, NewTab, Served, keep
from tests.browser.hall_stage import Remote, Signed, hall_office, remote, signed
from tests.browser.languages import first_in
from tests.browser.test_hall_player import EVENT, GAME, PHONE, create_event, round_of_one_board

__all__ = ["hall_office", "remote", "signed"]

pytestmark = pytest.mark.skipif(
    not (BUILT / "hall-game.js").exists(), reason="NOT BUILT: run `npm ci && npm run build`"
)


@pytest.fixture
def served(remote: Remote) -> Served:
    return remote.served


@first_in("en")
@pytest.mark.parametrize("width", [1366, PHONE])
def test_5_10_asked_shown_refused_and_closed(
    remote: Remote, new_tab: NewTab, signed: Signed, language: Language, width: int
) -> None:
    device = "phone" if width == PHONE else "laptop"
    round_of_one_board(remote)
    player, arbiter = new_tab(language, width=width), new_tab(language, width=width)
    signed(player, "white")
    signed(arbiter, "arbiter")
    player.goto(f"/{language}/hall/game/{GAME}")
    arbiter.goto(f"/{language}/hall/{EVENT}/wall")
    arbiter.locator(".tile").first.click()
    desk = arbiter.locator("[data-part=inspection-desk]")
    expect(arbiter.locator("[data-part=pause-now]")).to_be_visible()  # the game has begun
    desk.locator("summary").click()
    desk.locator("[data-ask='white/room']").click()
    card = player.locator(".inspection[data-point=room]")
    expect(card).to_contain_text(say(language, "hall_pages.js.inspection.how_room"))
    expect(card).to_contain_text(say(language, "hall_pages.js.inspection.clocks_stand"))
    card.scroll_into_view_if_needed()
    keep(player, language, f"inspection-player-{device}")
    assert remote.state(GAME).phase is Phase.PAUSED
    expect(desk.locator("[data-ask='white/room']")).to_be_disabled()

    card.locator("[data-answer=refuse]").click()
    expect(card.locator("[data-answer=refuse]")).to_contain_text("5.10")  # a second click is needed
    assert remote.state(GAME).inspections[0].shows is None
    card.locator("[data-answer=refuse]").click()
    line = arbiter.locator("[data-part=inspections-asked] li")
    expect(line).to_have_class("refuses")
    line.scroll_into_view_if_needed()
    keep(arbiter, language, f"inspection-arbiter-{device}")

    card.locator("[data-answer=show]").click()  # still possible
    expect(line).to_have_class("shown")
    line.get_by_role("button", name=say(language, "hall_pages.js.inspection.fine")).first.click()
    expect(card).to_have_count(0)
    found = remote.state(GAME).inspections[0]
    assert (found.shows, found.in_order) == (True, True)
    for page in (player, arbiter):
        wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert wide <= 0, f"{device} scrolls sideways"


@pytest.mark.parametrize(("language", "width"), [("en", 1366), ("it", PHONE)])
def test_12_4_the_check_of_a_room_before_play(
    remote: Remote, new_tab: NewTab, signed: Signed, language: Language, width: int
) -> None:
    device = "phone" if width == PHONE else "laptop"
    create_event(remote, supervision=Supervision.FULL)
    player, arbiter = new_tab(language, width=width), new_tab(language, width=width)
    signed(player, "white")
    signed(arbiter, "arbiter")
    player.goto(f"/{language}/hall/{EVENT}")

    arbiter.goto(f"/{language}/hall/{EVENT}")  # 9.1d
    box = arbiter.locator(".act-box").filter(has_text=say(language, "video_pages.joining.change"))
    box.locator("summary").click()
    ahead = datetime.now(ZoneInfo("Europe/Rome")) + timedelta(hours=2)
    box.locator("[name=joining]").fill(f"{ahead:%Y-%m-%dT%H:%M}")
    box.get_by_role("button").click()
    expect(player.locator(".joining")).to_contain_text("9.1d")

    arbiter.goto(f"/{language}/hall/{EVENT}/wall")
    line = arbiter.locator(".attends[data-entry='1']")
    expect(line).to_have_class("attends expected")
    line.locator("summary").click()
    line.locator("[data-point=room] [data-do=ask]").click()
    card = player.locator(".inspection[data-point=room]")
    expect(card).to_contain_text(say(language, "hall_pages.js.inspection.how_room"))
    keep(player, language, f"room-check-player-{device}")
    card.get_by_role("button", name=say(language, "hall_pages.js.inspection.show")).click()
    point = line.locator("[data-point=room]")
    expect(point).to_have_class("shown")
    keep(arbiter, language, f"room-check-wall-{device}")
    point.locator("[data-do=tick]").click()
    expect(point).to_have_class("in_order")
    expect(card).to_have_count(0)

    # 12.4, 6.4 — everybody at once, or some by lot; who has answered stands beside it.
    arbiter.locator(".ask-all summary").click()
    many = arbiter.locator("[data-part=ask-all]")
    many.locator("[name=sample]").fill("2")
    expect(many.locator("[name=seed]")).to_have_value(re.compile("[0-9a-f]{16}"))
    keep(arbiter, language, f"room-checks-of-many-{device}")
    many.get_by_role("button").click()
    answers = arbiter.locator("[data-answers=ears]")
    expect(answers).to_contain_text("Abete, Bea")
    ears = player.locator(".inspection[data-point=ears]")
    ears.get_by_role("button", name=say(language, "hall_pages.js.inspection.show")).click()
    expect(answers).not_to_contain_text("Abete, Bea")
    expect(answers).to_contain_text("Betulla, Carlo")

    other = arbiter.locator(".attends[data-entry='2']")  # 9.1e
    other.locator("summary").click()
    other.locator("[data-do=excuse]").click()
    expect(other).to_have_class("attends excused")
    arbiter.goto(f"/{language}/hall/{EVENT}/report")
    report = arbiter.locator("main")
    expect(report).to_contain_text(say(language, "hall_pages.record.room_checked"))
    expect(report).to_contain_text(say(language, "hall_pages.record.room_checks_requested"))
    expect(report).to_contain_text(say(language, "hall_pages.record.absence_announced"))


def test_what_was_asked_while_a_page_had_no_socket_is_seen_once_it_has_one(
    remote: Remote, new_tab: NewTab, signed: Signed
) -> None:
    """Between a page and its socket, or while the network is away, nobody tells it anything."""
    create_event(remote, supervision=Supervision.FULL)
    player = new_tab("en")
    signed(player, "white")
    has_network = False

    def connect(socket: WebSocketRoute) -> None:
        if has_network:
            socket.connect_to_server()
        else:
            socket.close()

    player.route_web_socket("**/hall/socket*", connect)
    player.goto(f"/en/hall/{EVENT}")
    player.wait_for_load_state()
    remote.ask(EVENT, RequestRoomCheck(by="2", entry=1, point=InspectionPoint.ROOM))
    card = player.locator(".inspection[data-point=room]")
    expect(card).to_have_count(0)
    has_network = True
    expect(card).to_contain_text(say("en", "hall_pages.js.inspection.how_room"))
