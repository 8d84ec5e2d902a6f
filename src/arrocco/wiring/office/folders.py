"""Folders of lists: their hashes, their way from draft to list, and back where it fails."""

from __future__ import annotations

import hashlib
import os
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from arrocco.errors import Inconsistent

_AT_ONCE = 1 << 20


def hashes(folder: Path) -> dict[str, str]:
    """The SHA-256 of every file of a folder, by name in order."""
    return {file.name: _hash(file) for file in sorted(folder.iterdir()) if file.is_file()}


def _hash(file: Path) -> str:
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


@contextmanager
def moved(source: Path, target: Path) -> Iterator[None]:
    """Renames a folder while a block runs; where the block fails it is renamed back."""
    target.parent.mkdir(parents=True, exist_ok=True)
    if target.exists():
        raise Inconsistent.of("store.refused.there_already", folder=target)
    source.rename(target)
    sync(target.parent)
    try:
        yield
    except BaseException:
        target.rename(source)
        raise


def remove(folder: Path) -> None:
    """Takes a folder away: it loses its name at once, then its files."""
    gone = folder.with_name(f".{folder.name}.{secrets.token_hex(6)}.gone")
    try:
        folder.rename(gone)
    except FileNotFoundError:
        return
    shutil.rmtree(gone, ignore_errors=True)


def sync(folder: Path) -> None:
    """Makes a rename in a folder last."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
