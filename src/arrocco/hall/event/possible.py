"""What can come next in a log: references to what is there, rounds in their turn.

This is no second judge of what is allowed: whoever reads a log trusts what was decided, but not
that the file is whole.
"""

from __future__ import annotations

from arrocco.hall.event.state import Phase, State


def are_entries(state: State, *numbers: int) -> bool:
    return all(state.entry(number) is not None for number in numbers)


def is_under_way(state: State) -> bool:
    last = state.last_round
    return last is not None and last.phase is not Phase.CLOSED


def is_last(state: State, number: int, phase: Phase) -> bool:
    last = state.last_round
    return last is not None and last.number == number and last.phase is phase
