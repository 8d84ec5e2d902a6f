"""Content that never changes, kept under the SHA-256 of its bytes: ``blobs/ab/cdef…``.

A blob is on the disk before `put` gives its name: a row that names it may then be committed.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from pathlib import Path

from arrocco.errors import Inconsistent
from arrocco.files import replacing, sync
from arrocco.words import system

_NAME = re.compile(r"[0-9a-f]{64}")
_FOLDER, _REST = re.compile(r"[0-9a-f]{2}"), re.compile(r"[0-9a-f]{62}")


class Blobs:
    """A folder of blobs."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def put(self, data: bytes) -> str:
        """Keeps bytes and gives their name; the same bytes are kept once."""
        name = hashlib.sha256(data).hexdigest()
        path = self.path(name)
        if self._is_whole(path, data):
            return name
        if not path.parent.is_dir():
            path.parent.mkdir(parents=True, exist_ok=True)
            for made in (self.root, self.root.parent):
                sync(made)
        with replacing(path) as file:
            file.write(data)
        return name

    def get(self, name: str) -> bytes:
        """The bytes of a name. Raises `Inconsistent` where they are missing or not the same."""
        try:
            data = self.path(name).read_bytes()
        except OSError as error:
            raise Inconsistent.of(
                "store.refused.blob_missing", blob=name, reason=system(error)
            ) from None
        if hashlib.sha256(data).hexdigest() != name:
            raise Inconsistent.of("store.refused.blob_damaged", blob=name)
        return data

    def has(self, name: str) -> bool:
        """Whether there is a blob of that name; what is in it is not looked at."""
        return self.path(name).is_file()

    def all(self) -> Iterator[str]:
        """The names of all blobs, in order; unfinished files are none."""
        for folder in sorted(self.root.iterdir()) if self.root.is_dir() else ():
            if _FOLDER.fullmatch(folder.name) and folder.is_dir():
                for file in sorted(folder.iterdir()):
                    if _REST.fullmatch(file.name):
                        yield folder.name + file.name

    @staticmethod
    def is_name(name: str) -> bool:
        """Whether a text can be the name of a blob."""
        return _NAME.fullmatch(name) is not None

    def path(self, name: str) -> Path:
        """Where a blob is. Raises `ValueError` for what is no name of one."""
        if not _NAME.fullmatch(name):
            raise ValueError(f"{name!r} is not the SHA-256 of anything")
        return self.root / name[:2] / name[2:]

    @staticmethod
    def _is_whole(path: Path, data: bytes) -> bool:
        """Whether the file is there as it should be; a damaged one is written anew."""
        try:
            return path.read_bytes() == data
        except OSError:
            return False
