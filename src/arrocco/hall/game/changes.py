"""What an event changes: fields of a state, given to `apply` by their names."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from arrocco.hall.game.state import Seat, State
from arrocco.laws.online.side import Side

Changes = dict[str, Any]
"""The fields of a state, or of a seat, that an event changes."""

replace = msgspec.structs.replace


def change_seat(state: State, side: Side, **changes: Any) -> Changes:
    name = "white" if side is Side.WHITE else "black"
    return {name: replace(state.seat(side), **changes)}


def change_seats(state: State, change: Callable[[Seat], Seat]) -> Changes:
    return {"white": change(state.white), "black": change(state.black)}
