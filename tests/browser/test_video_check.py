"""9.1 — the check that a player does alone tries the way of the pictures, over both engines."""

from __future__ import annotations

import warnings

import pytest
from playwright.sync_api import Browser, expect

from arrocco.desk import Office
from arrocco.hall.event.rules import Supervision
from arrocco.video.janus import is_installed
from tests.browser.conftest import BUILT, NewTab, Served
from tests.browser.hall_stage import Program, Signed, hall_office, program, signed
from tests.browser.test_hall_player import EVENT, create_event
from tests.browser.video_engines import chromium

__all__ = ["chromium", "hall_office", "program", "signed"]

pytestmark = pytest.mark.skipif(
    not (BUILT / "hall-video.js").exists(), reason="NOT BUILT: run `npm ci && npm run build`"
)
LONG = 180_000
NO_UDP = """
const Connection = window.RTCPeerConnection;
window.RTCPeerConnection = class extends Connection {
  constructor(settings) { super({ ...settings, iceTransportPolicy: "relay" }); }
};
"""
"""As in a network that lets no UDP out: only a relay may be used, and there is none."""


@pytest.fixture(
    autouse=True,
    params=[
        ("segments", NO_UDP, "done", "the same way as this page"),
        pytest.param(("janus", "", "done", "is reached"), marks=pytest.mark.soak),
        ("janus", NO_UDP, "error", "cannot be reached from this network"),
    ],
    ids=["segments", "janus", "janus without udp"],
)
def expected(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> tuple[str, str, str]:
    """What the check is to say with this engine and this network."""
    engine, network, sign, words = request.param
    if engine == "janus" and not is_installed():
        warnings.warn("NO JANUS: only segments are tried", stacklevel=1)
        pytest.skip("NO JANUS: install Debian's package `janus`")
    monkeypatch.setenv("ARROCCO_VIDEO_ENGINE", engine)
    monkeypatch.setenv("ARROCCO_VIDEO_LISTEN_AT", "127.0.0.1")
    return network, sign, words


@pytest.fixture
def served(expected: tuple[str, str, str], program: Program) -> Served:
    return program.served


def test_9_1_the_check_connects_as_joining_does_and_sends_nothing(
    expected: tuple[str, str, str],
    hall_office: Office,
    program: Program,
    new_tab: NewTab,
    signed: Signed,
    chromium: Browser,
) -> None:
    create_event(program, supervision=Supervision.FULL)
    page = new_tab("en", width=1366)
    network, sign, words = expected
    page.add_init_script(network)
    signed(page, "white")
    page.goto(f"/en/hall/{EVENT}/video")
    check = page.get_by_role("button", name="Check now")
    check.click()
    expect(check).to_be_enabled(timeout=LONG)
    row = page.locator("[data-check=connection]")
    expect(row).to_contain_text(words)
    expect(row).to_have_attribute("data-sign", sign)
    # 12.3 — nobody has consented yet: nothing was taken and nothing is kept.
    assert not [path for path in (hall_office.folder / "video").rglob("*") if path.is_file()]
