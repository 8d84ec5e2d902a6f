"""C.04, C.05 — rounds are paired: by the system of the event, or by hand."""

from __future__ import annotations

from datetime import datetime

from msgspec.structs import replace

from arrocco.errors import Refusal
from arrocco.findings import Finding
from arrocco.hall.event.acts.base import ActRecord, Command, Reason
from arrocco.hall.event.changes import Changes
from arrocco.hall.event.decision import Decision, from_refusal, happened, objected, refused
from arrocco.hall.event.field import absent, in_order, numbered, swiss_field
from arrocco.hall.event.possible import are_entries, is_last, is_under_way
from arrocco.hall.event.record import Moment
from arrocco.hall.event.records import Boards, EntryId, EventRole, PairingSystem, Positive
from arrocco.hall.event.state import Board, Phase, Round, State, rules_of
from arrocco.hall.event.teams import pair_teams
from arrocco.hall.pairing import RoundPairing, berger, dutch, manual
from arrocco.laws.hall import Laws
from arrocco.records.report import ByeKind


class PairRound(Command, frozen=True, kw_only=True):
    """Pairs the next round by the system of the event.

    `order` gives the entries of a round robin by starting number, as they were drawn by lot.
    Without `starts` the round starts as the schedule says, if that is still to come.
    """

    MAY = frozenset({EventRole.CHIEF, EventRole.SERVER})
    IS_SLOW = True

    starts: Moment | None = None
    order: tuple[EntryId, ...] = ()

    def decide(self, state: State, now: datetime, laws: Laws) -> Decision:
        """The next round by the system of the event: the Dutch Swiss or the Berger table."""
        objection = _objection_to_pairing(state, self.starts, now, self.by)
        if objection is not None:
            return objection
        system = rules_of(state).system
        if system is PairingSystem.MANUAL:
            return refused("pair_by_hand")
        order = numbered(state)
        if self.order:
            if not system.is_round_robin or state.rounds:
                return refused("no_lots_now", "C.05")
            if sorted(self.order) != sorted(order):
                return refused("lots_incomplete", "C.05", players=len(order))
            order = self.order
        if system is PairingSystem.TEAM:
            return _pair_teams(state, self, now, order)
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
        return happened(_paired(state, self, now, order, boards, bye))


def _pair_teams(
    state: State, command: PairRound, now: datetime, order: tuple[EntryId, ...]
) -> Decision:
    """C.05 — the matches of the round, and on which boards somebody has no opponent."""
    if not state.teams:
        return refused("too_few_teams", "C.05")
    paired = pair_teams(state, state.next_round)
    if not paired.boards:
        return refused("too_few_players")
    record = _paired(state, command, now, order, paired.boards, None)
    byes = record.byes | dict.fromkeys(paired.unopposed, ByeKind.FULL_POINT)
    return happened(replace(record, byes=byes))


class PairByHand(Command, frozen=True, kw_only=True):
    """The next round as the chief arbiter pairs it; a reason sets aside what the system minds."""

    MAY = frozenset({EventRole.CHIEF})
    IS_SLOW = True

    boards: Boards
    bye: EntryId | None = None
    starts: Moment | None = None
    reason: Reason = ""

    def decide(self, state: State, now: datetime, laws: Laws) -> Decision:
        """C.04.3 1.9.3 — a round as the chief pairs it, with the reason for what it breaks."""
        objection = _objection_to_pairing(state, self.starts, now, self.by)
        if objection is not None:
            return objection
        system = rules_of(state).system
        if system.is_round_robin:
            return refused("table_stands", "C.05")
        order = in_order(state)  # the numbers that the page shows, in what is objected too
        number_of = {entry: number for number, entry in enumerate(order, start=1)}
        named = [entry for board in self.boards for entry in board]
        for entry in [*named, *([] if self.bye is None else [self.bye])]:
            if entry not in number_of:
                return refused("no_such_entry", entry=entry)
        if not self.boards:
            return refused("too_few_players")
        pairing = RoundPairing(
            tuple((number_of[white], number_of[black]) for white, black in self.boards),
            None if self.bye is None else number_of[self.bye],
        )
        findings = _objections_by_hand(state, order, pairing)
        if any(finding.is_error for finding in findings) or (findings and not self.reason.strip()):
            return objected(findings)
        reason, order = self.reason.strip(), numbered(state)
        return happened(_paired(state, self, now, order, self.boards, self.bye, reason=reason))


class RoundPaired(ActRecord, frozen=True, kw_only=True):
    """The pairing of a round is published.

    `order` holds all entries by starting number, as they are numbered from now on; `byes` those
    without an opponent.
    """

    IS_PUBLIC = True

    round: Positive
    order: tuple[EntryId, ...]
    boards: Boards
    byes: dict[EntryId, ByeKind]
    starts: Moment | None = None
    by_hand: bool = False
    reason: str = ""

    def changes(self, state: State) -> Changes:
        round_ = Round(
            number=self.round,
            boards=tuple(Board(white=white, black=black) for white, black in self.boards),
            byes=self.byes,
            starts=self.starts,
            by_hand=self.by_hand,
        )
        changes: Changes = {"rounds": (*state.rounds, round_), "order": self.order}
        if self.by and self.starts is not None and self.round in state.held:
            changes["held"] = {n: why for n, why in state.held.items() if n != self.round}
        return changes

    def is_possible(self, state: State) -> bool:
        """The next round: everybody who is numbered has one place in it."""
        named = [entry for board in self.boards for entry in board] + list(self.byes)
        return (
            state.rules is not None
            and state.closed is None
            and self.round == state.next_round
            and not is_under_way(state)
            and are_entries(state, *self.order)
            and set(state.order) <= set(self.order)
            and len(set(self.order)) == len(self.order)
            and sorted(named) == sorted(self.order)
        )

    def is_reported(self, state: State) -> bool:
        return self.by_hand


def objections_to_boards(state: State, boards: Boards, bye: EntryId | None) -> list[Finding]:
    """C.04.3 1.9.3 — what a pairing of the next round would break, by entries of the event."""
    order = in_order(state)
    number_of = {entry: number for number, entry in enumerate(order, start=1)}
    pairing = RoundPairing(
        tuple((number_of[white], number_of[black]) for white, black in boards),
        None if bye is None else number_of[bye],
    )
    return _objections_by_hand(state, order, pairing)


def _objections_by_hand(
    state: State, order: tuple[EntryId, ...], pairing: RoundPairing
) -> list[Finding]:
    findings = manual.objections(swiss_field(state, order), pairing)
    if rules_of(state).system is PairingSystem.MANUAL:
        # Where every round is paired by hand only what the event itself forbids is minded.
        return [
            finding
            for finding in findings
            if finding.is_error or finding.key.endswith("forbidden_pair")
        ]
    return findings


def _paired(
    state: State,
    command: PairRound | PairByHand,
    now: datetime,
    order: tuple[EntryId, ...],
    boards: Boards,
    bye: EntryId | None,
    reason: str = "",
) -> RoundPaired:
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
    return RoundPaired(
        **command.signed(now),
        round=state.next_round,
        order=order,
        boards=boards,
        byes=byes,
        starts=command.starts or _stated(state, now),
        by_hand=isinstance(command, PairByHand),
        reason=reason,
    )


def _stated(state: State, now: datetime) -> datetime | None:
    """The start that the schedule has for the round, unless it has passed."""
    stated = state.schedule.start_of(state.next_round)
    return stated if stated is not None and stated > now else None


def _objection_to_pairing(
    state: State, starts: datetime | None, now: datetime, by: str
) -> Decision | None:
    last = state.last_round
    if state.closed is not None:
        return refused("event_closed")
    if state.rules is None:
        return refused("no_rules", "1.3.3")
    if last is not None and last.phase is not Phase.CLOSED:
        return refused("round_not_closed", round=last.number)
    if state.rounds and state.next_round > state.announced_rounds:
        return refused("no_more_rounds", "C.04.1 1", rounds=state.announced_rounds)
    if starts is not None and starts < now and by:
        return refused("starts_in_the_past")
    return None


class WithdrawPairing(Command, frozen=True, kw_only=True):
    """Takes a pairing back before its round begins."""

    MAY = frozenset({EventRole.CHIEF})

    reason: Reason

    def decide(self, state: State, now: datetime, laws: Laws) -> Decision:
        """C.04.2 4.4 — a published pairing is changed only before its round, and with a reason."""
        last = state.last_round
        if last is None or last.phase is not Phase.PAIRED:
            return refused("no_round_to_open")
        if not self.reason.strip():
            return refused("reason_needed")
        return happened(
            PairingWithdrawn(**self.signed(now), round=last.number, reason=self.reason.strip())
        )


class PairingWithdrawn(ActRecord, frozen=True, kw_only=True):
    """A published pairing is taken back before the round begins."""

    IS_PUBLIC = True
    IS_REPORTED = True

    round: Positive
    reason: str

    def changes(self, state: State) -> Changes:
        """The hall does not pair it again by itself: who takes it back says what comes next."""
        held = state.held
        if state.schedule.start_of(self.round) is not None:
            held = {**held, self.round: self.reason}
        order = state.order if len(state.rounds) > 1 else ()
        return {"rounds": state.rounds[:-1], "order": order, "held": held}

    def is_possible(self, state: State) -> bool:
        return is_last(state, self.round, Phase.PAIRED)
