"""Why a round of an event was paired as it was: its pairing made again from the log before it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from arrocco.hall.event.acts.pairing import RoundPaired
from arrocco.hall.event.field import swiss_field
from arrocco.hall.event.fold import fold
from arrocco.hall.event.record import Record
from arrocco.hall.event.records import PairingSystem
from arrocco.hall.event.state import rules_of
from arrocco.hall.pairing.explanation import ExplainedBoard, explain
from arrocco.hall.pairing.records import NoPairing


class Explained(NamedTuple):
    """The boards of a round with their reasons, players by number, and who has which number."""

    boards: list[ExplainedBoard]
    entry_of: dict[int, int]


def explained_round(records: Sequence[Record], number: int) -> Explained | None:
    """The reasons of a round of a Swiss event.

    `None` where there are none: a round paired by hand or by a table, one that is not paired, and
    one that an earlier version paired by other numbers.
    """
    explained = [
        (at, record)
        for at, record in enumerate(records)
        if isinstance(record, RoundPaired) and record.round == number
    ]
    if not explained:
        return None
    at, record = explained[-1]  # one before it was withdrawn
    state = fold(records[:at])
    if record.by_hand or rules_of(state).system is not PairingSystem.SWISS:
        return None
    try:
        boards = explain(swiss_field(state, record.order))
    except NoPairing:
        return None
    entry_of = dict(enumerate(record.order, start=1))
    paired = [
        (entry_of[board.white], entry_of[board.black])
        for board in boards
        if board.black is not None
    ]
    return Explained(boards, entry_of) if tuple(paired) == record.boards else None
