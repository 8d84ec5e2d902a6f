"""What was granted is known when it is sent again: long where that matters, else for a moment."""

from __future__ import annotations

import msgspec

from arrocco.wiring.hall.receipts import MOST_KEPT, MOST_LATELY, Receipt, Receipts


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
