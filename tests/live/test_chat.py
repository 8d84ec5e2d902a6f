"""5.2 — players write to their arbiters, arbiters answer, and nobody else reads it."""

from __future__ import annotations

from typing import Any

from arrocco.hall import event as ev
from arrocco.hall.event.acts.sanctions import Impose
from arrocco.hall.event.rules import Chat
from arrocco.hall.game.log import decode
from arrocco.live import chat
from tests.hall.event.desk import as_decided
from tests.live.stage import (
    CHIEF,
    GAME,
    HELPER,
    ORGANISER,
    STRANGER,
    WHITE,
    Client,
    Stage,
    event,
    open_round,
    run,
    seated,
    start_round,
)

FIRST, SECOND = "open-1-1", "open-1-2"


async def write(client: Client, text: str, id: str = "", **fields: Any) -> dict[str, Any]:
    """Writes a line and gives the answer to it."""
    name = id or client.stage.next_id()
    client.say(type="chat", id=name, text=text, **fields)
    return client.answer(await client.hear(), name)


def lines(heard: list[dict[str, Any]]) -> list[tuple[str, bool, str]]:
    return [
        (line["name"], line["by_arbiter"], line["text"])
        for one in heard
        if one["type"] == "chat"
        for line in one["lines"]
    ]


class TestInAGame:
    def test_5_2_a_line_is_written_then_shown_to_its_player_and_the_arbiters_only(self) -> None:
        async def play(stage: Stage) -> None:
            _, white, black, arbiter = await seated(stage)
            public, stranger = stage.connect(""), stage.connect(STRANGER)
            for client in (public, stranger):
                await client.join()
            for client in (public, stranger, black):
                await client.hear()
            assert (await write(white, "may I?", game=GAME))["type"] == "done"
            last = decode(stage.store.read(f"game:{GAME}")[-1])
            assert getattr(last, "text", "") == "may I?"
            assert lines(await arbiter.hear()) == [("Adani, Ada", False, "may I?")]
            assert (await write(arbiter, "yes", game=GAME, to="white"))["type"] == "done"
            assert lines(white.heard + await white.hear())[-1] == ("", True, "yes")
            for client in (public, stranger, black):
                assert await client.hear() == []

        run(play)

    def test_it_does_not_count_among_what_happens_in_the_game(self) -> None:
        """Else a client would ask for a view whenever somebody writes."""

        async def play(stage: Stage) -> None:
            _, white, _black, _ = await seated(stage)
            before = (await white.join())[0]["number"]
            await write(white, "hello", game=GAME)
            heard = await white.join()
            assert [one["type"] for one in heard] == ["view", "chat"]
            assert heard[0]["number"] == before
            assert heard[1]["whole"] is True

        run(play)

    def test_who_comes_later_or_after_a_crash_is_shown_what_was_said(self) -> None:
        async def play(stage: Stage) -> None:
            _, white, _, arbiter = await seated(stage)
            await write(white, "first", game=GAME)
            await write(arbiter, "second", game=GAME, to="white")
            after = Stage(stage.store, stage.time)
            await after.hall.start()
            for account in (WHITE, "9"):
                heard = await after.connect(account).join()
                assert [text for _, _, text in lines(heard)] == ["first", "second"]
            assert lines(await after.connect("2").join()) == []
            await after.hall.stop()

        run(play)

    def test_a_line_sent_again_is_written_once(self) -> None:
        async def play(stage: Stage) -> None:
            room, white, _, _ = await seated(stage)
            await write(white, "once", id="c", game=GAME)
            assert (await write(white, "once", id="c", game=GAME))["again"] is True
            assert len(room.state.chat) == 1

        run(play)

    def test_who_writes_too_much_has_to_wait_on_every_socket(self) -> None:
        async def play(stage: Stage) -> None:
            room, white, black, _ = await seated(stage)
            for number in range(chat.AT_ONCE):
                assert (await write(white, str(number), game=GAME))["type"] == "done"
            second = stage.connect(WHITE)
            await second.join()
            assert (await write(second, "more", game=GAME))["key"] == "hall_live.chat_too_fast"
            assert (await write(black, "mine", game=GAME))["type"] == "done"
            await stage.time.pass_by(1000 * chat.EVERY)
            assert (await write(white, "now", game=GAME))["type"] == "done"
            assert len(room.state.chat) == chat.AT_ONCE + 2

        run(play)

    def test_the_wall_shows_who_waits_for_an_answer(self) -> None:
        async def play(stage: Stage) -> None:
            room = await event(stage)
            await open_round(stage, room)
            white, chief = stage.connect("1"), stage.connect(CHIEF)
            await white.join(FIRST)
            await start_round(stage)
            chief.say(type="wall", event="open")
            await chief.hear()
            await write(white, "hello?", game=FIRST)
            await stage.time.pass_by(250)
            board = (await chief.hear())[-1]["boards"][0]
            assert "hall_live.alarm.chat" in [one["key"] for one in board["alarms"]]
            await write(chief, "yes?", game=FIRST, to="white")
            await stage.time.pass_by(250)
            board = (await chief.hear())[-1]["boards"][0]
            assert "hall_live.alarm.chat" not in [one["key"] for one in board["alarms"]]

        run(play)


class TestWhoMayNot:
    def test_5_14_who_looks_on_writes_in_no_game_also_who_has_finished_theirs(self) -> None:
        async def play(stage: Stage) -> None:
            room = await event(stage)
            games = await open_round(stage, room)
            finished = stage.connect("1")
            await finished.join(FIRST)
            await start_round(stage)
            await finished.wish("resign", FIRST)
            await finished.join(SECOND)
            for client in (finished, stage.connect(""), stage.connect(ORGANISER)):
                refused = await write(client, "Nf3!", game=SECOND)
                assert (refused["key"], refused["article"]) == ("hall_live.no_chat", "5.14")
                refused = await write(client, "Nf3!", game=SECOND, to="white")
                assert refused["key"] == "hall_live.no_chat"
            assert games[1].state.chat == ()
            assert (await write(finished, "I complain", game=FIRST))["type"] == "done"

        run(play)

    def test_6_9k_a_block_holds_in_the_game_and_in_the_event_until_it_is_withdrawn(self) -> None:
        async def play(stage: Stage) -> None:
            room = await event(stage)
            games = await open_round(stage, room)
            white, chief = stage.connect("1"), stage.connect(CHIEF)
            for client in (white, chief):
                await client.join(FIRST)
            await start_round(stage)
            await chief.wish("block_chat", FIRST, side="white", reason="words")
            for place in ({"game": FIRST}, {"event": "open"}):
                refused = await write(white, "x", **place)
                assert (refused["key"], refused["article"]) == ("hall.chat_blocked", "6.9k")
            assert (await white.wish("call_arbiter", FIRST))["type"] == "done"
            block = games[0].state.acts[0].number
            await chief.wish("withdraw", FIRST, corrects=block, reason="sorry")
            for place in ({"game": FIRST}, {"event": "open"}):
                assert (await write(white, "x", **place))["type"] == "done"

        run(play)

    def test_13_5f_a_block_of_the_event_holds_in_a_game_under_way(self) -> None:
        async def play(stage: Stage) -> None:
            room = await event(stage)
            await open_round(stage, room)
            white = stage.connect("1")
            await white.join(FIRST)
            await room.ask(
                as_decided(Impose(by=CHIEF, article="13.5f", entry=1, reason="committee"))
            )
            assert (await write(white, "x", game=FIRST))["key"] == "hall.chat_blocked"

        run(play)

    def test_5_2_where_the_rules_close_the_chat_nobody_writes(self) -> None:
        async def play(stage: Stage) -> None:
            room = await event(stage, chat=Chat.CLOSED)
            await open_round(stage, room)
            white = stage.connect("1")
            await white.join(FIRST)
            for place in ({"game": FIRST}, {"event": "open"}):
                refused = await write(white, "x", **place)
                assert (refused["key"], refused["article"]) == ("event.chat_closed", "5.2")

        run(play)

    def test_a_line_is_of_one_game_or_one_event(self) -> None:
        async def play(stage: Stage) -> None:
            _, white, _, _ = await seated(stage)
            for place in ({}, {"game": GAME, "event": "open"}):
                assert (await write(white, "x", **place))["key"] == "hall_live.not_a_message"
            assert (await write(white, "x", game="none-1-1"))["key"] == "hall_live.no_such_game"
            assert (await write(white, "x", event="none"))["key"] == "hall_live.no_such_event"

        run(play)


class TestInAnEvent:
    def test_5_2_between_rounds_the_player_and_the_arbiters_of_the_zone_read_it(self) -> None:
        async def play(stage: Stage) -> None:
            room = await event(stage)
            await open_round(stage, room)  # 1-2 at the first board, 3-4 at the helper's
            clients = {
                name: stage.connect(name) for name in ("1", "3", "4", CHIEF, HELPER, ORGANISER, "")
            }
            for client in clients.values():
                client.say(type="event", event="open")
                await client.hear()

            async def readers() -> set[str]:
                return {name for name, one in clients.items() if lines(await one.hear())}

            clients["1"].say(type="chat", id="a", event="open", text="when?")
            assert await readers() == {"1", CHIEF}
            clients["3"].say(type="chat", id="b", event="open", text="where?")
            assert await readers() == {"3", CHIEF, HELPER}
            clients[HELPER].say(type="chat", id="c", event="open", text="here", entry=3)
            assert await readers() == {"3", CHIEF, HELPER}
            refused = await write(clients[HELPER], "no", event="open", entry=1)
            assert (refused["key"], refused["article"]) == ("event.not_in_zone", "6.3")
            written = [ev.decode(line) for line in stage.store.read("event:open")]
            assert [getattr(one, "text", "") for one in written[-3:]] == ["when?", "where?", "here"]
            again = stage.connect("3")
            again.say(type="event", event="open")
            assert lines(await again.hear()) == [
                ("Prova3, Nome", False, "where?"),
                ("Aiuto", True, "here"),
            ]

        run(play)

    def test_5_2_no_number_tells_others_that_something_was_said(self) -> None:
        async def play(stage: Stage) -> None:
            await event(stage)
            public = stage.connect("")
            public.say(type="event", event="open")
            before = next(one for one in await public.hear() if one["type"] == "event")
            assert (await write(stage.connect("1"), "when?", event="open"))["type"] == "done"
            public.say(type="event", event="open")
            after = next(one for one in await public.hear() if one["type"] == "event")
            assert after["number"] == before["number"]

        run(play)

    def test_nobody_else_writes_and_no_player_in_anothers_name(self) -> None:
        async def play(stage: Stage) -> None:
            await event(stage)
            keys = [
                (await write(stage.connect(who), "x", event="open", entry=entry))["key"]
                for who, entry in (
                    ("", None),
                    ("555", None),
                    (ORGANISER, None),
                    ("1", 2),
                    (CHIEF, None),
                    (CHIEF, 77),
                )
            ]
            assert keys == [
                "hall_live.sign_in",
                "event.not_yours_to_do",
                "event.not_yours_to_do",
                "event.chat_with_arbiters",
                "event.no_such_entry",
                "event.no_such_entry",
            ]

        run(play)

    def test_who_writes_too_much_has_to_wait(self) -> None:
        async def play(stage: Stage) -> None:
            room = await event(stage)
            player = stage.connect("1")
            for number in range(chat.AT_ONCE):
                assert (await write(player, str(number), event="open"))["type"] == "done"
            refused = await write(player, "more", event="open")
            assert refused["key"] == "hall_live.chat_too_fast"
            assert len(room.state.chat) == chat.AT_ONCE

        run(play)
