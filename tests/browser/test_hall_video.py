"""9.1 — supervised in a real browser with fake devices, over both engines.

Consent, check, joining; everything that can go missing: the right alarm, the next move refused,
the gap in the log, a card proposed and not given, and play goes on. Pictures and alarms come within
three seconds, which is tried again where a busy machine was late; how long each took is kept in
`build/`.
"""

from __future__ import annotations

import json
import os
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

import msgspec
import pytest
from playwright.sync_api import Browser, Page, expect

from arrocco.desk import Office
from arrocco.hall.event.acts.consent import WORDS, ConsentToVideo
from arrocco.hall.event.rules import Supervision
from arrocco.hall.game.vcs_gaps import absences
from arrocco.video.recordings import FOLDER, recordings_of
from arrocco.video.slices import SLICES, Slice
from arrocco.video.verification import verify
from tests.browser import axe, janus_recorded
from tests.browser.conftest import BUILT, SCREENSHOTS, NewTab
from tests.browser.hall_stage import Program, Signed, hall_office, program, session_of, signed
from tests.browser.test_hall_player import EVENT, GAME, create_event, open_round
from tests.browser.video_engines import chromium, engine, served, until
from tests.serving import Page as SocketPage

__all__ = ["chromium", "engine", "hall_office", "program", "served", "signed"]

pytestmark = pytest.mark.skipif(
    not (BUILT / "hall-video.js").exists(), reason="NOT BUILT: run `npm ci && npm run build`"
)
LONG = 180_000
"""Milliseconds: on a busy machine a program takes a minute to start."""
CHECKS = 4
SOON, TRIES = 3.0, 3
"""Seconds within which pictures and alarms are there, and how often a busy machine may try."""
FULL_TIME, INCREMENT, SLACK = 1_800_000, 2_000, 2_500
"""Milliseconds: what the clocks have, and what the server may give back for its lateness."""
POINTS = ("browser", "camera", "microphone", "screen", "monitors", "bandwidth", "connection")
_MIRROR = "document.querySelector('.mirror').srcObject.get{}Tracks()[0].{}"
_KEEP_SCREEN = """
const asked = navigator.mediaDevices.getDisplayMedia.bind(navigator.mediaDevices);
navigator.mediaDevices.getDisplayMedia = async (wanted) =>
  (window.sharedScreen = await asked(wanted));
"""
_SEEN = "one => one.videoWidth > 0 && one.readyState >= 2"
BLACK = "Camera dark or covered 10.1"
Fault = tuple[str, Callable[[Page], Any], Callable[[Page], Any]]


def _again(page: Page) -> None:
    page.locator(".conference > button:visible").first.click()


FAULTS: list[Fault] = [
    (
        BLACK,
        lambda page: page.evaluate(_MIRROR.format("Video", "enabled = false")),
        lambda page: page.evaluate(_MIRROR.format("Video", "enabled = true")),
    ),
    (
        "Microphone silent 10.2",
        lambda page: page.evaluate(_MIRROR.format("Audio", "enabled = false")),
        lambda page: page.evaluate(_MIRROR.format("Audio", "enabled = true")),
    ),
    (
        "Screen not shared 9.1c",
        lambda page: page.evaluate("window.sharedScreen.getTracks()[0].stop()"),
        _again,
    ),
    (
        "No camera picture 9.1a",
        lambda page: page.evaluate(_MIRROR.format("Video", "stop()")),
        _again,
    ),
]


def test_9_1_a_player_consents_joins_is_missed_and_plays_on(
    engine: str,
    hall_office: Office,
    program: Program,
    new_tab: NewTab,
    signed: Signed,
    chromium: Browser,
    tmp_path: Path,
) -> None:
    create_event(program, supervision=Supervision.FULL, cards=True, time_control="1800+2")

    def white_page() -> Page:
        page = new_tab("en", width=1366)
        page.add_init_script(_KEEP_SCREEN)
        signed(page, "white")
        return page

    def join(page: Page) -> float:
        page.goto(f"/en/hall/{EVENT}")
        button = page.locator("[data-part=join-video]").first
        expect(button).to_be_visible(timeout=LONG)
        began = time.monotonic()
        button.click()
        return began

    page = white_page()
    if engine == "segments":
        consents_and_checks(page)
    else:
        program.ask(EVENT, ConsentToVideo(by="3", words=WORDS))
    join(page)
    bar = page.locator(".conference")
    expect(bar).to_have_attribute("data-state", "on", timeout=LONG)
    arbiter = new_tab("en", width=1366)
    signed(arbiter, "arbiter")
    arbiter.goto(f"/en/hall/{EVENT}/wall")
    is_seen_before_the_round(arbiter, engine)
    page.bring_to_front()
    open_round(program)  # the frame leads to the board, and the conference goes on
    until(lambda: program.state(GAME).white.vcs.on, page)
    board = page.frame_locator("iframe")
    expect(board.locator("cg-board")).to_be_visible(timeout=LONG)
    _keep(page, f"video-board-{engine}")

    # White stays at the board: a gap beside one of the board itself does not count (7.9).
    stays = new_tab("en", width=1366)
    signed(stays, "white")
    stays.goto(f"/en/hall/game/{GAME}")
    expect(stays.locator("cg-board")).to_be_visible(timeout=LONG)
    alarms = arbiter.locator("[data-part=alarms]")
    took: dict[str, float] = {}

    def told(alarm: str, fault: Callable[[], Any]) -> None:
        gaps = len(absences(program.state(GAME).white.vcs))
        began = time.monotonic()
        fault()
        expect(alarms).to_contain_text(alarm, timeout=LONG)
        took[alarm] = min(took.get(alarm, LONG), time.monotonic() - began)
        until(lambda: not program.state(GAME).white.vcs.on, arbiter)
        assert move(program, hall_office)["key"] == "hall.off_vcs"  # 9.1f
        assert len(absences(program.state(GAME).white.vcs)) > gaps  # 7.9
        expect(alarms).to_contain_text("card possible 9.2", timeout=LONG)

    for alarm, fault, repair in FAULTS:
        for attempt in range(TRIES):
            told(alarm, lambda fault=fault: fault(page))  # type: ignore[misc]
            if alarm == BLACK and not attempt:
                expect(bar).to_have_attribute("data-state", "off", timeout=LONG)
                expect(board.locator("[data-part=off-vcs]")).to_be_visible(timeout=LONG)
                a_card_is_proposed_and_not_given(arbiter, engine)
            repair(page)
            expect(bar).to_have_attribute("data-state", "on", timeout=LONG)
            until(lambda: program.state(GAME).white.vcs.on, page)
            expect(alarms).not_to_contain_text(alarm, timeout=LONG)
            if took[alarm] <= SOON:
                break
    told("Video connection lost 7.9", page.close)

    arbiter.locator(".tile").first.click()
    page = white_page()
    began = join(page)
    for kind in ("camera", "screen"):
        video = arbiter.locator(f".live figure[data-kind={kind}] video").first
        until(lambda video=video: bool(video.count()) and video.evaluate(_SEEN), arbiter)  # type: ignore[misc]
        took[f"{kind} seen"] = time.monotonic() - began
    bar = page.locator(".conference")
    expect(bar).to_have_attribute("data-state", "on", timeout=LONG)
    until(lambda: program.state(GAME).white.vcs.on, page)
    page.bring_to_front()
    _keep(arbiter, f"video-wall-live-{engine}")
    if engine == "janus":
        camera = arbiter.locator(".live figure[data-kind=camera] video").first
        janus_recorded.is_killed_and_back(program, page, arbiter, camera)
    arbiter.keyboard.press("Escape")
    assert move(program, hall_office)["type"] == "done"
    state = program.state(GAME)
    assert not state.acts  # nothing was given by itself
    assert state.started is not None  # 9.1f: the clock ran through all of it
    used = FULL_TIME + INCREMENT - state.moves[0].white
    assert abs(state.moves[0].at - state.started - used) <= SLACK

    # 5.14 — after the game everything is off by itself.
    ended = {"article": "5.9", "against": "white", "scores": [0, 10], "reason": "a device"}
    program.act(GAME, type="declare_result", **ended)
    expect(bar).to_have_attribute("data-state", "resting", timeout=LONG)
    arbiter.goto(f"/en/hall/{EVENT}/report")  # 7.9
    gaps = arbiter.get_by_role("table", name="Disconnections from the video conference")
    expect(gaps.get_by_role("row", name="Abete, Bea")).to_contain_text("exclusion from")
    kept = program.served.folder / FOLDER
    if engine == "janus":
        janus_recorded.recordings_are_whole_and_play(kept, page, tmp_path / "films")
    else:
        names = recordings_of(kept, EVENT)
        assert {"1-camera-1", "1-screen-1"} <= set(names)
        assert not [one for one in names if verify(kept, EVENT, one).fault is not None]
        first_slices_are_short(kept)
    _keep_times(engine, took)
    came_soon(took)


def came_soon(took: dict[str, float]) -> None:
    """Where the machine has more to do than it can, being late is its own doing."""
    late = {what: seconds for what, seconds in took.items() if seconds > SOON}
    if late and os.getloadavg()[0] > 1.5 * (os.cpu_count() or 1):
        warnings.warn(f"THE MACHINE IS BUSY: {late} in seconds", stacklevel=1)
    else:
        assert not late


def consents_and_checks(page: Page) -> None:
    """12.3 — what a player does alone, before the event."""
    page.goto(f"/en/hall/{EVENT}/video")
    assert not page.locator("[data-part=join-video]").count()  # not without consent
    page.get_by_role("button", name="I have read this and consent").click()
    check = page.get_by_role("button", name="Check now")
    for _ in range(CHECKS):  # a busy machine is slow to upload, and says so
        check.click()
        expect(check).to_be_enabled(timeout=LONG)
        rows = page.locator("[data-check]").all()
        signs = {row.get_attribute("data-check"): row.get_attribute("data-sign") for row in rows}
        if signs == dict.fromkeys(POINTS, "done"):
            break
    assert signs == dict.fromkeys(POINTS, "done")
    expect(page.locator("[data-part=checked]")).to_be_visible()
    _keep(page, "video-check")
    axe.check(page, "/hall/{event:str}/video")


def is_seen_before_the_round(arbiter: Page, engine: str) -> None:
    """6.4, 12.4 — rooms are looked at before there is any board."""
    joined, expected = (arbiter.locator(f".attends.{one}") for one in ("joined", "expected"))
    expect(joined).to_contain_text("Abete, Bea", timeout=LONG)
    expect(expected).to_contain_text("Betulla, Carlo")
    assert not arbiter.locator(".tile").count()
    drawn = "one => one.getContext('2d').getImageData(80, 60, 1, 1).data[3] === 255"
    face = arbiter.locator(".mosaic .face")
    for picture in (face.locator("canvas"), joined.locator("summary canvas")):
        until(lambda picture=picture: picture.evaluate(drawn), arbiter)  # type: ignore[misc]
    assert not expected.locator("summary canvas").is_visible()
    joined.locator("summary").click()
    joined.get_by_role("button", name="See live").click()
    live = arbiter.locator("[data-part=live-person]")
    for kind in ("camera", "screen"):
        video = live.locator(f"figure[data-kind={kind}] video")
        until(lambda video=video: bool(video.count()) and video.evaluate(_SEEN), arbiter)  # type: ignore[misc]
    expect(live.get_by_role("button", name="Talk")).to_be_visible()
    expect(face).to_have_attribute("aria-pressed", "true")
    joined.locator("[data-point=room] [data-do=tick]").click()  # who is shown stays
    expect(arbiter.locator(".attends.checked [data-point=room]")).to_have_class("in_order")
    assert live.locator("figure[data-kind=camera] video").evaluate(_SEEN)
    _keep(arbiter, f"video-before-round-{engine}")
    axe.check(arbiter, "/hall/{event:str}/wall")
    face.click()
    expect(live).to_be_hidden()
    expect(arbiter.locator(".attends.checked [data-do=live]")).to_have_attribute(
        "aria-pressed", "false"
    )


def a_card_is_proposed_and_not_given(arbiter: Page, engine: str) -> None:
    """9.2 — the picture, and the act filled in; a person gives it."""
    card = arbiter.locator(".alarm").filter(has_text="yellow card possible")
    expect(card.locator("canvas")).to_be_visible(timeout=LONG)
    _keep(arbiter, f"video-wall-{engine}")
    card.get_by_role("button", name="Warn", exact=True).click()
    form = arbiter.locator("[data-part=act-form]")
    expect(form.locator("[data-part=act-choice]")).to_have_value("warn")
    expect(form.locator("[name=side]")).to_have_value("white")
    expect(form.locator("[data-part=act-article]")).to_have_value("9.2")
    arbiter.locator("[data-part=close]").click()


def first_slices_are_short(kept: Path) -> None:
    """The first pictures do not wait for slices of a second, which have ten of them."""
    lines = (kept / EVENT / f"1-camera-1{SLICES}").read_bytes().splitlines()
    first = [msgspec.json.decode(line, type=Slice) for line in lines[:10]]
    assert len(first) == 10
    assert median(one.video for one in first) < 6


def move(program: Program, office: Office) -> dict[str, Any]:
    """White moves, over a socket of their own."""

    async def done() -> dict[str, Any]:
        page = SocketPage(program.server, session_of(office, "white"))
        await page.open()
        await page.join(GAME)
        answer: dict[str, Any] = await page.ask(GAME, type="move", uci="e2e4", ply=0)
        await page.close()
        return answer

    answer: dict[str, Any] = program.run(done())
    return answer


def _keep(page: Page, name: str) -> None:
    (SCREENSHOTS / "en").mkdir(parents=True, exist_ok=True)
    page.screenshot(path=SCREENSHOTS / "en" / f"{name}.png")


def _keep_times(engine: str, took: dict[str, float]) -> None:
    shown = {what: round(seconds, 2) for what, seconds in took.items()}
    (SCREENSHOTS.parent / f"video-times-{engine}.json").write_text(json.dumps(shown, indent=1))
