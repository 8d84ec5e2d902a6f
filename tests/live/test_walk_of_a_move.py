"""The walk of a move in the architecture document is the way that a move goes."""

from __future__ import annotations

from tests.live.stage import CHIEF, Stage, event, open_round, run, start_round
from tests.walks import MOVE, called, steps

GAME = "open-1-1"


def test_a_move_goes_from_function_to_function_as_the_document_says() -> None:
    async def play(stage: Stage) -> None:
        room = await event(stage)
        await open_round(stage, room)
        white = stage.connect("1")
        await white.join(GAME)
        await start_round(stage)
        chief = stage.connect(CHIEF)
        chief.say(type="wall", event="open")
        await chief.hear()
        with called(MOVE) as seen:
            assert (await white.wish("move", GAME, uci="e2e4", ply=0))["type"] == "done"
        assert seen == steps(MOVE)

    run(play)
