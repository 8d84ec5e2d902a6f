"""What tests that kill processes share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.faults.nursery import Nursery


@pytest.fixture(scope="module")
def nursery() -> Iterator[Nursery]:
    """Where children come from that are killed by the hundred."""
    made = Nursery()
    yield made
    made.close()
