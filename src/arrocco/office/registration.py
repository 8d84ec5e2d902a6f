"""Registering a tournament: what each law it is to be rated under makes of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date

from arrocco.engine.checks import days, events, schedule, times
from arrocco.engine.checks.case import Case, Check
from arrocco.engine.checks.questions import (
    HybridEvents,
    InterimReports,
    LastList,
    LengthLimit,
    MinimumByField,
    MinimumByPair,
    Registers,
)
from arrocco.errors import Illegal
from arrocco.findings import Finding, Severity, by_severity
from arrocco.laws.fide.classes import fide_class
from arrocco.laws.fide.text_2024.registration import RegistrationStatus
from arrocco.laws.publications import Publications
from arrocco.laws.rating import RatingLaw
from arrocco.laws.systems import RatingSystem, system_named
from arrocco.office.announcement import validated
from arrocco.office.cutoff import REPORT_DAYS, NoList, last_day_to_send, list_for
from arrocco.office.field_strength import LATE
from arrocco.office.questions import TypesOfTime, article_of
from arrocco.office.records import Approval, Registration
from arrocco.records.report import Report
from arrocco.records.timecontrol import TimeControl, parse
from arrocco.words import Phrase

__all__ = [
    "Assessment",
    "Limit",
    "Stretch",
    "assess",
    "report_of",
    "require_ratable",
    "time_class_of",
    "validated",
]

_CHECKS: tuple[Check, ...] = (
    days.days_plausible,
    days.chosen_in_time,
    times.first_control,
    times.time_class,
    times.tournament_coefficient,
    schedule.rounds_in_a_day,
    schedule.hours_in_a_day,
    schedule.length,
    schedule.interim_reports,
    events.where_it_was_played,
    events.hybrid,
)
"""What a report's checks can already say when only the announcement is known."""
_APPROVABLE = frozenset({"check.too_long"})
"""Errors that an approval given beforehand takes away."""
LIMITS = tuple(
    """
    FIRST_CONTROL_MOVES HOURS_PER_DAY GAMES_PER_DAY ROUNDS_PER_DAY INTERIM_REPORTS_AFTER
    LONGEST_TOURNAMENT
""".split()
)
"""The numbers of an edition that bound a schedule; no edition has all of them."""


@dataclass(frozen=True)
class Limit:
    """A number that bounds the schedule, with its article and its words in the edition."""

    name: str
    value: int
    unit: str
    article: str
    en: str
    it: str


@dataclass(frozen=True)
class Stretch:
    """A part of a long tournament that is reported on its own, and the list it falls on."""

    first: date
    last: date
    list_date: date | None
    send_by: date | None


@dataclass(frozen=True, kw_only=True)
class Assessment:
    """What one rating system makes of a tournament as announced; an empty article: no such rule."""

    system: str
    law: str
    edition: str
    time_class: str
    """``standard``, ``rapid``, ``blitz``, ``bullet``; empty for none."""
    seconds_for_60_moves: int
    can_be_rated: bool
    deadline: date | None
    """The last day to register."""
    deadline_article: str
    status: RegistrationStatus | None
    approvals: tuple[Approval, ...]
    list_date: date | None
    """The first list it falls on, if its report is sent when it ends."""
    list_article: str
    list_send_by: date | None
    """The last day to send the report for that list."""
    last_list: date | None
    """The last list on which it can still be rated."""
    last_article: str
    report_by: date | None
    """The last day on which the report can still be sent."""
    stretches: tuple[Stretch, ...]
    """One for each report; more than one where interim reports are due."""
    limits: tuple[Limit, ...]
    findings: tuple[Finding, ...]


# --- what the laws make of it ---------------------------------------------------------------------


def assess(
    registration: Registration,
    on: date,
    emissions: Mapping[str, Publications] | None = None,
    report_days: int = REPORT_DAYS,
    chosen: Mapping[str, Mapping[str, str]] | None = None,
) -> tuple[Assessment, ...]:
    """What each system asked makes of a tournament registered on a day.

    `emissions` are the lists published or announced, by system; `report_days` is how many days
    before a list the office takes reports; `chosen` is, by system, how it reads open articles.
    Raises `Inconsistent` for a field that is not in order and `NoLawInForce` where it starts
    outside every edition.
    """
    validated(registration)
    return tuple(
        _assess(
            registration,
            system_named(key),
            on,
            (emissions or {}).get(key),
            report_days,
            (chosen or {}).get(key, {}),
        )
        for key in registration.systems
    )


def _assess(
    asked: Registration,
    system: RatingSystem,
    on: date,
    emissions: Publications | None,
    report_days: int,
    chosen: Mapping[str, str],
) -> Assessment:
    law = system.edition_read(asked.start, chosen)
    control = parse(asked.time_control)
    findings = by_severity(_findings(asked, system, law, control))
    deadline = status = None
    if isinstance(law, Registers):
        tops = asked.top_rating, asked.top_woman
        deadline = law.registration_deadline(asked.start, *tops)
        status = law.registration_status(asked.start, on, *tops)
    stretches = _stretches(asked, system, law, emissions, report_days)
    ending = stretches[-1]
    last = law.last_list(asked.end) if isinstance(law, LastList) else None
    return Assessment(
        system=system.key,
        law=law.law,
        edition=law.edition,
        time_class=time_class_of(law, control),
        seconds_for_60_moves=control.seconds_for_60_moves,
        can_be_rated=not any(f.is_error and f.key not in _APPROVABLE for f in findings),
        deadline=deadline,
        deadline_article=_deadline_article(law, asked.start, deadline),
        status=status,
        approvals=tuple(_approvals(asked, law, status)),
        list_date=ending.list_date,
        list_article=(
            article_of(law, "first_list")
            or article_of(law, "period_of_receipt")
            or article_of(law, "next_list")
        ),
        list_send_by=ending.send_by,
        last_list=last,
        last_article=article_of(law, "last_list") if last else "",
        report_by=(
            last_day_to_send(law, last, report_days, official=asked.facts.official)
            if last
            else None
        ),
        stretches=stretches,
        limits=tuple(_limits(law)),
        findings=tuple(findings),
    )


def report_of(registration: Registration) -> Report:
    """The registration as a report without players, so that the checks of reports judge it."""
    return Report(
        name=registration.name,
        city=registration.city,
        federation=registration.federation,
        start=registration.start,
        end=registration.end,
        system=registration.pairing,
        chief_arbiter=registration.chief_arbiter,
        time_control_text=registration.time_control,
        time_control=parse(registration.time_control),
        rounds=len(registration.schedule),
        round_dates=tuple(planned.day for planned in registration.schedule),
        facts=replace(registration.facts),
    )


def time_class_of(law: RatingLaw, control: TimeControl) -> str:
    """The class of a time control under a law: its own classes, else FIDE's; empty for none."""
    time_class = law.time_class(control) if isinstance(law, TypesOfTime) else fide_class(control)
    return str(time_class or "")


def _findings(
    asked: Registration, system: RatingSystem, law: RatingLaw, control: TimeControl
) -> Iterator[Finding]:
    case = Case(report_of(asked), law)
    for check in _CHECKS:
        yield from check(case)
    yield from _time_of_play(asked, system, law, control)


def _time_of_play(
    asked: Registration, system: RatingSystem, law: RatingLaw, control: TimeControl
) -> Iterator[Finding]:
    """Whether the time is this list's, and slow enough for the strongest expected."""
    article = article_of(law, "excluded_by_time_of_field") or article_of(law, "excluded_by_time")
    minutes = control.seconds_for_60_moves // 60
    details = {"control": str(control), "minutes": minutes, "system": system.key}
    if not law.is_of_kind(control, system.kind):
        yield Finding(
            Severity.ERROR,
            "office.other_kind",
            article=article_of(law, "is_of_kind"),
            details=details | {"kind": time_class_of(law, control) or "-"},
        )
    needed = _least_minutes(law, None)
    if needed is not None and control.seconds_for_60_moves < 60 * needed:
        yield Finding(
            Severity.ERROR, "office.too_fast", article=article, details=details | {"needed": needed}
        )
        return
    top = max(asked.top_rating or 0, asked.top_woman or 0) or None
    needed = _least_minutes(law, top)
    if needed is not None and control.seconds_for_60_moves < 60 * needed:
        # In the 2010 text the strongest player decides for the whole field.
        whole = law.MINIMUM_TIME_BY_FIELD
        yield Finding(
            Severity.ERROR if whole else Severity.WARNING,
            "office.field_too_fast" if whole else "office.too_fast_for_some",
            article=article,
            details=details | {"needed": needed, "top": top},
        )


def _least_minutes(law: RatingLaw, top: int | None) -> int | None:
    if isinstance(law, MinimumByField):
        return law.minimum_minutes_of_field((top,))
    if isinstance(law, MinimumByPair) and article_of(law, "minimum_minutes"):
        return law.minimum_minutes(top, None)
    return None


def _limits(law: RatingLaw) -> Iterator[Limit]:
    for name, value in type(law).values():
        if name in LIMITS:
            yield Limit(name, int(value), value.unit, value.article, value.en, value.it)


def _deadline_article(law: RatingLaw, start: date, deadline: date | None) -> str:
    """Of two notices the article of the one that applies (FIDE 2024: 0.2.1 or 0.2.2)."""
    if deadline is None:
        return ""
    notice = (start - deadline).days
    for name, value in type(law).values():
        if name in ("LONG_NOTICE", "NOTICE") and value == notice:
            return value.article
    return article_of(law, "registration_deadline")


def _approvals(
    asked: Registration, law: RatingLaw, status: RegistrationStatus | None
) -> Iterator[Approval]:
    if status in LATE:
        by_status = getattr(law, "LATE_APPROVAL", {})
        article = by_status.get(status) or article_of(law, "registration_status")
        yield Approval(needed=LATE[status], article=article)
    if isinstance(law, HybridEvents) and law.needs_individual_approval(hybrid=asked.facts.hybrid):
        yield Approval(needed="hybrid", article=article_of(law, "needs_individual_approval"))
    if isinstance(law, LengthLimit) and not law.duration_is_allowed(
        asked.start, asked.end, league=asked.facts.league
    ):
        yield Approval(needed="duration", article=article_of(law, "duration_is_allowed"))


def _stretches(
    asked: Registration,
    system: RatingSystem,
    law: RatingLaw,
    emissions: Publications | None,
    report_days: int,
) -> tuple[Stretch, ...]:
    spans = [(asked.start, asked.end)]
    if isinstance(law, InterimReports) and law.needs_interim_reports(asked.start, asked.end):
        spans = _ending_with_rounds(asked, law.interim_reports(asked.start, asked.end))
    stretches, official = [], asked.facts.official
    for first, last in spans:
        listed = list_for(law, system, last, last, official, emissions, report_days=report_days)
        if isinstance(listed, NoList):
            stretches.append(Stretch(first, last, None, None))
            continue
        send_by = last_day_to_send(law, listed, report_days, official=official)
        stretches.append(Stretch(first, last, listed, send_by))
    return tuple(stretches)


def _ending_with_rounds(
    asked: Registration, months: list[tuple[date, date]]
) -> list[tuple[date, date]]:
    """4 — the stretches of a long tournament: from the first to the last round of each month.

    Days without a round between them belong to neither: with them a stretch would be longer than
    the month that it may last.
    """
    spans: list[tuple[date, date]] = []
    for start, end in months:
        days = [planned.day for planned in asked.schedule if start <= planned.day <= end]
        last = asked.end if end == asked.end else max(days, default=None)
        if last is not None:
            spans.append((min(days, default=start) if spans else asked.start, last))
    return spans


def require_ratable(assessments: tuple[Assessment, ...]) -> None:
    """Raises `Illegal` naming the first system that can never rate the tournament, and why."""
    for assessment in assessments:
        if not assessment.can_be_rated:
            errors = tuple(f for f in assessment.findings if f.is_error)
            reasons = tuple(Phrase(f"{f.key}.text", f.details) for f in errors)
            raise Illegal.of(
                "office.refused.cannot_be_rated",
                system=assessment.system,
                reasons=reasons,
                findings=errors,
            )
