"""What cannot come next in a log: references to what is not there, rounds out of turn.

This is no second judge of what is allowed: whoever reads a log trusts what was decided, but not
that the file is whole.
"""

from __future__ import annotations

from arrocco.hall.event import events as e
from arrocco.hall.event.state import Phase, State


def fault(state: State, event: e.Event) -> bool:
    """Whether a record cannot be the next one of a log."""
    if event.at < state.last_at or isinstance(event, e.Created):
        return True
    return not _is_possible(state, event)


def _is_possible(state: State, event: e.Event) -> bool:
    match event:
        case e.ArbiterDismissed() | e.ZoneAssigned():
            return state.arbiter(event.account) is not None
        case e.Entered():
            return event.entry == len(state.entries) + 1
        case e.PersonCorrected() | e.CheckedIn() | e.Withdrawn() | e.ByeRequested() | e.Said():
            return state.entry(event.entry) is not None
        case e.ByeCancelled():
            entry = state.entry(event.entry)
            return entry is not None and event.round in entry.byes
        case e.PairForbidden() | e.PairAllowed():
            return event.one != event.other and _are_entries(state, event.one, event.other)
        case e.RoundPaired():
            return _is_a_round(state, event)
        case e.PairingWithdrawn() | e.RoundOpened() | e.RoundDelayed() | e.SampleDrawn():
            return _is_last(state, event.round, Phase.PAIRED)
        case e.RoundClosed():
            return _is_last(state, event.round, Phase.OPEN)
        case e.ResultTaken():
            return _was_opened(state, event.round, event.board)
        case e.ResultTakenBack():
            board = state.board(event.round, event.board)
            is_there = board is not None and event.white in board.players
            return is_there and _is_last(state, event.round, Phase.OPEN)
        case e.ResultCorrected():
            board = state.board(event.round, event.board)
            return board is not None and board.result is not None
        case e.Sanctioned():
            return _is_a_sanction(state, event)
        case e.SanctionLifted():
            return event.number <= len(state.sanctions) and event.number not in state.lifted
        case e.Closed():
            return state.closed is None and not _is_under_way(state)
        case e.Validated():
            return state.closed is not None
    return True


def _are_entries(state: State, *numbers: int) -> bool:
    return all(state.entry(number) is not None for number in numbers)


def _is_a_round(state: State, event: e.RoundPaired) -> bool:
    """The next round: everybody who is numbered has one place in it."""
    named = [entry for board in event.boards for entry in board] + list(event.byes)
    return (
        state.rules is not None
        and state.closed is None
        and event.round == state.next_round
        and not _is_under_way(state)
        and _are_entries(state, *event.order)
        and set(state.order) <= set(event.order)
        and len(set(event.order)) == len(event.order)
        and sorted(named) == sorted(event.order)
    )


def _is_under_way(state: State) -> bool:
    last = state.last_round
    return last is not None and last.phase is not Phase.CLOSED


def _is_last(state: State, number: int, phase: Phase) -> bool:
    last = state.last_round
    return last is not None and last.number == number and last.phase is phase


def _was_opened(state: State, round_number: int, number: int) -> bool:
    round_, board = state.round(round_number), state.board(round_number, number)
    return board is not None and round_ is not None and round_.phase is not Phase.PAIRED


def _is_a_sanction(state: State, event: e.Sanctioned) -> bool:
    new = event.sanction
    if new.number != len(state.sanctions) + 1 or not _are_entries(state, new.entry):
        return False
    if new.round is None or new.board is None:
        return new.result is None
    board = state.board(new.round, new.board)
    return board is not None and board.result is not None and new.entry in board.players
