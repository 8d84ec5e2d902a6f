"""What only Janus has: a process that can be killed during play, and tracks that become films."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import warnings
from contextlib import suppress
from pathlib import Path

import msgspec
from playwright.sync_api import Locator, Page, expect

from arrocco.video.export import export
from arrocco.video.recordings import recordings_of
from arrocco.video.slices import SLICES, Slice
from arrocco.video.verification import verify
from tests.browser.hall_stage import Program
from tests.browser.test_hall_player import EVENT, GAME
from tests.browser.video_engines import until
from tests.serving import children, command_of

LONG = 180
"""Seconds: on a busy machine everything takes longer, and how long is measured in benchmarks."""
_SHOWN = "one => one.videoWidth && one.getVideoPlaybackQuality().totalVideoFrames"


def frames(video: Locator) -> int:
    shown: int = video.evaluate(_SHOWN)
    return shown


def sees(page: Page, video: Locator) -> None:
    """Waits until pictures come, and go on coming."""
    until(lambda: frames(video) > 0, page, LONG)
    before = frames(video)
    until(lambda: frames(video) > before, page, LONG)


def janus_of(program: Program, *, but: int = 0) -> int | None:
    """The process of Janus, below that of the video."""
    for pid in children(program.server.pid("video")):
        if "janus" in command_of(pid) and pid != but:
            return pid
    return None


def is_killed_and_back(program: Program, page: Page, arbiter: Page, camera: Locator) -> None:
    """Nobody is blamed, Janus is started again, and pictures come again."""
    sees(arbiter, camera)
    assert camera.evaluate("one => one.srcObject.getAudioTracks().length") == 1
    killed = janus_of(program)
    assert killed is not None
    os.kill(killed, signal.SIGKILL)
    until(lambda: janus_of(program, but=killed) is not None, page, LONG)
    expect(page.locator(".conference")).to_have_attribute("data-state", "on", timeout=LONG * 1000)
    until(lambda: program.state(GAME).white.vcs.on, page, LONG)
    sees(arbiter, camera)
    assert not program.state(GAME).acts


def recordings_are_whole_and_play(kept: Path, page: Page, films: Path) -> None:
    def names() -> list[str]:
        return recordings_of(kept, EVENT)

    def faults() -> list[object]:
        checked = [verify(kept, EVENT, name) for name in names()]
        return [one for one in checked if one.fault is not None]

    # The last slices are chained once Janus has closed its files.
    with suppress(AssertionError):
        until(lambda: not faults(), page, LONG)
    assert faults() == []
    assert {name.rpartition("-")[0] for name in names()} >= {
        "1-camera-1-audio",
        "1-camera-1-video",
        "1-screen-1-video",
        "1-camera-2-video",
    }
    assert sounds_a_second(kept) < 20  # a browser left alone sends fifty
    written = export(kept, EVENT, films)
    assert {one.recording for one in written} >= {"1-camera-1", "1-screen-1", "1-camera-2"}
    if shutil.which("ffprobe") is None:
        warnings.warn("NO FFMPEG: recordings are not played by another program", stacklevel=1)
        return
    assert sorted(_codecs(films / "1-camera-1.webm")) == ["opus", "vp8"]
    assert _codecs(films / "1-screen-1.webm") == ["vp8"]


def sounds_a_second(kept: Path) -> float:
    """Packets of sound that came: the server does something for each of them."""
    lines = (kept / EVENT / f"1-camera-1-audio-0{SLICES}").read_bytes().splitlines()
    slices = [msgspec.json.decode(line, type=Slice) for line in lines]
    return sum(one.audio for one in slices[1:]) * 1000 / (slices[-1].at - slices[0].at)


def _codecs(film: Path) -> list[str]:
    command = ["ffprobe", "-v", "error", "-show_streams", "-count_frames", "-of", "json", str(film)]
    found = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    assert all(int(stream["nb_read_frames"]) > 2 for stream in found["streams"])
    return [stream["codec_name"] for stream in found["streams"]]
