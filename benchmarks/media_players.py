"""How many players one core takes when the video goes over Janus.

Chromium with fake devices plays all of them from one page: a camera with its microphone, and a
screen, for each. Everybody is recorded and chained; an arbiter watches every camera. Processor
times are those of Janus and of the video's own process, whatever the browser needs beside them.

``python -m benchmarks.media_players 5 10 20`` measures these numbers of players. A browser encodes
the pictures of about 20 players on one core. With ``--small`` they are smaller and noisy: as many
frames and bits a second, so that the server has the same to do, and the browser carries 150.
With ``--encoded`` no browser is needed (`rtp_senders`), and nobody watches: what it costs to take
players, alone. The video's own process then has the packets to hand on as well.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import shutil
from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from msgspec import Struct

from arrocco.errors import Refusal
from arrocco.video.engine import Engine
from arrocco.video.janus import Janus, JanusPlaces, is_installed
from arrocco.video.messages import Begun, Offered
from arrocco.video.recordings import Recordings
from arrocco.video.settings import JanusSettings, VideoSettings
from benchmarks.rtp_senders import rtp_senders

PLAYERS = (5, 10, 15)
SETTLE, MEASURE = 10.0, 20.0
"""Seconds."""
EVENT = "load"
FLAGS = """
    --headless=new --no-sandbox --disable-gpu --use-fake-device-for-media-stream
    --use-fake-ui-for-media-stream --allow-loopback-in-peer-connection
""".split()
PAGE = "https://players.test/"
_SCRIPT = """
const connections = {};
let camera, screen;
function noise(width, height, rate) {
  const canvas = document.createElement("canvas");
  canvas.width = width; canvas.height = height;
  const pen = canvas.getContext("2d");
  const picture = pen.createImageData(width, height);
  for (let at = 3; at < picture.data.length; at += 4) picture.data[at] = 255;
  setInterval(() => {
    for (let at = 0; at < picture.data.length; at += 4) {
      picture.data[at] = picture.data[at + 1] = picture.data[at + 2] = Math.random() * 255;
    }
    pen.putImageData(picture, 0, 0);
  }, 1000 / rate);
  return canvas.captureStream(rate);
}
async function open(isSmall) {
  if (isSmall) {
    const sound = await navigator.mediaDevices.getUserMedia({ audio: true });
    const [picture] = noise(64, 48, 10).getTracks();
    camera = new MediaStream([...sound.getTracks(), picture]);
    screen = noise(96, 54, 2);
    return;
  }
  camera = await navigator.mediaDevices.getUserMedia({
    video: { width: 320, height: 240, frameRate: 10 }, audio: true });
  const canvas = document.createElement("canvas");
  canvas.width = 1280; canvas.height = 720;
  const pen = canvas.getContext("2d");
  pen.font = "40px monospace";
  let row = 0;
  setInterval(() => {
    row = (row + 1) % 17;
    pen.fillStyle = "white"; pen.fillRect(0, row * 42, 1280, 42);
    pen.fillStyle = "black"; pen.fillText(new Date().toISOString(), 8, row * 42 + 34);
  }, 500);
  screen = canvas.captureStream(2);
}
async function offer(name, kind) {
  const connection = connections[name] = new RTCPeerConnection();
  for (const track of (kind === "camera" ? camera : screen).getTracks()) {
    const way = { direction: "sendonly" };
    const isPicture = track.kind === "video";
    if (isPicture) way.sendEncodings = [{ maxBitrate: kind === "camera" ? 80000 : 70000 }];
    const transceiver = connection.addTransceiver(track, way);
    const { codecs } = RTCRtpReceiver.getCapabilities("video");
    const vp8 = codecs.filter((codec) => codec.mimeType === "video/VP8");
    if (isPicture) transceiver.setCodecPreferences(vp8);
  }
  await connection.setLocalDescription();
  return connection.localDescription.sdp;
}
async function sent() {
  let bytes = 0;
  for (const connection of Object.values(connections)) {
    for (const told of (await connection.getStats()).values()) {
      if (told.type === "transport") bytes += told.bytesSent;
    }
  }
  return bytes;
}
async function answered(name, sdp) {
  await connections[name].setRemoteDescription({ type: "answer", sdp });
}
async function watch(name, sdp) {
  const connection = connections[name] = new RTCPeerConnection();
  await connection.setRemoteDescription({ type: "offer", sdp });
  await connection.setLocalDescription();
  return connection.localDescription.sdp;
}
"""


class Socket:
    """Keeps what a page would be told."""

    def __init__(self) -> None:
        self.begun: asyncio.Queue[Begun] = asyncio.Queue()
        self.offered: asyncio.Queue[Offered] = asyncio.Queue()

    def tell(self, message: Struct) -> None:
        if isinstance(message, Begun):
            self.begun.put_nowait(message)
        elif isinstance(message, Offered):
            self.offered.put_nowait(message)

    def send(self, data: bytes) -> None:
        """Stills are not measured here."""

    def refuse(self, refusal: Refusal) -> None:
        raise refusal

    def close(self, code: int) -> None:
        """Nobody is replaced."""


class Used(NamedTuple):
    """Seconds of the processor so far, bytes that are kept, megabytes of memory of both."""

    janus: float
    own: float
    kept: int
    memory: float


def main(
    counts: Sequence[int] = PLAYERS, *, is_small: bool = False, is_encoded: bool = False
) -> None:
    chromium = shutil.which("chromium")
    if not is_installed() or (chromium is None and not is_encoded):
        print("  not measured: needs Debian's packages janus and chromium")
        return
    asyncio.run(_measure(counts, "" if is_encoded or chromium is None else chromium, is_small))


async def _measure(counts: Sequence[int], chromium: str, is_small: bool) -> None:
    """Without a browser packets that were encoded before are sent."""
    with TemporaryDirectory() as temporary:
        folder = Path(temporary)
        recordings = Recordings(folder / "video", VideoSettings(keep_free=0))
        places = JanusPlaces(folder / "janus", folder / "api")
        janus = Janus(recordings, JanusSettings(listen_at="127.0.0.1"), places)
        engine = Engine(janus, lambda: int(asyncio.get_running_loop().time() * 1000))
        await janus.start()
        sent_by: AbstractAsyncContextManager[Any] = (
            chromium_page(chromium, is_small=is_small) if chromium else rtp_senders()
        )
        async with sent_by as senders:
            print("  players  Janus %  own %  a core takes  kbit/s each  disk kB/s each  memory MB")
            there = 0
            for count in counts:
                while there < count:
                    there += 1
                    await (_join if chromium else _join_encoded)(engine, senders, there)
                await asyncio.sleep(SETTLE)
                before = _used(janus, recordings)
                await asyncio.sleep(MEASURE)
                _tell(count, before, _used(janus, recordings))
        engine.close()
        await janus.stop()


@asynccontextmanager
async def chromium_page(chromium: str, *, is_small: bool | None) -> AsyncIterator[Any]:
    """A page that offers, answers and watches streams; with no size of pictures it only watches."""
    from playwright.async_api import async_playwright

    async with async_playwright() as started:
        browser = await started.chromium.launch(
            executable_path=chromium, args=FLAGS, ignore_default_args=["--headless"]
        )
        page = await browser.new_page()
        await page.route(PAGE, _empty_page)
        await page.goto(PAGE)
        await page.add_script_tag(content=_SCRIPT)
        if is_small is not None:
            await page.evaluate("open", is_small)
        yield page
        await browser.close()


async def _join(engine: Engine, page: Any, entry: int) -> None:
    socket = Socket()
    session = engine.join(EVENT, str(entry), entry, f"Player {entry}", socket, needs_screen=True)
    for kind in ("camera", "screen"):
        name = f"{entry}/{kind}"
        engine.begin(session, kind, await page.evaluate("([n, k]) => offer(n, k)", [name, kind]))
        begun = await asyncio.wait_for(socket.begun.get(), 30)
        await page.evaluate("([n, s]) => answered(n, s)", [name, begun.answer])
    engine.watch(socket, EVENT, entry, "camera")
    offered = await asyncio.wait_for(socket.offered.get(), 60)
    answer = await page.evaluate("([n, s]) => watch(n, s)", [f"{entry}/seen", offered.offer])
    engine.answer(socket, entry, "camera", answer)


async def _join_encoded(engine: Engine, senders: Any, entry: int) -> None:
    socket = Socket()
    session = engine.join(EVENT, str(entry), entry, f"Player {entry}", socket, needs_screen=True)
    for kind in ("camera", "screen"):
        name = f"{entry}/{kind}"
        engine.begin(session, kind, await senders.offer(name, kind))
        begun = await asyncio.wait_for(socket.begun.get(), 30)
        await senders.answered(name, begun.answer)


async def _empty_page(route: Any) -> None:
    await route.fulfill(body="<!doctype html><title>players</title>", content_type="text/html")


def _used(janus: Janus, recordings: Recordings) -> Used:
    own = os.times()
    memory = _memory(janus.pid) + _memory(os.getpid())
    return Used(_processor(janus.pid), own.user + own.system, recordings.used, memory)


def _memory(pid: int) -> float:
    pages = int(Path(f"/proc/{pid}/statm").read_text("ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def _processor(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _tell(count: int, before: Used, after: Used) -> None:
    janus, own = (100 * (after[at] - before[at]) / MEASURE for at in (0, 1))
    each = (after.kept - before.kept) * 8 / 1000 / MEASURE / count
    takes = count * 100 / (janus + own)
    print(
        f"  {count:>7}  {janus:>7.1f}  {own:>5.1f}  {takes:>12.0f}  {each:>11.0f}"
        f"  {each / 8:>14.1f}  {after.memory:>9.0f}",
        flush=True,
    )


if __name__ == "__main__":
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("players", type=int, nargs="*", default=list(PLAYERS))
    asked.add_argument("--small", action="store_true")
    asked.add_argument("--encoded", action="store_true")
    options = asked.parse_args()
    main(options.players, is_small=options.small, is_encoded=options.encoded)
