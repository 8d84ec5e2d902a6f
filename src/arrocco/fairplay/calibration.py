"""Whether there is a baseline to compare with, or one is being made: hours of an engine's work."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from enum import StrEnum
from pathlib import Path

import msgspec
from msgspec import Struct

STALE = 900.0
"""Seconds after which nobody makes it any more: a game takes far less."""


class CalibrationState(StrEnum):
    """How it stands with the baseline that the settings name."""

    NONE = "none"
    """They name none."""
    MISSING = "missing"
    UNDER_WAY = "under_way"
    READY = "ready"


class Calibration(Struct, frozen=True, kw_only=True):
    """The same, with how many games were counted so far."""

    state: CalibrationState
    done: int = 0
    total: int = 0


class Making(Struct, frozen=True, kw_only=True):
    """What stands beside a baseline that is being made; `at` by the clock of the machine."""

    done: int
    total: int
    at: float


class Maker:
    """Tells beside a baseline how far it is."""

    def __init__(self, target: Path) -> None:
        self._file = _beside(target)

    def tell(self, done: int, total: int) -> None:
        making = Making(done=done, total=total, at=time.time())
        with suppress(OSError):  # whoever makes it sees it all the same
            self._file.write_bytes(msgspec.json.encode(making))


@contextmanager
def making(target: Path) -> Iterator[Maker]:
    """A baseline is made until the block is over, however that comes about."""
    maker = Maker(target)
    maker.tell(0, 0)
    try:
        yield maker
    finally:
        with suppress(OSError):
            _beside(target).unlink(missing_ok=True)


def calibration_of(path: str) -> Calibration:
    """How it stands with a baseline, by the path that the settings name."""
    if not path:
        return Calibration(state=CalibrationState.NONE)
    made = _making(Path(path))
    if made is not None:
        return Calibration(state=CalibrationState.UNDER_WAY, done=made.done, total=made.total)
    is_there = Path(path).exists()
    return Calibration(state=CalibrationState.READY if is_there else CalibrationState.MISSING)


def _making(target: Path) -> Making | None:
    try:
        made = msgspec.json.decode(_beside(target).read_bytes(), type=Making)
    except (OSError, msgspec.DecodeError):
        return None
    return made if abs(time.time() - made.at) < STALE else None


def _beside(target: Path) -> Path:
    return target.with_name(f"{target.name}.under-way")
