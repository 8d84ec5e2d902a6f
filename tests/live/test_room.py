"""A live game: written before it is told, told to those who may know, on time."""

from __future__ import annotations

import asyncio
import threading

import pytest

from arrocco.hall.game import GameRole, Phase, State, fold
from arrocco.hall.game import commands as c
from arrocco.hall.game.log import decode
from arrocco.laws.online.side import Side
from arrocco.live.audiences import Audiences
from arrocco.live.outcome import Answer
from arrocco.live.room import Room
from tests.live.stage import BLACK, GAME, WHITE, Ear, Stage, run, seated, settle


def phase(room: Room) -> Phase:
    return room.state.phase


def test_a_move_is_written_then_answered_and_told_to_both() -> None:
    async def play(stage: Stage) -> None:
        _room, white, black, _ = await seated(stage)
        answer = await white.wish("move", uci="e2e4", ply=0)
        assert answer["type"] == "done"
        assert fold(decode(line) for line in stage.store.read(f"game:{GAME}")).ply == 1
        update = next(one for one in await black.hear() if one["type"] == "update")
        assert [event["type"] for event in update["events"]] == ["moved"]
        assert "e7e5" in update["legal"]
        assert update["clock"]["running"] == "black"
        own = next(one for one in white.heard if one["type"] == "update")
        assert own["legal"] == []

    run(play)


def test_nothing_is_told_before_it_is_on_the_disk() -> None:
    async def play(stage: Stage) -> None:
        room, white, black, _ = await seated(stage)
        stage.store.gate = threading.Event()
        white.say(type="wish", id="x", game=GAME, wish={"type": "move", "uci": "e2e4", "ply": 0})
        assert await white.hear() == []
        assert await black.hear() == []
        assert room.state.ply == 0
        stage.store.gate.set()
        assert {one["type"] for one in await white.hear()} == {"update", "done"}
        assert [one["type"] for one in await black.hear()] == ["update"]

    run(play)


def test_waiting_for_the_disk_costs_no_time() -> None:
    async def play(stage: Stage) -> None:
        room, white, _black, _ = await seated(stage)
        stage.store.gate = threading.Event()
        white.say(type="wish", id="x", game=GAME, wish={"type": "move", "uci": "e2e4", "ply": 0})
        await settle()
        await stage.time.pass_by(5000)
        stage.store.gate.set()
        await white.hear()
        assert room.state.moves[0].spent == 0

    run(play)


def test_a_log_that_cannot_be_written_changes_nothing_and_the_game_goes_on_after() -> None:
    async def play(stage: Stage) -> None:
        room, white, black, _ = await seated(stage)
        stage.store.is_full = True
        answer = await white.wish("move", uci="e2e4", ply=0)
        assert answer["key"] == "faults.disk_full"
        assert room.state.ply == 0
        assert [one["view"]["clock"]["running"] for one in await black.hear()] == [None]
        stage.store.is_full = False
        assert (await white.wish("move", uci="e2e4", ply=0))["type"] == "done"
        assert room.state.ply == 1

    run(play)


def test_who_leaves_while_the_disk_is_full_is_gone_once_it_is_not() -> None:
    async def play(stage: Stage) -> None:
        room, _white, black, _ = await seated(stage)
        stage.store.is_full = True
        black.connection.close()
        await settle()
        assert room.state.black.platform.on
        stage.store.is_full = False
        await stage.time.pass_by(1000)
        assert not room.state.black.platform.on

    run(play)


def test_a_flag_falls_at_its_very_moment() -> None:
    async def play(stage: Stage) -> None:
        room, _white, black, _ = await seated(stage, control="60+0")
        started = stage.time.now()
        await stage.time.pass_by(59_999)
        assert phase(room) is Phase.RUNNING
        await stage.time.pass_by(1)
        assert phase(room) is Phase.ENDED
        assert room.state.outcome is not None
        assert room.state.outcome.side is Side.WHITE
        assert room.state.last_at == started + 60_000
        shown = (await black.hear())[-1]
        assert shown["view"]["result"]["reason"] == "time"

    run(play)


def test_one_alarm_serves_many_moves() -> None:
    """An alarm that rings too early is set anew, and the later flag still falls in time."""

    async def play(stage: Stage) -> None:
        room, white, _black, _ = await seated(stage, control="60+30")
        await stage.time.pass_by(50_000)
        await white.wish("move", uci="e2e4", ply=0)
        await stage.time.pass_by(50_000)
        assert phase(room) is Phase.RUNNING
        await stage.time.pass_by(10_000)
        assert phase(room) is Phase.ENDED
        assert room.state.outcome is not None
        assert room.state.outcome.side is Side.BLACK

    run(play)


def test_a_premove_leaves_no_trace_for_the_opponent_or_the_arbiter() -> None:
    async def play(stage: Stage) -> None:
        room, white, black, arbiter = await seated(stage)
        before = [one["number"] for one in await white.join() if one["type"] == "view"]
        assert (await black.wish("set_premove", uci="e7e5", ply=1))["type"] == "done"
        assert await white.hear() == []
        assert await arbiter.hear() == []
        again = (await white.join())[-1]
        assert [again["number"]] == before
        assert again["view"]["number"] == again["number"]
        await white.wish("move", uci="e2e4", ply=0)
        assert room.state.ply == 2
        kinds = [
            event["type"]
            for one in white.heard
            if one["type"] == "update"
            for event in one["events"]
        ]
        assert kinds == ["moved", "moved"]

    run(play)


def test_the_last_socket_of_a_player_disconnects_and_the_first_connects() -> None:
    async def play(stage: Stage) -> None:
        room, white, black, _ = await seated(stage)
        second = stage.connect(BLACK)
        await second.join()
        black.connection.close()
        await settle()
        assert room.state.black.platform.on
        second.connection.close()
        await settle()
        assert not room.state.black.platform.on
        told = (await white.hear())[-1]
        assert told["view"]["opponent"]["connected"] is False
        third = stage.connect(BLACK)
        await third.join()
        assert room.state.black.platform.on

    run(play)


def test_whoever_comes_back_gets_the_whole_view_with_its_number() -> None:
    async def play(stage: Stage) -> None:
        _room, white, black, _ = await seated(stage)
        await white.wish("move", uci="e2e4", ply=0)
        last = (await black.hear())[-1]["number"]
        black.connection.close()
        back = stage.connect(BLACK)
        shown = [one for one in await back.join() if one["type"] == "view"]
        assert shown[0]["number"] >= last
        assert shown[0]["view"]["moves"][0]["uci"] == "e2e4"
        assert shown[-1]["view"]["side"] == "black"

    run(play)


def test_after_a_correction_of_colours_everybody_hears_their_own_side() -> None:
    async def play(stage: Stage) -> None:
        _room, white, black, arbiter = await seated(stage)
        assert (await arbiter.wish("correct_colours", reason="wrong"))["type"] == "done"
        assert (await white.hear())[-1]["view"]["side"] == "black"
        assert (await black.hear())[-1]["view"]["side"] == "white"
        await arbiter.wish("start")
        await black.hear()
        assert (await black.wish("move", uci="e2e4", ply=0))["type"] == "done"

    run(play)


def test_spectators_see_moves_later_where_the_rules_say_so() -> None:
    async def play(stage: Stage) -> None:
        _room, white, _black, _ = await seated(stage, spectator_delay=30_000)
        looker = stage.connect("")
        await looker.join()
        await stage.time.pass_by(31_000)
        await white.wish("move", uci="e2e4", ply=0)
        await looker.hear()
        assert "e2e4" not in [one["view"]["last"] for one in looker.heard if one["type"] == "view"]
        await stage.time.pass_by(29_999)
        await looker.hear()
        assert "e2e4" not in [one["view"]["last"] for one in looker.heard if one["type"] == "view"]
        await stage.time.pass_by(1)
        assert (await looker.hear())[-1]["view"]["last"] == "e2e4"

    run(play)


def test_spectators_see_a_move_though_its_alarm_rings_a_moment_too_early() -> None:
    """Loops round their waits, so an alarm rings up to a millisecond before its moment."""

    async def play(stage: Stage) -> None:
        _room, white, _black, _ = await seated(stage, spectator_delay=30_000)
        looker = stage.connect("")
        await looker.join()
        await stage.time.pass_by(31_000)
        call_at, show = stage.time.call_at, Audiences.show_spectators

        def slowly(audiences: Audiences, state: State, now: int) -> None:
            show(audiences, state, now)
            stage.time.not_before(now + 1)  # the clock goes on meanwhile

        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(stage.time, "call_at", lambda moment, do: call_at(moment - 1, do))
            await white.wish("move", uci="e2e4", ply=0)
            patched.setattr(Audiences, "show_spectators", slowly)
            await stage.time.pass_by(30_000)
        assert (await looker.hear())[-1]["view"]["last"] == "e2e4"

    run(play)


def test_spectators_of_a_game_read_from_its_log_see_what_was_still_to_come() -> None:
    async def play(stage: Stage) -> None:
        _room, white, _black, _ = await seated(stage, spectator_delay=30_000)
        await stage.time.pass_by(31_000)
        await white.wish("move", uci="e2e4", ply=0)
        lines = stage.store.read(f"game:{GAME}")
        again = Room([decode(line) for line in lines], stage.hall.services)
        looker = Ear()
        again.join(looker, "", GameRole.SPECTATOR)
        await stage.time.pass_by(30_000)
        assert [one["view"]["last"] for one in looker.heard if one["type"] == "view"][-1] == "e2e4"

    run(play)


def test_spectators_see_neither_offers_nor_who_is_connected() -> None:
    async def play(stage: Stage) -> None:
        _room, white, black, _ = await seated(stage)
        looker = stage.connect("")
        shown = (await looker.join())[-1]["view"]
        assert shown["role"] == "spectator"
        assert "moves" not in shown
        await white.wish("offer_draw")
        black.connection.close()
        assert await looker.hear() == []

    run(play)


def test_a_game_that_goes_wrong_leaves_the_others_alone() -> None:
    async def play(stage: Stage) -> None:
        _room, white, _black, _ = await seated(stage)
        other = await stage.game(game="alone.other")
        stage.store.bad_stream = f"game:{GAME}"
        assert (await white.wish("move", uci="e2e4", ply=0))["key"] == "hall_live.not_written"
        one = stage.connect(WHITE)
        await one.join(other.id)
        assert other.state.white.platform.on

    run(play)


def test_what_is_asked_meanwhile_is_decided_in_order_on_what_was_written_before() -> None:
    async def play(stage: Stage) -> None:
        room, white, _black, _ = await seated(stage)
        stage.store.gate = threading.Event()
        heard: list[tuple[str, str]] = []
        for by, uci, ply in (
            (WHITE, "e2e4", 0),
            (BLACK, "e7e5", 1),
            (BLACK, "e7e5", 1),
            (WHITE, "e4e5", 2),
            (WHITE, "g1f3", 2),
        ):
            room.ask(
                c.Move(by=by, uci=uci, ply=ply),
                then=lambda answer, uci=uci: heard.append(  # type: ignore[misc]
                    (uci, answer.refusal.key if answer.refusal else "again"[: 5 * answer.again])
                ),
            )
        assert heard == []
        stage.store.gate.set()
        await white.hear()
        assert heard == [
            ("e2e4", ""),
            ("e7e5", ""),
            ("e7e5", "again"),
            ("e4e5", "hall.illegal_move"),
            ("g1f3", ""),
        ]
        assert [move.uci for move in room.state.moves] == ["e2e4", "e7e5", "g1f3"]

    run(play)


def test_one_who_fails_at_the_answer_keeps_nobody_from_their_turn() -> None:
    async def play(stage: Stage) -> None:
        room, _white, black, _ = await seated(stage)

        def fail(answer: Answer) -> None:
            raise ValueError

        room.ask(c.Move(by=WHITE, uci="e2e4", ply=0), then=fail)
        room.ask(c.Move(by=WHITE, uci="e2e4", ply=0), then=fail)
        assert (await black.wish("move", uci="e7e5", ply=1))["type"] == "done"
        await room.settled()
        assert room.state.ply == 2

    run(play)


def test_settled_waits_for_the_disk() -> None:
    async def play(stage: Stage) -> None:
        room, _white, _black, _ = await seated(stage)
        stage.store.gate = threading.Event()
        room.ask(c.Move(by=WHITE, uci="e2e4", ply=0))
        waiting = asyncio.create_task(room.settled())
        await asyncio.sleep(0.02)
        assert not waiting.done()
        stage.store.gate.set()
        await waiting
        assert room.state.ply == 1

    run(play)
