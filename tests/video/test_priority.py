"""Nothing of the video takes the processor from live play: every thread and child stands behind."""

from __future__ import annotations

import asyncio
import os
import time
import warnings
from pathlib import Path

import pytest

from arrocco.hall.event.acts.consent import WORDS, ConsentToVideo
from arrocco.hall.event.rules import Supervision
from arrocco.priority import BESIDE_PLAY
from arrocco.video.janus import is_installed
from tests.serving import EVENT, Server, children, command_of, make_office, open_round, serving
from tests.video.test_video_process import WHITE, Here, Player, hear, say
from tests.watch.test_priority import child_with, priorities


def test_video_and_what_it_starts_stand_behind_the_hall(tmp_path: Path) -> None:
    """Slices are taken and hashed while it is looked at: threads that come later count too."""
    folder = tmp_path / "office"
    tokens = make_office(folder, 3)
    own = os.getpriority(os.PRIO_PROCESS, 0)
    with serving(folder) as server:

        async def sends() -> None:
            await supervised(server)
            async with Here(server, tokens).page(WHITE) as page:
                player = Player(page)
                await player.join()
                for number in range(3):
                    await player.send(number)
                await hear(page, "status", lambda told: told["on"])
                video = server.pid("video")
                assert priorities(video) == {min(own + BESIDE_PLAY, 19)}
                for child in children(video):
                    assert min(priorities(child)) >= min(own + BESIDE_PLAY, 19)

        asyncio.run(sends())
        assert priorities(server.pid("hall")) == {own}
        assert own < min(priorities(server.pid("site"))) < own + BESIDE_PLAY


@pytest.mark.soak
def test_janus_stands_behind_the_hall(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if not is_installed():
        warnings.warn("NO JANUS: its priority is not tried", stacklevel=1)
        pytest.skip("NO JANUS: install Debian's package `janus`")
    monkeypatch.setenv("ARROCCO_VIDEO_ENGINE", "janus")
    monkeypatch.setenv("ARROCCO_VIDEO_LISTEN_AT", "127.0.0.1")
    folder = tmp_path / "office"
    tokens = make_office(folder, 3)
    own = os.getpriority(os.PRIO_PROCESS, 0)
    with serving(folder) as server:

        async def joins() -> None:
            await supervised(server)
            async with Here(server, tokens).page(WHITE) as page:
                await say(page, type="join", event=EVENT)
                await hear(page, "joined")

        asyncio.run(joins())
        janus = child_with(server.pid("video"), "janus")
        until = time.monotonic() + 20
        while "setpriv" in command_of(janus) and time.monotonic() < until:
            time.sleep(0.05)
        assert priorities(janus) == {min(own + BESIDE_PLAY, 19)}


async def supervised(server: Server) -> None:
    """A supervised event of one board, whose White has consented."""
    await open_round(server.hall, 1, supervision=Supervision.FULL)
    consented = await server.hall.ask(EVENT, ConsentToVideo(by="2", words=WORDS))
    assert not consented.objections
