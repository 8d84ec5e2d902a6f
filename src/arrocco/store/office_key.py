"""The private key of an office in its folder: one file, for its owner's eyes only."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from pathlib import Path

from arrocco.errors import Inconsistent
from arrocco.files import replacing, sync

KEY_FILE = "office-key"
_NEXT = ".office-key.next"
_FORM = re.compile(rb"[0-9a-f]{64}\n")


def read_key(folder: Path) -> str | None:
    """The private key; `None` where there is none. Raises `Inconsistent` for a damaged one."""
    return _read(folder / KEY_FILE)


def read_next(folder: Path) -> str | None:
    """The key of a rotation that was begun."""
    return _read(folder / _NEXT)


def write_key(folder: Path, secret: str) -> None:
    """Keeps the private key."""
    _write(folder / KEY_FILE, secret)


def write_next(folder: Path, secret: str) -> None:
    """Keeps the key of a rotation until the ledger has it."""
    _write(folder / _NEXT, secret)


def take_next(folder: Path) -> None:
    """Puts the key of a rotation in the place of the one before, which is gone then."""
    with suppress(FileNotFoundError):
        (folder / _NEXT).replace(folder / KEY_FILE)
        sync(folder)


def drop_next(folder: Path) -> None:
    """Forgets the key of a rotation that came to nothing."""
    (folder / _NEXT).unlink(missing_ok=True)


def _read(file: Path) -> str | None:
    try:
        data = file.read_bytes()
    except FileNotFoundError:
        return None
    if not _FORM.fullmatch(data):
        raise Inconsistent.of("store.refused.office_key", file=file)
    return data.strip().decode()


def _write(file: Path, secret: str) -> None:
    with replacing(file) as stream:
        os.fchmod(stream.fileno(), 0o600)
        stream.write(f"{secret}\n".encode())
