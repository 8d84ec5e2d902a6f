"""While games are played garbage is collected seldom and threads take turns soon."""

from __future__ import annotations

import gc
import sys

import pytest

from arrocco.live import interpreter


def test_a_server_waits_with_garbage_and_leaves_all_as_it_was(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(interpreter, "gc", gc)
    interpreter.serve_boards()
    try:
        young, middle, full = gc.get_threshold()
        assert young > 700
        assert min(middle, full) >= 1_000_000, "a full collection is not left to chance"
        assert sys.getswitchinterval() < 0.001
        assert gc.get_freeze_count() > 0
        interpreter.collect_now()
    finally:
        interpreter.as_usual()
        is_thawed = gc.get_freeze_count() == 0
        gc.freeze()
    assert is_thawed
    assert gc.get_threshold() == (700, 10, 10)
    assert sys.getswitchinterval() == pytest.approx(0.005)
