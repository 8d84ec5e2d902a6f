"""Both engines of video, one after the other, before a browser whose devices are made up.

Import the fixtures into a module of tests.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from arrocco.video.janus import is_installed
from tests.browser.conftest import CHROMIUM, FLAGS, WINDOWLESS, Served
from tests.browser.hall_stage import Program

__all__ = ["chromium", "engine", "engine_of_this_run", "served", "until"]

FAKE = [
    "--use-fake-device-for-media-stream",
    "--use-fake-ui-for-media-stream",
    "--auto-select-desktop-capture-source=Entire screen",
    "--allow-loopback-in-peer-connection",
]


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """A browser whose camera, microphone and screen are made up."""
    if not Path(CHROMIUM).exists():
        pytest.skip("NO CHROMIUM at /usr/bin/chromium: install Debian's package `chromium`")
    with sync_playwright() as started:
        browser = started.chromium.launch(
            executable_path=CHROMIUM,
            args=[WINDOWLESS, *FLAGS, *FAKE],
            ignore_default_args=["--headless"],
        )
        yield browser
        browser.close()


@pytest.fixture(autouse=True, params=["segments", "janus"])
def engine(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """The server that a test starts uses this engine, on this machine only."""
    return use(request.param, monkeypatch)


@pytest.fixture(
    name="engine",
    autouse=True,
    params=["segments", pytest.param("janus", marks=pytest.mark.soak)],
)
def engine_of_this_run(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """The same for what says little new of the engine: over Janus it is tried in the soak."""
    return use(request.param, monkeypatch)


def use(name: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """Has servers use an engine; skips the test, loudly, where it is not installed."""
    if name == "janus" and not is_installed():
        warnings.warn("NO JANUS: only segments are tried", stacklevel=1)
        pytest.skip("NO JANUS: install Debian's package `janus`")
    monkeypatch.setenv("ARROCCO_VIDEO_ENGINE", name)
    monkeypatch.setenv("ARROCCO_VIDEO_LISTEN_AT", "127.0.0.1")
    return name


@pytest.fixture
def served(engine: str, program: Program) -> Served:
    return program.served


def until(condition: Callable[[], bool], page: Page, seconds: float = 180) -> float:
    """Waits until something is so; how long that took."""
    began = time.monotonic()
    while not condition():
        assert time.monotonic() - began < seconds, "it never became so"
        page.wait_for_timeout(50)
    return time.monotonic() - began
