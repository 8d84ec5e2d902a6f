"""A socket: who asks is known by the server, what is too much is refused and counted."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from arrocco.live import connection as connection_module
from arrocco.live.connection import POLICY, TRY_AGAIN
from arrocco.live.limits import Bucket
from arrocco.live.messages import MAX_BYTES
from tests.live.stage import (
    ARBITER,
    BLACK,
    GAME,
    STRANGER,
    WHITE,
    Stage,
    run,
    seated,
    settle,
)


def test_nobody_plays_for_another() -> None:
    async def play(stage: Stage) -> None:
        room, white, black, arbiter = await seated(stage)
        stranger = stage.connect(STRANGER)
        await stranger.join()
        assert (await stranger.wish("move", uci="e2e4", ply=0))["key"] == "hall.not_seated"
        assert (await stage.connect("").wish("resign"))["key"] == "hall.not_seated"
        said_so = await stranger.wish("move", uci="e2e4", ply=0, by=WHITE)
        assert said_so["type"] == "refused"
        assert (await black.wish("move", uci="e2e4", ply=0))["key"] == "hall.not_your_turn"
        assert (await arbiter.wish("resign"))["type"] == "refused"
        assert (await white.wish("pause", reason="x"))["key"] == "hall_live.not_a_message"
        assert room.state.ply == 0
        assert room.state.outcome is None

    run(play)


def test_refusals_speak_the_language_of_the_page() -> None:
    async def play(stage: Stage) -> None:
        await stage.game()
        italian = stage.connect(WHITE)
        italian.connection._language = "it"
        italian.say(type="join", game="nowhere-1-1")
        refused = (await italian.hear())[-1]
        assert refused["text"] == "Partita non trovata, o non visibile per te."
        assert refused["do"]

    run(play)


def test_what_is_too_long_malformed_or_too_much_is_refused_counted_and_shown() -> None:
    async def play(stage: Stage) -> None:
        room, white, black, _ = await seated(stage)
        for data in (
            b"x" * (MAX_BYTES + 1),
            b"\xff\xfe",
            b"[]",
            b"{}",
            b'{"type":"join"}',
            b'{"type":"join","game":"g","by":"1"}',
            b'{"type":"wish","id":"","game":"g","wish":{}}',
            b"[" * 4000,
        ):
            white.connection.receive(data)
            assert (await white.hear())[-1]["type"] == "refused", data
        await black.wish("move", uci="e2e4", ply=0)
        assert room.refused == {WHITE: 8, BLACK: 1}
        assert room.state.white.platform.on

    run(play)


def test_a_flood_is_stopped_at_its_own_socket() -> None:
    async def play(stage: Stage) -> None:
        _room, white, black, _ = await seated(stage)
        for number in range(200):
            white.say(type="ping", id=str(number))
        heard = await white.hear()
        assert len([one for one in heard if one["type"] == "pong"]) <= connection_module.BURST
        refused = [one["key"] for one in heard if one["type"] == "refused"]
        assert refused == ["hall_live.too_many_messages"]
        assert (await black.wish("move", uci="e7e5", ply=1))["key"] == "hall.wrong_ply"
        await stage.time.pass_by(1000)
        assert (await white.wish("move", uci="e2e4", ply=0))["type"] == "done"

    run(play)


def test_who_does_nothing_but_disturb_is_sent_away() -> None:
    async def play(stage: Stage) -> None:
        room, white, _black, _ = await seated(stage)
        for _ in range(connection_module.MAX_REFUSED + 1):
            white.connection.receive(b"x")
            await stage.time.pass_by(100) if _ % 20 == 0 else None
        assert white.connection.close_code == POLICY
        await settle()
        assert not room.state.white.platform.on

    run(play)


def test_who_does_not_listen_is_dropped_and_nobody_waits() -> None:
    async def play(stage: Stage) -> None:
        room, white, black, _ = await seated(stage)
        for _ in range(connection_module.MAX_UNSENT + 1):
            black.connection.send(b"{}")
        assert black.connection.close_code == TRY_AGAIN
        assert black.connection.take_unsent() == []
        await settle()
        assert not room.state.black.platform.on
        assert (await white.wish("move", uci="e2e4", ply=0))["type"] == "done"

    run(play)


class TestSentAgain:
    def test_a_move_is_played_once(self) -> None:
        async def play(stage: Stage) -> None:
            room, white, _, _ = await seated(stage)
            first = await white.wish("move", uci="e2e4", ply=0, id="m")
            white.connection.close()
            again = stage.connect(WHITE)
            await again.join()
            second = await again.wish("move", uci="e2e4", ply=0, id="m")
            assert (first["type"], first["again"]) == ("done", False)
            assert (second["type"], second["again"]) == ("done", True)
            other = await again.wish("move", uci="e2e4", ply=0, id="another")
            assert (other["type"], other["again"]) == ("done", True)
            assert room.state.ply == 1

        run(play)

    def test_a_move_is_not_played_again_in_a_position_that_came_back(self) -> None:
        async def play(stage: Stage) -> None:
            room, white, _, arbiter = await seated(stage)
            await white.wish("move", uci="e2e4", ply=0, id="m")
            await arbiter.wish("resume_from_position", reason="disturbed", ply=0)
            await arbiter.wish("resume", reason="go on")
            assert (await white.wish("move", uci="e2e4", ply=0, id="m"))["again"] is True
            assert room.state.ply == 0

        run(play)

    def test_time_is_given_once_even_over_a_crash(self) -> None:
        async def play(stage: Stage) -> None:
            _room, _, _, arbiter = await seated(stage)
            given: dict[str, Any] = {"side": "white", "time": 60_000, "reason": "disturbed"}
            assert (await arbiter.wish("add_time", id="t", **given))["again"] is False
            assert (await arbiter.wish("add_time", id="t", **given))["again"] is True
            after_crash = Stage(stage.store, stage.time)
            await after_crash.hall.start()
            back = after_crash.connect(ARBITER)
            await back.join()
            assert (await back.wish("add_time", id="t", **given))["again"] is True
            assert after_crash.hall.rooms[GAME].state.clock.white == 240_000
            assert (await back.wish("add_time", id="u", **given))["again"] is False
            await after_crash.hall.stop()

        run(play)

    def test_an_offer_is_for_the_position_it_was_meant_for(self) -> None:
        async def play(stage: Stage) -> None:
            room, white, black, _ = await seated(stage)
            await white.wish("move", uci="e2e4", ply=0)
            late = await black.wish("offer_draw", at_ply=0)
            assert late["key"] == "hall_live.position_has_changed"
            assert (await black.wish("offer_draw", at_ply=1))["type"] == "done"
            assert room.state.offer is not None

        run(play)


@pytest.mark.parametrize("kind", ["wish", "command"])
def test_what_is_inside_a_message_is_as_long_as_the_message(kind: str) -> None:
    async def play(stage: Stage) -> None:
        _, white, _, _ = await seated(stage)
        inside = {"type": "call_arbiter", "text": "x" * MAX_BYTES}
        name = {"wish": "game", "command": "event"}[kind]
        message = {"type": kind, "id": "1", name: GAME, kind: inside}
        white.connection.receive(msgspec.json.encode(message))
        assert (await white.hear())[-1]["key"] == "hall_live.message_too_long"

    run(play)


def test_a_bucket_fills_by_itself_and_no_further_than_its_size() -> None:
    bucket = Bucket(2, 10, 0)
    assert [bucket.take(0) for _ in range(3)] == [True, True, False]
    assert not bucket.take(99)
    assert bucket.take(100)
    assert [bucket.take(1_000_000) for _ in range(3)] == [True, True, False]
    assert not bucket.take(500_000), "time that seems to go back gives nothing"
