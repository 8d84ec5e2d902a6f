"""From records to the state: `apply` takes one more, `fold` a whole log."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from arrocco.errors import Inconsistent
from arrocco.hall.event.acts import ActRecord
from arrocco.hall.event.record import Created, Record
from arrocco.hall.event.state import State


def fold(events: Iterable[Record]) -> State:
    """The state a log amounts to.

    Raises `Inconsistent` unless the log begins with the creation, and for what cannot have
    happened: a result of a board that is not there, a round before its turn.
    """
    state: State | None = None
    for number, event in enumerate(events):
        if state is None:
            if not isinstance(event, Created):
                raise Inconsistent.of("event.log_without_creation")
            state = begin(event)
            continue
        if not _is_next(state, event):
            raise Inconsistent.of("event.log_impossible", number=number)
        state = apply(state, event)
    if state is None:
        raise Inconsistent.of("event.log_without_creation")
    return state


def begin(created: Created) -> State:
    """The state of an event that has just been created."""
    return State(created=created, number=1, last_at=created.at)


def apply(state: State, event: Record) -> State:
    """The state after one more record; the one before stays as it is."""
    assert isinstance(event, ActRecord), f"{type(event).__name__} comes first or not at all"
    return replace(state, number=state.number + 1, last_at=event.at, **event.changes(state))


def _is_next(state: State, event: Record) -> bool:
    """Whether a record can be the next one of a log."""
    is_later = event.at >= state.last_at
    return is_later and isinstance(event, ActRecord) and event.is_possible(state)
