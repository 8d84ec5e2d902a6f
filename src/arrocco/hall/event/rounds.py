"""Rounds: pairing them, opening them all at once, delaying and closing them."""

from __future__ import annotations

from datetime import datetime
from hashlib import sha256

from arrocco.errors import Refusal
from arrocco.findings import Finding
from arrocco.hall.event import commands as c
from arrocco.hall.event import events as e
from arrocco.hall.event.decision import (
    Decision,
    from_refusal,
    happened,
    objected,
    refused,
    signed,
)
from arrocco.hall.event.field import absent, in_order, is_away, swiss_field
from arrocco.hall.event.objections import Laws
from arrocco.hall.event.records import Boards, EntryId, PairingSystem, Result
from arrocco.hall.event.results import made
from arrocco.hall.event.rules import Supervision
from arrocco.hall.event.state import Board, Phase, Round, State, rules_of
from arrocco.hall.pairing import RoundPairing, berger, dutch, manual
from arrocco.laws.online.side import Side
from arrocco.report import ByeKind, GameKind

# --- pairing --------------------------------------------------------------------------------------


def pair_round(state: State, command: c.PairRound, now: datetime, laws: Laws) -> Decision:
    """The next round by the system of the event: the Dutch Swiss or the Berger table."""
    objection = _objection_to_pairing(state, command.starts, now)
    if objection is not None:
        return objection
    system = rules_of(state).system
    if system is PairingSystem.MANUAL:
        return refused("pair_by_hand")
    order = in_order(state)
    if command.order:
        if not system.is_round_robin or state.rounds:
            return refused("no_lots_now", "C.05")
        if sorted(command.order) != sorted(order):
            return refused("lots_incomplete", "C.05", players=len(order))
        order = command.order
    try:
        if system.is_round_robin:
            pairing = berger.table(len(order), rules_of(state).cycles)[state.next_round - 1]
        else:
            if len(order) - len(absent(state, state.next_round).keys() & set(order)) < 2:
                return refused("too_few_players")
            pairing = dutch.pair_round(swiss_field(state, order))
    except Refusal as refusal:
        return from_refusal(refusal, "C.05" if system.is_round_robin else "C.04.3 1.9.3")
    boards = tuple((order[white - 1], order[black - 1]) for white, black in pairing.boards)
    bye = None if pairing.bye is None else order[pairing.bye - 1]
    return happened(_paired(state, command, now, order, boards, bye))


def pair_by_hand(state: State, command: c.PairByHand, now: datetime, laws: Laws) -> Decision:
    """C.04.3 1.9.3 — a round as the chief arbiter pairs it, with the reason for what it breaks."""
    objection = _objection_to_pairing(state, command.starts, now)
    if objection is not None:
        return objection
    system = rules_of(state).system
    if system.is_round_robin:
        return refused("table_stands", "C.05")
    order = in_order(state)
    number_of = {entry: number for number, entry in enumerate(order, start=1)}
    named = [entry for board in command.boards for entry in board]
    for entry in [*named, *([] if command.bye is None else [command.bye])]:
        if entry not in number_of:
            return refused("no_such_entry", entry=entry)
    if not command.boards:
        return refused("too_few_players")
    pairing = RoundPairing(
        tuple((number_of[white], number_of[black]) for white, black in command.boards),
        None if command.bye is None else number_of[command.bye],
    )
    found = _objections_by_hand(state, order, pairing)
    if any(finding.is_error for finding in found) or (found and not command.reason.strip()):
        return objected(found)
    return happened(
        _paired(
            state, command, now, order, command.boards, command.bye, reason=command.reason.strip()
        )
    )


def _objections_by_hand(
    state: State, order: tuple[EntryId, ...], pairing: RoundPairing
) -> list[Finding]:
    found = manual.objections(swiss_field(state, order), pairing)
    if rules_of(state).system is PairingSystem.MANUAL:
        # Where every round is paired by hand only what the event itself forbids is minded.
        return [one for one in found if one.is_error or one.key.endswith("forbidden_pair")]
    return found


def _paired(
    state: State,
    command: c.PairRound | c.PairByHand,
    now: datetime,
    order: tuple[EntryId, ...],
    boards: Boards,
    bye: EntryId | None,
    reason: str = "",
) -> e.RoundPaired:
    away = absent(state, state.next_round)
    playing = {entry for board in boards for entry in board}
    byes = {
        entry: away.get(entry, ByeKind.ZERO_POINT)
        for entry in order
        if entry not in playing and entry != bye
    }
    if bye is not None:
        free = rules_of(state).system.is_round_robin
        byes[bye] = ByeKind.ZERO_POINT if free else ByeKind.PAIRING_ALLOCATED
    return e.RoundPaired(
        **signed(command, now),
        round=state.next_round,
        order=order,
        boards=boards,
        byes=byes,
        starts=command.starts,
        by_hand=isinstance(command, c.PairByHand),
        reason=reason,
    )


def _objection_to_pairing(state: State, starts: datetime | None, now: datetime) -> Decision | None:
    last = state.last_round
    if state.closed is not None:
        return refused("event_closed")
    if state.rules is None:
        return refused("no_rules", "1.3.3")
    if last is not None and last.phase is not Phase.CLOSED:
        return refused("round_not_closed", round=last.number)
    if state.rounds and state.next_round > state.announced_rounds:
        return refused("no_more_rounds", "C.04.1 1", rounds=state.announced_rounds)
    if starts is not None and starts < now:
        return refused("starts_in_the_past")
    return None


def withdraw_pairing(
    state: State, command: c.WithdrawPairing, now: datetime, laws: Laws
) -> Decision:
    """C.04.2 4.4 — a published pairing is changed only before its round, and with a reason."""
    last = state.last_round
    if last is None or last.phase is not Phase.PAIRED:
        return refused("no_round_to_open")
    if not command.reason.strip():
        return refused("reason_needed")
    return happened(
        e.PairingWithdrawn(**signed(command, now), round=last.number, reason=command.reason.strip())
    )


# --- before, at and after the start ---------------------------------------------------------------


def draw_sample(state: State, command: c.DrawSample, now: datetime, laws: Laws) -> Decision:
    """9.1 — who is watched in a round, by a lot that anybody can draw again from the seed."""
    last = state.last_round
    if last is None or last.phase is not Phase.PAIRED:
        return refused("no_round_to_open")
    rules = rules_of(state)
    if rules.supervision is not Supervision.SAMPLE:
        return refused("no_sample", "9.1")
    if last.sample:
        return refused("sample_is_drawn", "9.1")
    if not command.seed.strip():
        return refused("seed_needed", "9.1")
    playing = [entry for board in last.boards for entry in board.players]

    def lot(entry: int) -> bytes:
        return sha256(f"{command.seed}/{last.number}/{entry}".encode()).digest()

    drawn = sorted(sorted(playing, key=lot)[: rules.sample])
    return happened(
        e.SampleDrawn(
            **signed(command, now), round=last.number, seed=command.seed, entries=tuple(drawn)
        )
    )


def open_round(state: State, command: c.OpenRound, now: datetime, laws: Laws) -> Decision:
    """All games begin together, not before the time that was said.

    Who is known not to come, having left since the pairing or being expelled, forfeits at once.
    """
    last = state.last_round
    if last is None or last.phase is not Phase.PAIRED:
        return refused("no_round_to_open")
    if last.starts is not None and now < last.starts:
        return refused("round_not_due", round=last.number, starts=last.starts.isoformat())
    rules = rules_of(state)
    if rules.supervision is Supervision.SAMPLE and last.boards and not last.sample:
        return refused("sample_not_drawn", "9.1")
    opened = e.RoundOpened(**signed(command, now), round=last.number)
    return happened(opened, *_forfeits(state, last, command, now, laws))


def _forfeits(
    state: State, round_: Round, command: c.OpenRound, now: datetime, laws: Laws
) -> list[e.ResultTaken]:
    """3.1 — the boards at which somebody is known not to come."""
    found = []
    for number, board in enumerate(round_.boards, start=1):
        away = [is_away(state, state.entries[entry - 1], round_.number) for entry in board.players]
        if any(away):
            result = _forfeit(state, board, away, laws)
            found.append(
                e.ResultTaken(
                    **signed(command, now),
                    round=round_.number,
                    board=number,
                    result=result,
                    article="3.1",
                )
            )
    return found


def _forfeit(state: State, board: Board, away: list[bool], laws: Laws) -> Result:
    scoring = rules_of(state).scoring
    missing = None if all(away) else Side.WHITE if away[0] else Side.BLACK
    points = laws.online.scores_of_forfeit(missing, scoring)
    return made(state, points, GameKind.FORFEIT)


def delay_round(state: State, command: c.DelayRound, now: datetime, laws: Laws) -> Decision:
    """A round begins later than was said, for everybody."""
    last = state.last_round
    if last is None or last.phase is not Phase.PAIRED:
        return refused("no_round_to_open")
    if not command.reason.strip():
        return refused("reason_needed")
    if command.starts <= now or (last.starts is not None and command.starts <= last.starts):
        return refused("not_later")
    return happened(
        e.RoundDelayed(
            **signed(command, now),
            round=last.number,
            starts=command.starts,
            reason=command.reason.strip(),
        )
    )


def close_round(state: State, command: c.CloseRound, now: datetime, laws: Laws) -> Decision:
    """A round is over when all its games are."""
    last = state.last_round
    if last is None or last.phase is not Phase.OPEN:
        return refused("no_round_to_close")
    missing = tuple(n for n, board in enumerate(last.boards, start=1) if board.result is None)
    if missing:
        return refused("results_missing", round=last.number, boards=missing)
    return happened(e.RoundClosed(**signed(command, now), round=last.number))
