"""The video conference as a process of its own: sockets of every role, a kill, a full quota."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import time
from collections.abc import Callable, Coroutine, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from arrocco.hall.chain import recordings_of_event
from arrocco.hall.event.acts.consent import WORDS, ConsentToVideo
from arrocco.hall.event.acts.officials import AppointArbiter
from arrocco.hall.event.records import Arbiter
from arrocco.hall.event.rules import Supervision
from arrocco.live.log_reader import SqliteLogReader
from arrocco.store.hall_file import hall_file
from arrocco.video.messages import Begun
from arrocco.video.stream import STILL
from arrocco.web.video_rates import BURST
from tests.serving import EVENT, Page, Server, make_office, open_round, seated, serving
from tests.video.slices import Sender, slices

CHIEF, WHITE, BLACK, OTHER, _, ASSISTANT, STRANGER = range(7)
GAME = f"{EVENT}-1-1"
CONVERSE = {"type": "converse", "event": EVENT, "entries": [1], "why": "conduct"}


@dataclass
class Here:
    server: Server
    tokens: list[str]

    def page(self, who: int, query: str = "") -> connect:
        return connect(
            f"ws://127.0.0.1:{self.server.port}/video/socket?lang=en{query}",
            additional_headers={"Cookie": f"arrocco_session={self.tokens[who]}"},
            origin=self.server.address,  # type: ignore[arg-type]
            open_timeout=60,
        )


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Here]:
    """A supervised event of two boards, whose first round is open."""
    folder: Path = tmp_path_factory.mktemp("supervised") / "office"
    tokens = make_office(folder, 7)
    with serving(folder) as server:

        async def made() -> None:
            await open_round(server.hall, 2, supervision=Supervision.FULL)
            second = Arbiter(account="6", name="Aiuto", zone=(2, 2))
            for command in (
                AppointArbiter(by="1", arbiter=second),
                ConsentToVideo(by="2", words=WORDS),
                ConsentToVideo(by="3", words=WORDS),
            ):
                assert not (await server.hall.ask(EVENT, command)).objections

        asyncio.run(made())
        yield Here(server, tokens)


async def say(page: ClientConnection, **message: Any) -> None:
    await page.send(json.dumps(message))


async def hear(page: ClientConnection, kind: str, where: Callable[[Any], bool] = bool) -> Any:
    """The next message of a kind."""
    async with asyncio.timeout(90):
        while True:
            message = await page.recv()
            if isinstance(message, bytes):
                if kind == "bytes":
                    return message
            elif json.loads(message)["type"] == kind and where(json.loads(message)):
                return json.loads(message)
            else:
                refused_in_vain(json.loads(message))


def refused_in_vain(message: Any) -> None:
    """Says why instead of waiting on."""
    if message["type"] == "refused":
        raise AssertionError(message)


async def ask(page: ClientConnection, *kinds: str, **message: Any) -> Any:
    """Asks until it is answered, by one of the kinds.

    All tests here share an account's budget of beginnings, which a machine without other work
    spends faster than it comes back.
    """
    async with asyncio.timeout(90):
        while True:
            await say(page, **message)
            told = await first_answer(page)
            while kinds and told["type"] not in (*kinds, "refused"):
                told = await first_answer(page)
            if told.get("key") != "hall_live.too_many_messages":
                assert not kinds or told["type"] in kinds, told
                return told
            await asyncio.sleep(1)


class Player:
    """What the page of a player does, with canned pictures."""

    def __init__(self, page: ClientConnection) -> None:
        self.page = page
        self.senders: dict[str, Sender] = {}

    async def join(self) -> None:
        await ask(self.page, "joined", type="join", event=EVENT)
        for kind in ("camera", "screen"):
            begun = await ask(self.page, "begun", type="begin", kind=kind)
            self.senders[kind] = Sender(
                Begun(kind=kind, recording=begun["recording"], before=begun["before"])
            )
        await self.page.send(STILL + b"\x00\x02{}" + b"RIFF....WEBP")

    async def invite(self) -> str:
        """10.3 — the code for a phone, as the address has it that is shown."""
        invited = await ask(self.page, "invited", type="invite")
        assert "<svg" in invited["picture"]
        address, _, token = invited["address"].partition("#")
        assert address.endswith(f"/en/hall/{EVENT}/phone")
        return str(token)

    async def send(self, number: int) -> None:
        for kind, sender in self.senders.items():
            await self.page.send(sender.message(slices(kind)[number]))

    async def send_on(self) -> None:
        """Goes on sending, as a page does while somebody plays."""
        while True:
            await asyncio.sleep(0.5)
            await self.send(1)

    async def measures(self, **reading: Any) -> None:
        await say(self.page, type="read", reading=reading)


def play(what: Callable[[], Coroutine[Any, Any, None]]) -> None:
    asyncio.run(what())


def test_9_1_two_players_join_by_themselves_and_play(here: Here) -> None:
    async def scene() -> None:
        async with here.page(WHITE) as one, here.page(BLACK) as two, here.page(CHIEF) as chief:
            white, black = Player(one), Player(two)
            for player in (white, black):
                await player.join()
                await player.send(0)
                await player.send(1)
                await hear(player.page, "status", lambda told: told["on"])
            sending = [asyncio.create_task(player.send_on()) for player in (white, black)]
            await say(chief, type="follow", event=EVENT)
            present = await hear(chief, "present", lambda told: len(told["players"]) == 2)
            assert all(player["on"] for player in present["players"])
            assert (await hear(chief, "bytes")).endswith(b"WEBP")
            await say(chief, type="watch", event=EVENT, entry=1, kind="camera")
            assert (await hear(chief, "watching"))["is_there"]
            assert b"webm" in await hear(chief, "bytes")
            game, at_white, at_black = await seated(here.server, here.tokens, 1)
            assert (await move(at_white, "e2e4", 0))["type"] == "done"
            await black.measures(light=2)
            black_is_seen = await hear(
                chief, "present", lambda told: "black" in told["players"][1]["problems"]
            )
            assert not black_is_seen["players"][1]["on"]
            await asyncio.sleep(3.5)  # the event's grace
            refused = await move(at_black, "e7e5", 1)
            assert refused["key"] == "hall.off_vcs"
            await black.measures(light=90)
            async with asyncio.timeout(90):
                while (await move(at_black, "e7e5", 1))["type"] != "done":
                    await asyncio.sleep(0.1)
            assert game == GAME
            for task in sending:
                task.cancel()
            for page in (at_white, at_black):
                await page.close()

    play(scene)


async def move(page: Page, uci: str, ply: int) -> dict[str, Any]:
    return await page.ask(GAME, type="move", uci=uci, ply=ply)


@pytest.mark.parametrize(
    ("who", "message", "key"),
    [
        (WHITE, {"type": "follow", "event": EVENT}, "video.not_an_arbiter"),
        (
            WHITE,
            {"type": "watch", "event": EVENT, "entry": 2, "kind": "screen"},
            "video.not_an_arbiter",
        ),
        (STRANGER, {"type": "follow", "event": EVENT}, "video.not_an_arbiter"),
        (STRANGER, {"type": "join", "event": EVENT}, "video.not_a_player"),
        (CHIEF, {"type": "join", "event": EVENT}, "video.not_a_player"),
        (OTHER, {"type": "join", "event": EVENT}, "video.no_consent"),
        (
            ASSISTANT,
            {"type": "watch", "event": EVENT, "entry": 1, "kind": "camera"},
            "video.not_your_zone",
        ),
        (WHITE, {"type": "talk", "event": EVENT, "entry": 2, "offer": ""}, "video.not_an_arbiter"),
        (
            STRANGER,
            {"type": "talk", "event": EVENT, "entry": 2, "offer": ""},
            "video.not_an_arbiter",
        ),
        (
            ASSISTANT,
            {"type": "talk", "event": EVENT, "entry": 1, "offer": ""},
            "video.not_your_zone",
        ),
        (CHIEF, {"type": "talk", "event": EVENT, "entry": 4, "offer": ""}, "video.no_open_talk"),
        (CHIEF, CONVERSE | {"entries": [4]}, "video.not_there"),
        (CHIEF, CONVERSE | {"entries": []}, "video.not_a_message"),
        (CHIEF, CONVERSE | {"entries": [1] * 41}, "video.not_a_message"),
        (CHIEF, CONVERSE | {"why": "no"}, "video.not_a_message"),
        (CHIEF, CONVERSE | {"note": "x" * 201}, "video.not_a_message"),
        (ASSISTANT, CONVERSE | {"entries": [3, 1]}, "video.not_your_zone"),
        (WHITE, CONVERSE, "video.not_an_arbiter"),
        (
            CHIEF,
            {"type": "answer", "entry": 1, "kind": "camera", "answer": ""},
            "video.not_a_message",
        ),
        (WHITE, {"type": "hear", "voice": 1, "answer": ""}, "video.not_joined"),
        (WHITE, {"type": "begin", "kind": "camera"}, "video.not_joined"),
        (WHITE, {"type": "reach", "event": EVENT, "offer": "v=0"}, "video.not_an_offer"),
        (STRANGER, {"type": "reach", "event": EVENT}, "video.not_a_player"),
        (CHIEF, {"type": "reach", "event": EVENT}, "video.not_a_player"),
        (WHITE, {"type": "reach", "event": "none"}, "hall_live.no_such_event"),
        (WHITE, {"type": "invite"}, "video.not_joined"),
        (CHIEF, {"type": "invite"}, "video.not_joined"),
        (STRANGER, {"type": "invite"}, "video.not_joined"),
        (WHITE, {"type": "attach", "event": EVENT, "token": "x"}, "video.no_such_code"),
        (WHITE, {"type": "join", "event": "none"}, "hall_live.no_such_event"),
        (WHITE, {"type": "dance"}, "video.not_a_message"),
    ],
)
def test_12_3_who_may_not_is_told_so(
    here: Here, who: int, message: dict[str, Any], key: str
) -> None:
    async def scene() -> None:
        async with here.page(who) as page:
            refused = await ask(page, "refused", **message)
            assert refused["key"] == key
            assert refused["text"]
            assert refused["do"]

    play(scene)


REACHES = {
    "follow": {CHIEF, ASSISTANT},
    "watch": {CHIEF},
    "talk": {CHIEF},
    "converse": {CHIEF},
    "join": {WHITE, BLACK},
}
"""Who gets what of board 1: the assistant's zone is board 2."""
FORBIDDEN = {
    "video.not_an_arbiter",
    "video.not_your_zone",
    "video.not_a_player",
    "video.no_consent",
}


@pytest.mark.parametrize("kind", ["camera", "screen", "room"])
@pytest.mark.parametrize("asked", list(REACHES))
def test_every_role_asks_for_every_stream_and_only_who_may_gets_it(
    here: Here, asked: str, kind: str
) -> None:
    """12.3, 6.3 — presence and stills (`follow`), live streams, the voice, a place of one's own."""
    message: dict[str, Any] = {"type": asked, "event": EVENT}
    message |= {"entry": 1, "kind": kind} if asked == "watch" else {}
    message |= {"entry": 1, "offer": ""} if asked == "talk" else {}
    message |= CONVERSE if asked == "converse" else {}

    async def scene() -> None:
        for who in range(len(here.tokens)):
            async with here.page(who) as page:
                answer = await ask(page, **message)
                is_refused = answer.get("key") in FORBIDDEN
                assert is_refused is (who not in REACHES[asked]), (who, answer)

    play(scene)


class TestSecondCamera:
    """10.3 — a phone that nobody is logged in on sends the room of who showed it a code."""

    def test_a_phone_with_a_code_is_seen_and_the_code_is_used_up(self, here: Here) -> None:
        async def scene() -> None:
            async with (
                here.page(WHITE) as one,
                here.page(CHIEF) as chief,
                phone_of(here) as phone,
                phone_of(here) as thief,
            ):
                player = Player(one)
                await player.join()
                await say(chief, type="watch", event=EVENT, entry=1, kind="room")
                token = await player.invite()
                await say(phone, type="attach", event=EVENT, token=token)
                back = (await hear(phone, "attached"))["token"]
                begun = await ask(phone, "begun", type="begin", kind="room")
                assert begun["recording"].startswith("1-room-")
                sender = Sender(
                    Begun(kind="room", recording=begun["recording"], before=begun["before"])
                )
                for data in slices("screen")[:2]:  # the first picture may come with the second
                    await phone.send(sender.message(data))
                assert b"webm" in await hear(chief, "bytes")
                await hear(one, "status", lambda told: told["room"])
                await say(thief, type="attach", event=EVENT, token=token)
                assert (await hear(thief, "refused"))["key"] == "video.no_such_code"
                # Only the room: neither what the page sends, nor what arbiters see.
                for asked in (
                    {"type": "begin", "kind": "camera"},
                    {"type": "follow", "event": EVENT},
                    {"type": "join", "event": EVENT},
                    {"type": "invite"},
                    {"type": "rest"},
                    {"type": "watch", "event": EVENT, "entry": 2, "kind": "camera"},
                ):
                    assert (await ask(phone, "refused", **asked))["key"] == "video.not_joined"
                await phone.send(player.senders["camera"].message(slices("camera")[0]))
                assert (await hear(phone, "refused"))["key"] == "video.not_yours"
                await phone.close()
                await hear(one, "status", lambda told: not told["room"])
                async with phone_of(here) as again:
                    await say(again, type="attach", event=EVENT, token=back)
                    await hear(again, "attached")
                    await hear(again, "status")

        play(scene)

    @pytest.mark.parametrize("who", [BLACK, CHIEF, STRANGER])
    def test_somebody_else_s_code_is_refused(self, here: Here, who: int) -> None:
        async def scene() -> None:
            async with here.page(WHITE) as one, here.page(who, "&phone=1") as phone:
                player = Player(one)
                await player.join()
                await say(phone, type="attach", event=EVENT, token=await player.invite())
                assert (await hear(phone, "refused"))["key"] == "video.not_your_code"

        play(scene)

    @pytest.mark.parametrize(
        "message",
        [
            {"type": "join", "event": EVENT},
            {"type": "follow", "event": EVENT},
            {"type": "begin", "kind": "room"},
            {"type": "invite"},
            {"type": "watch", "event": EVENT, "entry": 1, "kind": "room"},
            {"type": "talk", "event": EVENT, "entry": 1, "offer": ""},
        ],
    )
    def test_a_phone_without_a_code_gets_nothing(self, here: Here, message: dict[str, Any]) -> None:
        async def scene() -> None:
            async with phone_of(here) as phone:
                assert (await ask(phone, "refused", **message))["key"] == "video.not_joined"

        play(scene)


def phone_of(here: Here) -> connect:
    """The socket of a phone that nobody is logged in on."""
    return Here(here.server, [""]).page(0, "&phone=1")


async def first_answer(page: ClientConnection) -> dict[str, Any]:
    async with asyncio.timeout(90):
        while isinstance(message := await page.recv(), bytes):
            pass
    told: dict[str, Any] = json.loads(message)
    return told


@pytest.mark.parametrize("token", ["", "nobody's"])
def test_who_is_not_logged_in_hears_nothing(here: Here, token: str) -> None:
    async def scene() -> None:
        async with Here(here.server, [token]).page(0) as page:
            with pytest.raises(ConnectionClosed) as closed:
                await page.recv()
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == 4401

    play(scene)


def test_who_begins_again_and_again_is_held_whatever_the_socket(here: Here) -> None:
    async def scene() -> None:
        said = []
        for _ in range(2):
            async with here.page(STRANGER) as page:
                for _ in range(BURST // 2 + 5):
                    await say(page, type="join", event=EVENT)
                    said.append((await hear(page, "refused"))["key"])
        assert said[0] == "video.not_a_player"
        assert said[-1] == "hall_live.too_many_messages"

    play(scene)


def test_6_3_who_no_longer_watches_a_board_sees_it_no_more(here: Here) -> None:
    """A zone that changes ends what is shown at once, not only what is asked for next."""

    async def scene() -> None:
        async with here.page(WHITE) as one, here.page(ASSISTANT) as page:
            player = Player(one)
            await player.join()
            await zone(here, (1, 1))
            async with asyncio.timeout(90):
                while True:
                    await say(page, type="watch", event=EVENT, entry=1, kind="camera")
                    if (await first_answer(page))["type"] == "watching":
                        break
            await player.send(0)
            assert b"webm" in await hear(page, "bytes")
            await zone(here, (2, 2))
            ended = await hear(page, "watching")
            assert not ended["is_there"]
            await player.send(1)
            await say(page, type="watch", event=EVENT, entry=1, kind="camera")
            async with asyncio.timeout(90):
                refused = json.loads(await page.recv())  # and no bytes before it
            assert refused["key"] == "video.not_your_zone"

    play(scene)


async def zone(here: Here, boards: tuple[int, int]) -> None:
    helper = Arbiter(account="6", name="Aiuto", zone=boards)
    asked = await here.server.hall.ask(EVENT, AppointArbiter(by="1", arbiter=helper))
    assert not asked.objections


def test_6_3_an_assistant_sees_the_players_of_their_boards(here: Here) -> None:
    async def scene() -> None:
        async with here.page(WHITE) as one, here.page(ASSISTANT) as page:
            await Player(one).join()
            await say(page, type="follow", event=EVENT)
            assert (await hear(page, "present"))["players"] == []

    play(scene)


def test_a_video_process_that_is_killed_is_back_and_its_recordings_are_whole(here: Here) -> None:
    async def scene() -> None:
        async with here.page(WHITE) as page:
            player = Player(page)
            await player.join()
            await player.send(0)
            killed = here.server.pid("video")
            os.kill(killed, signal.SIGKILL)
            with pytest.raises(ConnectionClosed):
                await hear(page, "never")
        async with here.page(WHITE) as page:
            player = Player(page)
            await player.join()
            assert here.server.pid("video") != killed

    play(scene)


def test_the_last_hashes_are_in_the_hall_s_log_when_the_video_stops(here: Here) -> None:
    async def scene() -> None:
        async with here.page(BLACK) as page:
            player = Player(page)
            await player.join()
            await player.send(0)
            await player.measures(light=1)
            await hear(page, "status", lambda told: "black" in told["problems"])

    play(scene)
    os.kill(here.server.pid("video"), signal.SIGTERM)
    logs = SqliteLogReader(hall_file(here.server.folder))
    until, names = time.monotonic() + 20, set[str]()
    while not any(name.startswith("2-") for name in names) and time.monotonic() < until:
        time.sleep(0.05)
        kept = logs.read(recordings_of_event(EVENT))
        names = {head["recording"] for line in kept for head in json.loads(line)["heads"]}
    logs.close()
    assert any(name.startswith("2-camera") for name in names)
