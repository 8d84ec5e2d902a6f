"""From records to the state: `apply` takes one more, `fold` a whole log."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from msgspec.structs import replace

from arrocco.errors import Inconsistent
from arrocco.hall.event import events as e
from arrocco.hall.event.faults import fault
from arrocco.hall.event.records import Pair
from arrocco.hall.event.state import Board, ChatLine, Entry, Phase, Round, Settled, State

Changes = dict[str, Any]


def fold(events: Iterable[e.Event]) -> State:
    """The state a log amounts to.

    Raises `Inconsistent` unless the log begins with the creation, and for what cannot have
    happened: a result of a board that is not there, a round before its turn.
    """
    state: State | None = None
    for number, event in enumerate(events):
        if state is None:
            if not isinstance(event, e.Created):
                raise Inconsistent.of("event.log_without_creation")
            state = begin(event)
            continue
        if fault(state, event):
            raise Inconsistent.of("event.log_impossible", number=number)
        state = apply(state, event)
    if state is None:
        raise Inconsistent.of("event.log_without_creation")
    return state


def begin(created: e.Created) -> State:
    """The state of an event that has just been created."""
    return State(created=created, number=1, last_at=created.at)


def apply(state: State, event: e.Event) -> State:
    """The state after one more record; the one before stays as it is."""
    changes = _APPLY[type(event)](state, event)
    return replace(state, number=state.number + 1, last_at=event.at, **changes)


# --- people ---------------------------------------------------------------------------------------


def _rules_set(state: State, event: e.RulesSet) -> Changes:
    return {"rules": event.rules}


def _arbiter_appointed(state: State, event: e.ArbiterAppointed) -> Changes:
    new = event.arbiter
    others = [one for one in state.arbiters if one.account != new.account]
    if new.chief:
        others = [replace(one, chief=False) for one in others]
    return {"arbiters": (*others, new)}


def _arbiter_dismissed(state: State, event: e.ArbiterDismissed) -> Changes:
    return {"arbiters": tuple(one for one in state.arbiters if one.account != event.account)}


def _zone_assigned(state: State, event: e.ZoneAssigned) -> Changes:
    return {
        "arbiters": tuple(
            replace(one, zone=event.zone) if one.account == event.account else one
            for one in state.arbiters
        )
    }


def _entered(state: State, event: e.Entered) -> Changes:
    entry = Entry(id=event.entry, person=event.person, first_round=event.first_round)
    return {"entries": (*state.entries, entry)}


def _entry(state: State, number: int, **changes: Any) -> Changes:
    entries = list(state.entries)
    entries[number - 1] = replace(entries[number - 1], **changes)
    return {"entries": tuple(entries)}


def _person_corrected(state: State, event: e.PersonCorrected) -> Changes:
    return _entry(state, event.entry, person=event.person)


def _checked_in(state: State, event: e.CheckedIn) -> Changes:
    return _entry(state, event.entry, checked_in=True, withdrawn=False)


def _withdrawn(state: State, event: e.Withdrawn) -> Changes:
    return _entry(state, event.entry, withdrawn=True, checked_in=False)


def _bye_requested(state: State, event: e.ByeRequested) -> Changes:
    byes = {**state.entries[event.entry - 1].byes, event.round: event.kind}
    return _entry(state, event.entry, byes=byes)


def _bye_cancelled(state: State, event: e.ByeCancelled) -> Changes:
    byes = {n: k for n, k in state.entries[event.entry - 1].byes.items() if n != event.round}
    return _entry(state, event.entry, byes=byes)


def _pair_forbidden(state: State, event: e.PairForbidden) -> Changes:
    return {"forbidden": {**state.forbidden, _pair(event.one, event.other): event.reason}}


def _pair_allowed(state: State, event: e.PairAllowed) -> Changes:
    allowed = _pair(event.one, event.other)
    return {"forbidden": {pair: why for pair, why in state.forbidden.items() if pair != allowed}}


def _pair(one: int, other: int) -> Pair:
    return min(one, other), max(one, other)


# --- rounds ---------------------------------------------------------------------------------------


def _round_paired(state: State, event: e.RoundPaired) -> Changes:
    round_ = Round(
        number=event.round,
        boards=tuple(Board(white=white, black=black) for white, black in event.boards),
        byes=event.byes,
        starts=event.starts,
        by_hand=event.by_hand,
    )
    return {"rounds": (*state.rounds, round_), "order": event.order}


def _pairing_withdrawn(state: State, event: e.PairingWithdrawn) -> Changes:
    # Before the first round everybody is numbered anew, whoever has come or gone meanwhile.
    return {"rounds": state.rounds[:-1], "order": state.order if len(state.rounds) > 1 else ()}


def _round(state: State, number: int, **changes: Any) -> Changes:
    rounds = list(state.rounds)
    rounds[number - 1] = replace(rounds[number - 1], **changes)
    return {"rounds": tuple(rounds)}


def _sample_drawn(state: State, event: e.SampleDrawn) -> Changes:
    return _round(state, event.round, sample=event.entries)


def _round_opened(state: State, event: e.RoundOpened) -> Changes:
    return _round(state, event.round, phase=Phase.OPEN, opened=event.at)


def _round_delayed(state: State, event: e.RoundDelayed) -> Changes:
    return _round(state, event.round, starts=event.starts)


def _round_closed(state: State, event: e.RoundClosed) -> Changes:
    return _round(state, event.round, phase=Phase.CLOSED, closed=event.at)


# --- results and sanctions: whatever changes the standings has them validated anew ----------------


def _board(state: State, round_number: int, number: int, **changes: Any) -> Changes:
    boards = list(state.rounds[round_number - 1].boards)
    boards[number - 1] = replace(boards[number - 1], **changes)
    return {**_round(state, round_number, boards=tuple(boards)), "validated": None}


def _result_taken(state: State, event: e.ResultTaken) -> Changes:
    before = state.rounds[event.round - 1].boards[event.board - 1]
    settled = (*before.settled, Settled(event.result, event.at, event.article))
    game = event.game or before.game
    told = before.told if event.by else event.result
    return _board(state, event.round, event.board, settled=settled, game=game, told=told)


def _result_taken_back(state: State, event: e.ResultTakenBack) -> Changes:
    before = state.rounds[event.round - 1].boards[event.board - 1]
    black = before.black if before.white == event.white else before.white
    return _board(
        state, event.round, event.board, white=event.white, black=black, settled=(), told=None
    )


def _result_corrected(state: State, event: e.ResultCorrected) -> Changes:
    before = state.rounds[event.round - 1].boards[event.board - 1]
    settled = (*before.settled, Settled(event.result, event.at, event.article))
    return _board(state, event.round, event.board, settled=settled)


def _sanctioned(state: State, event: e.Sanctioned) -> Changes:
    new = event.sanction
    changes: Changes = {"sanctions": (*state.sanctions, new), "validated": None}
    if new.round is not None and new.board is not None and new.result is not None:
        before = state.rounds[new.round - 1].boards[new.board - 1]
        settled = (*before.settled, Settled(new.result, event.at, new.article, new.number))
        changes |= _board(state, new.round, new.board, settled=settled)
    return changes


def _sanction_lifted(state: State, event: e.SanctionLifted) -> Changes:
    changes: Changes = {"lifted": state.lifted | {event.number}, "validated": None}
    old = state.sanctions[event.number - 1]
    if old.round is not None and old.board is not None:
        before = state.rounds[old.round - 1].boards[old.board - 1]
        settled = tuple(one for one in before.settled if one.sanction != old.number)
        changes |= _board(state, old.round, old.board, settled=settled)
    return changes


def _said(state: State, event: e.Said) -> Changes:
    line = ChatLine(state.number, event.at, event.entry, event.by, event.text)
    return {"chat": (*state.chat, line)}


def _closed(state: State, event: e.Closed) -> Changes:
    return {"closed": event.at}


def _validated(state: State, event: e.Validated) -> Changes:
    return {"validated": event.at}


_APPLY: dict[type[e.Event], Callable[[State, Any], Changes]] = {
    e.RulesSet: _rules_set,
    e.ArbiterAppointed: _arbiter_appointed,
    e.ArbiterDismissed: _arbiter_dismissed,
    e.ZoneAssigned: _zone_assigned,
    e.Entered: _entered,
    e.PersonCorrected: _person_corrected,
    e.CheckedIn: _checked_in,
    e.Withdrawn: _withdrawn,
    e.ByeRequested: _bye_requested,
    e.ByeCancelled: _bye_cancelled,
    e.PairForbidden: _pair_forbidden,
    e.PairAllowed: _pair_allowed,
    e.RoundPaired: _round_paired,
    e.PairingWithdrawn: _pairing_withdrawn,
    e.SampleDrawn: _sample_drawn,
    e.RoundOpened: _round_opened,
    e.RoundDelayed: _round_delayed,
    e.RoundClosed: _round_closed,
    e.ResultTaken: _result_taken,
    e.ResultTakenBack: _result_taken_back,
    e.ResultCorrected: _result_corrected,
    e.Sanctioned: _sanctioned,
    e.SanctionLifted: _sanction_lifted,
    e.Said: _said,
    e.Closed: _closed,
    e.Validated: _validated,
}
