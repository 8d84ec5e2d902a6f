"""Acts at many boards at once, the text of a call, announcements at the boards."""

from __future__ import annotations

from typing import Any

from arrocco.hall.game import Phase
from tests.live.stage import CHIEF, HELPER, Client, Stage, event, open_round, run, start_round


async def bulk(client: Client, boards: list[int] | None = None, **wish: Any) -> dict[str, Any]:
    name = client.stage.next_id()
    client.say(type="wall_wish", id=name, event="open", boards=boards, wish=wish)
    return client.answer(await client.hear(), name)


async def begun(stage: Stage) -> list[Any]:
    room = await event(stage)
    games = await open_round(stage, room)
    for game in games:
        for player in (game.state.white.player.id, game.state.black.player.id):
            await stage.connect(player).join(game.id)
    await start_round(stage)
    return games


def test_11_6_all_boards_are_paused_at_one_moment_and_go_on_together() -> None:
    async def scene(stage: Stage) -> None:
        games = await begun(stage)
        chief = stage.connect(CHIEF)
        told = await bulk(chief, type="pause", reason="")
        assert (told["type"], told["done"], told["refused"]) == ("wall_done", 2, [])
        assert {game.state.phase for game in games} == {Phase.PAUSED}
        assert len({game.state.stopped for game in games}) == 1
        assert (await bulk(chief, type="pause", reason=""))["done"] == 0
        added = await bulk(chief, [2], type="add_time", reason="x", side="white", time=60_000)
        assert added["done"] == 1
        refused = await bulk(chief, type="resume", reason="")
        assert [board for board, _ in refused["refused"]] == [1, 2]
        assert (await bulk(chief, type="resume", reason="power is back"))["done"] == 2
        assert {game.state.phase for game in games} == {Phase.RUNNING}

    run(scene)


def test_an_act_that_is_sent_again_after_a_lost_line_was_done_once() -> None:
    async def scene(stage: Stage) -> None:
        games = await begun(stage)
        added = {"type": "add_time", "reason": "x", "side": "white", "time": 60_000}
        for command in ({"type": "pause", "reason": ""}, added):
            for chief in (stage.connect(CHIEF), stage.connect(CHIEF)):  # another line, the same id
                chief.say(type="wall_command", id=command["type"], event="open", command=command)
                told = chief.answer(await chief.hear(), str(command["type"]))
                assert (told["type"], told["done"], told["refused"]) == ("wall_done", 2, [])
        assert {game.state.clock.white for game in games} == {240_000}

    run(scene)


def test_6_3_an_assistant_reaches_the_own_zone_only_and_players_none() -> None:
    async def scene(stage: Stage) -> None:
        games = await begun(stage)
        assert (await bulk(stage.connect(HELPER), type="pause", reason="x"))["done"] == 1
        assert [game.state.phase for game in games] == [Phase.RUNNING, Phase.PAUSED]
        assert (await bulk(stage.connect("1"), type="pause", reason="x"))["type"] == "refused"
        declared = await bulk(stage.connect(CHIEF), type="replay", reason="x")
        assert declared["key"] == "hall_live.not_in_bulk"

    run(scene)


def test_11_6_a_pause_of_one_click_gets_its_reason_afterwards() -> None:
    async def scene(stage: Stage) -> None:
        game = (await begun(stage))[0]
        chief = stage.connect(CHIEF)
        assert (await chief.wish("give_reason", game.id, reason="x"))["key"] == (
            "hall.no_pause_without_reason"
        )
        assert (await chief.wish("pause", game.id, reason=""))["type"] == "done"
        assert (await chief.wish("give_reason", game.id, reason=" "))["type"] == "refused"
        assert (await chief.wish("give_reason", game.id, reason="a call"))["type"] == "done"
        assert (await chief.wish("give_reason", game.id, reason="again"))["type"] == "refused"
        assert [act.act.reason for act in game.state.acts] == ["", "a call"]
        assert game.state.acts[1].act.corrects == game.state.acts[0].number

    run(scene)


def test_11_1_the_alarm_of_a_call_has_its_text_and_announcements_reach_boards() -> None:
    async def scene(stage: Stage) -> None:
        game = (await begun(stage))[0]
        player, chief = stage.connect(game.state.white.player.id), stage.connect(CHIEF)
        await player.join(game.id)
        await player.wish("call_arbiter", game.id, text="my mouse is broken")
        chief.say(type="wall", event="open")
        boards = [one for told in await chief.hear() for one in told.get("boards", ())]
        texts = [alarm["text"] for board in boards for alarm in board["alarms"]]
        assert "my mouse is broken" in texts
        await player.hear()
        assert (await chief.command("announce", text="Break at noon."))["type"] == "done"
        told = [one["text"] for one in await player.hear() if one["type"] == "announcement"]
        assert told == ["Break at noon."]

    run(scene)
