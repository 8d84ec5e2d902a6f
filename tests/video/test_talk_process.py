"""An arbiter talks with players over the program itself: signalled, refused, kept in the log."""

from __future__ import annotations

import asyncio
import os
import signal
from datetime import timedelta
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed

from arrocco.hall.event import decode, fold
from arrocco.hall.event.talk import Talk
from arrocco.live.log_reader import SqliteLogReader
from arrocco.store.hall_file import hall_file
from tests.serving import EVENT
from tests.video.test_talks import AUDIO
from tests.video.test_video_process import (
    ASSISTANT,
    BLACK,
    CHIEF,
    STRANGER,
    WHITE,
    Here,
    Player,
    hear,
    here,
    play,
    say,
)

__all__ = ["here"]


def talks(here: Here) -> tuple[Talk, ...]:
    """As the event's log has them."""
    logs = SqliteLogReader(hall_file(here.server.folder))
    try:
        return fold(decode(line) for line in logs.read(f"event:{EVENT}")).talks
    finally:
        logs.close()


async def over(here: Here, count: int) -> Talk:
    """The last talk, once so many are over."""
    async with asyncio.timeout(90):
        while len([talk for talk in talks(here) if talk.is_over]) < count:
            await asyncio.sleep(0.1)
    return talks(here)[-1]


async def begin(page: ClientConnection, *entries: int, **said: Any) -> dict[str, Any]:
    message = {"type": "converse", "event": EVENT, "entries": entries, "why": "room_check"}
    await say(page, **(message | said))
    begun: dict[str, Any] = await hear(page, "conversing")
    return begun


async def offer(page: ClientConnection, entry: int) -> None:
    await say(page, type="talk", event=EVENT, entry=entry, offer=AUDIO)


def test_two_players_hear_the_chief_and_the_log_says_when_and_why(here: Here) -> None:
    async def scene() -> None:
        before = len(talks(here))
        async with here.page(WHITE) as one, here.page(BLACK) as two, here.page(CHIEF) as chief:
            for page in (one, two):
                await Player(page).join()
            begun = await begin(chief, 1, 2, 4, note="the window")  # the fourth is not there
            assert begun["entries"] == [1, 2]
            assert talks(here)[-1].entries == (1, 2)  # before anybody can hear it
            for page, entry in ((one, 1), (two, 2)):
                await offer(chief, entry)
                spoken = await hear(page, "spoken")
                assert (spoken["offer"], spoken["is_both_ways"]) == (AUDIO, True)
                if page is one:
                    await say(page, type="hear", voice=spoken["voice"], answer=AUDIO)
                    assert (await hear(chief, "talking"))["answer"] == AUDIO
            await say(chief, type="hush")
            for page in (one, two):
                await hear(page, "silenced")
            talk = await over(here, before + 1)
            assert (talk.by, talk.why, talk.note, talk.reached) == (
                "1",
                "room_check",
                "the window",
                (1,),
            )
            assert talk.ended is not None
            assert timedelta(0) <= talk.ended - talk.began < timedelta(seconds=30)

    play(scene)


@pytest.mark.parametrize("who", [BLACK, ASSISTANT, STRANGER])
def test_nobody_else_talks_takes_or_ends_it(here: Here, who: int) -> None:
    async def scene() -> None:
        async with here.page(WHITE) as one, here.page(CHIEF) as chief, here.page(who) as other:
            await Player(one).join()
            if who == BLACK:
                await Player(other).join()
            await begin(chief, 1)
            await offer(chief, 1)
            voice = (await hear(one, "spoken"))["voice"]
            await offer(other, 1)
            refused = {(await hear(other, "refused"))["key"]}
            await say(other, type="hear", voice=voice, answer=AUDIO)
            refused.add((await hear(other, "refused"))["key"])
            assert refused <= {
                "video.not_an_arbiter",
                "video.not_your_zone",
                "video.not_joined",
                "video.not_offered",
            }
            await say(other, type="hush", entry=1)
            await say(other, type="hush")
            await say(one, type="hear", voice=voice, answer=AUDIO)  # it is still on
            assert (await hear(chief, "talking"))["on"]
            assert not talks(here)[-1].is_over

    play(scene)


def test_a_video_process_that_is_killed_leaves_no_talk_open(here: Here) -> None:
    async def scene() -> None:
        async with here.page(WHITE) as one, here.page(CHIEF) as chief:
            await Player(one).join()
            await begin(chief, 1)
            before = len(talks(here))
            assert not talks(here)[-1].is_over
            os.kill(here.server.pid("video"), signal.SIGKILL)
            with pytest.raises(ConnectionClosed):
                await hear(chief, "never")
        async with here.page(WHITE) as one:
            await Player(one).join()
            talk = await over(here, before)
            assert talk.ended is None  # nobody knows when

    play(scene)
