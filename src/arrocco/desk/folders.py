"""Folders of lists: their hashes, their way from draft to list, and back where it fails."""

from __future__ import annotations

import hashlib
import secrets
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from arrocco.errors import Inconsistent
from arrocco.files import sync


def hashes(folder: Path) -> dict[str, str]:
    """The SHA-256 of every file of a folder, by name in order."""
    return {file.name: _hash(file) for file in sorted(folder.iterdir()) if file.is_file()}


def _hash(file: Path) -> str:
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


@contextmanager
def moving() -> Iterator[Callable[[Path, Path], None]]:
    """Gives a function that renames folders; where the block fails they are renamed back."""
    done: list[tuple[Path, Path]] = []

    def move(source: Path, target: Path) -> None:
        target.parent.mkdir(parents=True, exist_ok=True)
        if target.exists():
            raise Inconsistent.of("store.refused.there_already", folder=target)
        source.rename(target)
        done.append((source, target))
        sync(target.parent)

    try:
        yield move
    except BaseException:
        for source, target in reversed(done):
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
