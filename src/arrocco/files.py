"""Files that are written whole or not at all."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import BinaryIO


@contextmanager
def replacing(path: Path) -> Iterator[BinaryIO]:
    """Opens a new file that takes the place of `path` once it is complete and on the disk.

    The new file grows beside the old one, in the same folder, so that the last step is a rename.
    Whatever goes wrong before leaves the old file as it was.
    """
    beside = path.with_name(f".{path.name}.{secrets.token_hex(6)}.part")
    try:
        with beside.open("xb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    except BaseException:
        with suppress(FileNotFoundError):
            beside.unlink()
        raise
    sync_folder(path.parent)


def write_all(files: Mapping[Path, bytes]) -> None:
    """Writes all files beside their places first; only then each takes its place."""
    with ExitStack() as stack:
        opened = [(stack.enter_context(replacing(path)), data) for path, data in files.items()]
        for file, data in opened:
            file.write(data)


def sync(path: Path) -> None:
    """Brings a file to the disk, or what was renamed in a folder."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def sync_folder(folder: Path) -> None:
    """Makes the rename itself last; a folder that cannot be opened is left to the system."""
    with suppress(OSError):
        sync(folder)
