"""What the office keeps of tournaments and reports, as plain records."""

from __future__ import annotations

from datetime import date, datetime
from enum import StrEnum

from msgspec import Struct, field

from arrocco.records.report import Facts, System


class RoundTime(Struct, frozen=True):
    """When a round is to be played; `hour` is ``hh:mm``, empty where it is not fixed."""

    day: date
    hour: str = ""


class Registration(Struct, frozen=True, kw_only=True):
    """A tournament as it was announced."""

    name: str
    city: str
    federation: str
    systems: tuple[str, ...]
    """Keys of the rating systems it is to be rated in."""
    start: date
    end: date
    schedule: tuple[RoundTime, ...]
    time_control: str
    pairing: System
    chief_arbiter: str
    expected_players: int | None = None
    top_rating: int | None = None
    """The highest rating expected of any player."""
    top_woman: int | None = None
    facts: Facts = field(default_factory=Facts)
    remarks: str = ""


class TournamentStatus(StrEnum):
    AWAITING_APPROVAL = "awaiting_approval"
    REGISTERED = "registered"
    REFUSED = "refused"
    APPEALED = "appealed"
    CANCELLED = "cancelled"


class Tournament(Struct, frozen=True, kw_only=True):
    """A registered tournament and where it stands."""

    id: int
    registration: Registration
    status: TournamentStatus
    registered_by: int
    registered_at: datetime
    approvals: tuple[Approval, ...] = ()
    refused_on: date | None = None
    refusal_reason: str = ""
    appeal_until: date | None = None
    """The last day to appeal against the refusal; none where no law asked gives an appeal."""
    appealed_on: date | None = None
    appeal: str = ""
    appeal_decided_on: date | None = None
    appeal_upheld: bool | None = None
    appeal_note: str = ""
    cancelled_on: date | None = None
    cancellation_reason: str = ""
    amendments: tuple[Amendment, ...] = ()
    """What the registration said before, the oldest first."""


class Amendment(Struct, frozen=True, kw_only=True):
    """A registration as it stood until it was amended: by whom, when and why."""

    before: Registration
    by: int
    at: datetime
    reason: str


class Approval(Struct, frozen=True, kw_only=True):
    """An approval a registration waits for, and what became of it."""

    needed: str
    """``president``, ``qc`` (both: late), ``hybrid`` or ``duration`` (FIDE 2010, 4.12)."""
    article: str
    granted_by: str = ""
    """Whose decision it was, as recorded by the administrator; empty while it waits."""
    granted_on: date | None = None
    note: str = ""


class ReportStatus(StrEnum):
    RETURNED = "returned"
    """It has errors: the arbiter sends another."""
    NEEDS_ANSWERS = "needs_answers"
    """It has warnings that nobody has answered."""
    SENT = "sent"
    ACCEPTED = "accepted"
    REJECTED = "rejected"
    SUPERSEDED = "superseded"
    RATED = "rated"
    """It is on a published list."""
    WITHDRAWN = "withdrawn"
    """It is not to be rated after all."""
    CORRECTION = "correction"
    """It came after its games were on a list and was entered as a correction of them."""
    ANNULLED = "annulled"
    """It was on a published list and counts no more."""


class StoredFinding(Struct, frozen=True, kw_only=True):
    """A finding as it was when the report was checked; `answer` acknowledges a warning."""

    system: str
    severity: str
    key: str
    article: str = ""
    file: str = ""
    line: int | None = None
    column: int | None = None
    details: dict[str, object] = field(default_factory=dict)
    answer: str = ""
    more: int = 0
    """How many others of its kind there are that are only counted."""


class SentReport(Struct, frozen=True, kw_only=True):
    """A report of a tournament, as sent; `blob` is the SHA-256 of its bytes."""

    id: int
    tournament: int
    version: int
    blob: str
    file_name: str
    sent_by: int
    sent_at: datetime
    status: ReportStatus
    findings: tuple[StoredFinding, ...] = ()
    decided_by: int | None = None
    decided_at: datetime | None = None
    note: str = ""
    given: tuple[tuple[int, int], ...] = ()
    """Entries without a number in the file, each with the player that somebody said it is."""
    games_blob: str = ""
    """The SHA-256 of the games that came with it; empty without them."""
    games_name: str = ""

    @property
    def numbers(self) -> dict[int, int]:
        """By entry without a number in the file: who it is."""
        return dict(self.given)


class DraftStatus(StrEnum):
    RUNNING = "running"
    READY = "ready"
    FAILED = "failed"
    PUBLISHED = "published"
    DISCARDED = "discarded"
