"""10.3 — a phone becomes the second camera by a code, in a real browser with fake devices.

Over both engines, Janus in the soak; where it is not installed that half is skipped, loudly.
"""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

from arrocco.hall.event.acts.consent import WORDS, ConsentToVideo
from arrocco.hall.event.rules import Supervision
from arrocco.words import say
from tests.browser import axe
from tests.browser.conftest import BUILT, NewTab, keep
from tests.browser.hall_stage import Program, Signed, hall_office, program, signed
from tests.browser.test_hall_player import EVENT, GAME, PHONE, create_event, open_round
from tests.browser.video_engines import chromium, engine_of_this_run, served, until

__all__ = ["chromium", "engine_of_this_run", "hall_office", "program", "served", "signed"]

pytestmark = pytest.mark.skipif(
    not (BUILT / "hall-phone.js").exists(), reason="NOT BUILT: run `npm ci && npm run build`"
)
WHITE = "3"
LONG = 180_000


def test_10_3_a_phone_shows_the_room_beside_camera_and_screen(
    program: Program, new_tab: NewTab, signed: Signed, chromium: Browser
) -> None:
    create_event(program, supervision=Supervision.FULL, second_camera=True)
    program.ask(EVENT, ConsentToVideo(by=WHITE, words=WORDS))
    page = new_tab("en", width=1366)
    signed(page, "white")
    page.goto(f"/en/hall/{EVENT}")
    page.locator("[data-part=join-video]").first.click()
    bar = page.locator(".conference")
    # The rules require it: it is missing from the beginning, and no move waits for it.
    missing = say("en", "video_pages.js.conference.problem.no_room")
    expect(bar).to_contain_text(missing, timeout=LONG)
    expect(bar).to_have_attribute("data-state", "seen")
    open_round(program)
    until(lambda: program.state(GAME).white.vcs.on, page)
    page.get_by_role("button", name="Second camera").click()
    code = page.locator(".phone-code")
    expect(code.locator("svg")).to_be_visible(timeout=LONG)
    keep(page, "en", "phone-code")
    axe.check(page, "/hall/{event:str}")
    void = code.locator("code").inner_text()
    # The arbiter asks for it: the card beside the board shows a code too, and the first is void.
    asked = {"side": "white", "point": "second_camera", "stop_clocks": False, "reason": ""}
    program.act(GAME, type="ask_to_show", **asked)
    page.frame_locator("iframe").locator("[data-answer=code]").click(timeout=LONG)
    expect(code.locator("code")).not_to_have_text(void, timeout=LONG)
    address = code.locator("code").inner_text()

    arbiter = new_tab("en", width=1366)
    signed(arbiter, "arbiter")
    arbiter.goto(f"/en/hall/{EVENT}/wall")
    expect(arbiter.locator(".attends.joined")).to_contain_text("Abete, Bea", timeout=LONG)
    alarms = arbiter.locator("[data-part=alarms]")
    expect(alarms).to_contain_text("No second camera 10.3", timeout=LONG)
    expect(arbiter.locator(".attends.joined")).to_contain_text("No second camera")
    arbiter.locator(".tile").first.click()
    room = arbiter.locator(".live figure[data-kind=room]")
    expect(arbiter.locator(".live figure[data-kind=camera]").first).to_be_visible(timeout=LONG)
    assert not room.count()

    phone = new_tab("en", width=PHONE)  # nobody is logged in there
    phone.goto(address)
    axe.check(phone, "/hall/{event:str}/phone")
    state = phone.locator("[data-part=state]")
    assert not phone.locator("[data-part=picture]").is_visible()  # 12.3 — not without consent
    phone.get_by_role("button", name=say("en", "video_pages.consent.give")).click()
    expect(state).to_have_attribute("data-state", "done", timeout=LONG)
    keep(phone, "en", "phone-page")
    expect(code).to_be_hidden(timeout=LONG)
    expect(bar).to_contain_text(say("en", "video_pages.js.conference.room.there"), timeout=LONG)
    expect(room).to_contain_text("second camera", timeout=LONG)
    until(lambda: room.locator("video").evaluate("one => one.currentTime") > 0.2, arbiter)
    keep(arbiter, "en", "phone-wall")
    expect(bar).not_to_contain_text(missing, timeout=LONG)
    # Covered: a track that is switched off sends black without any event.
    covered = "document.querySelector('[data-part=picture]').srcObject.getTracks()[0].enabled = {}"
    phone.evaluate(covered.format("false"))
    shows_nothing = say("en", "video_pages.js.conference.problem.room_black")
    expect(bar).to_contain_text(shows_nothing, timeout=LONG)
    expect(alarms).to_contain_text("Second camera dark or covered 10.3", timeout=LONG)
    phone.evaluate(covered.format("true"))
    expect(alarms).not_to_contain_text("Second camera", timeout=LONG)
    kept = program.served.folder / "video" / EVENT
    until(lambda: bool(list(kept.glob("1-room-1*.slices"))), arbiter)

    # The code is used up; the phone itself comes back by its own.
    said = say("en", "video.no_such_code.text")
    for used in (address, void):
        thief = new_tab("en", width=PHONE)
        thief.goto(used)
        thief.locator("[data-part=start]").click()
        expect(thief.locator("[data-part=state]")).to_contain_text(said, timeout=LONG)
    assert phone.url != address
    phone.reload()
    expect(room).to_have_count(0, timeout=LONG)
    phone.locator("[data-part=start]").click()
    expect(state).to_have_attribute("data-state", "done", timeout=LONG)
    until(lambda: room.locator("video").evaluate("one => one.currentTime") > 0.2, arbiter)
    until(lambda: bool(list(kept.glob("1-room-2*.slices"))), arbiter)

    # 5.14 — after the game it is off as the others are, and nobody was blamed for it.
    assert len(program.state(GAME).acts) == 1  # what the arbiter asked
    ended = {"article": "5.9", "against": "white", "scores": [0, 10], "reason": "a device"}
    program.act(GAME, type="declare_result", **ended)
    expect(state).to_have_attribute("data-state", "waiting", timeout=LONG)
    ready = "document.querySelector('video').srcObject.getVideoTracks()[0].readyState"
    until(lambda: phone.evaluate(ready) == "ended", phone)
