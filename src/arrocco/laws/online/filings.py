"""The FSI online regulation, articles 12.9 to 12.12: complaints and appeals."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum, StrEnum

from arrocco.laws.edition import Choice, Edition, Legal, Reading
from arrocco.laws.online.moments import instant


class FilingKind(StrEnum):
    """A complaint (reclamo) goes to the chief arbiter, an appeal (ricorso) to the committee."""

    COMPLAINT = "complaint"
    APPEAL = "appeal"


class Addressee(StrEnum):
    """Who a filing is sent to."""

    CHIEF_ARBITER = "chief_arbiter"
    FAIR_PLAY_COMMITTEE = "fair_play_committee"


class Role(StrEnum):
    """Who files. Only the first three can (12.9)."""

    PLAYER = "player"
    CAPTAIN = "captain"
    ARBITER = "arbiter"
    OTHER = "other"


class Inadmissible(Enum):
    """Why a filing is not considered: its key and its article."""

    NOT_A_PARTICIPANT = ("not_a_participant", "12.9")
    NO_FEDERATION_ID = ("no_federation_id", "12.9")
    NOT_A_MEMBER = ("not_a_member", "12.9")
    WRONG_ADDRESSEE = ("wrong_addressee", "12.9")
    NOT_BY_EMAIL = ("not_by_email", "12.11.1a")
    ONLY_PRESUMED_STRENGTH = ("only_presumed_strength", "12.11.1b")
    LATE = ("late", "12.11.1c")
    NO_PROOF_OF_PAYMENT = ("no_proof_of_payment", "12.11.1d")
    PAYMENT_REVOKED = ("payment_revoked", "12.11.2")

    def __init__(self, key: str, article: str) -> None:
        self.key = key
        self.article = article


class FeeOutcome(StrEnum):
    """What becomes of the fee of an appeal."""

    NONE = "none"
    """No fee is due, or none was paid."""
    KEPT = "kept"
    REFUNDED = "refunded"
    FINED = "fined"
    """The payment was revoked: the appellant is fined twice the fee."""


@dataclass(frozen=True)
class Filing:
    """A complaint or an appeal as it came in.

    `counted_from` is the moment its time runs from: the end of the last round for a complaint, the
    validation of the standings for an appeal.
    """

    kind: FilingKind
    received: datetime
    counted_from: datetime
    role: Role = Role.PLAYER
    takes_part: bool = True
    has_federation_id: bool = True
    is_member: bool = True
    addressee: Addressee | None = None
    """Who it was sent to; `None` where it came the right way."""
    by_email: bool = True
    only_presumed_strength: bool = False
    paid: bool = False
    proof_of_payment: bool = False
    payment_revoked: bool = False


class Filings(Edition):
    """Who can file what until when, at what cost, and what is not considered."""

    COMPLAINT_HOURS = Legal(
        2, "12.9", "hours",
        "after the end of the last round to complain",
        "dopo la fine dell'ultimo turno per i reclami",
    )  # fmt: skip
    APPEAL_HOURS = Legal(
        2, "12.9", "hours",
        "after the validation of the standings to appeal",
        "dopo la validazione della classifica per i ricorsi",
    )  # fmt: skip
    APPEAL_FEE = Legal(100, "12.10", "euro", "the fee of an appeal", "la tassa di un ricorso")
    REVOCATION_FACTOR = Legal(
        2, "12.11.2", "fees",
        "the fine of an appellant who revokes the payment",
        "la multa di chi revoca il versamento",
    )  # fmt: skip

    DEADLINE_END = Reading(
        "deadline_end", "12.9",
        "Whether what arrives exactly when the hours are over is in time",
        "Se è in tempo ciò che arriva esattamente allo scadere delle ore",
        (
            Choice("included", "it is in time", "è in tempo"),
            Choice("excluded", "it is late", "è in ritardo"),
        ),
        "included", "guess",
    )  # fmt: skip

    def complaint_deadline(self, last_round_ended: datetime) -> datetime:
        """12.9 — complaints: 2 hours after the end of the last round."""
        return instant(last_round_ended) + timedelta(hours=self.COMPLAINT_HOURS)

    def appeal_deadline(self, standings_validated: datetime) -> datetime:
        """12.9 — appeals: 2 hours after the validation of the standings."""
        return instant(standings_validated) + timedelta(hours=self.APPEAL_HOURS)

    def is_in_time(self, filing: Filing) -> bool:
        """12.9 — whether a filing arrived before its hours were over."""
        if filing.kind is FilingKind.COMPLAINT:
            deadline = self.complaint_deadline(filing.counted_from)
        else:
            deadline = self.appeal_deadline(filing.counted_from)
        received = instant(filing.received)
        return received < deadline or (
            received == deadline and self.reads("deadline_end", "included")
        )

    def addressee(self, kind: FilingKind) -> Addressee:
        """12.9 — complaints go to the chief arbiter, appeals to the Fair Play Committee."""
        if kind is FilingKind.COMPLAINT:
            return Addressee.CHIEF_ARBITER
        return Addressee.FAIR_PLAY_COMMITTEE

    def payment_reason(self, tournament: str, kind: str, round_number: int) -> str:
        """12.10 — the reason a bank transfer of the fee must give."""
        return f"Ricorso Campionati Italiani Online – {tournament} – {kind} – {round_number}"

    def inadmissible(self, filing: Filing) -> tuple[Inadmissible, ...]:
        """12.9, 12.11.1 — every reason why a filing is not considered; none when it is."""
        appeal = filing.kind is FilingKind.APPEAL
        participant = filing.takes_part and filing.role is not Role.OTHER
        right_way = filing.addressee in (None, self.addressee(filing.kind))
        checks = (
            (not participant, Inadmissible.NOT_A_PARTICIPANT),
            (not filing.has_federation_id, Inadmissible.NO_FEDERATION_ID),
            (filing.role is Role.PLAYER and not filing.is_member, Inadmissible.NOT_A_MEMBER),
            (not right_way, Inadmissible.WRONG_ADDRESSEE),
            (not filing.by_email, Inadmissible.NOT_BY_EMAIL),
            (filing.only_presumed_strength, Inadmissible.ONLY_PRESUMED_STRENGTH),
            (not self.is_in_time(filing), Inadmissible.LATE),
            (appeal and not filing.proof_of_payment, Inadmissible.NO_PROOF_OF_PAYMENT),
            (appeal and filing.payment_revoked, Inadmissible.PAYMENT_REVOKED),
        )
        return tuple(reason for applies, reason in checks if applies)

    def fee_outcome(self, filing: Filing, *, upheld: bool) -> FeeOutcome:
        """12.10, 12.11 — the fee returns only with an appeal that is upheld; late, it is kept.

        A revoked payment makes an appeal count as not upheld, whatever was decided on it.
        """
        if filing.kind is FilingKind.COMPLAINT:
            return FeeOutcome.NONE
        if filing.payment_revoked:
            return FeeOutcome.FINED
        if not filing.paid:
            return FeeOutcome.NONE
        if upheld and not self.inadmissible(filing):
            return FeeOutcome.REFUNDED
        return FeeOutcome.KEPT

    def revocation_fine(self) -> int:
        """12.11.2 — the fine, in euro, of an appellant who revoked the payment: twice the fee."""
        return self.REVOCATION_FACTOR * self.APPEAL_FEE
