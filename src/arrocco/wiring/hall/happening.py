"""What comes of a wish: records to be written, and what is so once they are."""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from arrocco.findings import Finding
from arrocco.hall.game import Command, Decision, Phase, State, apply, recovered
from arrocco.hall.log import encode
from arrocco.hall.log import events as e
from arrocco.wiring.hall.journal import Record
from arrocco.wiring.hall.receipts import Receipt, is_to_be_written


class Answer(NamedTuple):
    """What became of a wish: granted and written, or refused; `again` if it had been granted."""

    refusal: Finding | None = None
    again: bool = False


class Happening(NamedTuple):
    """What is to be written, and what is so once it is."""

    events: tuple[e.Event, ...]
    records: list[Record]
    answer: Answer = Answer()
    receipt: Receipt | None = None
    """Of a wish that was granted."""
    writes_receipt: bool = False


def happening_of(state: State, decision: Decision) -> Happening:
    """What comes of a decision about a game, with no receipt."""
    return Happening(decision.events, records_of(state, decision.events), _answer_of(decision))


def with_receipt(
    happening: Happening, command: Command, receipt: Receipt, stream: str, written: int
) -> Happening:
    """The same with the receipt of a wish that was granted, written where that is needed."""
    events, records, answer, _, _ = happening
    if not is_to_be_written(command):
        return Happening(events, records, answer, receipt)
    line = Record(stream, written, msgspec.json.encode(receipt))
    return Happening(events, [*records, line], answer, receipt, True)


def records_of(state: State, events: tuple[e.Event, ...]) -> list[Record]:
    """What is written of events that come next in a game."""
    stream, first = f"game:{state.created.game}", state.number
    return [Record(stream, first + place, encode(event)) for place, event in enumerate(events)]


def _answer_of(decision: Decision) -> Answer:
    refusal = decision.refusal
    if refusal is not None and refusal.key == "hall.already_played":
        return Answer(again=True)  # sent again after a crash: the move is there
    return Answer(refusal)


def recovery(state: State, now: int) -> list[Record]:
    """11.6 — what is written when the server starts again, for a game that was under way."""
    if state.phase is Phase.ENDED:
        return []
    return records_of(state, tuple(recovered(state, now)))


def with_clocks_stopped(state: State, decision: Decision) -> Decision:
    """11.1 — a call that was granted, and the pause that follows where the event's rules say so."""
    for event in decision.events:
        state = apply(state, event)
    if decision.refusal is not None or state.phase is not Phase.RUNNING:
        return decision
    at = state.last_at
    clock = state.clock.pause(at)
    paused = e.Paused(
        at=at,
        by="",
        reason="hall_live.call_stops_clocks",
        article="11.1",
        stopped=at,
        white=clock.white,
        black=clock.black,
    )
    return Decision((*decision.events, paused), None)
