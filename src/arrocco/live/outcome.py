"""What comes of a command: records to be written, and what is so once they are."""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from arrocco.findings import Finding
from arrocco.hall.game import Command, Decision, Phase, State, recovered
from arrocco.hall.game import events as e
from arrocco.hall.game.log import encode
from arrocco.live.journal import Record
from arrocco.live.receipts import Receipt, is_to_be_written


class Answer(NamedTuple):
    """What became of a command: granted and written, or refused; `again` if it had been granted."""

    refusal: Finding | None = None
    again: bool = False


class Write(NamedTuple):
    """What is to be written of a game, and what has happened once it is."""

    events: tuple[e.Event, ...]
    records: list[Record]
    receipt: Receipt | None = None
    """Of a command that was granted."""
    writes_receipt: bool = False

    @classmethod
    def of(cls, state: State, events: tuple[e.Event, ...]) -> Write:
        """Events that come next in a game, with no receipt."""
        return cls(events, records_of(state, events))

    def with_receipt(self, command: Command, receipt: Receipt, stream: str, written: int) -> Write:
        """The same with the receipt of a command, written where that is needed."""
        if not is_to_be_written(command):
            return self._replace(receipt=receipt)
        line = Record(stream, written, msgspec.json.encode(receipt))
        return Write(self.events, [*self.records, line], receipt, True)


def records_of(state: State, events: tuple[e.Event, ...]) -> list[Record]:
    """What is written of events that come next in a game."""
    stream, first = f"game:{state.created.game}", state.number
    return [Record(stream, first + place, encode(event)) for place, event in enumerate(events)]


def answer_of(decision: Decision) -> Answer:
    """What whoever asked is answered."""
    refusal = decision.refusal
    if refusal is not None and refusal.key == "hall.already_played":
        return Answer(again=True)  # sent again after a crash: the move is there
    return Answer(refusal)


def recovery(state: State, now: int) -> list[Record]:
    """11.6 — what is written when the server starts again, for a game that was under way."""
    if state.phase is Phase.ENDED:
        return []
    return records_of(state, tuple(recovered(state, now)))
