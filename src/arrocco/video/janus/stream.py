"""One stream of a player that goes over Janus: published, kept by track, shown to arbiters."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from pathlib import Path

from arrocco.video.janus import rooms
from arrocco.video.janus.carrier import Carrier
from arrocco.video.janus.events import TrackTold
from arrocco.video.janus.requests import JanusRefused, Requests
from arrocco.video.janus.tracks import Track
from arrocco.video.messages import Begun, Offered
from arrocco.video.recordings import DISK, MJR
from arrocco.video.session import Session
from arrocco.video.slices import SLICES
from arrocco.video.stream import Peer, SliceRefused
from arrocco.video.webrtc import media_of, with_long_sound

log = logging.getLogger(__name__)

CLOSED_LOOK, CLOSED_WITHIN = 0.2, 20
"""Seconds between two looks whether a file is closed, and how often it is looked at."""


class Viewer:
    """Somebody who watches a stream: their handle, once they have one."""

    def __init__(self, peer: Peer) -> None:
        self.peer = peer
        self.handle: int | None = None
        self.is_over = False


class JanusStream:
    """A stream under way, in a room of its own: nobody in it hears of anybody else."""

    begun: Begun | None = None

    def __init__(
        self,
        media: Carrier,
        session: Session,
        kind: str,
        name: str,
        closing: Callable[[JanusStream], None],
    ) -> None:
        self._closing = closing
        self.media, self.session, self.kind, self.name = media, session, kind, name
        self.stopped = ""
        self.handle: int | None = None
        self._requests: Requests | None = None
        self.is_up = self.is_closed = False
        self.viewers: dict[Peer, Viewer] = {}
        self._tracks: dict[str, Track] = {}
        self._unkept: set[str] = set()
        """Files of tracks that could not be chained: they go when the stream ends."""
        self._packets: dict[str, int] = {}
        self._expected = 1
        """How many tracks there will be: once all are there nobody looks for more."""
        self._folder = media.recordings.folder / session.event
        try:
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        except OSError:  # the player is seen all the same: a full disk is no fault of theirs
            log.exception("nothing can be recorded of %s", name)
            self.stopped = DISK

    @property
    def room(self) -> str:
        return f"{self.session.event}/{self.name}"

    # --- the player ----------------------------------------------------------------------------

    async def publish(self, requests: Requests, offer: str) -> None:
        """Brings the player's offer to Janus, and its answer to the page."""
        try:
            answer = await self._publish(requests, offer)
        except JanusRefused as reason:
            log.warning("Janus does not take %s: %s", self.name, reason)
            sender = self.session.sender(self.kind)
            if not self.is_closed and sender is not None:
                sender.refuse(SliceRefused.of("video.not_taken"))
            return
        sender = self.session.sender(self.kind)
        if not self.is_closed and sender is not None:
            begun = Begun(kind=self.kind, recording=self.name, before="", answer=answer)
            sender.tell(begun)

    async def _publish(self, requests: Requests, offer: str) -> str:
        handle = await requests.attach(self.name)
        if self.is_closed:
            await requests.detach(handle)
            return ""
        self.handle, self._requests = handle, requests
        self.media.publishing[handle] = self
        store = self.media.recordings
        self.stopped = self.stopped or store.objection(self.session.event, self.name, 0)
        record_to = "" if self.stopped else str(self._folder / self.name)
        self._expected = len(media_of(offer)) if record_to else 0
        answer = await rooms.publish(requests, handle, self.room, offer, record_to=record_to)
        return with_long_sound(answer)

    def told(self, track: TrackTold, now: int) -> None:
        """Janus tells of a track: packets that came are counted as frames."""
        is_video = track.medium == "video"
        if track.has_stopped:
            self.session.stopped(self.kind, is_video=is_video, now=now)
        elif track.packets is not None:
            new = track.packets - self._packets.get(track.medium, 0)
            self._packets[track.medium] = track.packets
            self.session.came(self.kind, new if is_video else 0, 0 if is_video else new, now)

    def went_up(self) -> None:
        """Packets can come: whoever waits for the stream gets it."""
        self.is_up = True
        for viewer in tuple(self.viewers.values()):
            self.media.spawn(self._show(viewer))

    # --- arbiters ------------------------------------------------------------------------------

    def watch(self, viewer: Peer) -> None:
        self.unwatch(viewer)
        one = self.viewers[viewer] = Viewer(viewer)
        if self.is_up:
            self.media.spawn(self._show(one))

    def unwatch(self, viewer: Peer) -> None:
        one = self.viewers.pop(viewer, None)
        if one is not None:
            one.is_over = True
            requests = self.media.requests
            if one.handle is not None and requests is not None:
                self.media.spawn(requests.detach(one.handle))

    def answer(self, viewer: Peer, answer: str) -> None:
        """A page takes what it was offered. Raises `SliceRefused`."""
        one, requests = self.viewers.get(viewer), self.media.requests
        if one is None or one.handle is None or requests is None:
            raise SliceRefused.of("video.not_offered")
        self.media.spawn(self._start(requests, one.handle, answer))

    async def _show(self, viewer: Viewer) -> None:
        requests = self.media.requests
        if requests is None or viewer.is_over:
            return
        try:
            handle = await requests.attach(f"{self.name} watched")
            if viewer.is_over:
                await requests.detach(handle)
                return
            viewer.handle = handle
            offer = await rooms.subscribe(requests, handle, self.room)
        except JanusRefused as reason:
            log.warning("Janus does not show %s: %s", self.name, reason)
            return
        if not viewer.is_over:
            ice = self.media.ice_servers("arbiter")
            entry = self.session.entry
            viewer.peer.tell(Offered(entry=entry, kind=self.kind, offer=offer, ice=ice))

    async def _start(self, requests: Requests, handle: int, answer: str) -> None:
        try:
            await rooms.start(requests, handle, answer)
        except JanusRefused as reason:
            log.warning("Janus does not take an answer for %s: %s", self.name, reason)

    # --- the recording -------------------------------------------------------------------------

    def grow(self, now: int) -> None:
        """Chains what Janus has written since; over a quota it is told to write no more."""
        if len(self._tracks) + len(self._unkept) < self._expected:
            for path in self._folder.glob(f"{self.name}-*{MJR}"):
                if path.name not in self._tracks and path.name not in self._unkept:
                    self._follow(path)
        for track in self._tracks.values():
            objection = track.grow(now)
            if objection is None:
                continue
            if track.slices:
                self.media.hears.recorded(self.session.event, track.head)
            if objection:
                self._stop_keeping(objection)

    def _follow(self, path: Path) -> None:
        try:
            track = Track(self.media.recordings, self.session.event, path)
        except OSError:
            log.exception("the recording %s cannot be chained", path.stem)
            self._unkept.add(path.name)
            self._stop_keeping(DISK)
        else:
            self._tracks[path.name] = track

    def _stop_keeping(self, why: str) -> None:
        if not self.stopped:
            self.stopped = why
            self.media.spawn(self._keep_no_more())
            self.media.hears.kept_no_more(self.session)

    async def _keep_no_more(self) -> None:
        requests = self.media.requests
        if requests is not None and self.handle is not None:
            try:
                await requests.ask(self.handle, {"request": "configure", "record": False})
            except JanusRefused as reason:
                log.warning("Janus goes on recording %s: %s", self.name, reason)

    def close(self) -> None:
        if self.is_closed:
            return
        self.is_closed = True
        for viewer in tuple(self.viewers):
            self.unwatch(viewer)
        self._closing(self)

    async def finish(self) -> None:
        """Ends the stream in Janus, so that it writes its files to the end, and chains the rest."""
        handle, requests = self.handle, self._requests
        if handle is not None:
            self.media.publishing.pop(handle, None)
        is_gone = requests is None or requests is not self.media.requests
        try:
            if handle is not None and requests is not None and not is_gone:
                await rooms.close(requests, handle, self.room)
                await self._written()
            self.grow(self.media.hears.now())
            if is_gone or self.stopped == DISK:
                for track in self._tracks.values():
                    track.trim()
            for name in self._unkept:
                self._forget(self._folder / name)
        finally:
            for track in self._tracks.values():
                track.close()

    def _forget(self, media: Path) -> None:
        """Takes away a film that nothing was ever chained of: it was told that it is not kept."""
        if not media.with_suffix(SLICES).exists():
            log.warning("%s is taken away: it could not be chained", media.name)
            media.unlink(missing_ok=True)

    async def _written(self) -> None:
        """Waits until Janus has closed the files, which it does some time after it says so."""
        for _ in range(CLOSED_WITHIN):
            await asyncio.sleep(CLOSED_LOOK)
            self.grow(self.media.hears.now())
            if not any(track.has_rest for track in self._tracks.values()):
                return
