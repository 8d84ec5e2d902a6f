"""Whatever players and arbiters do at a board, its event has the result of the game, or none.

Random acts on one game, started again wherever it begins anew: after each the event knows the same
score of the same players, and so does a hall that starts again from the logs.
"""

from __future__ import annotations

from collections import Counter
from datetime import timedelta
from random import Random
from typing import Any

import pytest

from arrocco.hall import event as ev
from arrocco.hall.game import Phase, State
from arrocco.laws.online.score import Scoring
from tests.live.stage import CHIEF, Client, Stage, event, open_round, run, settle

GAME = "open-1-1"
ACTS_EACH = 30
SCORINGS = (
    Scoring(10, 5, 0, 0),
    Scoring(30, 10, 0, 0),
    Scoring(30, 20, 10, 0),
    Scoring(10, 0, 0, 0),
)
BY_PLAYERS = ("move",) * 8 + ("resign", "offer_draw", "accept_draw", "leave", "join")
BY_THE_CHIEF = (
    "correct_colours",
    "replay",
    "resume_from_position",
    "pause",
    "resume",
    "declare_result",
    "change_points",
    "correct_result",
    "withdraw",
)


class Scene:
    """One board, and lots that decide what happens at it."""

    def __init__(self, stage: Stage, seed: int) -> None:
        self.stage, self.lots = stage, Random(seed)
        self.scoring = self.lots.choice(SCORINGS)
        self.people: dict[str, Client] = {one: stage.connect(one) for one in ("1", "2", CHIEF)}
        self.done: Counter[str] = Counter()

    @property
    def game(self) -> State:
        return self.stage.hall.rooms[GAME].state

    async def go_on(self) -> None:
        """Something happens, or is refused."""
        if self.game.phase is Phase.WAITING and self.lots.random() < 0.7:
            await self._wish(CHIEF, "start")
        elif self.lots.random() < 0.15:
            await self.stage.time.pass_by(self.lots.choice([1, 5_000, 61_000, 310_000]))
        elif self.lots.random() < 0.6:
            await self._player(self.lots.choice(BY_PLAYERS))
        else:
            await self._chief(self.lots.choice(BY_THE_CHIEF))
        await settle()

    async def _player(self, kind: str) -> None:
        game, person = self.game, self.lots.choice("12")
        if kind == "join":
            await self.people[person].join(GAME)
        elif kind == "leave":
            self.people[person].say(type="leave", game=GAME)
        elif kind != "move":
            await self._wish(person, kind)
        elif game.board.legal:
            uci = self.lots.choice(game.board.legal)
            await self._wish(game.seat(game.turn).player.id, kind, uci=uci, ply=game.ply)

    async def _chief(self, kind: str) -> None:
        lots, game = self.lots, self.game
        side = lots.choice(["white", "black"])
        scores = [lots.choice(sorted(self.scoring.normal)) for _ in range(2)]
        fields: dict[str, dict[str, Any]] = {
            "resume_from_position": {"ply": lots.randint(0, game.ply), "clocks": [60_000, 60_000]},
            "declare_result": {
                "scores": scores,
                "against": side,
                "article": lots.choice(["6.9f", "5.9", "13.3"]),
            },
            "change_points": {
                "scores": scores,
                "side": side,
                "article": lots.choice(["6.9d", "6.9e"]),
            },
            "correct_result": {
                "scores": scores,
                "article": lots.choice(["5.16", "11.3", "11.4", "13.5b"]),
            },
            "withdraw": {"corrects": lots.choice(game.acts).number if game.acts else 0},
        }
        await self._wish(CHIEF, kind, reason="as seen", **fields.get(kind, {}))

    async def _wish(self, person: str, kind: str, **fields: Any) -> None:
        answer = await self.people[person].wish(kind, GAME, **fields)
        self.done[kind] += answer["type"] == "done"


def told_alike(state: ev.State, game: State) -> bool:
    """Whether an event and a game know the same colours, and the same score or none."""
    board = state.board(1, 1)
    assert board is not None
    white = state.entries[board.white - 1].person.account
    scores = None if game.outcome is None else game.outcome.scores
    return (white, board.result and board.result.points) == (game.white.player.id, scores)


async def played(stage: Stage, seed: int) -> Counter[str]:
    scene = Scene(stage, seed)
    room = await event(
        stage, players=2, scoring=scene.scoring, reconnection_limit=timedelta(minutes=1)
    )
    await open_round(stage, room)
    for person in scene.people.values():
        await person.join(GAME)
    for number in range(ACTS_EACH):
        await scene.go_on()
        assert told_alike(room.state, scene.game), f"seed {seed}, act {number}"
    again = Stage(stage.store, stage.time)
    await again.hall.start()
    assert told_alike(again.hall.events["open"].state, scene.game), f"seed {seed}, started again"
    await again.hall.stop()
    return scene.done


@pytest.mark.parametrize("seeds", [range(25), range(25, 50)], ids=["0 to 24", "25 to 49"])
def test_3_1_6_8_11_2_an_event_has_the_result_of_its_game_or_none(seeds: range) -> None:
    done: Counter[str] = Counter()
    for seed in seeds:
        done += run(lambda stage, seed=seed: played(stage, seed))  # type: ignore[misc]
    tried = {"start", "move", "resign", "correct_colours", "replay", "resume_from_position"}
    assert tried | {"declare_result", "correct_result"} <= set(done)
