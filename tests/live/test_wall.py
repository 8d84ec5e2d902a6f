"""The arbiter's wall beside moves: many boards in small steps, told together."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from arrocco.live import wall
from arrocco.live.wall import AT_ONCE, BREATH, PAUSE, TOGETHER
from tests.live.stage import CHIEF, Stage, event, open_round, run, settle, start_round

BOARDS = 40


def written_at(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The moments at which boards are written."""
    moments: list[int] = []
    write = wall.board_of

    def noted(*args: Any) -> Any:
        moments.append(stage.time.now())
        return write(*args)

    monkeypatch.setattr(wall, "board_of", noted)
    return moments


def test_boards_are_written_a_few_at_a_time_and_told_together(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def play(stage: Stage) -> None:
        room = await event(stage, players=2 * BOARDS)
        games = await open_round(stage, room)
        await start_round(stage)
        chief = stage.connect(CHIEF)
        chief.say(type="wall", event="open")
        await chief.hear()
        moments = written_at(stage, monkeypatch)
        began = stage.time.now()
        for number, game in enumerate(games):
            player = stage.connect(str(2 * number + 1))
            await player.join(game.id)
            assert (await player.wish("move", game.id, uci="e2e4", ply=0))["type"] == "done"
        await settle()
        assert stage.time.now() == began
        heard = []
        for _ in range(2 * PAUSE):
            await stage.time.pass_by(1)
            heard += [one for one in await chief.hear() if one["type"] == "wall"]
        assert max(moments.count(moment) for moment in moments) <= AT_ONCE
        steps = sorted(set(moments))
        assert min(b - a for a, b in pairwise(steps)) >= BREATH
        told = [one["boards"] for one in heard if one["boards"]]
        assert len(told[0]) == TOGETHER, "what is written in steps is told together"
        last = {board["game"]: board["last"] for boards in told for board in boards}
        assert last == {game.id: "e2e4" for game in games}

    run(play)


def test_boards_without_alarms_follow_by_number_after_those_with() -> None:
    async def play(stage: Stage) -> None:
        room = await event(stage, players=2 * BOARDS)
        games = await open_round(stage, room)
        await start_round(stage)
        chief, player = stage.connect(CHIEF), stage.connect("61")
        chief.say(type="wall", event="open")
        await stage.time.pass_by(PAUSE)
        await chief.hear()
        await player.join(games[30].id)
        assert (await player.wish("call_arbiter", games[30].id, text="Help"))["type"] == "done"
        await stage.time.pass_by(3 * PAUSE)
        orders = [one["order"] for one in await chief.hear() if one.get("order")]
        by_number = [game.id for game in games]
        assert sorted(orders[-1]) == sorted(by_number)
        urgent = games[30].id
        assert orders[-1].index(urgent) < 3
        calm = [game for game in by_number if game != urgent]
        assert [game for game in orders[-1] if game != urgent] == calm

    run(play)
