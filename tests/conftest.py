"""What holds for all tests."""

from __future__ import annotations

import gc
import os
from collections.abc import Generator, Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import HealthCheck, settings

from arrocco.live import interpreter

# A busy machine must not fail a test: how long an example takes shows nothing here.
settings.register_profile(
    "any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("any machine")

# Servers that tests start watch no games unless the test says so: an engine takes a processor.
os.environ["ARROCCO_ENGINE"] = "off"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--failed-to", help="where the names of tests that failed are written")


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    path = config.getoption("--failed-to")
    stats = terminalreporter.stats
    failed = {report.nodeid for kind in ("failed", "error") for report in stats.get(kind, [])}
    if path and failed:
        Path(path).write_text("".join(f"{name}\n" for name in sorted(failed)), "utf-8")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Ten thousand tests are many objects: nobody looks for garbage among them, now or later."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.fixture(scope="session", autouse=True)
def _collections_of_a_server_left_out() -> Iterator[None]:
    """A hall that starts or closes a round collects all garbage; here that is all of the tests'."""
    names = ("collect", "freeze", "unfreeze", "set_threshold")
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(interpreter, "gc", SimpleNamespace(**dict.fromkeys(names, lambda *_: None)))
        yield
