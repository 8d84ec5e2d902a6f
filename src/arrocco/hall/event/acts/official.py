"""12.3, 12.6 — the checks are declared complete, and the results are announced officially."""

from __future__ import annotations

from datetime import datetime

from arrocco.findings import Finding, Severity
from arrocco.hall.event.acts.base import EVERYBODY, ActRecord, Command
from arrocco.hall.event.acts.closing import appeals_until
from arrocco.hall.event.acts.filing_decisions import CHIEF, Capacity
from arrocco.hall.event.changes import Changes
from arrocco.hall.event.decision import Decision, happened, objected, refused
from arrocco.hall.event.records import Count, EventRole
from arrocco.hall.event.state import State
from arrocco.laws.hall import Laws
from arrocco.laws.online.fair_play import NotYet
from arrocco.laws.online.filings import FilingKind


class DeclareChecks(Command, frozen=True, kw_only=True):
    """12.6 — a person says that the fair play checks are complete, and what they were."""

    MAY = EVERYBODY
    FROM_PAGES = True

    capacity: Capacity
    reason: str

    def decide(self, state: State, now: datetime, laws: Laws) -> Decision:
        """12.6 — the chief arbiter or the committee, once everything is played."""
        if self.capacity == CHIEF and EventRole.CHIEF not in state.roles(self.by):
            return refused("for_the_chief", "12.6")
        if state.closed is None:
            return refused("event_not_closed", "12.6")
        if not self.reason.strip():
            return refused("reason_needed", "12.6")
        if state.checked is not None:
            return refused("checks_declared", "12.6")
        reason = self.reason.strip()
        return happened(ChecksDeclared(**self.signed(now), capacity=self.capacity, reason=reason))


class ChecksDeclared(ActRecord, frozen=True, kw_only=True):
    """12.6 — the fair play checks are complete."""

    IS_REPORTED = True

    capacity: Capacity
    reason: str

    def changes(self, state: State) -> Changes:
        return {"checked": self.at}

    def is_possible(self, state: State) -> bool:
        return state.closed is not None


class AnnounceResults(Command, frozen=True, kw_only=True):
    """12.3 — the chief arbiter announces the results officially.

    `open_matters` and `checks_complete` are what the server knows beyond this log: open cases of
    the committee, games that nobody has looked at.
    """

    MAY = frozenset({EventRole.CHIEF})
    FROM_PAGES = True

    open_matters: Count
    checks_complete: bool

    def decide(self, state: State, now: datetime, laws: Laws) -> Decision:
        """12.3, 12.6, 12.9 — not while appeals can come, a matter is open or checks are missing."""
        if state.announced is not None:
            return refused("results_announced", "12.3")
        waits = announcement_waits_for(
            state, now, laws, self.open_matters, checks_complete=self.checks_complete
        )
        until = appeals_until(state, laws)
        moment = "-" if until is None else until.isoformat(timespec="minutes")
        if waits:
            return objected(
                [
                    Finding(
                        Severity.ERROR,
                        f"event.not_yet_{reason.key}",
                        article=reason.article,
                        details={"until": moment} if reason is NotYet.APPEALS_OPEN else {},
                    )
                    for reason in waits
                ]
            )
        return happened(ResultsAnnounced(**self.signed(now)))


class ResultsAnnounced(ActRecord, frozen=True, kw_only=True):
    """12.3 — the results are official: prizes are released, recordings erased."""

    IS_PUBLIC = True
    IS_REPORTED = True

    def changes(self, state: State) -> Changes:
        return {"announced": self.at}

    def is_possible(self, state: State) -> bool:
        return state.validated is not None


def announcement_waits_for(
    state: State, now: datetime, laws: Laws, open_matters: int, *, checks_complete: bool
) -> tuple[NotYet, ...]:
    """12.3 — everything that keeps the results from being announced now."""
    open_here = sum(filed.is_open for filed in state.filings)
    validated = state.validated
    over = validated is not None and laws.online.hours_are_over(FilingKind.APPEAL, validated, now)
    return laws.online.announcement_waits_for(
        validated=validated is not None,
        appeals_over=over,
        open_matters=max(open_matters, open_here),
        checks_complete=checks_complete and state.checked is not None,
    )
