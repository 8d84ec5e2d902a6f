"""A disk of its own for recordings, that is really full: nothing here is made up."""

from __future__ import annotations

import os
import subprocess
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

BALLAST = "ballast"


@contextmanager
def small_disk(folder: Path, options: str) -> Iterator[Path]:
    """Mounts a disk at a folder until the block is over; skipped, loudly, where nobody may."""
    folder.mkdir(parents=True, exist_ok=True)
    mount = ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(folder)]
    done = os.geteuid() == 0 and subprocess.run(mount, capture_output=True, check=False)
    if not done or done.returncode:
        warnings.warn("NO DISK OF ITS OWN: a full disk is not tried", stacklevel=1)
        pytest.skip("NO DISK OF ITS OWN: only root can mount one; a full disk is not tried")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


def fill(folder: Path, leave: int = 0) -> None:
    """Not a byte is left, but for so many."""
    with (folder / BALLAST).open("wb", buffering=0) as file:
        with suppress(OSError):
            while True:
                file.write(bytes(4096))
        file.truncate(max(0, file.tell() - leave))


def fill_names(folder: Path) -> None:
    """No file can be made any more, though there is room for bytes."""
    (folder / BALLAST).mkdir()
    with suppress(OSError):
        for number in range(100_000):
            (folder / BALLAST / str(number)).touch()
