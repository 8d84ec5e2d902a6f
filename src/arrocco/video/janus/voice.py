"""The voice of an arbiter on its way to a player; nothing of it is kept."""

from __future__ import annotations

import logging

from arrocco.video.janus import rooms
from arrocco.video.janus.carrier import Carrier
from arrocco.video.janus.events import TrackTold
from arrocco.video.janus.requests import JanusRefused, Requests
from arrocco.video.messages import Silenced, Spoken, Talking
from arrocco.video.session import Session
from arrocco.video.stream import Peer, SliceRefused

log = logging.getLogger(__name__)


class JanusVoice:
    """A voice under way, in a room of its own."""

    def __init__(self, media: Carrier, session: Session, speaker: Peer, number: int) -> None:
        self.number = number
        self._media, self._session, self._speaker = media, session, speaker
        self._hearer = session.peer
        self._sending: int | None = None
        self._hearing: int | None = None
        self._is_closed = False

    @property
    def _room(self) -> str:
        return f"voice/{self.number}"

    async def publish(self, requests: Requests, offer: str) -> None:
        """Brings the arbiter's offer to Janus, and its answer to the page."""
        try:
            self._sending = handle = await requests.attach(self._room)
            self._media.publishing[handle] = self
            answer = await rooms.publish(requests, handle, self._room, offer)
        except JanusRefused as reason:
            log.warning("Janus does not take a voice: %s", reason)
            self._speaker.tell(Talking(entry=self._session.entry, on=False))
            return
        if self._is_closed:
            await self._finish()
        else:
            self._speaker.tell(Talking(entry=self._session.entry, on=True, answer=answer))

    def told(self, track: TrackTold, now: int) -> None:
        """How much is said is nobody's business."""

    def went_up(self) -> None:
        """The arbiter can be heard: it is offered to the player."""
        requests = self._media.requests
        if requests is not None and self._hearing is None:
            self._media.spawn(self._offer(requests))

    async def _offer(self, requests: Requests) -> None:
        try:
            self._hearing = await requests.attach(f"{self._room} heard")
            offer = await rooms.subscribe(requests, self._hearing, self._room)
        except JanusRefused as reason:
            log.warning("Janus does not pass a voice on: %s", reason)
            return
        if not self._is_closed and self._hearer is not None:
            ice = self._media.ice_servers(self._session.account)
            self._hearer.tell(Spoken(voice=self.number, offer=offer, ice=ice))

    def hear(self, answer: str) -> None:
        requests = self._media.requests
        if self._hearing is None or requests is None:
            raise SliceRefused.of("video.not_offered")
        self._media.spawn(self._start(requests, self._hearing, answer))

    async def _start(self, requests: Requests, handle: int, answer: str) -> None:
        try:
            await rooms.start(requests, handle, answer)
        except JanusRefused as reason:
            log.warning("Janus does not take an answer to a voice: %s", reason)

    def close(self) -> None:
        if self._is_closed:
            return
        self._is_closed = True
        self._speaker.tell(Talking(entry=self._session.entry, on=False))
        if self._hearer is not None:
            self._hearer.tell(Silenced(voice=self.number))
        self._media.spawn(self._finish())

    async def _finish(self) -> None:
        requests = self._media.requests
        if self._sending is not None:
            self._media.publishing.pop(self._sending, None)
        if requests is None:
            return
        if self._hearing is not None:
            await requests.detach(self._hearing)
        if self._sending is not None:
            await rooms.close(requests, self._sending, self._room)
