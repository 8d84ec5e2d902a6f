"""12.9 to 12.12 — complaints and appeals as an event knows them, and what became of their fee."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Annotated, NamedTuple

from msgspec import Meta, Struct

from arrocco.laws.online.filings import (
    Addressee,
    FeeOutcome,
    Filer,
    Filing,
    FilingKind,
    Inadmissible,
)
from arrocco.laws.online.law import OnlineLaw

MAX_TEXT = 8000
Hash = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]


class FilingWay(StrEnum):
    """How a filing came in."""

    PAGE = "page"
    """From the page that writes the e-mail to the addressee and keeps it."""
    MESSAGE = "message"
    """An e-mail, uploaded as it was sent."""
    OTHER = "other"
    """Said, or written otherwise: recorded, and not considered (12.11.1a)."""


class Ground(StrEnum):
    """What a filing rests on."""

    DECISION = "decision"
    RESULT = "result"
    CONDUCT = "conduct"
    TECHNICAL = "technical"
    STRENGTH = "strength"
    """12.11.1b — somebody plays better than they are presumed to: nothing on its own."""


class FilingOutcome(StrEnum):
    """What the addressee decides."""

    UPHELD = "upheld"
    REJECTED = "rejected"
    NOT_CONSIDERED = "not_considered"
    """12.9, 12.11.1 — what only a reader can see: it rests on presumed strength alone."""


class Payment(StrEnum):
    """What is known of the transfer of a fee."""

    ARRIVED = "arrived"
    REVOKED = "revoked"
    RETURNED = "returned"
    FINE_PAID = "fine_paid"
    """12.11.2 — the fine of who revoked it has been paid."""


SEEN_BY_READING = (Inadmissible.ONLY_PRESUMED_STRENGTH, Inadmissible.NOT_A_MEMBER)
"""12.9, 12.11.1b — what the addressee finds, whatever the form or the message says."""


class Paper(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A file that is kept with a filing, under the SHA-256 of its bytes."""

    name: Annotated[str, Meta(max_length=200)]
    media_type: Annotated[str, Meta(max_length=100)]
    blob: Hash
    size: Annotated[int, Meta(ge=0)]


class FilingFacts(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a filing was judged by when it came in."""

    role: Filer
    received: datetime
    counted_from: datetime
    takes_part: bool = True
    has_federation_id: bool = True
    is_member: bool = True
    right_addressee: bool = True
    by_email: bool = True
    only_presumed_strength: bool = False


class FilingDecision(Struct, frozen=True, kw_only=True):
    """What was decided on a filing, by whom and why."""

    at: datetime
    by: str
    capacity: str
    outcome: FilingOutcome
    reasons: str
    found: str = ""
    """The key of what keeps it from being considered, where the addressee found it."""
    false_accusation: bool = False
    """12.12 — the accusation was false: whoever filed it may be sanctioned."""


class FiledPaper(Struct, frozen=True, kw_only=True):
    """A complaint or an appeal with all that became of it."""

    number: int
    kind: FilingKind
    at: datetime
    by: str
    """The account that filed it; empty where it is nobody's."""
    name: str = ""
    way: FilingWay = FilingWay.PAGE
    text: str = ""
    grounds: tuple[Ground, ...] = ()
    about: tuple[int, ...] = ()
    """The entries it is about."""
    round: int | None = None
    facts: FilingFacts | None = None
    """`None` for a complaint of before, which was taken only where nothing stood against it."""
    reasons: tuple[str, ...] = ()
    """The keys of what keeps it from being considered, as it came in."""
    message: Paper | None = None
    receipt: Paper | None = None
    decision: FilingDecision | None = None
    payments: tuple[tuple[Payment, datetime, str], ...] = ()
    """What is known of the transfer, since when, and why."""

    @property
    def is_considered(self) -> bool:
        """12.11 — whether nothing was found that keeps it from being considered."""
        was_decided = self.decision is not None and bool(self.decision.found)
        return not self.reasons and not was_decided and not self.is_revoked

    @property
    def is_open(self) -> bool:
        """Whether somebody has still to decide on it."""
        return self.is_considered and self.decision is None

    @property
    def is_revoked(self) -> bool:
        """12.11.2 — whether the appellant took the transfer back."""
        return any(payment is Payment.REVOKED for payment, _, _ in self.payments)

    @property
    def is_fine_paid(self) -> bool:
        """12.11.2 — whether the fine for that has been paid."""
        return any(payment is Payment.FINE_PAID for payment, _, _ in self.payments)

    @property
    def is_upheld(self) -> bool:
        """12.11.2 — upheld, and not annulled since."""
        upheld = self.decision is not None and self.decision.outcome is FilingOutcome.UPHELD
        return upheld and not self.is_revoked

    @property
    def findings(self) -> tuple[Inadmissible, ...]:
        """Everything that keeps it from being considered, with its article."""
        keys = [*self.reasons, *([self.decision.found] if self.decision else [])]
        if self.is_revoked:
            keys.append(Inadmissible.PAYMENT_REVOKED.key)
        return tuple(reason for reason in Inadmissible if reason.key in keys)


class Money(NamedTuple):
    """12.10, 12.11 — what became of the fee of an appeal, in euro."""

    fee: int
    outcome: FeeOutcome
    fine: int
    is_settled: bool
    """Whether it stays so: the appeal is decided, not considered, or annulled."""
    is_fine_paid: bool = False

    @property
    def key(self) -> str:
        """Of the words that say it."""
        if not self.is_settled and self.fee:
            return "open"
        return "fine_paid" if self.is_fine_paid else self.outcome.value


def as_law_sees(filed: FiledPaper) -> Filing:
    """A filing as the regulation judges it."""
    facts = filed.facts or FilingFacts(role=Filer.PLAYER, received=filed.at, counted_from=filed.at)
    wrong = {
        FilingKind.COMPLAINT: Addressee.FAIR_PLAY_COMMITTEE,
        FilingKind.APPEAL: Addressee.CHIEF_ARBITER,
    }
    outcome = "" if filed.decision is None else filed.decision.found
    has_receipt = filed.receipt is not None
    return Filing(
        kind=filed.kind,
        received=facts.received,
        counted_from=facts.counted_from,
        role=facts.role,
        takes_part=facts.takes_part,
        has_federation_id=facts.has_federation_id,
        is_member=facts.is_member and outcome != Inadmissible.NOT_A_MEMBER.key,
        addressee=None if facts.right_addressee else wrong[filed.kind],
        by_email=facts.by_email,
        only_presumed_strength=facts.only_presumed_strength
        or outcome == Inadmissible.ONLY_PRESUMED_STRENGTH.key,
        paid=has_receipt,
        proof_of_payment=has_receipt,
        payment_revoked=filed.is_revoked,
    )


def money_of(filed: FiledPaper, law: OnlineLaw) -> Money:
    """12.10, 12.11 — the fee of an appeal: returned, kept, or revoked and fined."""
    seen = as_law_sees(filed)
    outcome = law.fee_outcome(seen, upheld=filed.is_upheld)
    fee = law.APPEAL_FEE if seen.paid and filed.kind is FilingKind.APPEAL else 0
    fine = law.revocation_fine() if outcome is FeeOutcome.FINED else 0
    return Money(int(fee), outcome, fine, not filed.is_open, filed.is_fine_paid)


def payments_to_come(filed: FiledPaper, law: OnlineLaw) -> tuple[Payment, ...]:
    """12.10, 12.11.2 — what can be noted of the transfer now: once each, and back only what is due.

    A transfer that was revoked leaves nothing but its fine.
    """
    if filed.kind is not FilingKind.APPEAL or filed.receipt is None:
        return ()
    money = money_of(filed, law)
    if money.outcome is FeeOutcome.FINED:
        return () if money.is_fine_paid else (Payment.FINE_PAID,)
    known = {payment for payment, _, _ in filed.payments}
    is_due = money.is_settled and money.outcome is FeeOutcome.REFUNDED
    possible = [Payment.ARRIVED, Payment.REVOKED, *([Payment.RETURNED] if is_due else [])]
    return tuple(payment for payment in possible if payment not in known)
