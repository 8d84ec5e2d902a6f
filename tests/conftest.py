"""What holds for all tests."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from types import SimpleNamespace

import pytest
from hypothesis import HealthCheck, settings

from arrocco.wiring.hall import interpreter

# A busy machine must not fail a test: how long an example takes shows nothing here.
settings.register_profile(
    "any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("any machine")


def pytest_collection_finish() -> None:
    """Ten thousand tests are many objects: no collection need look at them again and again."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session", autouse=True)
def _collections_of_a_server_left_out() -> Iterator[None]:
    """A hall that starts or closes a round collects all garbage; here that is all of the tests'."""
    names = ("collect", "freeze", "unfreeze", "set_threshold")
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(interpreter, "gc", SimpleNamespace(**dict.fromkeys(names, lambda *_: None)))
        yield
