"""11.6 — the server's own fault costs no player: clocks that it holds up stand still."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from arrocco.hall.game import Phase
from arrocco.hall.game import events as e
from arrocco.hall.game.acts.pause import Paused, Resumed
from arrocco.hall.game.held import HELD, HELD_AFTER, HELD_NO_LONGER, RESUMED_WITHIN
from arrocco.hall.game.log import decode
from arrocco.laws.online.side import Side
from arrocco.live.game_queue import RETRY
from arrocco.live.room import Room
from tests.live.stage import (
    ARBITER,
    BLACK,
    CHIEF,
    WHITE,
    Client,
    Stage,
    event,
    open_round,
    run,
    seated,
    settle,
    start_round,
)

STALL = 10_000


@contextmanager
def slow_disk(stage: Stage) -> Iterator[None]:
    """Nothing is written until the block is over; then all of it is."""
    gate = stage.store.gate = threading.Event()
    try:
        yield
    finally:
        gate.set()
        stage.store.gate = None


def log_of(stage: Stage, room: Room) -> list[e.Event]:
    return [decode(line) for line in stage.store.read(room.stream)]


def holds(stage: Stage, room: Room) -> list[tuple[int, int]]:
    """From when to when the server had the clocks stand, as the log says."""
    log = log_of(stage, room)
    found = []
    for number, paused in enumerate(log):
        if isinstance(paused, Paused) and paused.reason == HELD:
            resumed = log[number + 1]
            assert isinstance(resumed, Resumed)
            assert (resumed.by, resumed.reason, resumed.article) == ("", HELD_NO_LONGER, "11.6")
            assert (paused.by, paused.article) == ("", "11.6")
            found.append((paused.stopped, resumed.at))
    return found


def left(room: Room, stage: Stage) -> tuple[int, int]:
    clock, now = room.state.clock, stage.time.now()
    return clock.remaining(Side.WHITE, now), clock.remaining(Side.BLACK, now)


def ask(client: Client, kind: str, room: Room, id: str, **fields: Any) -> None:
    client.say(type="wish", id=id, game=room.id, wish={"type": kind, **fields})


async def answers(client: Client, id: str) -> list[str]:
    """All that was answered to a message, so far."""
    await client.hear()
    return [one["type"] for one in client.heard if one.get("id") == id]


class TestASlowLog:
    def test_costs_neither_the_mover_nor_the_opponent(self) -> None:
        async def play(stage: Stage) -> None:
            room, white, black, _ = await seated(stage)
            await stage.time.pass_by(3000)
            arrived = stage.time.now()
            with slow_disk(stage):
                ask(white, "move", room, "m", uci="e2e4", ply=0)
                await stage.time.pass_by(STALL)
                assert await answers(white, "m") == [], "acknowledged means written"
            await settle()
            assert await answers(white, "m") == ["done"]
            written = stage.time.now()
            assert room.state.moves[0].at == arrived
            assert room.state.moves[0].spent == 3000
            assert holds(stage, room) == [(arrived, written)]
            assert left(room, stage) == (179_000, 180_000)
            await stage.time.pass_by(1500)
            assert (await black.wish("move", uci="e7e5", ply=1))["type"] == "done"
            assert room.state.moves[1].spent == 1500

        run(play)

    def test_is_seen_by_both_players_and_the_arbiter_while_it_lasts(self) -> None:
        async def play(stage: Stage) -> None:
            room, white, black, arbiter = await seated(stage)
            looker = stage.connect("")
            await looker.join(room.id)
            await stage.time.pass_by(1000)
            arrived = stage.time.now()
            with slow_disk(stage):
                ask(white, "move", room, "m", uci="e2e4", ply=0)
                await stage.time.pass_by(HELD_AFTER - 1)
                assert not [one for one in await black.hear() if one["type"] == "view"]
                await stage.time.pass_by(1)
                for client in (white, black, arbiter):
                    view = (await client.hear())[-1]["view"]
                    assert view["held"] == arrived
                    assert view["clock"] == {"white": 179_000, "black": 180_000, "running": None}
                    assert view["phase"] == "running"
                assert (await looker.hear())[-1]["view"]["clock"]["running"] is None
                late = stage.connect(ARBITER)
                assert (await late.join(room.id))[-1]["view"]["held"] == arrived
            await settle()
            for client in (white, black, arbiter):
                view = (await client.hear())[-1]["view"]
                assert view["held"] is None
                assert view["clock"]["running"] == "black"
                assert view["clock"]["black"] == 180_000
                reasons = [one["act"]["reason"] for one in view["acts"]]
                assert reasons[-2:] == [HELD, HELD_NO_LONGER]

        run(play)

    def test_within_the_bound_leaves_no_trace(self) -> None:
        async def play(stage: Stage) -> None:
            room, white, _, _ = await seated(stage)
            with slow_disk(stage):
                ask(white, "move", room, "m", uci="e2e4", ply=0)
                await stage.time.pass_by(HELD_AFTER - 1)
            await settle()
            assert await answers(white, "m") == ["done"]
            assert holds(stage, room) == []
            assert room.held_since is None

        run(play)

    def test_lets_no_flag_fall_on_who_had_moved(self) -> None:
        async def play(stage: Stage) -> None:
            room, white, _, _ = await seated(stage, control="60+0")
            await stage.time.pass_by(59_000)
            with slow_disk(stage):
                ask(white, "move", room, "m", uci="e2e4", ply=0)
                await stage.time.pass_by(STALL)
            await settle()
            assert room.state.phase is Phase.RUNNING
            assert left(room, stage) == (1000, 60_000)

        run(play)

    def test_lets_no_flag_fall_on_whose_move_waits_in_the_queue(self) -> None:
        async def play(stage: Stage) -> None:
            room, white, black, _ = await seated(stage, control="60+0")
            await stage.time.pass_by(58_000)
            with slow_disk(stage):
                ask(black, "offer_draw", room, "o")
                ask(black, "set_auto_queen", room, "q", on=True)
                await stage.time.pass_by(1000)
                ask(white, "move", room, "m", uci="e2e4", ply=0)
                await stage.time.pass_by(STALL)
            await settle()
            assert await answers(white, "m") == ["done"]
            assert room.state.phase is Phase.RUNNING
            assert left(room, stage) == (2000, 60_000)

        run(play)

    def test_gives_back_the_time_to_come_and_to_reconnect(self) -> None:
        async def play(stage: Stage) -> None:
            room, white, black, _ = await seated(stage, reconnection_limit=30_000)
            black.connection.close()
            await settle()
            by, tolerance = room.state.black.reconnect_by, room.state.tolerance_ends
            assert by is not None
            assert tolerance is not None
            with slow_disk(stage):
                ask(white, "move", room, "m", uci="e2e4", ply=0)
                await stage.time.pass_by(STALL)
            await settle()
            assert room.state.black.reconnect_by == by + STALL
            assert room.state.tolerance_ends == tolerance + STALL

        run(play)

    def test_gives_back_what_the_record_of_it_took_as_well(self) -> None:
        async def play(stage: Stage) -> None:
            room, white, _, _ = await seated(stage)
            arrived = stage.time.now()
            first = stage.store.gate = threading.Event()
            ask(white, "move", room, "m", uci="e2e4", ply=0)
            await stage.time.pass_by(STALL)
            second = stage.store.gate = threading.Event()
            first.set()
            await settle()
            between = stage.time.now()
            await stage.time.pass_by(2000)
            stage.store.gate = None
            second.set()
            await settle()
            assert holds(stage, room) == [(arrived, between), (between, between + 2000)]
            assert left(room, stage) == (182_000, 180_000)

        run(play)

    def test_of_a_game_that_is_over_says_nothing(self) -> None:
        async def play(stage: Stage) -> None:
            room, white, _, _ = await seated(stage)
            with slow_disk(stage):
                ask(white, "resign", room, "m")
                await stage.time.pass_by(STALL)
            await settle()
            assert room.state.phase is Phase.ENDED
            assert room.held_since is None
            assert isinstance(log_of(stage, room)[-1], e.Ended)
            assert (await white.hear())[-1] is not None

        run(play)


class TestALogThatCannotBeWritten:
    def test_refuses_plainly_and_costs_nobody_anything(self) -> None:
        async def play(stage: Stage) -> None:
            room, white, black, _ = await seated(stage)
            await stage.time.pass_by(3000)
            arrived = stage.time.now()
            stage.store.is_full = True
            ask(white, "move", room, "m", uci="e2e4", ply=0)
            assert await answers(white, "m") == ["refused"]
            assert white.heard[-1]["key"] == "faults.disk_full"
            assert white.heard[-1]["retry_after"]
            await stage.time.pass_by(STALL)
            assert room.state.ply == 0
            stage.store.is_full = False
            await stage.time.pass_by(RETRY)
            [(since, until)] = holds(stage, room)
            assert since == arrived
            assert room.state.phase is Phase.RUNNING, "it is resumed by itself"
            assert left(room, stage)[0] == 177_000 - (stage.time.now() - until)
            await black.hear()
            assert (await white.wish("move", uci="e2e4", ply=0))["type"] == "done"
            assert left(room, stage)[0] == 179_000 - (stage.time.now() - until)
            assert await answers(white, "m") == ["refused"], "never both"

        run(play)

    def test_lets_no_flag_fall_on_who_had_moved(self) -> None:
        async def play(stage: Stage) -> None:
            room, white, _, _ = await seated(stage, control="60+0")
            await stage.time.pass_by(59_000)
            stage.store.is_full = True
            ask(white, "move", room, "m", uci="e2e4", ply=0)
            await stage.time.pass_by(STALL)
            stage.store.is_full = False
            assert (await white.wish("move", uci="e2e4", ply=0))["type"] == "done"
            assert room.state.phase is Phase.RUNNING
            assert left(room, stage) == (1000, 60_000)

        run(play)

    def test_lets_the_flag_fall_later_on_who_had_not_moved(self) -> None:
        async def play(stage: Stage) -> None:
            room, _, _, _ = await seated(stage, control="60+0")
            await stage.time.pass_by(59_000)
            stage.store.is_full = True
            await stage.time.pass_by(STALL)
            assert room.state.outcome is None
            stage.store.is_full = False
            await stage.time.pass_by(RETRY)
            assert room.state.outcome is not None
            assert room.state.outcome.side is Side.WHITE

        run(play)

    def test_for_long_leaves_it_to_the_arbiter_to_resume(self) -> None:
        async def play(stage: Stage) -> None:
            room, white, _, arbiter = await seated(stage)
            await stage.time.pass_by(3000)
            stage.store.is_full = True
            ask(white, "move", room, "m", uci="e2e4", ply=0)
            await stage.time.pass_by(RESUMED_WITHIN + 1)
            stage.store.is_full = False
            await stage.time.pass_by(RETRY)
            assert room.state.phase is Phase.PAUSED
            assert left(room, stage)[0] == 177_000
            await stage.time.pass_by(60_000)
            assert (await arbiter.wish("resume", reason="both are there"))["type"] == "done"
            assert left(room, stage) == (177_000, 180_000)

        run(play)

    def test_has_the_games_of_a_round_begin_once_it_can(self) -> None:
        async def play(stage: Stage) -> None:
            room = await event(stage)
            games = await open_round(stage, room)
            stage.store.is_full = True
            await start_round(stage)
            began = stage.time.now()
            await stage.time.pass_by(STALL)
            assert [game.state.phase for game in games] == [Phase.WAITING] * 2
            stage.store.is_full = False
            await stage.time.pass_by(RETRY)
            for game in games:
                assert game.state.phase is Phase.RUNNING
                assert game.state.started == began
                [(since, until)] = holds(stage, game)
                assert since == began
                assert left(game, stage)[0] == 180_000 - (stage.time.now() - until)

        run(play)

    def test_shows_on_the_arbiters_wall(self) -> None:
        async def play(stage: Stage) -> None:
            room = await event(stage)
            games = await open_round(stage, room)
            await start_round(stage)
            chief, white = stage.connect(CHIEF), stage.connect("1")
            await white.join(games[0].id)
            chief.say(type="wall", event="open")
            await chief.hear()
            stage.store.is_full = True
            ask(white, "move", games[0], "m", uci="e2e4", ply=0)
            await settle()
            await stage.time.pass_by(300)
            [board] = [board for one in await chief.hear() for board in one["boards"]]
            assert board["game"] == games[0].id
            assert board["clock"]["running"] is None
            assert "hall_live.alarm.held" in [alarm["key"] for alarm in board["alarms"]]
            await stage.time.pass_by(RESUMED_WITHIN)
            stage.store.is_full = False
            await stage.time.pass_by(RETRY + 300)
            boards = [b for one in await chief.hear() for b in one["boards"] if b["board"] == 1]
            keys = [alarm["key"] for alarm in boards[-1]["alarms"]]
            assert "hall_live.alarm.held_long" in keys
            assert "hall_live.alarm.held" not in keys

        run(play)

    def test_counts_against_no_player(self) -> None:
        async def play(stage: Stage) -> None:
            room, white, _, _ = await seated(stage)
            stage.store.is_full = True
            for _ in range(30):
                await white.wish("move", uci="e2e4", ply=0)
                await stage.time.pass_by(100)
            assert not room.refused
            assert not white.connection.refused

        run(play)

    def test_refuses_all_that_waits_and_does_what_the_server_owes(self) -> None:
        async def play(stage: Stage) -> None:
            room, white, black, _ = await seated(stage)
            stage.store.is_full = True
            with slow_disk(stage):
                ask(white, "move", room, "m", uci="e2e4", ply=0)
                ask(black, "offer_draw", room, "o")
                black.connection.close()
                await stage.time.pass_by(100)
            await settle()
            assert await answers(white, "m") == ["refused"]
            stage.store.is_full = False
            await stage.time.pass_by(RETRY)
            assert room.state.offer is None
            assert not room.state.black.platform.on

        run(play)

    def test_and_a_crash_meanwhile_cost_nobody_anything(self) -> None:
        async def play(stage: Stage) -> None:
            room, white, _, _ = await seated(stage)
            await stage.time.pass_by(3000)
            await white.wish("move", uci="e2e4", ply=0)
            await stage.time.pass_by(500)
            stage.store.is_full = True
            ask(white, "call_arbiter", room, "c", text="?")
            await stage.time.pass_by(STALL)
            stage.store.is_full = False
            after = Stage(stage.store, stage.time)
            await after.hall.start()
            again = after.hall.rooms[room.id]
            assert again.state.phase is Phase.PAUSED
            assert left(again, after) == (179_000, 180_000)
            await after.hall.stop()

        run(play)

    def test_is_logged_once_with_a_count(self, caplog: pytest.LogCaptureFixture) -> None:
        async def play(stage: Stage) -> None:
            _, white, _, _ = await seated(stage)
            stage.store.is_full = True
            for _ in range(10):
                await white.wish("move", uci="e2e4", ply=0)
            stage.store.is_full = False
            assert (await white.wish("move", uci="e2e4", ply=0))["type"] == "done"

        run(play)
        lines = [record.getMessage() for record in caplog.records if record.levelname != "DEBUG"]
        assert len(lines) == 2, lines
        assert "no space" in lines[0]
        assert "10 failures" in lines[1]


class TestADatabaseThatGoesAwayWhileItWrites:
    @pytest.mark.parametrize("when", ["before", "after"])
    def test_says_that_it_is_not_known_and_then_shows_what_is_so(self, when: str) -> None:
        async def play(stage: Stage) -> None:
            room, white, black, _ = await seated(stage)
            await stage.time.pass_by(3000)
            arrived = stage.time.now()
            stage.store.goes_away = when
            ask(white, "move", room, "m", uci="e2e4", ply=0)
            assert await answers(white, "m") == ["refused"]
            assert white.heard[-1]["key"] == "hall_live.maybe_written"
            await stage.time.pass_by(STALL)
            stage.store.goes_away = ""
            await stage.time.pass_by(RETRY)
            assert holds(stage, room)[0][0] == arrived
            assert room.state.ply == (when == "after")
            view = [one for one in await black.hear() if one["type"] == "view"][-1]["view"]
            assert len(view["moves"]) == (when == "after")
            since = stage.time.now() - holds(stage, room)[0][1]
            expected = (179_000, 180_000 - since) if when == "after" else (177_000 - since, 180_000)
            assert left(room, stage) == expected
            # Sent again it is done once, whatever became of it.
            ask(white, "move", room, "n", uci="e2e4", ply=0)
            assert await answers(white, "n") == ["done"]
            assert room.state.ply == 1

        run(play)

    def test_an_end_that_was_written_is_told(self) -> None:
        async def play(stage: Stage) -> None:
            room = await event(stage)
            games = await open_round(stage, room)
            await start_round(stage)
            white = stage.connect("1")
            await white.join(games[0].id)
            stage.store.goes_away = "after"
            ask(white, "resign", games[0], "m")
            await settle()
            stage.store.goes_away = ""
            await stage.time.pass_by(RETRY)
            assert (await white.hear())[-1]["view"]["phase"] == "ended"
            board = room.state.board(1, 1)
            assert board is not None
            assert board.result is not None

        run(play)


def test_who_is_black_or_white_makes_no_difference() -> None:
    async def play(stage: Stage) -> None:
        room, white, black, _ = await seated(stage)
        await white.wish("move", uci="e2e4", ply=0)
        await stage.time.pass_by(4000)
        with slow_disk(stage):
            ask(black, "move", room, "m", uci="e7e5", ply=1)
            await stage.time.pass_by(STALL)
        await settle()
        assert left(room, stage) == (182_000, 178_000)
        assert (room.state.white.player.id, room.state.black.player.id) == (WHITE, BLACK)

    run(play)
