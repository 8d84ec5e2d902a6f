"""What an office finds in its folder and does not know: moved aside and kept, never deleted."""

from __future__ import annotations

import secrets
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import msgspec

from arrocco.files import sync
from arrocco.words import say

FOLDER = "set-aside"
_NOTE = "note.jsonl"


class SetAside(NamedTuple):
    """A file or folder that was moved aside; `reason` is a key of ``desk.aside``."""

    path: str
    kept_in: str
    reason: str


class Aside:
    """The place for what is found at one opening; it is made when something goes there."""

    def __init__(self, office: Path, at: datetime) -> None:
        self._office = office
        moment = at.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")
        self._place = office / FOLDER / f"{moment}-{secrets.token_hex(3)}"
        self.moved: list[SetAside] = []

    def move(self, path: Path, reason: str) -> None:
        """Moves something of the office aside, after noting what it was and why."""
        where = path.relative_to(self._office)
        target = self._place / where
        target.parent.mkdir(parents=True, exist_ok=True)
        moved = SetAside(where.as_posix(), target.relative_to(self._office).as_posix(), reason)
        with (self._place / _NOTE).open("ab") as note:
            line = {"path": moved.path, "reason": reason, "why": say("en", f"desk.aside.{reason}")}
            note.write(msgspec.json.encode(line) + b"\n")
        path.rename(target)
        sync(target.parent)
        sync(path.parent)
        self.moved.append(moved)


def kept_aside(office: Path) -> list[Path]:
    """The folders of what was moved aside, the oldest first."""
    place = office / FOLDER
    return sorted(path for path in place.iterdir() if path.is_dir()) if place.is_dir() else []
