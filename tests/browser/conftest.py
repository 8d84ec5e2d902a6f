"""The real server on a free port and Debian's Chromium before it.

Where there is no Chromium these tests are skipped, loudly: what only a browser can show is then
not shown. Screenshots are kept in ``build/screenshots/<language>/<name>.png``.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, expect, sync_playwright

from arrocco.desk import Office
from tests.web.offices import fill

ROOT = Path(__file__).parents[2]
SCREENSHOTS = ROOT / "build" / "screenshots"
BUILT = ROOT / "src" / "arrocco" / "web" / "static" / "built"
CHROMIUM = shutil.which("chromium") or "/usr/bin/chromium"
SHELL = shutil.which("chromium-headless-shell")
"""The same browser without its own windows: pages look and act alike, for half of the processor."""
WINDOWLESS = "--headless=new"
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
_ADDRESS = re.compile(r"http://\S+")
_STOP_SECONDS = 60

# A busy machine must not fail a test: how soon a page follows is measured in benchmarks.
expect.set_options(timeout=60_000)


@dataclass(frozen=True)
class Served:
    """A server at work: where it answers and the folder of its office."""

    address: str
    folder: Path

    @property
    def port(self) -> int:
        return int(self.address.rpartition(":")[2])


@pytest.fixture(scope="module")
def chromium(request: pytest.FixtureRequest) -> Iterator[Browser]:
    """The browser, started once for a module; the whole one where it says `WHOLE_BROWSER`.

    While it runs its driver keeps an event loop in this thread, which tests of other modules that
    run loops of their own could not stand.
    """
    if not Path(CHROMIUM).exists():
        warnings.warn("NO CHROMIUM: the pages are not tried in a browser", stacklevel=1)
        pytest.skip("NO CHROMIUM at /usr/bin/chromium: install Debian's package `chromium`")
    is_whole = SHELL is None or hasattr(request.module, "WHOLE_BROWSER")
    with sync_playwright() as started:
        browser = started.chromium.launch(
            executable_path=CHROMIUM if is_whole else SHELL,
            args=[WINDOWLESS, *FLAGS] if is_whole else FLAGS,
            ignore_default_args=["--headless"] if is_whole else None,
        )
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The program itself, `arrocco serve`, with an account for every role."""
    folder = tmp_path_factory.mktemp("served") / "office"
    with closing(Office.open(folder)) as office:
        fill(office)
    command = [sys.executable, "-c", "from arrocco.cli.main import main; main()", "serve"]
    server = subprocess.Popen(
        [*command, "--office", str(folder), "--port", "0", "--lang", "en"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert server.stdout is not None
    assert server.stderr is not None
    first = server.stdout.readline()
    found = _ADDRESS.search(first)
    assert found, f"the server did not start: {first}{server.stderr.read()}"
    yield Served(found[0], folder)
    server.terminate()
    printed, complaints = server.communicate(timeout=_STOP_SECONDS)
    assert server.returncode == 0, complaints
    assert "closed" in printed
    assert not complaints, complaints


NewTab = Callable[..., Page]


@pytest.fixture
def new_tab(chromium: Browser, served: Served) -> Iterator[NewTab]:
    """Opens pages of browsers that know nothing yet; any error in a console fails the test."""
    errors: list[str] = []
    contexts = []

    def opened(language: str = "en", *, width: int = 1200, dark: bool = False) -> Page:
        context = chromium.new_context(
            base_url=served.address,
            locale="it-IT" if language == "it" else "en-GB",
            viewport={"width": width, "height": 800},
            color_scheme="dark" if dark else "light",
        )
        context.set_default_timeout(60_000)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: errors.extend(_error(message)))
        page.on("pageerror", lambda error: errors.append(str(error)))
        return page

    yield opened
    for context in contexts:
        context.close()
    assert not errors, errors


def _error(message: ConsoleMessage) -> list[str]:
    # A page that is refused or not found is an error to the console, not to us.
    expected = "the server responded with a status of 4" in message.text
    return [message.text] if message.type == "error" and not expected else []


@pytest.fixture
def tab(new_tab: NewTab) -> Page:
    """One page, in English and of the width of a desk."""
    return new_tab()


def keep(page: Page, language: str, name: str) -> None:
    """Keeps a picture of the whole page."""
    path = SCREENSHOTS / language / f"{name}.png"
    path.parent.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=path, full_page=True)
