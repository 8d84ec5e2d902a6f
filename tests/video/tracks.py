"""Tracks as Janus records them.

`media/*.mjr` is what Debian's Janus wrote of Chromium's fake camera
and microphone.
"""

from __future__ import annotations

from pathlib import Path

from arrocco.video.janus.tracks import Track
from arrocco.video.recordings import Recordings
from arrocco.video.settings import VideoSettings

_MEDIA = Path(__file__).parent / "media"
PICTURE, SOUND = _MEDIA / "1-camera-1-video-1.mjr", _MEDIA / "1-camera-1-audio-0.mjr"
PIECE = 5_000


def store_at(folder: Path, **settings: int) -> Recordings:
    return Recordings(folder, VideoSettings(**{"keep_free": 0, **settings}))


def recorded(
    folder: Path, event: str, recording: str, *sources: Path, rest: bytes = b""
) -> Recordings:
    """Recordings that grew as Janus writes: in pieces that end anywhere."""
    store = store_at(folder)
    (folder / event).mkdir(exist_ok=True)
    for source in sources:
        path = folder / event / source.name.replace("1-camera-1", recording)
        path.touch()
        track = Track(store, event, path)
        data = source.read_bytes() + rest
        for begins in range(0, len(data), PIECE):
            with path.open("ab") as file:
                file.write(data[begins : begins + PIECE])
            track.grow(1_000 + begins)
        track.trim()
        track.close()
        store.sync(event, track.name)
    return store
