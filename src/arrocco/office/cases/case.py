"""A case as its records amount to: evidence, hearing, proposals, what is decided and done."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from enum import StrEnum

from msgspec import Struct
from msgspec.structs import replace

from arrocco.errors import Inconsistent
from arrocco.laws.online.law import OnlineLaw
from arrocco.office.cases.records import (
    LOSSES,
    AnyCaseRecord,
    CaseOpened,
    CaseReferred,
    CaseSanction,
    ChiefSigned,
    DecisionProposed,
    EvidenceAdded,
    HearingOpened,
    MemberRecused,
    NoteAdded,
    RatingsCorrected,
    SanctionCarriedOut,
    StatementGiven,
    VoteCast,
)


class CaseState(StrEnum):
    """Where a case stands."""

    OPEN = "open"
    WAITS_FOR_CHIEF = "waits_for_chief"
    """13.3 — adopted by the committee, and not signed by the chief arbiter."""
    TO_CARRY_OUT = "to_carry_out"
    """Decided, and the event has not taken all of it."""
    CLOSED = "closed"


class Proposal(Struct, frozen=True, kw_only=True):
    """A proposed decision with the votes on it."""

    number: int
    put: DecisionProposed
    votes: dict[int, bool] = {}
    chief: ChiefSigned | None = None

    @property
    def in_favour(self) -> int:
        return sum(self.votes.values())

    def is_adopted(self, law: OnlineLaw) -> bool:
        """13.1 — whether more than half of the committee is in favour."""
        return self.in_favour >= law.committee_majority()

    def needs_chief(self, law: OnlineLaw) -> bool:
        """13.3 — whether the chief arbiter signs with the committee."""
        return any(
            law.needs_chief_arbiter(sanction.sanction, sanction.scope)
            for sanction in self.put.sanctions
        )

    def is_declined(self) -> bool:
        """Whether the chief arbiter did not agree: the committee decides anew."""
        return self.chief is not None and not self.chief.agrees

    def is_in_force(self, law: OnlineLaw) -> bool:
        """12.7, 13.3 — whether it is the decision: final from then on."""
        if not self.is_adopted(law):
            return False
        return not self.needs_chief(law) or (self.chief is not None and self.chief.agrees)


class CommitteeCase(Struct, frozen=True, kw_only=True):
    """Everything that was entered in a case."""

    number: int
    opened: CaseOpened
    records: tuple[AnyCaseRecord, ...]
    evidence: tuple[EvidenceAdded, ...] = ()
    notes: tuple[NoteAdded, ...] = ()
    recused: dict[int, str] = {}
    hearing: HearingOpened | None = None
    statement: StatementGiven | None = None
    proposals: tuple[Proposal, ...] = ()
    carried_out: frozenset[int] = frozenset()
    corrections: tuple[RatingsCorrected, ...] = ()
    referrals: tuple[CaseReferred, ...] = ()

    def decision(self, law: OnlineLaw) -> Proposal | None:
        """12.7 — the decision, where there is one."""
        return next((proposal for proposal in self.proposals if proposal.is_in_force(law)), None)

    def adopted(self, law: OnlineLaw) -> Proposal | None:
        """What the committee has adopted, unless the chief arbiter declined it."""
        return next(
            (
                proposal
                for proposal in self.proposals
                if proposal.is_adopted(law) and not proposal.is_declined()
            ),
            None,
        )

    def to_carry_out(self, law: OnlineLaw) -> tuple[tuple[int, CaseSanction], ...]:
        """The sanctions of the decision that the event has not taken, by their number."""
        decision = self.decision(law)
        sanctions = () if decision is None else decision.put.sanctions
        numbered = enumerate(sanctions, start=1)
        return tuple(
            (number, case_sanction)
            for number, case_sanction in numbered
            if number not in self.carried_out
        )

    def decided_scores(self, law: OnlineLaw) -> dict[int, str]:
        """By round of the player: the articles by which the event has taken another score."""
        decision = self.decision(law)
        articles: dict[int, list[str]] = {}
        for number, sanction in enumerate(() if decision is None else decision.put.sanctions, 1):
            if number not in self.carried_out:
                continue
            rounds = sanction.rounds if sanction.article == LOSSES else ()
            for lost in (*rounds, *(() if sanction.round is None else (sanction.round,))):
                articles.setdefault(lost, []).append(sanction.article)
        return {number: ", ".join(of_round) for number, of_round in articles.items()}

    def state(self, law: OnlineLaw) -> CaseState:
        """Where it stands."""
        adopted = self.adopted(law)
        if adopted is None:
            return CaseState.OPEN
        if not adopted.is_in_force(law):
            return CaseState.WAITS_FOR_CHIEF
        return CaseState.TO_CARRY_OUT if self.to_carry_out(law) else CaseState.CLOSED

    def is_open(self, law: OnlineLaw) -> bool:
        """12.6 — whether something is still to be decided or done."""
        return self.state(law) is not CaseState.CLOSED

    def was_heard(self, now: datetime) -> bool:
        """Whether the player has spoken, or let the time for it pass."""
        if self.hearing is None:
            return False
        return self.statement is not None or now > self.hearing.until


def fold_case(number: int, records: Iterable[AnyCaseRecord]) -> CommitteeCase:
    """A case from its records. Raises `Inconsistent` where they do not begin as one."""
    first, *rest = tuple(records)
    if not isinstance(first, CaseOpened):
        raise Inconsistent.of("cases.refused.unreadable")
    case = CommitteeCase(number=number, opened=first, records=(first,))
    for record in rest:
        case = _applied(case, record)
    return case


def _applied(case: CommitteeCase, record: AnyCaseRecord) -> CommitteeCase:
    case = replace(case, records=(*case.records, record))
    match record:
        case EvidenceAdded():
            return replace(case, evidence=(*case.evidence, record))
        case NoteAdded():
            return replace(case, notes=(*case.notes, record))
        case MemberRecused():
            return replace(case, recused={**case.recused, record.by: record.reason})
        case HearingOpened():
            return replace(case, hearing=record)
        case StatementGiven():
            return replace(case, statement=record)
        case DecisionProposed():
            proposal = Proposal(number=len(case.proposals) + 1, put=record)
            return replace(case, proposals=(*case.proposals, proposal))
        case VoteCast():
            return _changed(case, record.proposal, record)
        case ChiefSigned():
            return _changed(case, record.proposal, record)
        case SanctionCarriedOut():
            return replace(case, carried_out=case.carried_out | {record.sanction})
        case RatingsCorrected():
            return replace(case, corrections=(*case.corrections, record))
        case CaseReferred():
            return replace(case, referrals=(*case.referrals, record))
    raise Inconsistent.of("cases.refused.unreadable")


def _changed(case: CommitteeCase, number: int, record: VoteCast | ChiefSigned) -> CommitteeCase:
    if not 1 <= number <= len(case.proposals):
        raise Inconsistent.of("cases.refused.unreadable")
    before = case.proposals[number - 1]
    if isinstance(record, VoteCast):
        after = replace(before, votes={**before.votes, record.by: record.in_favour})
    else:
        after = replace(before, chief=record)
    proposals = (*case.proposals[: number - 1], after, *case.proposals[number:])
    return replace(case, proposals=proposals)
