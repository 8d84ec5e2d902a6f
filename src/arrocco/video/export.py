"""Recordings as files that every player of films plays, whichever engine made them."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import NamedTuple

from arrocco.files import replacing
from arrocco.video.films import join_tracks
from arrocco.video.kept import kept_of
from arrocco.video.recordings import WEBM


class Exported(NamedTuple):
    """A file that was written: of one recording, with all its tracks."""

    recording: str
    bytes: int


def export(folder: Path, event: str, to: Path) -> list[Exported]:
    """Writes every recording of an event into a folder. Raises `Malformed`, `OSError`."""
    to.mkdir(parents=True, exist_ok=True)
    written = []
    for kept in kept_of(folder, event):
        target = to / (kept.name + WEBM)
        with replacing(target) as file:
            if kept.has_tracks:
                join_tracks(kept.files, file)
            else:
                with kept.files[0].open("rb") as source:
                    shutil.copyfileobj(source, file)
        written.append(Exported(kept.name, target.stat().st_size))
    return written
