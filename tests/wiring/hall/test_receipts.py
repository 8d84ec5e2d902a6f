"""What was granted is known when it is sent again: long where that matters, else for a moment."""

from __future__ import annotations

import asyncio

import msgspec

from arrocco.wiring.hall.receipts import MOST_KEPT, MOST_LATELY, Receipt, Receipts
from tests.wiring.hall.stage import ARBITER, Stage


def numbered(count: int) -> list[Receipt]:
    return [Receipt("white", f"m{number}") for number in range(count)]


def test_a_move_is_known_for_as_long_as_a_client_sends_it_again() -> None:
    receipts, moves = Receipts(), numbered(MOST_LATELY + 1)
    for move in moves:
        receipts.keep(move, is_written=False)
    assert moves[0] not in receipts
    assert all(move in receipts for move in moves[1:])
    assert receipts.written == 0


def test_moves_push_out_nothing_that_was_written_down() -> None:
    receipts, offer = Receipts(), Receipt("white", "offer")
    receipts.keep(offer, is_written=True)
    for move in numbered(MOST_KEPT + 1):
        receipts.keep(move, is_written=False)
    assert offer in receipts
    assert receipts.written == 1


def test_what_was_written_down_is_known_after_a_restart() -> None:
    written = numbered(MOST_KEPT + 1)
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
