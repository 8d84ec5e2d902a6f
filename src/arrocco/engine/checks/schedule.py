"""The schedule: rounds and hours a day, the length of a tournament, reports on the way."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from arrocco.engine.checks.case import Case
from arrocco.engine.checks.questions import DayLimit, InterimReports, LengthLimit
from arrocco.findings import Finding, Severity
from arrocco.records.timecontrol import Period, TimeControl

_NO_TIME = TimeControl((Period(0),), (Period(0),))
"""Games that take no time: with them only the number of games can break a day's limit."""


def round_dates(case: Case) -> Iterator[Finding]:
    """Without the dates of the rounds the limit of a day cannot be judged."""
    report = case.report
    if not isinstance(case.law, DayLimit) or report.rounds < 2:
        return
    undated = report.rounds - sum(len(rounds) for rounds in _rounds_by_day(case).values())
    if undated:
        yield case.finding(
            Severity.WARNING,
            "round_dates_missing",
            article=case.article("day_is_within_limit"),
            undated=undated,
            rounds=report.rounds,
        )


def rounds_in_a_day(case: Case) -> Iterator[Finding]:
    """At most so many games (FIDE 2010) or rounds (rapid, blitz) a day."""
    law, most = case.law, case.value("GAMES_PER_DAY") or case.value("ROUNDS_PER_DAY")
    if most is None or not isinstance(law, DayLimit):
        return
    for day, rounds in sorted(_rounds_by_day(case).items()):
        if not law.day_is_within_limit(_NO_TIME, len(rounds)):
            yield case.finding(
                Severity.ERROR,
                "rounds_in_a_day",
                article=most.article,
                day=day,
                rounds=len(rounds),
                most=int(most),
            )


def hours_in_a_day(case: Case) -> Iterator[Finding]:
    """At most so many hours of play a day, games taken at 60 moves."""
    law, control, most = case.law, case.report.time_control, case.value("HOURS_PER_DAY")
    if most is None or control is None or not isinstance(law, DayLimit):
        return
    game = control.seconds_for_60_moves + control.longest_seconds_for_60_moves
    for day, rounds in sorted(_rounds_by_day(case).items()):
        few_enough = law.day_is_within_limit(_NO_TIME, len(rounds))
        if few_enough and not law.day_is_within_limit(control, len(rounds)):
            hours, rest = divmod(len(rounds) * game, 3600)
            yield case.finding(
                Severity.ERROR,
                "hours_in_a_day",
                article=most.article,
                day=day,
                rounds=len(rounds),
                hours=f"{hours}:{rest // 60:02d}",
                most=int(most),
                control=str(control),
            )


def length(case: Case) -> Iterator[Finding]:
    """A tournament lasts at most so many days, leagues apart."""
    law, span, most = case.law, _span(case), case.value("LONGEST_TOURNAMENT")
    if span is None or most is None or not isinstance(law, LengthLimit):
        return
    if not law.duration_is_allowed(*span, league=case.report.facts.league):
        yield case.finding(
            Severity.ERROR,
            "too_long",
            article=case.article("duration_is_allowed"),
            days=law.days_of(*span),
            most=int(most),
        )


def interim_reports(case: Case) -> Iterator[Finding]:
    """A long tournament is reported month by month, each stretch a report of its own."""
    law, span = case.law, _span(case)
    if span is None or not isinstance(law, InterimReports) or not law.needs_interim_reports(*span):
        return
    stretches = law.interim_reports(*span)
    yield case.finding(
        Severity.WARNING,
        "interim_reports",
        article=case.article("needs_interim_reports"),
        days=(span[1] - span[0]).days + 1,
        count=len(stretches),
        until=stretches[0][1],
    )


def _span(case: Case) -> tuple[date, date] | None:
    start, end = case.start, case.end
    return None if start is None or end is None or end < start else (start, end)


def _rounds_by_day(case: Case) -> dict[date, list[int]]:
    """The rounds of each day; without dates those of a tournament of one day are all on it."""
    report = case.report
    if not any(report.round_dates) and report.start is not None and report.start == report.end:
        return {report.start: list(range(1, report.rounds + 1))}
    days: dict[date, list[int]] = {}
    for number, day in enumerate(report.round_dates[: report.rounds], start=1):
        if day is not None:
            days.setdefault(day, []).append(number)
    return days
