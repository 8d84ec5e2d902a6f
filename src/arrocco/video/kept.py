"""What is kept of an event, recording by recording, whichever engine made it.

Slices are one file that plays as it is; Janus has a file of packets for each track, which are
joined while somebody watches them.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import msgspec

from arrocco.video.films import stream_tracks
from arrocco.video.recordings import (
    MJR,
    NAME,
    media_in,
    recording_files,
    recording_of,
)
from arrocco.video.slices import SLICES, Slice

_CHUNK = 256 * 1024
_LAST_LINE = 1024
"""Bytes at the end of a list of slices that hold its last line."""


class Kept(NamedTuple):
    """One recording: whose, of what, its files."""

    name: str
    entry: int
    kind: str
    files: tuple[Path, ...]

    @property
    def has_tracks(self) -> bool:
        """Whether each track is a file of its own."""
        return self.files[0].suffix == MJR

    @property
    def size(self) -> int:
        """Bytes; what is erased meanwhile counts nothing."""
        return _size_of(self.files)

    @property
    def span(self) -> tuple[int, int] | None:
        """When its first and its last slice came, in milliseconds; `None` where nothing says so."""
        moments = [at for path in self.files for at in _moments(path.with_suffix(SLICES))]
        return (min(moments), max(moments)) if moments else None

    def film(self) -> Iterator[bytes]:
        """A WebM to be watched, piece by piece. Raises `Malformed`, `OSError`."""
        if self.has_tracks:
            yield from stream_tracks(self.files)
            return
        with self.files[0].open("rb") as file:
            while chunk := file.read(_CHUNK):
                yield chunk


def kept_of(folder: Path, event: str) -> list[Kept]:
    """All recordings of an event, player by player."""
    files: dict[str, list[Path]] = {}
    if (folder / event).is_dir():
        for path in media_in(folder / event):
            if NAME.fullmatch(path.stem) is not None:
                files.setdefault(recording_of(path.stem), []).append(path)
    return sorted((_kept(name, paths) for name, paths in files.items()), key=_order)


def find_kept(folder: Path, event: str, name: str) -> Kept | None:
    """One recording by its name, which is never taken for a path."""
    return next((kept for kept in kept_of(folder, event) if kept.name == name), None)


def used_of(folder: Path) -> int:
    """Bytes of all recordings of all events."""
    return _size_of(path for _, path in recording_files(folder))


def _size_of(paths: Iterable[Path]) -> int:
    size = 0
    for path in paths:
        with suppress(FileNotFoundError):
            size += path.stat().st_size
    return size


def _kept(name: str, paths: list[Path]) -> Kept:
    entry, kind, _ = name.split("-")
    return Kept(name, int(entry), kind, tuple(paths))


def _order(kept: Kept) -> tuple[int, str, int]:
    return kept.entry, kept.kind, int(re.sub(r".*-", "", kept.name))


def _moments(lines: Path) -> Iterator[int]:
    """Of the first and the last slices; a line that was changed is for the verification."""
    try:
        with lines.open("rb") as file:
            texts = [file.readline(_LAST_LINE)]
            file.seek(max(0, os.fstat(file.fileno()).st_size - _LAST_LINE))
            texts += file.read().splitlines()[-2:]  # of the last one there may be half
    except FileNotFoundError:
        return
    for text in texts:
        with suppress(msgspec.DecodeError, UnicodeDecodeError):
            yield msgspec.json.decode(text, type=Slice).at
