"""An arbiter talks with one player and with a group, in a real browser with fake devices.

Over both engines, Janus in the soak; where it is not installed that half is skipped, loudly. What
arrives is measured: the fake microphone beeps every second.
"""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from arrocco.hall.event import decode, fold
from arrocco.hall.event.acts.consent import WORDS, ConsentToVideo
from arrocco.hall.event.rules import Supervision
from arrocco.hall.event.talk import Talk
from arrocco.live.log_reader import SqliteLogReader
from arrocco.store.hall_file import hall_file
from arrocco.words import say
from tests.browser import axe
from tests.browser.conftest import BUILT, NewTab, keep
from tests.browser.hall_stage import Program, Signed, hall_office, program, signed
from tests.browser.test_hall_player import EVENT, create_event, open_round
from tests.browser.video_engines import chromium, engine_of_this_run, served, until

__all__ = ["chromium", "engine_of_this_run", "hall_office", "program", "served", "signed"]

pytestmark = pytest.mark.skipif(
    not (BUILT / "hall-wall.js").exists(), reason="NOT BUILT: run `npm ci && npm run build`"
)
LONG = 180_000
PLAYERS = {"white": "3", "black": "4"}
HEARD = 0.02
"""The level of sound that is no noise: the fake microphone's beep has about 0.2."""
_LEVEL = """async (one) => {
  if (!one.srcObject || !one.srcObject.getAudioTracks().length) return 0;
  const context = new AudioContext();
  await context.resume();
  const analyser = context.createAnalyser();
  analyser.fftSize = 32768;
  context.createMediaStreamSource(one.srcObject).connect(analyser);
  const samples = new Float32Array(analyser.fftSize);
  let peak = 0;
  for (let at = 0; at < 15; at++) {
    await new Promise((done) => setTimeout(done, 100));
    analyser.getFloatTimeDomainData(samples);
    for (const sample of samples) peak = Math.max(peak, Math.abs(sample));
  }
  await context.close();
  return peak;
}"""


def talks(program: Program) -> tuple[Talk, ...]:
    """As the event's log has them."""
    logs = SqliteLogReader(hall_file(program.served.folder))
    try:
        return fold(decode(line) for line in logs.read(f"event:{EVENT}")).talks
    finally:
        logs.close()


def is_heard(audio: Locator) -> bool:
    return bool(audio.count()) and audio.first.evaluate(_LEVEL) > HEARD


def test_an_arbiter_and_players_hear_each_other_and_the_log_has_it(
    engine: str, program: Program, new_tab: NewTab, signed: Signed, chromium: Browser
) -> None:
    create_event(program, supervision=Supervision.FULL)
    pages: dict[str, Page] = {}
    for who, account in PLAYERS.items():
        program.ask(EVENT, ConsentToVideo(by=account, words=WORDS))
        page = pages[who] = new_tab("en", width=1366)
        signed(page, who)
        page.goto(f"/en/hall/{EVENT}")
        page.locator("[data-part=join-video]").first.click()
        expect(page.locator(".conference")).to_have_attribute("data-state", "on", timeout=LONG)
    open_round(program)
    arbiter = new_tab("en", width=1366)
    signed(arbiter, "arbiter")
    arbiter.goto(f"/en/hall/{EVENT}/wall")
    expect(arbiter.locator(".attends.joined")).to_have_count(2, timeout=LONG)

    # One player: the reason comes first, and nobody hears anything without it.
    arbiter.locator(".tile").first.click()
    live = arbiter.locator("[data-part=live-faces]")
    talk = live.get_by_role("button", name="Talk").first
    talk.click(timeout=LONG)
    expect(live.locator("[name=why]")).to_be_focused()
    assert not talks(program)
    live.locator("[name=why]").select_option("devices")
    talk.click()
    white, black = pages["white"], pages["black"]
    expect(white.locator(".conference-voice")).to_be_visible(timeout=LONG)
    until(lambda: is_heard(white.locator(".conference audio")), white)
    back = live.locator("figure[data-kind=camera] video").first
    if engine == "segments":  # their voice comes the same way, and not a second late with slices
        back = arbiter.locator("audio[data-entry]")
    until(lambda: is_heard(back), arbiter)
    assert not black.locator(".conference-voice").is_visible()
    expect(live.locator("[data-part=talk-state]")).to_have_text("Talking with 1 of 1", timeout=LONG)
    keep(arbiter, "en", f"talk-one-{engine}")
    (begun,) = talks(program)
    assert (len(begun.entries), begun.why, begun.is_over) == (1, "devices", False)
    talk.click()
    expect(white.locator(".conference-voice")).to_be_hidden(timeout=LONG)
    until(lambda: talks(program)[0].is_over, arbiter)
    first = talks(program)[0]
    assert first.reached == first.entries
    assert first.ended is not None
    assert first.ended > first.began
    arbiter.keyboard.press("Escape")

    # A group: the boards that are shown.
    arbiter.locator(".bulk summary").click()
    group = arbiter.locator("[data-part=talk]")
    group.locator("[name=why]").select_option("other")
    group.locator("[name=note]").fill("the round starts late")
    axe.check(arbiter, "/hall/{event:str}/wall")
    group.get_by_role("button", name="Talk").click()
    for page in pages.values():
        expect(page.locator(".conference-voice")).to_be_visible(timeout=LONG)
        until(lambda page=page: is_heard(page.locator(".conference audio")), page)  # type: ignore[misc]
    state = group.locator("[data-part=talk-state]")
    expect(state).to_have_text("Talking with 2 of 2", timeout=LONG)
    if engine == "segments":
        for audio in arbiter.locator("audio[data-entry]").all():
            until(lambda audio=audio: is_heard(audio), arbiter)  # type: ignore[misc]
    keep(arbiter, "en", f"talk-group-{engine}")
    group.get_by_role("button", name="End the talk").click()
    for page in pages.values():
        expect(page.locator(".conference-voice")).to_be_hidden(timeout=LONG)
    until(lambda: len([one for one in talks(program) if one.is_over]) == 2, arbiter)
    assert len(talks(program)[1].reached) == 2

    # The arbiter's page goes away: so does the talk.
    group.get_by_role("button", name="Talk").click()
    expect(white.locator(".conference-voice")).to_be_visible(timeout=LONG)
    arbiter.goto(f"/en/hall/{EVENT}/report")
    expect(white.locator(".conference-voice")).to_be_hidden(timeout=LONG)
    until(lambda: len([one for one in talks(program) if one.is_over]) == 3, arbiter)
    arbiter.reload()
    table = arbiter.get_by_role("table", name=say("en", "hall_pages.report.talks"))
    expect(table.get_by_role("row")).to_have_count(4)
    expect(table).to_contain_text("the round starts late")
    expect(table).to_contain_text("Abete, Bea")
    expect(table).to_contain_text("Cedro")
    keep(arbiter, "en", f"talk-report-{engine}")
