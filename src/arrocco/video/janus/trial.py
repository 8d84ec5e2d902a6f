"""A connection that is tried before the event: no picture goes over it, and nothing is kept."""

from __future__ import annotations

import asyncio
import logging

from arrocco.video.janus import rooms
from arrocco.video.janus.carrier import Carrier
from arrocco.video.janus.events import TrackTold
from arrocco.video.janus.requests import JanusRefused, Requests
from arrocco.video.messages import Reaching
from arrocco.video.stream import Peer, SliceRefused

log = logging.getLogger(__name__)

LASTS = 20.0
"""Seconds after which a trial is over, whatever came of it."""


class JanusTrial:
    """A trial under way, in a room of its own."""

    def __init__(self, media: Carrier, peer: Peer, number: int) -> None:
        self._media, self._peer = media, peer
        self._room = f"trial/{number}"
        self._handle: int | None = None
        self._is_closed = False
        self._end = asyncio.get_running_loop().call_later(LASTS, self.close)

    async def publish(self, requests: Requests, offer: str) -> None:
        """Brings the page's offer to Janus, and its answer to the page."""
        try:
            self._handle = handle = await requests.attach(self._room)
            self._media.publishing[handle] = self
            answer = await rooms.publish(requests, handle, self._room, offer)
        except JanusRefused as reason:
            log.warning("Janus does not take a trial: %s", reason)
            self._peer.refuse(SliceRefused.of("video.not_taken"))
            self.close()
            return
        if self._is_closed:
            await self._finish()
        else:
            self._peer.tell(Reaching(answer=answer))

    def told(self, track: TrackTold, now: int) -> None:
        """Nothing is sent."""

    def went_up(self) -> None:
        """Janus is reached."""
        if not self._is_closed:
            self._peer.tell(Reaching(has_come=True))
            self.close()

    def close(self) -> None:
        if not self._is_closed:
            self._is_closed = True
            self._end.cancel()
            self._media.spawn(self._finish())

    async def _finish(self) -> None:
        handle, requests = self._handle, self._media.requests
        if handle is not None:
            self._media.publishing.pop(handle, None)
            if requests is not None:
                await rooms.close(requests, handle, self._room)
