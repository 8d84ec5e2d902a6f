"""Whatever a socket is sent: it is answered or refused, counted, and disturbs nobody else."""

from __future__ import annotations

import logging
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from arrocco.hall.game import fold
from arrocco.hall.game.log import decode
from arrocco.live.messages import MAX_BYTES
from tests.live.stage import (
    CHIEF,
    HELPER,
    Client,
    Stage,
    event,
    open_round,
    run,
    settle,
    start_round,
)

FIRST, SECOND = "open-1-1", "open-1-2"
ANSWERS = {"done", "refused", "pong", "view", "update", "chat", "event", "event_update", "wall"}

GOOD: list[dict[str, Any]] = [
    {"type": "join", "game": FIRST},
    {"type": "join", "game": SECOND, "looking_on": True},
    {"type": "leave", "game": FIRST},
    {"type": "event", "event": "open"},
    {"type": "wall", "event": "open"},
    {"type": "ping", "id": "p"},
    {"type": "chat", "id": "c", "game": FIRST, "text": "hello", "to": "white"},
    {"type": "chat", "id": "c", "event": "open", "text": "hello", "entry": 1},
    *(
        {"type": kind, "id": "w", "game": FIRST, field: command}
        for kind, field in (("game_command", "command"), ("wish", "wish"))
        for command in (
            {"type": "move", "uci": "e2e4", "ply": 0},
            {"type": "set_premove", "uci": "e7e5", "ply": 1},
            {"type": "offer_draw"},
            {"type": "call_arbiter", "text": "x"},
            {"type": "set_vcs", "side": "white", "on": True},
            {"type": "pause", "reason": "x"},
            {"type": "add_time", "side": "white", "time": 1000, "reason": "x", "article": "6.5"},
            {"type": "declare_result", "scores": [0, 10], "against": "white", "reason": "x"},
            {"type": "resume_from_position", "ply": 0, "clocks": [1, 1], "reason": "x"},
            {"type": "withdraw", "corrects": 3, "reason": "x"},
            {"type": "exclude", "side": "white", "scope": "rounds", "rounds": 1, "reason": "x"},
        )
    ),
    *(
        {"type": "command", "id": "k", "event": "open", "command": command}
        for command in (
            {"type": "pair_round"},
            {"type": "impose", "article": "6.9a", "entry": 1, "reason": "x"},
            {
                "type": "take_result",
                "round": 1,
                "board": 1,
                "result": {"points": [10, 0], "half_points": [2, 0], "kind": "played"},
            },
            {"type": "say", "text": "x"},
            {"type": "request_bye", "entry": 1, "round": 2, "kind": "half_point"},
        )
    ),
]
"""Messages that are understood, to be spoiled."""

SPOILED: list[Any] = [
    None,
    True,
    -1,
    0,
    2**31,
    2**63,
    2**64,
    10**30,
    -(10**30),
    1.5,
    "",
    " ",
    "x" * 300,
    "\x00",
    "é",
    [],
    {},
    [[]],
    {"type": "move"},
    FIRST,
    SECOND,
    "open",
    "none-1-1",
    "-",
    "../..",
    "event:open",
]

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=8,
)


def spoil(value: Any, rng: Random) -> Any:
    """The same with something of it changed, left out or added."""
    if rng.random() < 0.15:
        return rng.choice(SPOILED)
    if isinstance(value, dict):
        found = {key: spoil(one, rng) for key, one in value.items() if rng.random() > 0.05}
        if rng.random() < 0.05:
            found[rng.choice(("by", "id", "x", "type"))] = rng.choice(SPOILED)
        return found
    if isinstance(value, list):
        return [spoil(one, rng) for one in value for _ in range(rng.choice((1, 1, 1, 0, 2)))]
    return value


def written(message: Any, rng: Random) -> bytes:
    """A message as it is sent, sometimes with its bytes damaged on the way."""
    data = bytearray(msgspec.json.encode(message))
    for _ in range(rng.choice((0, 0, 0, 1, 5))):
        if data:
            data[rng.randrange(len(data))] = rng.randrange(256)
    return bytes(data[: rng.randrange(len(data) + 1)] if rng.random() < 0.1 else data)


class Site:
    """Two boards of a round; everybody at the first may do what they like."""

    def __init__(self, stage: Stage, clients: dict[str, Client]) -> None:
        self.stage, self.clients = stage, clients
        self.other = stage.hall.rooms[SECOND]
        self.before = (self.other.state.ply, self.other.state.phase, len(self.other.state.acts))

    async def send(self, who: str, data: bytes) -> None:
        """Sends something and looks whether it was answered as it should be."""
        client = self.clients[who]
        if client.connection.close_code is not None:
            return
        client.connection.receive(data)
        await settle()
        heard = await client.hear()
        assert {one["type"] for one in heard} <= ANSWERS | {"closed"}, heard
        for one in heard:
            if one["type"] == "refused":
                assert one["key"]
                assert one["text"]
                assert one["do"]
                assert "{" not in one["text"]

    async def play_on(self) -> None:
        """The second board plays as if nothing had been."""
        ply = self.other.state.ply
        uci = ("g1f3", "g8f6", "f3g1", "f6g8")[ply % 4]
        mover = self.clients["3" if ply % 2 == 0 else "4"]
        got = await mover.wish("move", SECOND, uci=uci, ply=ply)
        assert got["type"] == "done", got

    async def look(self) -> None:
        """Logs are what the games are, and nothing was refused that the wall does not show."""
        for room in (self.stage.hall.rooms[FIRST], self.other):
            log = self.stage.store.read(room.stream)
            assert fold(decode(line) for line in log).number == room.state.number
        assert self.other.refused["3"] == self.other.refused["4"] == 0
        assert len(self.other.state.acts) == self.before[2]


async def opened(stage: Stage) -> Site:
    room = await event(stage)
    await open_round(stage, room)
    clients = {name: stage.connect(name) for name in ("1", "2", "3", "4", CHIEF, HELPER, "555", "")}
    for name in ("1", "2", CHIEF, "555", ""):
        await clients[name].join(FIRST)
    for name in ("3", "4"):
        await clients[name].join(SECOND)
    await start_round(stage)
    return Site(stage, clients)


class TestDisturbers:
    @pytest.mark.parametrize("seed", range(4))
    def test_spoiled_messages_are_answered_and_disturb_nobody(
        self, seed: int, caplog: pytest.LogCaptureFixture
    ) -> None:
        caplog.set_level(logging.WARNING)

        async def play(stage: Stage) -> None:
            site, rng = await opened(stage), Random(seed)
            for number in range(150):
                who = rng.choice(("1", "2", "555", "", "1", "2"))
                message = written(spoil(rng.choice(GOOD), rng), rng)
                if b"open-1-2" in message:
                    continue  # what is said about the other board is another test's
                await site.send(who, message)
                await stage.time.pass_by(100)
                if number % 25 == 0:
                    await site.play_on()
            await site.look()

        run(play)
        assert caplog.records == []

    def test_nothing_an_arbiter_can_send_breaks_a_game(
        self, caplog: pytest.LogCaptureFixture
    ) -> None:
        """An arbiter may change the first board, so only its log is looked at."""
        caplog.set_level(logging.ERROR)

        async def play(stage: Stage) -> None:
            site, rng = await opened(stage), Random(99)
            for number in range(200):
                message = spoil(rng.choice(GOOD), rng)
                if isinstance(message, dict) and isinstance(message.get("id"), str):
                    message["id"] = f"n{number}"
                data = written(message, rng)
                if b"open-1-2" not in data:
                    await site.send(CHIEF, data)
                    await stage.time.pass_by(60)
            await site.look()

        run(play)
        assert caplog.records == []

    def test_strangers_to_a_board_change_nothing_there(
        self, caplog: pytest.LogCaptureFixture
    ) -> None:
        caplog.set_level(logging.WARNING)

        async def play(stage: Stage) -> None:
            site = await opened(stage)
            number = site.other.state.number
            for message in GOOD:
                text = msgspec.json.encode(message).replace(b"open-1-1", b"open-1-2")
                if b'"command"' in text or b'"event"' in text:
                    continue
                for who in ("1", "2", "555", ""):
                    await site.send(who, text)
                    await stage.time.pass_by(60)
            assert site.other.state.number == number
            assert site.other.refused == {}
            await site.play_on()

        run(play)
        assert caplog.records == []

    def test_every_refused_message_of_a_player_is_counted_once(self) -> None:
        async def play(stage: Stage) -> None:
            site, rng = await opened(stage), Random(5)
            room, client = stage.hall.rooms[FIRST], site.clients["1"]
            for _ in range(60):
                await site.send("1", bytes(rng.randrange(256) for _ in range(rng.randrange(60))))
                await stage.time.pass_by(60)
            refused = [one for one in client.heard if one["type"] == "refused"]
            assert len(refused) == 60
            assert room.refused["1"] == client.connection.refused.total() == 60
            assert room.refused["2"] == 0

        run(play)


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    st.lists(
        st.one_of(
            JSON.map(msgspec.json.encode),
            st.binary(max_size=200),
            st.builds(
                lambda kind, rest: msgspec.json.encode({**rest, "type": kind}),
                st.sampled_from(
                    "join leave game_command wish chat command wall_command wall event".split()
                ),
                st.dictionaries(
                    st.sampled_from(
                        ["id", "game", "event", "wish", "command", "text", "ply", "to"]
                    ),
                    st.sampled_from([FIRST, "open", "1"]) | JSON,
                ),
            ),
            st.integers(MAX_BYTES - 2, MAX_BYTES + 2).map(lambda size: b'"' * size),
        ),
        max_size=6,
    )
)
def test_any_message_at_all_is_refused_or_answered(messages: list[bytes]) -> None:
    async def play(stage: Stage) -> None:
        site = await opened(stage)
        for data in messages:
            for who in ("1", ""):
                await site.send(who, data)
        await site.play_on()
        await site.look()

    run(play)
