"""What was granted is known when it is sent again: long where that matters, else for a moment."""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec

from arrocco.live.receipts import MAX_KEPT, MAX_LATELY, Receipt, Receipts
from tests.live.stage import ARBITER, CHIEF, Client, Stage, event, open_round


def numbered(count: int) -> list[Receipt]:
    return [Receipt("white", f"m{number}") for number in range(count)]


def test_a_move_is_known_for_as_long_as_a_client_sends_it_again() -> None:
    receipts, moves = Receipts(), numbered(MAX_LATELY + 1)
    for move in moves:
        receipts.keep(move, is_written=False)
    assert moves[0] not in receipts
    assert all(move in receipts for move in moves[1:])
    assert receipts.written == 0


def test_moves_push_out_nothing_that_was_written_down() -> None:
    receipts, offer = Receipts(), Receipt("white", "offer")
    receipts.keep(offer, is_written=True)
    for move in numbered(MAX_KEPT + 1):
        receipts.keep(move, is_written=False)
    assert offer in receipts
    assert receipts.written == 1


def test_what_was_written_down_is_known_after_a_restart() -> None:
    written = numbered(MAX_KEPT + 1)
    receipts = Receipts(msgspec.json.encode(one) for one in written)
    assert receipts.written == len(written), "the next one has its own number in the log"
    assert written[0] not in receipts
    assert written[-1] in receipts
    assert Receipt("black", written[-1].id) not in receipts


def test_the_number_of_a_message_stands_for_one_message_only() -> None:
    async def play() -> None:
        stage = Stage()
        await stage.game()
        boss = stage.connect(ARBITER)
        await boss.join()
        assert (await boss.wish("start", id="s"))["type"] == "done"
        assert (await boss.wish("pause", id="p", reason="a power cut"))["type"] == "done"
        again = await boss.wish("pause", id="p", reason="a power cut")
        assert (again["type"], again["again"]) == ("done", True)
        other = await boss.wish("warn", id="p", side="white", reason="noise")
        assert other["key"] == "hall_live.id_reused"
        await stage.hall.stop()

    asyncio.run(play())


def test_receipts_from_before_digests_are_still_receipts() -> None:
    kept = Receipts([b'["7","m1"]'])
    assert Receipt("7", "m1", "digest") in kept
    assert not kept.is_of_another(Receipt("7", "m1", "digest"))
    kept = Receipts([b'["7","m1","digest"]'])
    assert kept.is_of_another(Receipt("7", "m1", "another"))
    assert not kept.is_of_another(Receipt("7", "m1", "digest"))
    assert not kept.is_of_another(Receipt("7", "m1"))
    assert not kept.is_of_another(Receipt("8", "m1", "another"))


async def entered(chief: Client, name: str, id: str, number: int) -> dict[str, Any]:
    """What becomes of an entry that is sent to an event under a number of its message."""
    person = {"account": f"guest{number}", "surname": f"Ospite{number}", "name": "Nome"}
    chief.say(type="command", id=id, event=name, command={"type": "enter", "person": person})
    return chief.answer(await chief.hear(), id)


def test_an_event_named_like_a_game_has_receipts_of_its_own() -> None:
    """Board 1 of round 1 of ``open`` and the event ``open-1-1`` wrote to one stream."""

    async def play() -> None:
        stage, name = Stage(), "open-1-1"
        await open_round(stage, await event(stage))
        await event(stage, players=0, name=name)
        wishes = ("pause", "resume", "pause")
        chief = stage.connect(CHIEF)
        await chief.join(name)
        assert (await chief.wish("start", name))["type"] == "done"
        for number, kind in enumerate(wishes):
            assert (await entered(chief, name, f"e{number}", number))["type"] == "done"
            answer = await chief.wish(kind, name, id=f"g{number}", reason="a power cut")
            assert answer["type"] == "done", answer
        await stage.hall.stop()
        after = Stage(stage.store, stage.time)
        await after.hall.start()
        chief = after.connect(CHIEF)
        await chief.join(name)
        for number, kind in enumerate(wishes):
            assert (await entered(chief, name, f"e{number}", number))["again"]
            assert (await chief.wish(kind, name, id=f"g{number}", reason="a power cut"))["again"]
        await after.hall.stop()

    asyncio.run(play())


def test_receipts_of_an_event_in_the_stream_of_a_game_are_still_known() -> None:
    async def play() -> None:
        stage, name = Stage(), "cup-2025-11"
        await event(stage, players=0, name=name)
        await stage.hall.stop()
        stage.store.kept[f"receipts:{name}"] = {0: b'["%s","old"]' % CHIEF.encode()}
        after = Stage(stage.store, stage.time)
        await after.hall.start()
        chief = after.connect(CHIEF)
        await after.hall.find_event(name)
        assert (await entered(chief, name, "old", 1))["again"]
        assert (await entered(chief, name, "new", 2))["type"] == "done"
        assert list(after.store.kept[f"event_receipts:{name}"]) == [0]
        assert list(after.store.kept[f"receipts:{name}"]) == [0], "an old log stays as it is"
        await after.hall.stop()

    asyncio.run(play())
