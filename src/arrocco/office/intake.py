"""A report comes in: what reading, the law and its registration say of it, and what is adjusted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum

from arrocco.engine.admission import judged
from arrocco.engine.checks.likeness import fold
from arrocco.engine.checks.questions import InterimReports
from arrocco.errors import Malformed, NoLawInForce
from arrocco.findings import Finding, Place, Severity, by_severity
from arrocco.laws.rating import RatingLaw
from arrocco.laws.systems import RatingSystem, system_named
from arrocco.office.records import Approval, Registration, ReportStatus, StoredFinding
from arrocco.records.ratinglist import RatingList
from arrocco.records.report import Facts, Report, System
from arrocco.records.timecontrol import TimeControl, parse

_ROUND_ROBINS = {System.ROUND_ROBIN, System.DOUBLE_ROUND_ROBIN}
_APPROVED = {"check.too_long": "duration", "check.hybrid_approval": "hybrid"}
"""Findings that an approval on record settles."""


LONGEST_MONTH = 31
"""Days of a calendar month, at most."""


class AdjustmentKind(StrEnum):
    """What the office changes in a report; the words are under ``office.adjustment``."""

    RATING_OF_LIST = "rating_of_list"
    """The rating of the list in force counts, not the reported one."""
    RATING_NOT_LISTED = "rating_not_listed"
    """A reported rating counts for nothing: the list does not have the player, or no rating."""
    MERGED_NUMBER = "merged_number"
    """The number was found to be another's: the one that was kept counts."""
    TIME_CONTROL_OF_REGISTRATION = "time_control_of_registration"
    """The report gives no time control that can be read: the registered one counts."""


@dataclass(frozen=True, kw_only=True)
class Adjustment:
    """One thing rated otherwise than reported; `entry` 0 concerns the whole report."""

    kind: AdjustmentKind
    entry: int = 0
    player: str = ""
    id: int | None = None
    reported: str = "-"
    counted: str = "-"
    article: str = ""

    @property
    def key(self) -> str:
        """The sentence in the catalogues: with {player}, {id}, {reported} and {counted}."""
        return f"office.adjustment.{self.kind.value}"


def prepared(
    report: Report, registration: Registration, merged: Mapping[int, int] | None = None
) -> Report:
    """The report as it is rated: with the facts and the control registered, numbers followed.

    `merged` leads from a number that was left to the one that was kept; see `renamed_ids`.
    """
    merged = merged or {}
    entries = [
        replace(entry, id=merged.get(entry.id, entry.id)) if entry.id is not None else entry
        for entry in report.entries
    ]
    control = report.time_control or registered_control(registration)
    facts = facts_of(registration)
    return replace(report, facts=facts, time_control=control, entries=entries)


def facts_of(registration: Registration, tournament: int = 0) -> Facts:
    """The facts a report of a registered tournament is rated with.

    Those of a long tournament are reported month by month (4): each report is rated under the
    edition of the tournament's first day (0.1) and is a part of one event (8.2.1).
    """
    facts = replace(registration.facts)
    if is_reported_in_parts(registration):
        facts.event = facts.event or f"tournament:{tournament}"
        facts.began = registration.start
    return facts


def law_day(report: Report, registration: Registration) -> date:
    """The day by which the edition of a report goes (0.1): the first of its whole tournament."""
    return facts_of(registration).began or report.start or registration.start


def registered_control(registration: Registration) -> TimeControl | None:
    """The registered time control; `None` where it cannot be read, which validation prevents."""
    try:
        return parse(registration.time_control)
    except Malformed:
        return None


def check(
    report: Report,
    findings_of_reading: Iterable[Finding],
    registration: Registration,
    system: RatingSystem,
    listed: RatingList | None,
    on: date,
    *,
    merged: Mapping[int, int] | None = None,
    approvals: Iterable[Approval] = (),
    standard: RatingList | None = None,
    chosen: Mapping[str, str] | None = None,
) -> list[Finding]:
    """All there is to say of a report sent on a day, the gravest first.

    What reading found, what the law finds once the registration's facts are known, and where the
    report says otherwise than the registration. `listed` is the list in force at the start,
    `standard` the one whose ratings stand in; `chosen` is how the office reads open articles.
    """
    findings = [*findings_of_reading, *_compared(report, registration, system)]
    as_rated = prepared(report, registration, merged)
    if report.start is not None and report.start > on:
        findings.append(
            _about(report, Severity.ERROR, "office.not_started", start=report.start, on=on)
        )
    try:
        law = system.edition_read(law_day(report, registration), chosen or {})
    except NoLawInForce as none:
        nearest = none.details["nearest"]
        details = {"law": system.law, "start": report.start, "nearest": nearest}
        findings.append(
            Finding(Severity.ERROR, "check.no_edition", Place(report.source), "", details)
        )
        return by_severity(findings)
    settled = settled_by(approvals)
    findings += [
        finding
        for finding in judged(as_rated, law, listed, standard=standard, on=on)
        if finding.key not in settled
    ]
    if report.time_control is not None and not law.is_of_kind(report.time_control, system.kind):
        findings.append(
            _about(
                report,
                Severity.ERROR,
                "office.other_kind_reported",
                control=str(report.time_control),
                system=system.key,
            )
        )
    return by_severity(findings)


def settled_by(approvals: Iterable[Approval]) -> dict[str, Approval]:
    """By the key of a finding: the approval on record that settles it."""
    granted = {
        approval.needed: approval for approval in approvals if approval.granted_on is not None
    }
    return {key: granted[needed] for key, needed in _APPROVED.items() if needed in granted}


def _about(report: Report, severity: Severity, key: str, /, **details: object) -> Finding:
    return Finding(severity, key, Place(report.source), "", details)


# --- the report against its registration ----------------------------------------------------------


def _compared(
    report: Report, registration: Registration, system: RatingSystem
) -> Iterator[Finding]:
    stretch = _is_stretch(report, registration, system)
    if stretch:
        yield _about(
            report,
            Severity.NOTE,
            "office.interim_report",
            start=report.start,
            end=report.end,
            registered_start=registration.start,
            registered_end=registration.end,
        )
    elif (report.start, report.end) != (registration.start, registration.end) and (
        report.start is not None and report.end is not None
    ):
        yield _about(
            report,
            Severity.WARNING,
            "office.days_differ",
            start=report.start,
            end=report.end,
            registered_start=registration.start,
            registered_end=registration.end,
        )
    for key, reported, registered in (
        ("office.federation_differs", report.federation.strip().upper(), registration.federation),
        ("office.arbiter_differs", report.chief_arbiter.strip(), registration.chief_arbiter),
        ("office.pairing_differs", _pairing(report.system), _pairing(registration.pairing)),
    ):
        if reported and registered and not _same(reported, registered):
            yield _about(report, Severity.WARNING, key, reported=reported, registered=registered)
    yield from _compared_rounds(report, registration, part=stretch)
    yield from _compared_time(report, registration)


def _is_stretch(report: Report, registration: Registration, system: RatingSystem) -> bool:
    """4 — whether a report is a part of a long tournament: it ends with a round, not a month.

    A part has rounds that were planned for its days and lasts no longer than a month.
    """
    if report.start is None or report.end is None or report.end < report.start:
        return False
    if not _needs_interim_reports(registration, system):
        return False
    whole = registration.start, registration.end
    is_part = (report.start, report.end) != whole
    inside = registration.start <= report.start and report.end <= registration.end
    short = (report.end - report.start).days < LONGEST_MONTH
    return is_part and inside and short and _covers_rounds(report, registration)


def _covers_rounds(report: Report, registration: Registration) -> bool:
    """Whether rounds were planned for the days of a part; days without a round may be in it."""
    start, end = report.start or registration.start, report.end or registration.end
    return any(start <= planned.day <= end for planned in registration.schedule)


def is_reported_in_parts(registration: Registration) -> bool:
    """Whether a law asked wants interim reports of a tournament."""
    return any(
        _needs_interim_reports(registration, system_named(key)) for key in registration.systems
    )


def _needs_interim_reports(registration: Registration, system: RatingSystem) -> bool:
    try:
        law = system.edition_on(registration.start)
    except NoLawInForce:
        return False
    return isinstance(law, InterimReports) and law.needs_interim_reports(
        registration.start, registration.end
    )


def _pairing(system: System) -> str:
    return "" if system is System.UNKNOWN else system.value


def _same(first: str, other: str) -> bool:
    """Whether two texts have the same words: names are written in either order, with titles."""
    words, others = set(fold(first).split()), set(fold(other).split())
    return words <= others or others <= words


def _compared_rounds(
    report: Report, registration: Registration, *, part: bool
) -> Iterator[Finding]:
    planned = registration.schedule
    if part:
        planned = tuple(
            at for at in planned if (report.start or at.day) <= at.day <= (report.end or at.day)
        )
    if report.rounds != len(planned):
        yield _about(
            report,
            Severity.WARNING,
            "office.rounds_differ",
            reported=report.rounds,
            registered=len(planned),
        )
        return
    moved = tuple(
        number
        for number, (played, at) in enumerate(zip(report.round_dates, planned, strict=False), 1)
        if played is not None and played != at.day
    )
    if moved:
        yield _about(report, Severity.WARNING, "office.round_days_differ", rounds=moved)


def _compared_time(report: Report, registration: Registration) -> Iterator[Finding]:
    registered = registered_control(registration)
    if registered is None or report.time_control == registered:
        return
    if report.time_control is None:
        yield _about(report, Severity.NOTE, "office.time_control_taken", registered=str(registered))
    else:
        yield _about(
            report,
            Severity.WARNING,
            "office.time_control_differs",
            reported=str(report.time_control),
            registered=str(registered),
        )


def status_of(findings: Iterable[Finding | StoredFinding]) -> ReportStatus:
    """Where a report with these findings stands: back, waiting for answers, or sent."""
    severities = {
        Severity(finding.severity)
        for finding in findings
        if not (isinstance(finding, StoredFinding) and finding.answer)
    }
    if Severity.ERROR in severities:
        return ReportStatus.RETURNED
    return ReportStatus.NEEDS_ANSWERS if Severity.WARNING in severities else ReportStatus.SENT


# --- what is adjusted -----------------------------------------------------------------------------


def adjustments(
    report: Report,
    law: RatingLaw,
    listed: RatingList | None,
    *,
    merged: Mapping[int, int] | None = None,
    registration: Registration | None = None,
) -> list[Adjustment]:
    """Everything that is rated otherwise than it was reported, in the order of the entries."""
    adjusted = list(_of_time(report, registration))
    merged = merged or {}
    for entry in report.entries:
        if entry.id is None:
            continue
        kept = merged.get(entry.id, entry.id)
        if kept != entry.id:
            adjusted.append(
                Adjustment(
                    kind=AdjustmentKind.MERGED_NUMBER,
                    entry=entry.number,
                    player=entry.name,
                    id=entry.id,
                    reported=str(entry.id),
                    counted=str(kept),
                )
            )
        player = listed.player(kept) if listed is not None else None
        if listed is None or (entry.rating is None and (player is None or player.rating is None)):
            continue
        rating = None if player is None else player.rating
        if rating == entry.rating:
            continue
        kind = AdjustmentKind.RATING_OF_LIST if rating else AdjustmentKind.RATING_NOT_LISTED
        adjusted.append(
            Adjustment(
                kind=kind,
                entry=entry.number,
                player=entry.name,
                id=kept,
                reported=str(entry.rating or "-"),
                counted=str(rating or "-"),
                article=law.article("difference"),
            )
        )
    return adjusted


def _of_time(report: Report, registration: Registration | None) -> Iterator[Adjustment]:
    if registration is None or report.time_control is not None:
        return
    control = registered_control(registration)
    if control is not None:
        yield Adjustment(
            kind=AdjustmentKind.TIME_CONTROL_OF_REGISTRATION,
            reported=report.time_control_text or "-",
            counted=str(control),
        )
