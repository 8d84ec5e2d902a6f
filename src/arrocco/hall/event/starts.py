"""When the next round starts by itself: as stated, and never without a rest after the one before.

A stated start starts the round. The pairing is published a minute before; who has not checked in by
then is not paired, and who is paired and known to be away at the start forfeits (3.1).
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import NamedTuple

from arrocco.hall.event.records import PairingSystem
from arrocco.hall.event.state import Phase, Round, State

REST = timedelta(minutes=1)
"""Between the last result of a round and the start of the next, however late it has become."""
PUBLISHED_BEFORE = timedelta(minutes=1)
"""How long before its start the hall pairs a round that nobody has paired."""
TOO_LATE = timedelta(minutes=15)
"""After so long a start is missed: players may be gone, so the arbiter says when it is."""


class NextStart(NamedTuple):
    """The round that starts next by itself, as far as anybody can know now."""

    round: int
    moment: datetime
    is_paired: bool
    waits: bool
    """Whether games of the round before are still played."""
    held: str | None
    """Why the arbiter, or the hall, keeps it from starting; `None` where nobody does."""

    @property
    def is_held(self) -> bool:
        return self.held is not None


def next_start(state: State) -> NextStart | None:
    """The round that starts next at a stated moment; `None` where none does."""
    last, rules = state.last_round, state.rules
    if state.closed is not None or rules is None:
        return None
    if last is not None and last.phase is Phase.PAIRED:
        if last.starts is None:
            return None
        held = state.held.get(last.number)
        return NextStart(last.number, last.starts, is_paired=True, waits=False, held=held)
    number = state.next_round
    stated = state.schedule.start_of(number)
    if stated is None or (state.rounds and number > state.announced_rounds):
        return None
    ended = None if last is None else _ended(last)
    waits = last is not None and last.phase is Phase.OPEN and ended is None
    moment = stated if ended is None else max(stated, ended + REST)
    return NextStart(number, moment, False, waits, state.held.get(number))


def is_paired_by_hall(state: State) -> bool:
    """Whether the hall itself can pair: not where every round is paired by hand."""
    return state.rules is not None and state.rules.system is not PairingSystem.MANUAL


def _ended(round_: Round) -> datetime | None:
    """When the last game of a round ended; `None` while one is played."""
    moments = [board.settled[0].at for board in round_.boards if board.settled]
    if len(moments) < len(round_.boards):
        return None
    return max(moments, default=round_.opened)
