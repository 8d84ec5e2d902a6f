"""Players who send camera, microphone and screen: a program of its own beside those who play.

It reads who sends where as one line of JSON, says `joined` once all of them are there, answers
every line after that with the bytes sent so far, and ends with its input. Over segments pictures
are bytes without meaning in WebM of the right shape, since the server looks at headers only; over
Janus they were encoded long ago (`rtp_senders`), or Chromium encodes small, noisy ones. An arbiter
follows all players and watches one, over Janus in Chromium.

In earnest each of them has a machine of their own, so here they stand behind everything that is
measured. Where others use the machine too (`first`) they stand before those, or would send late.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import shutil
import sys
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Any, Protocol

from msgspec import Struct
from msgspec import json as coded
from tests.serving import EVENT
from websockets.asyncio.client import ClientConnection, connect

from arrocco.video.chain import slice_hash
from arrocco.video.stream import SLICE, STILL
from benchmarks.media_players import chromium_page
from benchmarks.rtp_senders import rtp_senders

CAMERA_BITS, SOUND_BITS, SCREEN_BITS = 80_000, 24_000, 70_000
STILL_BYTES = 3_000
PICTURES, SOUNDS = 10, 50
"""Frames of a slice."""
BEFORE_OTHERS, BEHIND = -5, 19
"""Priorities (`nice`)."""


class Task(Struct, kw_only=True):
    """Who sends where: the first session is the arbiter's."""

    address: str
    tokens: list[str]
    engine: str = "segments"
    by_browser: bool = False
    """Whether a browser encodes everybody's pictures meanwhile."""
    first: bool = False
    """Whether what is measured goes before all programs of the machine, so that these may too."""


# --- pictures without meaning ---------------------------------------------------------------------


def _element(kind: int, body: bytes) -> bytes:
    size = (len(body) | 1 << 28).to_bytes(4, "big")
    return kind.to_bytes((kind.bit_length() + 7) // 8, "big") + size + body


def _block(track: int, size: int, *, is_key: bool) -> bytes:
    head = bytes((0x80 | track, 0, 0, 0x80 if is_key else 0))
    return _element(0xA3, head + os.urandom(max(size - len(head), 1)))


def _head(*kinds: int) -> bytes:
    """The head of a stream whose tracks are of these kinds: 1 is video, 2 sound."""
    entries = b"".join(
        _element(0xAE, _element(0xD7, bytes((number,))) + _element(0x83, bytes((kind,))))
        for number, kind in enumerate(kinds, start=1)
    )
    unknown = b"\x01" + b"\xff" * 7
    return (
        _element(0x1A45DFA3, b"\x42\x82\x84webm")
        + b"\x18\x53\x80\x67"
        + unknown
        + _element(0x1654AE6B, entries)
    )


def stream_of(bits: int, sound: int) -> Iterator[bytes]:
    """Slices of a second, one after the other, with a key frame every other second."""
    head = _head(1, 2) if sound else _head(1)
    number = 0
    while True:
        is_key = number % 2 == 0
        size = bits // 8 // PICTURES
        blocks = [_block(1, size, is_key=is_key and not at) for at in range(PICTURES)]
        if sound:
            blocks += [_block(2, sound // 8 // SOUNDS, is_key=True) for _ in range(SOUNDS)]
        cluster = _element(0x1F43B675, _element(0xE7, b"\x00") + b"".join(blocks))
        yield (head if number == 0 else b"") + cluster
        number += 1


# --- people ---------------------------------------------------------------------------------------


@dataclass
class Chain:
    """A stream on its way: its name at the server, and the last slice."""

    recording: str
    before: str
    slices: Iterator[bytes]
    number: int = 0

    def next_message(self) -> bytes:
        data = next(self.slices)
        hashed = slice_hash(self.before, data)
        header = {
            "recording": self.recording,
            "number": self.number,
            "before": self.before,
            "hash": hashed,
        }
        self.before, self.number = hashed, self.number + 1
        text = json.dumps(header).encode()
        return SLICE + len(text).to_bytes(2, "big") + text + data


class Sending:
    """What the page of one player sends."""

    def __init__(self, address: str, token: str, rng: random.Random) -> None:
        self._address, self._token, self._wait = address, token, rng.random()
        self._page: ClientConnection | None = None
        self._streams: list[Chain] = []
        self.bytes = 0

    async def join(self) -> None:
        self._page = await video_socket(self._address, self._token)
        await self._say(type="join", event=EVENT)
        joined = await hear(self._page, "joined")
        for kind in ("camera", "screen"):
            await self._begin(joined["entry"], kind)

    async def _begin(self, entry: int, kind: str) -> None:
        assert self._page is not None
        await self._say(type="begin", kind=kind)
        begun = await hear(self._page, "begun")
        bits = (CAMERA_BITS, SOUND_BITS) if kind == "camera" else (SCREEN_BITS, 0)
        self._streams.append(Chain(begun["recording"], begun["before"], stream_of(*bits)))

    async def send_on(self) -> None:
        """Sends a second of everything every second, for as long as it is let."""
        assert self._page is not None
        reader = asyncio.create_task(_read_all(self._page))
        await asyncio.sleep(self._wait)
        second, due = 0, time.monotonic()
        try:
            while True:
                for stream in self._streams:
                    await self._send(stream.next_message())
                reading = {"light": 90, "change": 9, "level": 500, "surface": "monitor"}
                await self._say(type="read", reading=reading)
                if second % 2 == 0:
                    await self._send(STILL + b"\x00\x02{}" + os.urandom(STILL_BYTES))
                second, due = second + 1, due + 1
                await asyncio.sleep(max(0, due - time.monotonic()))
        finally:
            reader.cancel()

    async def _send(self, data: bytes) -> None:
        assert self._page is not None
        self.bytes += len(data)
        await self._page.send(data)

    async def _say(self, **message: Any) -> None:
        assert self._page is not None
        await self._page.send(json.dumps(message))

    async def leave(self) -> None:
        if self._page is not None:
            await self._page.close()


class Connections(Protocol):
    """What has a WebRTC connection for each stream of each player."""

    async def offer(self, name: str, kind: str) -> str:
        """A new one."""
        ...

    async def answered(self, name: str, answer: str) -> None: ...

    async def sent(self) -> int:
        """Bytes over all of them."""
        ...


class BrowserConnections:
    """A page of Chromium, which encodes for everybody."""

    def __init__(self, page: Any) -> None:
        self._page = page

    async def offer(self, name: str, kind: str) -> str:
        offer: str = await self._page.evaluate("([n, k]) => offer(n, k)", [name, kind])
        return offer

    async def answered(self, name: str, answer: str) -> None:
        await self._page.evaluate("([n, s]) => answered(n, s)", [name, answer])

    async def sent(self) -> int:
        sent: int = await self._page.evaluate("sent()")
        return sent


class SendingToJanus(Sending):
    """The same player, whose pictures and sound go over WebRTC."""

    def __init__(
        self, address: str, token: str, rng: random.Random, connections: Connections
    ) -> None:
        super().__init__(address, token, rng)
        self._connections = connections

    async def _begin(self, entry: int, kind: str) -> None:
        assert self._page is not None
        name = f"{entry}/{kind}"
        offer = await self._connections.offer(name, kind)
        await self._say(type="begin", kind=kind, offer=offer)
        begun = await hear(self._page, "begun")
        await self._connections.answered(name, begun["answer"])


async def video_socket(address: str, token: str) -> ClientConnection:
    return await connect(
        f"{address.replace('http', 'ws', 1)}/video/socket?lang=en",
        additional_headers={"Cookie": f"arrocco_session={token}"},
        origin=address,  # type: ignore[arg-type]
        compression=None,
        max_size=None,
        open_timeout=60,
    )


async def hear(page: ClientConnection, kind: str) -> Any:
    async with asyncio.timeout(60):
        while True:
            message = await page.recv()
            if isinstance(message, str) and json.loads(message)["type"] == kind:
                return json.loads(message)


async def _read_all(page: ClientConnection) -> None:
    async for _ in page:
        pass


async def _look_on(address: str, token: str, chromium: Any) -> None:
    """The chief arbiter, with everybody's stills and one player live."""
    page = await video_socket(address, token)
    await page.send(json.dumps({"type": "follow", "event": EVENT}))
    await page.send(json.dumps({"type": "watch", "event": EVENT, "entry": 1, "kind": "camera"}))
    if chromium is not None:
        offered = await hear(page, "offered")
        answer = await chromium.evaluate("([n, s]) => watch(n, s)", ["seen", offered["offer"]])
        answered = {"type": "answer", "entry": 1, "kind": "camera", "answer": answer}
        await page.send(json.dumps(answered))
    await _read_all(page)


# --- the program ----------------------------------------------------------------------------------


async def _run(task: Task) -> None:
    rng = random.Random(len(task.tokens))
    async with _chromium(task) as chromium, _connections(task, chromium) as connections:
        sending = [
            Sending(task.address, token, rng)
            if connections is None
            else SendingToJanus(task.address, token, rng, connections)
            for token in task.tokens[1:]
        ]
        for one in sending:
            await one.join()
        tasks = [asyncio.create_task(one.send_on()) for one in sending]
        tasks.append(asyncio.create_task(_look_on(task.address, task.tokens[0], chromium)))
        print("joined", flush=True)
        while await asyncio.to_thread(sys.stdin.readline):
            sent = sum(one.bytes for one in sending)
            sent += 0 if connections is None else await connections.sent()
            print(sent, flush=True)
        for one_task in tasks:
            one_task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for one in sending:
            await one.leave()


@asynccontextmanager
async def _chromium(task: Task) -> AsyncIterator[Any]:
    """A page that watches over WebRTC, and encodes for all players where that is asked for."""
    path = shutil.which("chromium")
    if task.engine != "janus" or path is None:
        yield None
        return
    async with chromium_page(path, is_small=True if task.by_browser else None) as page:
        yield page


@asynccontextmanager
async def _connections(task: Task, chromium: Any) -> AsyncIterator[Connections | None]:
    """What sends over WebRTC, where that is how it goes."""
    if task.engine != "janus":
        yield None
    elif task.by_browser:
        yield BrowserConnections(chromium)
    else:
        async with rtp_senders() as connections:
            yield connections


def main() -> None:
    """Sends for whoever the first line of the input names."""
    task = coded.decode(sys.stdin.readline(), type=Task)
    with suppress(PermissionError):
        os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))
        os.setpriority(os.PRIO_PROCESS, 0, BEFORE_OTHERS if task.first else BEHIND)
    asyncio.run(_run(task))


if __name__ == "__main__":
    main()
