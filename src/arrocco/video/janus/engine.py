"""Janus as an engine of the video conference: started, asked, listened to, started again."""

from __future__ import annotations

import asyncio
import itertools
import logging
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any

from arrocco.errors import Refusal
from arrocco.video.janus.configuration import JanusPlaces, Secrets, write
from arrocco.video.janus.events import EventFeed, TrackTold
from arrocco.video.janus.process import JanusProcess
from arrocco.video.janus.requests import JanusRefused, Json, Requests
from arrocco.video.janus.rooms import Publishing
from arrocco.video.janus.stream import JanusStream
from arrocco.video.janus.trial import JanusTrial
from arrocco.video.janus.voice import JanusVoice
from arrocco.video.media import Hears
from arrocco.video.messages import IceServer
from arrocco.video.recordings import Recordings
from arrocco.video.session import Session
from arrocco.video.settings import EngineName, JanusSettings
from arrocco.video.stream import LiveStream, LiveTrial, LiveVoice, Peer, SliceRefused
from arrocco.video.webrtc import media_of

log = logging.getLogger(__name__)

GROW = 1.0
"""Seconds between two looks at what Janus has written."""
FIRST_WAIT, LONGEST_WAIT = 0.2, 15.0
"""Seconds before a Janus that ended is started again: twice as long each time."""
UP_WITHIN = 10.0
"""Seconds that it has to open its socket."""
CLOSED_WITHIN = 8.0
"""Seconds to end all streams when the server stops."""
_ALLOWED = {"camera": {"audio", "video"}, "screen": {"video"}, "room": {"video"}}


class Janus:
    """The engine for larger events."""

    name = str(EngineName.JANUS)
    hears: Hears

    def __init__(
        self, recordings: Recordings, settings: JanusSettings, places: JanusPlaces
    ) -> None:
        self.recordings = recordings
        self.requests: Requests | None = None
        self.publishing: dict[int, Publishing] = {}
        """By handle: what Janus tells of."""
        self._settings, self._places = settings, places
        self._streams: set[JanusStream] = set()
        self._voices, self._trials = itertools.count(1), itertools.count(1)
        self._tasks: set[asyncio.Task[Any]] = set()
        self._feed = EventFeed(self._told)
        self._process: JanusProcess | None = None
        self._first_try = asyncio.Event()

    @property
    def is_up(self) -> bool:
        """Also while it runs and answers nothing, it is as if it were not there."""
        return self.requests is not None and not self.requests.is_silent

    @property
    def pid(self) -> int:
        """Of Janus, while it runs."""
        assert self._process is not None
        return self._process.pid

    def attach(self, hears: Hears) -> None:
        self.hears = hears

    async def start(self) -> None:
        """Starts Janus, and waits until it is there or has failed once."""
        await self._feed.start()
        self._keeper = asyncio.create_task(self._keep())
        self._grower = asyncio.create_task(self._grow())
        await self._first_try.wait()

    async def stop(self) -> None:
        """Ends all streams, whose recordings are complete then, and Janus."""
        with suppress(TimeoutError):
            async with asyncio.timeout(CLOSED_WITHIN):
                while self._tasks:
                    await asyncio.gather(*self._tasks, return_exceptions=True)
        for task in (self._keeper, self._grower):
            task.cancel()
        await asyncio.gather(self._keeper, self._grower, return_exceptions=True)
        await self._feed.stop()

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Has something done beside everything else."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("a request to Janus failed", exc_info=error)

    # --- streams -------------------------------------------------------------------------------

    def begin(self, session: Session, kind: str, offer: str) -> LiveStream:
        media = media_of(offer)
        if len(media) != len(set(media)) or not media or not _ALLOWED[kind].issuperset(media):
            raise SliceRefused.of("video.not_an_offer")
        requests = self.requests
        if requests is None:
            raise SliceRefused.of("video.starting")
        name = self.recordings.next_name(session.event, session.entry, kind)
        stream = JanusStream(self, session, kind, name, self._close)
        self._streams.add(stream)
        self.spawn(stream.publish(requests, offer))
        return stream

    def answer(self, viewer: Peer, entry: int, kind: str, answer: str) -> None:
        for stream in self._streams:
            is_meant = stream.session.entry == entry and stream.kind == kind
            if is_meant and viewer in stream.viewers:
                stream.answer(viewer, answer)
                return
        raise SliceRefused.of("video.not_offered")

    def reach(self, peer: Peer, offer: str) -> LiveTrial:
        if media_of(offer) != ["video"]:
            raise SliceRefused.of("video.not_an_offer")
        requests = self.requests
        if requests is None:
            raise SliceRefused.of("video.starting")
        trial = JanusTrial(self, peer, next(self._trials))
        self.spawn(trial.publish(requests, offer))
        return trial

    def talk(self, session: Session, speaker: Peer, offer: str) -> LiveVoice:
        if media_of(offer) != ["audio"]:
            raise SliceRefused.of("video.not_an_offer")
        requests = self.requests
        if requests is None:
            raise SliceRefused.of("video.starting")
        voice = JanusVoice(self, session, speaker, next(self._voices))
        self.spawn(voice.publish(requests, offer))
        return voice

    def _close(self, stream: JanusStream) -> None:
        """A stream ends; what Janus wrote of it last is still chained."""
        self._streams.discard(stream)
        self.spawn(stream.finish())

    def ice_servers(self, account: str) -> tuple[IceServer, ...]:
        return self._settings.ice.for_account(account)

    async def _grow(self) -> None:
        while True:
            await asyncio.sleep(GROW)
            for stream in tuple(self._streams):
                try:
                    stream.grow(self.hears.now())
                except OSError:
                    log.exception("the recording %s cannot be chained", stream.name)

    # --- what Janus says -----------------------------------------------------------------------

    def _told(self, track: TrackTold) -> None:
        stream = self.publishing.get(track.handle)
        if stream is not None:
            stream.told(track, self.hears.now())

    def _said(self, told: Json) -> None:
        stream = self.publishing.get(told.get("sender", 0))
        if stream is not None and told.get("janus") == "webrtcup":
            stream.went_up()

    # --- the process ---------------------------------------------------------------------------

    async def _keep(self) -> None:
        """Keeps Janus running."""
        wait, loop = FIRST_WAIT, asyncio.get_running_loop()
        while True:
            began = loop.time()
            try:
                await self._run_once()
            except (OSError, JanusRefused, Refusal, TimeoutError) as reason:
                log.error("Janus does not start: %s", reason)
            finally:
                await self._end()
            wait = FIRST_WAIT if loop.time() - began > LONGEST_WAIT else wait
            await asyncio.sleep(wait)
            wait = min(2 * wait, LONGEST_WAIT)

    async def _run_once(self) -> None:
        own = Secrets.new()
        self._feed.secret = own.feed
        self._places.socket.unlink(missing_ok=True)
        configuration = write(self._places, self._settings, own, self._feed.port)
        self._process = process = await JanusProcess.start(configuration)
        requests = await self._connected(process, own.api)
        listening = asyncio.create_task(requests.run())
        ended = asyncio.create_task(process.ended())
        try:
            await requests.begin()
            self.requests = requests
            log.info("Janus runs as process %d", process.pid)
            self._first_try.set()
            self.hears.came_back()
            await asyncio.wait({listening, ended}, return_when=asyncio.FIRST_COMPLETED)
            if requests.has_hung:
                log.error("Janus runs and does not answer: it is ended and started again")
                process.kill()
            else:
                log.warning("Janus is gone: streams begin anew when it is back")
        finally:
            ended.cancel()
            await requests.close()
            listening.cancel()
            await asyncio.gather(listening, ended, return_exceptions=True)

    async def _connected(self, process: JanusProcess, secret: str) -> Requests:
        async with asyncio.timeout(UP_WITHIN):
            while not process.has_ended:
                with suppress(OSError):
                    return await Requests.open(self._places.socket, secret, self._said)
                await asyncio.sleep(0.02)
        raise JanusRefused("it ended at once")

    async def _end(self) -> None:
        """All streams are gone with Janus; what it wrote of them is chained."""
        was_up, self.requests = self.requests is not None, None
        self.publishing.clear()
        if self._process is not None:
            await self._process.stop()
            self._process = None
        if was_up:
            self.hears.went_away()
        self._first_try.set()
