"""12.9 — the end of an event, the validation of its standings, and until when one can object."""

from __future__ import annotations

from datetime import datetime

from arrocco.hall.event.acts.base import OFFICIALS, ActRecord, Command, Reason
from arrocco.hall.event.changes import Changes
from arrocco.hall.event.decision import Decision, happened, refused
from arrocco.hall.event.possible import is_under_way
from arrocco.hall.event.records import EventRole
from arrocco.hall.event.state import Phase, State
from arrocco.laws.hall import Laws
from arrocco.laws.online.filings import FilingKind


class CloseEvent(Command, frozen=True, kw_only=True):
    """Ends the event; before its last round with a reason."""

    MAY = OFFICIALS

    reason: Reason = ""

    def decide(self, state: State, now: datetime, laws: Laws) -> Decision:
        """No more rounds; with fewer than announced there must be a reason."""
        last = state.last_round
        if state.closed is not None:
            return refused("event_closed")
        if last is not None and last.phase is not Phase.CLOSED:
            return refused("round_not_closed", round=last.number)
        if len(state.rounds) < max(state.announced_rounds, 1) and not self.reason.strip():
            return refused("rounds_to_come", "C.04.1 1", played=len(state.rounds))
        return happened(Closed(**self.signed(now), reason=self.reason.strip()))


class Closed(ActRecord, frozen=True, kw_only=True):
    """No more rounds are played; `reason` tells why fewer than announced."""

    IS_PUBLIC = True
    IS_REPORTED = True

    reason: str = ""

    def changes(self, state: State) -> Changes:
        return {"closed": self.at}

    def is_possible(self, state: State) -> bool:
        return state.closed is None and not is_under_way(state)


class Validate(Command, frozen=True, kw_only=True):
    """The chief arbiter validates the standings (12.9)."""

    MAY = frozenset({EventRole.CHIEF})

    def decide(self, state: State, now: datetime, laws: Laws) -> Decision:
        """12.9 — the chief arbiter validates the standings; the time for appeals runs from here.

        Complaints can come for two hours after the last round: the standings wait for them.
        """
        if state.closed is None:
            return refused("event_not_closed", "12.9")
        if state.validated is not None:
            return refused("already_validated", "12.9")
        ended = complaints_from(state, laws)
        kind = FilingKind.COMPLAINT
        if ended is not None and not laws.online.hours_are_over(kind, ended, now):
            until = laws.online.complaint_deadline(ended)
            return refused("complaints_open", "12.9", until=until.isoformat(timespec="minutes"))
        if any(filed.is_open and filed.kind is kind for filed in state.filings):
            return refused("complaints_undecided", "12.9")
        return happened(Validated(**self.signed(now)))


class Validated(ActRecord, frozen=True, kw_only=True):
    """The chief arbiter validates the standings: from now on they can be appealed (12.9)."""

    IS_PUBLIC = True
    IS_REPORTED = True

    def changes(self, state: State) -> Changes:
        return {"validated": self.at}

    def is_possible(self, state: State) -> bool:
        return state.closed is not None


def complaints_until(state: State, laws: Laws) -> datetime | None:
    """12.9 — until when one can complain; `None` before the last round ends."""
    ended = complaints_from(state, laws)
    return None if ended is None else laws.online.complaint_deadline(ended)


def complaints_from(state: State, laws: Laws) -> datetime | None:
    """12.9 — when the last round ended, from which complaints count; `None` before that.

    A game ends when its board has a result; what is decided about it later does not begin it anew.
    """
    last = state.last_round
    is_last = last is not None and len(state.rounds) == state.announced_rounds
    if last is None or not (state.closed or is_last):
        return None
    ends = [board.settled[0].at for board in last.boards if board.settled]
    last_game = max(ends) if ends and len(ends) == len(last.boards) else None
    if last_game is None and last.closed is None:
        return None
    return laws.online.last_round_ended(last_game, last.closed)


def appeals_until(state: State, laws: Laws) -> datetime | None:
    """12.9 — until when one can appeal to the committee; `None` before the validation."""
    return None if state.validated is None else laws.online.appeal_deadline(state.validated)
