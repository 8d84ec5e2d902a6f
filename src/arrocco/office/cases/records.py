"""What is entered in a case of the committee, one record after another, and never changed."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from arrocco.errors import Inconsistent
from arrocco.laws.online.sanctions import CommitteeSanction, Scope

MAX_TEXT = 8000
LOSSES = "13.3"
"""Losses of earlier rounds: of the chief arbiter and the committee together."""
ARTICLES = (LOSSES, *(sanction.article for sanction in CommitteeSanction))

Text = Annotated[str, Meta(max_length=MAX_TEXT)]
Positive = Annotated[int, Meta(ge=1)]
Hash = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]


class CaseOrigin(StrEnum):
    """From what a case was opened."""

    ALARM = "alarm"
    FILING = "filing"
    OWN = "own"
    """By the committee itself."""


class OpponentPoints(StrEnum):
    """What the opponents of lost games get: 12.13 gives those of an excluded player nothing."""

    KEEP = "keep"
    WIN = "win"


class CaseSanction(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A sanction of 13.5, or losses of earlier rounds (13.3), as a decision has it.

    `rounds` are those lost (13.3) or kept from (13.5c), `round` and `points` the game of 13.5b,
    White first and in tenths, `days` how long 13.5c lasts.
    """

    article: str
    scope: Scope | None = None
    rounds: tuple[Positive, ...] = ()
    opponents: OpponentPoints = OpponentPoints.KEEP
    round: Positive | None = None
    points: tuple[int, int] | None = None
    days: Annotated[int, Meta(ge=1, le=36_500)] | None = None

    @property
    def sanction(self) -> CommitteeSanction | None:
        """The sanction of 13.5; `None` for losses of earlier rounds."""
        return next(
            (
                committee_sanction
                for committee_sanction in CommitteeSanction
                if committee_sanction.article == self.article
            ),
            None,
        )


class CaseRecord(
    Struct, frozen=True, kw_only=True, tag_field="type", tag=str.lower, forbid_unknown_fields=True
):
    """Something that was entered: when, and by which account."""

    at: datetime
    by: int


class CaseOpened(CaseRecord, frozen=True, kw_only=True):
    """A case about a player of an event, and what it is about."""

    event: str
    event_name: str
    entry: Positive
    player: str
    account: str
    """The account that the player plays with, as the hall knows it."""
    origin: CaseOrigin
    reference: str = ""
    """The number of the filing, where it came from one."""
    subject: Text


class EvidenceAdded(CaseRecord, frozen=True, kw_only=True):
    """A file, by the SHA-256 of its bytes."""

    name: Annotated[str, Meta(max_length=200)]
    media_type: Annotated[str, Meta(max_length=100)]
    blob: Hash
    size: Annotated[int, Meta(ge=0)]
    about: Text = ""


class NoteAdded(CaseRecord, frozen=True, kw_only=True):
    """A note of a member, for the members."""

    text: Text


class MemberRecused(CaseRecord, frozen=True, kw_only=True):
    """A member has a conflict of interest and takes no part in the decision."""

    reason: Text


class HearingOpened(CaseRecord, frozen=True, kw_only=True):
    """The player is asked for a statement, until a moment; a later one gives more time."""

    until: datetime
    question: Text


class StatementGiven(CaseRecord, frozen=True, kw_only=True):
    """What the player says to it."""

    text: Text


class DecisionProposed(CaseRecord, frozen=True, kw_only=True):
    """A member proposes a decision, with reasons."""

    is_breach: bool
    reasons: Text
    sanctions: tuple[CaseSanction, ...] = ()


class VoteCast(CaseRecord, frozen=True, kw_only=True):
    """A member votes on a proposal."""

    proposal: Positive
    in_favour: bool


class ChiefSigned(CaseRecord, frozen=True, kw_only=True):
    """13.3 — the chief arbiter agrees with what the committee has adopted, or does not."""

    proposal: Positive
    agrees: bool
    reason: Text = ""


class SanctionCarriedOut(CaseRecord, frozen=True, kw_only=True):
    """The event has taken a sanction of the decision; they are counted from 1."""

    sanction: Positive


class RatingsCorrected(CaseRecord, frozen=True, kw_only=True):
    """12.13 — the office has corrected a report by the decision; `correction` in its ledger."""

    report: Positive
    correction: Positive


class CaseReferred(CaseRecord, frozen=True, kw_only=True):
    """13.4, 5.18 — the case goes to federal justice, with its evidence."""

    addressee: Annotated[str, Meta(max_length=300)]
    text: Text


AnyCaseRecord = (
    CaseOpened
    | EvidenceAdded
    | NoteAdded
    | MemberRecused
    | HearingOpened
    | StatementGiven
    | DecisionProposed
    | VoteCast
    | ChiefSigned
    | SanctionCarriedOut
    | RatingsCorrected
    | CaseReferred
)
_decoder: msgspec.json.Decoder[AnyCaseRecord] = msgspec.json.Decoder(AnyCaseRecord)


def encode_record(record: AnyCaseRecord) -> str:
    return msgspec.json.encode(record).decode()


def decode_record(text: str) -> AnyCaseRecord:
    """Raises `Inconsistent` for what is no record of this version."""
    try:
        return _decoder.decode(text)
    except msgspec.DecodeError:
        raise Inconsistent.of("cases.refused.unreadable") from None
