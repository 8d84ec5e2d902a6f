"""The folder of an office: its parts, its id, the lists it holds, a publication under way."""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import date
from pathlib import Path
from typing import NamedTuple

import msgspec

from arrocco.dates import parse_day
from arrocco.errors import Inconsistent
from arrocco.files import replacing
from arrocco.store.blobs import Blobs

PARTS = ("blobs", "lists", "drafts", "views")
ID_FILE = "office-id"
LISTS_LOCK = ".lists.lock"
"""Whoever publishes a list, or puts right what a crash has left, holds it."""
OTHERS = 0o077
"""The rights of others than the owner: an office gives them none."""
_PUBLISHING = ".publishing.json"
_ID = re.compile(r"[0-9a-f]{32}", re.ASCII)
_LIST = re.compile(r"(\d{4}-\d{2}-\d{2})(\.[a-z]+)?", re.ASCII)


class ListName(NamedTuple):
    """A list by its system and its day."""

    system: str
    day: date

    def __str__(self) -> str:
        return f"{self.system} {self.day}"


# --- the id ---------------------------------------------------------------------------------------


def new_id() -> str:
    """An id that no other office has."""
    return secrets.token_hex(16)


def read_id(folder: Path) -> str | None:
    """The id of the office of a folder; `None` where it has none yet."""
    file = folder / ID_FILE
    try:
        text = file.read_text("ascii").strip()
    except FileNotFoundError:
        return None
    except ValueError:
        text = ""
    if not _ID.fullmatch(text):
        raise Inconsistent.of("store.refused.no_office_id", file=file)
    return text


def write_id(folder: Path, office_id: str) -> None:
    """Gives the folder its id."""
    with replacing(folder / ID_FILE) as file:
        file.write(f"{office_id}\n".encode())


# --- what it holds --------------------------------------------------------------------------------


def is_office(folder: Path) -> bool:
    """Whether a folder was made to hold an office."""
    return (folder / PARTS[0]).is_dir()


def has_blobs(folder: Path) -> bool:
    """Whether any report or imported list is kept."""
    return next(Blobs(folder / "blobs").all(), None) is not None


def lists_in(folder: Path) -> dict[ListName, Path]:
    """The lists of a folder, by system and day, whoever has put them there."""
    lists = folder / "lists"
    folders: dict[ListName, Path] = {}
    for system in sorted(lists.iterdir()) if lists.is_dir() else ():
        if system.name.startswith(".") or not system.is_dir():
            continue
        for path in sorted(system.iterdir()):
            named = _LIST.fullmatch(path.name)
            try:
                day = parse_day(named[1]) if named else None
            except ValueError:
                day = None
            if day is not None:
                folders[ListName(system.name, day)] = path
    return folders


def unfinished_in(folder: Path) -> list[Path]:
    """What was being written below the lists when a program ended: names that begin with a dot."""
    lists = folder / "lists"
    systems = [path for path in lists.iterdir() if path.is_dir()] if lists.is_dir() else []
    return sorted(path for system in systems for path in system.glob(".*"))


# --- a publication under way ----------------------------------------------------------------------


@contextmanager
def publishing(folder: Path, name: ListName) -> Iterator[None]:
    """Notes on the disk that a list is about to come out, until it is out or it has failed.

    A list the database does not know is the rest of an interrupted publication only if it is noted
    here: any other one belongs to a newer database, or to another office.
    """
    with replacing(folder / _PUBLISHING) as file:
        file.write(msgspec.json.encode({"system": name.system, "list": name.day}))
    try:
        yield
    except BaseException:
        if name not in lists_in(folder):
            clear_publishing(folder)
        raise
    clear_publishing(folder)


def publication_under_way(folder: Path) -> ListName | None:
    """The list whose publication was begun and not ended."""
    try:
        noted = msgspec.json.decode((folder / _PUBLISHING).read_bytes(), type=dict[str, str])
        return ListName(noted["system"], parse_day(noted["list"]))
    except (FileNotFoundError, msgspec.DecodeError, KeyError, ValueError):
        return None


def clear_publishing(folder: Path) -> None:
    """Takes the note of a publication away."""
    (folder / _PUBLISHING).unlink(missing_ok=True)


# --- who may read it ------------------------------------------------------------------------------


def open_to_others(folder: Path) -> list[Path]:
    """What of an office others than its owner can read: nothing where the folder is closed."""
    if not folder.is_dir() or not folder.stat().st_mode & OTHERS:
        return []
    return list(_with_rights_for_others(folder))


def close_to_others(folder: Path, *, even_closed: bool = False) -> int:
    """Takes every right from others than the owner; of how many files and folders.

    In a folder that is closed nobody gets to the files: they are gone through only with
    `even_closed`.
    """
    paths = list(_with_rights_for_others(folder)) if even_closed else open_to_others(folder)
    for path in reversed(paths):  # the folder itself last: stopped halfway it is done again
        with suppress(PermissionError):  # another's: `office verify` warns of it
            path.chmod(path.stat().st_mode & ~OTHERS)
    return len(paths)


def _with_rights_for_others(folder: Path) -> Iterator[Path]:
    for path in (folder, *folder.rglob("*")):
        if not path.is_symlink() and path.stat().st_mode & OTHERS:
            yield path
