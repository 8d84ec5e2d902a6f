"""What a running server tells other programs of this machine about itself: a small file."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from datetime import datetime
from pathlib import Path

import msgspec

from arrocco.operation.alarms import Alarm
from arrocco.operation.observation import Observation

FILE = "operation.json"
BEAT = 60.0
"""Seconds after which it is written anew even if nothing has changed."""
STALE = 180.0
"""Seconds after which nobody believes it any more."""

_written: dict[Path, float] = {}


class OperationState(msgspec.Struct, frozen=True, kw_only=True):
    """A server as it last was."""

    at: datetime
    written: float
    """By the clock of the machine, whatever time the office itself lives in."""
    pid: int
    checks: dict[str, bool]
    alarms: tuple[Alarm, ...]


def write_state(
    folder: Path, seen: Observation, alarms: tuple[Alarm, ...], *, at_once: bool
) -> None:
    """Writes the file when something has changed, and once a minute; a full disk is no error."""
    last = _written.get(folder)
    if not at_once and last is not None and seen.steady - last < BEAT:
        return
    _written[folder] = seen.steady
    state = OperationState(
        at=seen.at, written=time.time(), pid=os.getpid(), checks=seen.checks, alarms=alarms
    )
    beside = folder / f".{FILE}.{os.getpid()}"
    with suppress(OSError):
        handle = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(handle, "wb") as stream:
            stream.write(msgspec.json.encode(state, enc_hook=str))
        beside.replace(folder / FILE)


def read_state(folder: Path) -> OperationState | None:
    """What a server wrote in the last minutes; `None` where none runs."""
    try:
        state = msgspec.json.decode((folder / FILE).read_bytes(), type=OperationState)
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
        return None
    return state if abs(time.time() - state.written) < STALE else None


def remove_state(folder: Path) -> None:
    """A server that ends says so."""
    _written.pop(folder, None)
    with suppress(OSError):
        (folder / FILE).unlink()
