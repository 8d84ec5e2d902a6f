"""What an office's folder tells of its engine: that it does not start, since when, and why."""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path

import msgspec

from arrocco.store import sealed_file
from arrocco.store.sealed_file import SealedFile

FILE = "engine-trouble.json"
STALE = timedelta(minutes=10)
"""After which nobody believes it any more: an engine that fails is tried again every minute."""
MAX_REASON = 300


class EngineTrouble(SealedFile, frozen=True, kw_only=True):
    """An engine that does not start; `at` is when it was tried last."""

    since: datetime
    at: datetime
    reason: str


def engine_trouble(folder: Path, now: datetime) -> EngineTrouble | None:
    """What is the matter with the engine, as the watch wrote it down lately."""
    try:
        data = (folder / FILE).read_bytes()
    except OSError:
        return None
    if not sealed_file.is_whole(data, EngineTrouble):
        return None
    trouble = msgspec.json.decode(data, type=EngineTrouble)
    return trouble if now - trouble.at < STALE else None


def note_trouble(folder: Path, now: datetime, reason: str) -> None:
    """Writes down that the engine did not start; where nothing can be written, the log has it."""
    before = engine_trouble(folder, now)
    since = now if before is None else before.since
    trouble = EngineTrouble(since=since, at=now, reason=reason[:MAX_REASON])
    with suppress(OSError):
        sealed_file.write(folder / FILE, trouble)


def is_damaged(folder: Path) -> bool:
    """Whether that record is there and not as it was written."""
    return sealed_file.is_damaged(folder / FILE, EngineTrouble)


def clear_trouble(folder: Path) -> None:
    """It works."""
    with suppress(OSError):
        (folder / FILE).unlink(missing_ok=True)
