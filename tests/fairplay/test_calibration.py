"""A baseline that is missing, is being made, or is there: hours lie between them."""

from __future__ import annotations

import time
from pathlib import Path

import msgspec
import pytest

from arrocco.fairplay.calibration import (
    STALE,
    Calibration,
    CalibrationState,
    calibration_of,
    making,
)


def test_none_missing_under_way_ready(tmp_path: Path) -> None:
    target = tmp_path / "baseline.json"
    assert calibration_of("").state is CalibrationState.NONE
    assert calibration_of(str(target)).state is CalibrationState.MISSING
    with making(target) as maker:
        maker.tell(3, 10)
        under_way = Calibration(state=CalibrationState.UNDER_WAY, done=3, total=10)
        assert calibration_of(str(target)) == under_way
        target.write_text("{}")
        assert calibration_of(str(target)) == under_way, "made anew beside the one before"
    assert calibration_of(str(target)).state is CalibrationState.READY
    assert [path.name for path in tmp_path.iterdir()] == ["baseline.json"]


def test_one_that_fails_is_not_under_way_any_more(tmp_path: Path) -> None:
    target = tmp_path / "baseline.json"
    with pytest.raises(KeyboardInterrupt), making(target):
        raise KeyboardInterrupt
    assert calibration_of(str(target)).state is CalibrationState.MISSING


def test_one_that_was_killed_is_believed_for_a_while_only(tmp_path: Path) -> None:
    target = tmp_path / "baseline.json"
    beside = tmp_path / "baseline.json.under-way"
    for age, state in ((10.0, "under_way"), (STALE + 10, "missing")):
        told = {"done": 1, "total": 2, "at": time.time() - age}
        beside.write_bytes(msgspec.json.encode(told))
        assert calibration_of(str(target)).state == state
