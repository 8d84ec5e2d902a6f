"""12.7, 12.10 to 12.12 — what is decided on a filing, and what becomes of the transfer."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Final, Literal

from msgspec import Meta

from arrocco.hall.event.acts.base import EVERYBODY, ActRecord, Command
from arrocco.hall.event.acts.filings import change_filing, role_of
from arrocco.hall.event.changes import Changes
from arrocco.hall.event.decision import Decision, happened, refused
from arrocco.hall.event.filings import (
    MAX_TEXT,
    SEEN_BY_READING,
    FiledPaper,
    FilingDecision,
    FilingOutcome,
    Payment,
    payments_to_come,
)
from arrocco.hall.event.records import EventRole, Positive
from arrocco.hall.event.state import State
from arrocco.hall.game.events import Detail
from arrocco.laws.hall import Laws
from arrocco.laws.online.filings import Filer, FilingKind

CHIEF: Final = "chief"
COMMITTEE: Final = "committee"
Capacity = Literal["chief", "committee"]
"""As what somebody decides."""


class DecideFiling(Command, frozen=True, kw_only=True):
    """The addressee decides on a filing, with reasons; the server knows as what they ask."""

    MAY = EVERYBODY
    FROM_PAGES = True

    number: Positive
    capacity: Capacity
    outcome: FilingOutcome
    reasons: Annotated[str, Meta(max_length=MAX_TEXT)]
    found: str = ""
    false_accusation: bool = False

    def decide(self, state: State, now: datetime, laws: Laws) -> Decision:
        """12.7, 12.9 — complaints are the chief arbiter's, appeals the committee's, and final."""
        filed = filing_of(state, self.number)
        if filed is None:
            return refused("no_such_filing", number=self.number)
        if filed.decision is not None:
            return refused("filing_decided", "12.7", number=self.number)
        if not filed.is_considered:
            return refused("filing_not_considered", "12.11.1", number=self.number)
        objection = self._objection_to_decider(state, filed)
        if objection is not None:
            return objection
        if not self.reasons.strip():
            return refused("reason_needed", "12.10")
        is_not_considered = self.outcome is FilingOutcome.NOT_CONSIDERED
        if is_not_considered != (self.found in {reason.key for reason in SEEN_BY_READING}):
            return refused("filing_reason_needed", "12.11.1")
        if self.false_accusation and (self.outcome is FilingOutcome.UPHELD or not filed.about):
            return refused("no_false_accusation", "12.12")
        return happened(
            FilingDecided(
                **self.signed(now),
                number=self.number,
                capacity=self.capacity,
                outcome=self.outcome,
                reasons=self.reasons.strip(),
                found=self.found,
                false_accusation=self.false_accusation,
            )
        )

    def _objection_to_decider(self, state: State, filed: FiledPaper) -> Decision | None:
        if filed.kind is FilingKind.COMPLAINT:
            is_chief = EventRole.CHIEF in state.roles(self.by)
            return None if is_chief else refused("for_the_chief", "12.9")
        if self.capacity == CHIEF:
            return refused("for_the_committee", "12.9")
        if role_of(state, self.by) is not Filer.OTHER:  # nobody judges what they took part in
            return refused("party_to_filing", "12.9")
        return None


class FilingDecided(ActRecord, frozen=True, kw_only=True):
    """12.7 — a filing is decided; all concerned are told, with the reasons."""

    IS_REPORTED = True

    number: Positive
    capacity: Capacity
    outcome: FilingOutcome
    reasons: str
    found: str = ""
    false_accusation: bool = False

    def changes(self, state: State) -> Changes:
        decision = FilingDecision(
            at=self.at,
            by=self.by,
            capacity=self.capacity,
            outcome=self.outcome,
            reasons=self.reasons,
            found=self.found,
            false_accusation=self.false_accusation,
        )
        return change_filing(state, self.number, decision=decision)

    def is_possible(self, state: State) -> bool:
        filed = filing_of(state, self.number)
        return filed is not None and filed.decision is None

    def details(self, state: State) -> tuple[Detail, ...]:
        return (
            Detail("text", f"{self.number}"),
            Detail("said", f"filings.outcome.{self.outcome.value}"),
            Detail("text", self.reasons),
        )


class RecordPayment(Command, frozen=True, kw_only=True):
    """12.10, 12.11.2 — what the federation sees of the transfer of a fee."""

    MAY = EVERYBODY
    FROM_PAGES = True

    number: Positive
    payment: Payment
    reason: str

    def decide(self, state: State, now: datetime, laws: Laws) -> Decision:
        """12.11.2 — a transfer that was revoked annuls its appeal, also one that was upheld."""
        filed = filing_of(state, self.number)
        if filed is None:
            return refused("no_such_filing", number=self.number)
        if filed.kind is not FilingKind.APPEAL or filed.receipt is None:
            return refused("no_fee_paid", "12.10")
        if self.payment not in payments_to_come(filed, laws.online):
            known = {payment for payment, _, _ in filed.payments}
            if self.payment is Payment.FINE_PAID and Payment.REVOKED not in known:
                return refused("no_fine_due", "12.11.2")
            if self.payment in known or Payment.REVOKED in known:
                return refused("payment_known", "12.11.2")
            return refused("fee_not_returned", "12.10")
        if not self.reason.strip():
            return refused("reason_needed", "12.10")
        return happened(
            PaymentRecorded(
                **self.signed(now),
                number=self.number,
                payment=self.payment,
                reason=self.reason.strip(),
            )
        )


class PaymentRecorded(ActRecord, frozen=True, kw_only=True):
    """The transfer of a fee has arrived, was revoked, or is returned."""

    IS_REPORTED = True

    number: Positive
    payment: Payment
    reason: str

    def changes(self, state: State) -> Changes:
        filed = state.filings[self.number - 1]
        payments = (*filed.payments, (self.payment, self.at, self.reason))
        return change_filing(state, self.number, payments=payments)

    def is_possible(self, state: State) -> bool:
        return filing_of(state, self.number) is not None

    def details(self, state: State) -> tuple[Detail, ...]:
        payment = Detail("said", f"filings.payment.{self.payment.value}")
        return (Detail("text", f"{self.number}"), payment)


def filing_of(state: State, number: int) -> FiledPaper | None:
    """A filing by its number."""
    return state.filings[number - 1] if 1 <= number <= len(state.filings) else None
