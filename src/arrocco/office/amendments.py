"""Amending a registration: what may change, until when, and which approvals are asked for again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date, datetime, timedelta

import msgspec
from msgspec.structs import replace

from arrocco.errors import Illegal, Inconsistent
from arrocco.office.intake import status_of
from arrocco.office.records import (
    Amendment,
    Approval,
    Registration,
    ReportStatus,
    SentReport,
    StoredFinding,
    Tournament,
    TournamentStatus,
)
from arrocco.office.registration import Assessment, require_ratable
from arrocco.office.tournaments import needed_approvals, require_status, require_text, standing
from arrocco.records.report import Facts
from arrocco.words import Phrase

FIXED = ("federation", "systems")
"""Whose a tournament is and where it is rated; a mistake there is another registration."""
_RATED = (ReportStatus.ACCEPTED, ReportStatus.RATED)
_APPROVED_FOR = ("start", "end", "top_rating", "top_woman", "facts")
"""What an approval was given for: once one of these changes it is asked for again."""
MAX_AMENDMENTS = 50


def spread_rounds(start: date, end: date, count: int) -> list[date]:
    """The days of so many rounds, evenly: five on a weekend are three and two.

    Where there are more days than rounds the first and the last day are played on.
    """
    days = (end - start).days + 1
    if count >= days:
        return [start + timedelta(days=number * days // count) for number in range(count)]
    gaps = max(count - 1, 1)
    return [start + timedelta(days=number * (days - 1) // gaps) for number in range(count)]


def announced_on(
    tournament: Tournament, registration: Registration | None = None, on: date | None = None
) -> date:
    """The day whose notice counts: the first on which a start no later than this one was announced.

    With a registration that is to be amended: `on` is the day of the amendment. A tournament that
    is put off keeps its notice; one that is brought forward gives it anew.
    """
    asked = registration or tournament.registration
    for announced, when in _versions(tournament):
        if announced.start <= asked.start:
            return when
    return on or tournament.registered_at.date()


def _versions(tournament: Tournament) -> Iterator[tuple[Registration, date]]:
    """Every registration there was, with the day from which it stood."""
    since = tournament.registered_at.date()
    for amendment in tournament.amendments:
        yield amendment.before, since
        since = amendment.at.date()
    yield tournament.registration, since


def amended(
    tournament: Tournament,
    registration: Registration,
    assessments: tuple[Assessment, ...],
    reports: Iterable[SentReport],
    *,
    reason: str,
    by: int,
    at: datetime,
) -> Tournament:
    """With another registration; what it said before is kept.

    Raises `Refusal` where a report has been accepted, nothing changes, or it could not be rated.
    """
    require_status(
        tournament, "amend", TournamentStatus.AWAITING_APPROVAL, TournamentStatus.REGISTERED
    )
    require_amendable(reports)
    require_text("reason", reason)
    before = tournament.registration
    for name in FIXED:
        if getattr(before, name) != getattr(registration, name):
            raise _wrong(name, "fixed")
    if _asks_waiver_late(before, registration, at.date()):
        raise _wrong("match_waiver", "waiver_late")
    if registration == before:
        raise Illegal.of("office.refused.nothing_amended")
    if len(tournament.amendments) >= MAX_AMENDMENTS:
        raise Illegal.of("office.refused.too_many_amendments", most=MAX_AMENDMENTS)
    require_ratable(assessments)
    approvals = _approvals(tournament, registration, needed_approvals(assessments))
    amendment = Amendment(before=before, by=by, at=at, reason=reason.strip())
    return replace(
        tournament,
        registration=registration,
        approvals=approvals,
        status=standing(approvals),
        amendments=(*tournament.amendments, amendment),
    )


def _asks_waiver_late(before: Registration, after: Registration, on: date) -> bool:
    """Whether all games of a match are asked for once it has started (2024: 6.2, prior request)."""
    return after.facts.match_waiver and not before.facts.match_waiver and on > after.start


def _wrong(name: str, why: str) -> Inconsistent:
    field = Phrase(f"office.field.{name}")
    return Inconsistent.of(
        "office.refused.field", field=field, why=Phrase(f"office.fault.{why}"), name=name
    )


def require_amendable(reports: Iterable[SentReport]) -> None:
    """Raises `Illegal` once a report has been accepted: what it was accepted for stays."""
    for report in reports:
        if report.status in _RATED:
            raise Illegal.of(
                "office.refused.amended_too_late",
                version=report.version,
                status=Phrase(f"office.report.{report.status.value}"),
            )


def _approvals(
    tournament: Tournament, registration: Registration, needed: tuple[Approval, ...]
) -> tuple[Approval, ...]:
    """Those needed now; one on record stays where what it was given for has not changed."""
    before = tournament.registration
    if any(getattr(before, name) != getattr(registration, name) for name in _APPROVED_FOR):
        return needed
    granted = {approval.needed: approval for approval in tournament.approvals}
    return tuple(granted.get(piece.needed, piece) for piece in needed)


def changed_fields(before: Registration, after: Registration) -> list[tuple[str, object, object]]:
    """The fields that differ, by name, with both values; those of the facts by their own names."""
    pairs: list[tuple[str, object, object]] = []
    for name in Registration.__struct_fields__:
        first, other = getattr(before, name), getattr(after, name)
        if first == other:
            continue
        if name != "facts":
            pairs.append((name, first, other))
            continue
        facts, others = msgspec.to_builtins(first), msgspec.to_builtins(other)
        pairs += [
            (fact, facts.get(fact), others.get(fact))
            for fact in Facts.__dataclass_fields__
            if facts.get(fact) != others.get(fact)
        ]
    return pairs


def rechecked(
    report: SentReport,
    findings: tuple[StoredFinding, ...],
    numbers: dict[int, int] | None = None,
) -> SentReport:
    """A report that waits, with what is found of it now; answers stay where the finding does."""
    answers = {_told(finding): finding.answer for finding in report.findings if finding.answer}
    kept = tuple(replace(finding, answer=answers.get(_told(finding), "")) for finding in findings)
    given = report.given if numbers is None else tuple(sorted(numbers.items()))
    return replace(report, findings=kept, status=status_of(kept), given=given)


def _told(finding: StoredFinding) -> bytes:
    """What a finding says, whoever answered it."""
    return msgspec.json.encode(replace(finding, answer=""), order="sorted")
