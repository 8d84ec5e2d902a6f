"""The FSI online regulation, articles 12.9 to 12.12: complaints and appeals."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum, StrEnum

from arrocco.laws.edition import Choice, Edition, Legal, Reading
from arrocco.moments import instant


class FilingKind(StrEnum):
    """A complaint (reclamo) goes to the chief arbiter, an appeal (ricorso) to the committee."""

    COMPLAINT = "complaint"
    APPEAL = "appeal"


class Addressee(StrEnum):
    """Who a filing is sent to."""

    CHIEF_ARBITER = "chief_arbiter"
    FAIR_PLAY_COMMITTEE = "fair_play_committee"


class Filer(StrEnum):
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
    role: Filer = Filer.PLAYER
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

    COMPLAINT_HOURS = Legal(2, "12.9", "hours").means(
        "after the end of the last round to complain",
        "dopo la fine dell'ultimo turno per i reclami",
    )
    APPEAL_HOURS = Legal(2, "12.9", "hours").means(
        "after the validation of the standings to appeal",
        "dopo la validazione della classifica per i ricorsi",
    )
    APPEAL_FEE = Legal(100, "12.10", "euro").means("the fee of an appeal", "la tassa di un ricorso")
    REVOCATION_FACTOR = Legal(2, "12.11.2", "fees").means(
        "the fine of an appellant who revokes the payment", "la multa di chi revoca il versamento"
    )

    DEADLINE_END = Reading("deadline_end", "12.9", "included", "guess").means(
        "Whether what arrives exactly when the hours are over is in time",
        "Se è in tempo ciò che arriva esattamente allo scadere delle ore",
        Choice("included").means("it is in time", "è in tempo"),
        Choice("excluded").means("it is late", "è in ritardo"),
    )

    COMPLAINTS_FROM = Reading("complaints_from", "12.9", "last_game", "guess").means(
        "When the last round has ended, from which the hours for complaints run",
        "Quando è finito l'ultimo turno, da cui decorrono le ore per i reclami",
        Choice("last_game").means(
            "with the end of its last game", "con la fine della sua ultima partita"
        ),
        Choice("round_closed").means("when the arbiter closes it", "quando l'arbitro lo chiude"),
    )

    def last_round_ended(
        self, last_game: datetime | None, round_closed: datetime | None
    ) -> datetime | None:
        """12.9 — when the last round ended, from which complaints count; `None` before that.

        Where a round had no game its closing is all there is.

        Italiano: quando è finito l'ultimo turno, da cui si contano i reclami; prima, niente.
        """
        if self.reads("complaints_from", "round_closed"):
            return round_closed
        return last_game or round_closed

    def complaint_deadline(self, last_round_ended: datetime) -> datetime:
        """12.9 — complaints: {COMPLAINT_HOURS} hours after the end of the last round."""
        return instant(last_round_ended) + timedelta(hours=self.COMPLAINT_HOURS)

    def appeal_deadline(self, standings_validated: datetime) -> datetime:
        """12.9 — appeals: {APPEAL_HOURS} hours after the validation of the standings."""
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

    def hours_are_over(self, kind: FilingKind, counted_from: datetime, now: datetime) -> bool:
        """12.9 — whether nothing that arrives from now on can still be in time.

        Italiano: se nulla di ciò che arriva da ora in poi può ancora essere in tempo.
        """
        return not self.is_in_time(Filing(kind=kind, received=now, counted_from=counted_from))

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
        participant = filing.takes_part and filing.role is not Filer.OTHER
        right_way = filing.addressee in (None, self.addressee(filing.kind))
        checks = (
            (not participant, Inadmissible.NOT_A_PARTICIPANT),
            (not filing.has_federation_id, Inadmissible.NO_FEDERATION_ID),
            (filing.role is Filer.PLAYER and not filing.is_member, Inadmissible.NOT_A_MEMBER),
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
        """12.11.2 — the fine, in euro, of an appellant who revoked the payment: {REVOCATION_FACTOR}
        times the fee.
        """
        return self.REVOCATION_FACTOR * self.APPEAL_FEE
