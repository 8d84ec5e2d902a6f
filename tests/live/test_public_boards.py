"""5.17 — all boards of a round for those who look on, and a crowd that follows an event."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from arrocco.hall.event.acts.pairing import PairByHand, WithdrawPairing
from arrocco.hall.event.rules import Spectators
from arrocco.live.subscriptions import AT_ONCE, BREATH
from tests.live.stage import CHIEF, Client, Stage, event, open_round, run, settle, start_round
from tests.live.test_events import FIRST, SECOND, player


async def look_on(stage: Stage, **said: Any) -> Client:
    client = stage.connect("")
    client.say(type="boards", event="open", **said)
    return client


async def begin(stage: Stage, **rules: Any) -> list[Client]:
    room = await event(stage, **rules)
    await open_round(stage, room)
    seats = [await player(stage, n, f"open-1-{(n + 1) // 2}") for n in range(1, 5)]
    await start_round(stage)
    return seats


def test_shows_all_boards_then_only_those_that_have_changed() -> None:
    async def play(stage: Stage) -> None:
        seats = await begin(stage)
        public = await look_on(stage)
        whole = (await public.hear())[-1]
        assert (whole["round"], whole["total"], whole["whole"]) == (1, 2, True)
        assert [board["game"] for board in whole["boards"]] == [FIRST, SECOND]
        await seats[2].wish("move", SECOND, uci="e2e4", ply=0)
        await stage.time.pass_by(1000)
        (change,) = await public.hear()
        assert [(one["board"], one["last"]) for one in change["boards"]] == [(2, "e2e4")]
        assert "white" not in change["boards"][0], "who plays does not change"
        await stage.time.pass_by(5000)
        assert await public.hear() == [], "clocks that run are no news"

    run(play)


def test_5_17_is_as_late_as_the_rules_say() -> None:
    async def play(stage: Stage) -> None:
        seats = await begin(stage, spectators=Spectators(delay=timedelta(minutes=1)))
        public = await look_on(stage)
        await public.hear()
        await seats[0].wish("move", FIRST, uci="e2e4", ply=0)
        await seats[1].wish("resign", FIRST)
        await stage.time.pass_by(58_000)
        assert await public.hear() == []
        late = await look_on(stage)
        assert {one["last"] for one in (await late.hear())[-1]["boards"]} == {""}
        await stage.time.pass_by(3000)
        for client in (public, late):
            told = {one["board"]: one for m in await client.hear() for one in m["boards"]}
            assert told[1]["last"] == "e2e4", "who came meanwhile sees it as well"
            assert told[1]["scores"] is not None

    run(play)


def test_only_the_boards_asked_for_are_told() -> None:
    async def play(stage: Stage) -> None:
        seats = await begin(stage)
        public = await look_on(stage, first=2, last=2)
        assert [one["board"] for one in (await public.hear())[-1]["boards"]] == [2]
        await seats[0].wish("move", FIRST, uci="e2e4", ply=0)
        await stage.time.pass_by(1000)
        assert await public.hear() == []
        public.say(type="boards", event="open", first=1, last=1)
        assert (await public.hear())[-1]["boards"][0]["last"] == "e2e4"

    run(play)


def test_is_for_whom_the_rules_admit() -> None:
    async def play(stage: Stage) -> None:
        await begin(stage, spectators=Spectators(admitted=False))
        public = await look_on(stage)
        assert (await public.hear())[-1]["key"] == "hall_live.no_such_event"
        inside = stage.connect("4")
        inside.say(type="boards", event="open")
        assert (await inside.hear())[-1]["total"] == 2

    run(play)


def test_a_crowd_is_told_a_few_at_a_time_and_everybody_of_everything() -> None:
    async def play(stage: Stage) -> None:
        room = await event(stage)
        crowd = [stage.connect("") for _ in range(3 * AT_ONCE)]
        inside = stage.connect("4")
        for client in (*crowd, inside):
            client.say(type="event", event="open")
        await settle()
        for client in (*crowd, inside):
            await client.hear()
        pair = PairByHand(by=CHIEF, boards=((1, 2), (3, 4)), reason="by hand")
        await room.ask(pair)
        assert await inside.hear(), "who takes part waits for nobody"
        assert not any([await client.hear() for client in crowd])
        await room.ask(WithdrawPairing(by=CHIEF, reason="another one"))
        await stage.time.pass_by(BREATH)
        heard = [await client.hear() for client in crowd]
        assert sum(map(bool, heard)) == AT_ONCE
        await stage.time.pass_by(20)
        rest = [await client.hear() for client in crowd]
        for early, late in zip(heard, rest, strict=True):
            updates = early + late
            assert updates[-1]["number"] == sum(len(update["records"]) for update in updates)
        assert len({one[-1]["number"] for one in map(list.__add__, heard, rest)}) == 1

    run(play)
