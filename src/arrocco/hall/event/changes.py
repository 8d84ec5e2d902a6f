"""What a record changes: fields of a state, given to `apply` by their names."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from arrocco.hall.event.records import Pair
from arrocco.hall.event.state import State

Changes = dict[str, Any]


def change_entry(state: State, number: int, **changes: Any) -> Changes:
    entries = list(state.entries)
    entries[number - 1] = replace(entries[number - 1], **changes)
    return {"entries": tuple(entries)}


def change_round(state: State, number: int, **changes: Any) -> Changes:
    rounds = list(state.rounds)
    rounds[number - 1] = replace(rounds[number - 1], **changes)
    return {"rounds": tuple(rounds)}


def change_board(state: State, round_number: int, number: int, **changes: Any) -> Changes:
    """Whatever changes a result has the standings validated anew."""
    boards = list(state.rounds[round_number - 1].boards)
    boards[number - 1] = replace(boards[number - 1], **changes)
    anew = {"validated": None, "announced": None}
    return {**change_round(state, round_number, boards=tuple(boards)), **anew}


def pair_of(first: int, other: int) -> Pair:
    return min(first, other), max(first, other)
