"""Rooms of Janus: each has one who sends, and nobody in it hears of anybody else."""

from __future__ import annotations

from contextlib import suppress
from typing import Protocol

from arrocco.video.janus.events import TrackTold
from arrocco.video.janus.requests import JanusRefused, Json, Requests

BITS = 110_000
"""Bits a second of the picture that Janus asks a browser not to exceed."""
KEY_FRAME_EVERY = 10
"""Seconds after which a browser is asked for a whole picture, for whoever reads the recording."""
_FEED = "sender"


class Publishing(Protocol):
    """Something that is sent to Janus, which tells how it goes."""

    def told(self, track: TrackTold, now: int) -> None:
        """Janus tells of a track."""
        ...

    def went_up(self) -> None:
        """Packets can come."""
        ...


async def publish(
    requests: Requests, handle: int, room: str, offer: str, *, record_to: str = ""
) -> str:
    """Opens a room and brings an offer into it: the answer. Raises `JanusRefused`."""
    await requests.ask(
        handle,
        {
            "request": "create",
            "room": room,
            "publishers": 1,
            "is_private": True,
            "audiocodec": "opus",
            "videocodec": "vp8",
            "bitrate": BITS,
            "bitrate_cap": True,
            "fir_freq": KEY_FRAME_EVERY,
        },
    )
    asked: Json = {
        "request": "joinandconfigure",
        "ptype": "publisher",
        "room": room,
        "id": _FEED,
        "record": bool(record_to),
    }
    if record_to:
        asked["filename"] = record_to
    answered = await requests.ask(handle, asked, offer=offer)
    if not answered.description:
        raise JanusRefused("no answer to an offer")
    return answered.description


async def subscribe(requests: Requests, handle: int, room: str) -> str:
    """Joins a room to see and hear: what Janus offers. Raises `JanusRefused`."""
    asked: Json = {"request": "join", "ptype": "subscriber", "room": room}
    return (await requests.ask(handle, asked | {"streams": [{"feed": _FEED}]})).description


async def start(requests: Requests, handle: int, answer: str) -> None:
    """Takes what was offered. Raises `JanusRefused`."""
    await requests.ask(handle, {"request": "start"}, answer=answer)


async def close(requests: Requests, handle: int, room: str) -> None:
    """Ends a room, with all that is recorded of it written, and gives its handle back."""
    with suppress(JanusRefused):  # it may never have been opened
        await requests.ask(handle, {"request": "destroy", "room": room})
    await requests.detach(handle)
