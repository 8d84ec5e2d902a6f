"""The tracks that Janus has recorded joined into one WebM: a file, or piece by piece."""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import BinaryIO, NamedTuple

from arrocco.video.janus.packets import Frame, TrackHead, frames_of, head_of
from arrocco.video.webm import AUDIO, VIDEO
from arrocco.video.webm_writer import Clusters, Size, WebmWriter, live_head, size_of


class _Block(NamedTuple):
    at: int
    """Microseconds since the first of all tracks."""
    track: int
    frame: Frame


class _Joined(NamedTuple):
    """Tracks that are joined: the size of the pictures, whether there is sound, what is in them."""

    size: Size | None
    has_sound: bool
    blocks: Iterator[_Block]


def join_tracks(parts: Sequence[Path], file: BinaryIO) -> None:
    """Writes tracks as one WebM, each at its own time. Raises `Malformed`."""
    joined = _joined(parts)
    writer = WebmWriter(file, joined.size, has_sound=joined.has_sound)
    for block in joined.blocks:
        writer.add(block.track, block.at // 1000, block.frame.data, is_key=block.frame.is_key)
    writer.close()


def stream_tracks(parts: Sequence[Path]) -> Iterator[bytes]:
    """The same for somebody who watches: nothing of it is written anywhere. Raises `Malformed`."""
    joined, clusters = _joined(parts), Clusters()
    yield live_head(joined.size, has_sound=joined.has_sound)
    for block in joined.blocks:
        milliseconds = block.at // 1000
        yield from clusters.add(
            block.track, milliseconds, block.frame.data, is_key=block.frame.is_key
        )
    yield from clusters.end()


def _joined(parts: Sequence[Path]) -> _Joined:
    heads = {path: head for path in parts if (head := head_of(path)) is not None}
    begins = min((head.u for head in heads.values()), default=0)
    sizes = [_picture_size(path) for path, head in heads.items() if head.is_video]
    tracks = [_blocks(path, head, head.u - begins) for path, head in heads.items()]
    return _Joined(
        next(filter(None, sizes), None),
        any(not head.is_video for head in heads.values()),
        heapq.merge(*tracks, key=lambda block: block.at),
    )


def _picture_size(path: Path) -> Size | None:
    """The size of the first whole picture; `None` where there is none."""
    key = next((frame for frame in frames_of(path) if frame.is_key), None)
    return None if key is None else size_of(key.data)


def _blocks(path: Path, head: TrackHead, later: int) -> Iterator[_Block]:
    has_begun = not head.is_video
    for frame in frames_of(path):
        has_begun = has_begun or frame.is_key  # nothing can be seen before the first whole picture
        if has_begun:
            yield _Block(later + frame.at, VIDEO if head.is_video else AUDIO, frame)
