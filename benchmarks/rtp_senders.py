"""Players over WebRTC whose pictures were encoded long ago: a Janus of its own sends them.

A browser that encodes for sixty players needs more of the machine than everything that is measured,
and in earnest every player brings a machine. Here RTP packets go to a second Janus, which sends
them to each connection as a browser does (ICE, DTLS, SRTP). How long a packet of sound is, the
server asks for in its answer, and it is done. Players are in groups that do not send at the same
moment. A browser also asks for feedback, tries more addresses and sends some packets again, so what
is measured here is the least that a player costs.
"""

from __future__ import annotations

import asyncio
import os
import re
import secrets
import shutil
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from itertools import count, cycle
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.video.tracks import PICTURE, SOUND

from arrocco.video.janus.configuration import library
from arrocco.video.janus.packets import frames_of
from arrocco.video.janus.process import JanusProcess
from arrocco.video.janus.requests import Json, Requests

PORTS = "40000-44999"
PICTURES, SCREEN_PICTURES = 10, 2
"""A second."""
SCREEN_BYTES = 4_400
"""Of a picture: 70 kbit/s."""
SOUND_BYTES = 80
"""Of 20 milliseconds: 32 kbit/s, which is what Chromium sends."""
BROWSERS_EVERY = 20
"""Milliseconds of sound in a packet where nothing else is asked for."""
GROUPS = 12
"""Of players; those of one group send at the same moment."""
_LARGEST = 1_100
_AUDIO, _VIDEO = 111, 96
_PTIME = re.compile(r"^a=ptime:(\d+)", re.MULTILINE)
_PLUGIN = "janus.plugin.streaming"


class StreamingRequests(Requests):
    """Requests to the plugin that sends what it is given."""

    async def attach(self, name: str) -> int:
        told = await self._ask({"janus": "attach", "plugin": _PLUGIN, "opaque_id": name})
        handle: int = told["data"]["id"]
        return handle


class Packets:
    """RTP packets of one track, to a port of the Janus that sends them on."""

    def __init__(self, kind: int, ticks: int, pieces: Iterator[list[bytes]]) -> None:
        """`ticks` of its clock pass between two of `pieces`, each the packets of a picture."""
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as free:
            free.bind(("127.0.0.1", 0))
            self.port = int(free.getsockname()[1])
        self.bytes = 0
        """Of all packets so far, as one connection sends them."""
        self._kind, self._ticks, self._pieces = kind, ticks, pieces
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._number, self._time = 0, 0
        self._source = secrets.randbits(32).to_bytes(4, "big")

    def send(self) -> None:
        """The next picture, or piece of sound."""
        packets = next(self._pieces)
        for place, packet in enumerate(packets):
            is_last = place == len(packets) - 1
            head = bytes((0x80, self._kind | (0x80 if is_last else 0)))
            head += (self._number % 0x10000).to_bytes(2, "big")
            head += (self._time % 0x1_0000_0000).to_bytes(4, "big") + self._source
            self._number += 1
            self.bytes += len(head) + len(packet)
            with suppress(OSError):
                self._socket.sendto(head + packet, ("127.0.0.1", self.port))
        self._time += self._ticks


def _of_picture(picture: bytes) -> list[bytes]:
    """The packets of a picture of VP8 (RFC 7741)."""
    parts = [picture[at : at + _LARGEST] for at in range(0, len(picture), _LARGEST)]
    return [bytes((0x10 if not place else 0,)) + part for place, part in enumerate(parts)]


def _camera() -> Iterator[list[bytes]]:
    pictures = [frame.data for frame in frames_of(PICTURE)]
    return (_of_picture(picture) for picture in cycle(pictures))


def _screen() -> Iterator[list[bytes]]:
    return (_of_picture(os.urandom(SCREEN_BYTES)) for _ in count())


def _sound(every: int) -> Iterator[list[bytes]]:
    sounds = [frame.data for frame in frames_of(SOUND)]
    size = SOUND_BYTES * every // BROWSERS_EVERY
    return ([(sound * size)[:size]] for sound in cycle(sounds))


class RtpSenders:
    """All players' streams, from one process: each is a connection of its own."""

    def __init__(self, requests: StreamingRequests, pid: int) -> None:
        self.pid = pid
        self._requests = requests
        self._handles: dict[str, int] = {}
        self._mounts: dict[int, tuple[Packets, ...]] = {}
        self._sound_every = BROWSERS_EVERY
        self._watched: dict[str, int] = {}
        self._feeding: list[asyncio.Task[None]] = []

    async def start(self) -> None:
        handle = await self._requests.attach("sources")
        video = {"type": "video", "mid": "v", "pt": _VIDEO, "codec": "vp8"}
        audio = {"type": "audio", "mid": "a", "pt": _AUDIO, "codec": "opus"}
        for group in range(GROUPS):
            wait = group / GROUPS / PICTURES
            for every in (BROWSERS_EVERY, 3 * BROWSERS_EVERY):
                camera = Packets(_VIDEO, 90_000 // PICTURES, _camera())
                sound = Packets(_AUDIO, 48 * every, _sound(every))
                media = [audio | {"port": sound.port}, video | {"port": camera.port}]
                await self._create(handle, _number(group, every), media)
                self._mounts[_number(group, every)] = sound, camera
                self._feed(sound, every / 1000, wait)
                self._feed(camera, 1 / PICTURES, wait)
            screen = Packets(_VIDEO, 90_000 // SCREEN_PICTURES, _screen())
            await self._create(handle, _number(group), [video | {"port": screen.port}])
            self._mounts[_number(group)] = (screen,)
            self._feed(screen, 1 / SCREEN_PICTURES, wait)

    async def _create(self, handle: int, number: int, media: list[Json]) -> None:
        asked: Json = {"request": "create", "type": "rtp", "id": number, "media": media}
        await self._requests.ask(handle, asked)

    def _feed(self, packets: Packets, every: float, wait: float) -> None:
        async def feed() -> None:
            await asyncio.sleep(wait)
            due = asyncio.get_running_loop().time()
            while True:
                packets.send()
                due += every
                await asyncio.sleep(max(0, due - asyncio.get_running_loop().time()))

        self._feeding.append(asyncio.create_task(feed()))

    async def offer(self, name: str, kind: str) -> str:
        handle = self._handles[name] = await self._requests.attach(name)
        group = (len(self._handles) - 1) // 2 % GROUPS
        number = _number(group, 0 if kind == "screen" else self._sound_every)
        asked = {"request": "watch", "id": number}
        self._watched[name] = number
        return (await self._requests.ask(handle, asked)).description

    async def answered(self, name: str, answer: str) -> None:
        handle = self._handles[name]
        await self._requests.ask(handle, {"request": "start"}, answer=answer)
        asks = _PTIME.search(answer)
        every = BROWSERS_EVERY if asks is None else int(asks[1])
        number = _number(self._watched[name] // 1000, every)
        if asks is not None and every != self._sound_every and number in self._mounts:
            self._sound_every = every  # of all who come after the first, too
            self._watched[name] = number
            await self._requests.ask(handle, {"request": "switch", "id": number})

    async def sent(self) -> int:
        """Bytes that all connections have sent, as of those that are there now."""
        mounts = (self._mounts[number] for number in self._watched.values())
        return sum(packets.bytes for mount in mounts for packets in mount)

    def stop(self) -> None:
        for task in self._feeding:
            task.cancel()


def _number(group: int, sound_every: int = 0) -> int:
    """Of what one group sends: camera and sound, or the screen."""
    return 1000 * group + sound_every + 1


@asynccontextmanager
async def rtp_senders() -> AsyncIterator[RtpSenders]:
    """Starts the Janus that sends, and ends it."""
    with TemporaryDirectory(prefix="senders-") as temporary:
        folder = Path(temporary)
        secret = secrets.token_urlsafe(16)
        process = await JanusProcess.start(_configuration(folder, secret))
        try:
            async with asyncio.timeout(20):
                while True:
                    with suppress(OSError):
                        opened = await StreamingRequests.open(folder / "api", secret, _hears)
                        break
                    await asyncio.sleep(0.05)
            assert isinstance(opened, StreamingRequests)
            listening = asyncio.create_task(opened.run())
            await opened.begin()
            senders = RtpSenders(opened, process.pid)
            await senders.start()
            yield senders
            senders.stop()
            await opened.close()
            await listening
        finally:
            await process.stop()


def _hears(told: Json) -> None:
    """What that Janus says by itself is of no concern."""


def _configuration(folder: Path, secret: str) -> Path:
    installed = library()
    assert installed is not None, "needs Debian's package janus"
    loaded = {"plugins": "libjanus_streaming.so", "transports": "libjanus_websockets.so"}
    for kind, name in loaded.items():
        (folder / kind).mkdir()
        (folder / kind / name).symlink_to(installed / kind / name)
    (folder / "none").mkdir()
    none = folder / "none"
    (folder / "janus.jcfg").write_text(
        f"""general: {{
    configs_folder = "{folder}"
    plugins_folder = "{folder / "plugins"}"
    transports_folder = "{folder / "transports"}"
    events_folder = "{none}"
    loggers_folder = "{none}"
    api_secret = "{secret}"
    debug_level = 1
    debug_colors = false
    hide_dependencies = true
    event_loops = 2
}}
media: {{ rtp_port_range = "{PORTS}" }}
nat: {{ ice_enforce_list = "127.0.0.1" }}
""",
        encoding="utf-8",
    )
    (folder / "janus.transport.websockets.jcfg").write_text(
        f'general: {{ json = "compact"; ws = true; ws_unix = "{folder / "api"}"; wss = false }}\n'
        "admin: { admin_ws = false; admin_wss = false }\n",
        encoding="utf-8",
    )
    (folder / "janus.plugin.streaming.jcfg").write_text("general: { }\n", encoding="utf-8")
    return folder / "janus.jcfg"


def is_possible() -> bool:
    """Whether there is a Janus that sends."""
    installed = library()
    plugin = None if installed is None else installed / "plugins" / "libjanus_streaming.so"
    return plugin is not None and plugin.exists() and shutil.which("janus") is not None
