"""The days of a tournament: when it starts and ends, is registered, and on which list it comes."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from arrocco.engine.checks.case import Case, plausible
from arrocco.engine.checks.questions import LastList, ListsByEnd, ListsByReceipt, Registers
from arrocco.findings import Finding, Severity


def days_given(case: Case) -> Iterator[Finding]:
    """The start decides the edition and the ratings, the end decides the list."""
    report = case.report
    if report.start is None:
        yield case.finding(Severity.ERROR, "start_missing", article=case.article("list_in_force"))
    if report.end is None:
        by_end = isinstance(case.law, ListsByEnd)
        yield case.finding(
            Severity.ERROR if by_end else Severity.WARNING,
            "end_missing",
            article=case.article("first_list"),
        )


def days_plausible(case: Case) -> Iterator[Finding]:
    """No tournament is played or reported in the year 24 or 9999; such days are not used."""
    for day in (case.report.start, case.report.end, case.on):
        if day is not None and plausible(day) is None:
            yield case.finding(Severity.ERROR, "day_implausible", day=day)


def days_in_order(case: Case) -> Iterator[Finding]:
    """A tournament does not end before it starts."""
    start, end = case.start, case.end
    if start is not None and end is not None and end < start:
        yield case.finding(Severity.ERROR, "end_before_start", start=start, end=end)


def sent_in_time(case: Case) -> Iterator[Finding]:
    """A report that misses the last list after the end is never rated; none is sent before it.

    A report is in time for a list until the day before its date.
    """
    end, on, law = case.end, case.sent, case.law
    if end is None or on is None:
        return
    if on < end:
        yield case.finding(Severity.WARNING, "sent_before_end", on=on, end=end)
    last = law.last_list(end) if isinstance(law, LastList) else None
    if last is not None and on >= last:
        yield case.finding(
            Severity.ERROR, "too_late", article=case.article("last_list"), on=on, end=end, last=last
        )


def list_reached(case: Case) -> Iterator[Finding]:
    """Says on which list the tournament can be, and until which one."""
    end, on, law = case.end, case.sent, case.law
    if isinstance(law, ListsByReceipt) and on is not None:
        yield case.finding(
            Severity.NOTE,
            "counted_on",
            article=case.article("period_of_receipt"),
            on=on,
            ranking=law.period_of_receipt(on),
        )
    if end is None or not isinstance(law, ListsByEnd):
        return
    last = law.last_list(end) if isinstance(law, LastList) else None
    first = law.first_list(end, official=case.report.facts.official)
    while on is not None and first <= on:
        first = law.next_list(first)
    if last is None:
        yield case.finding(
            Severity.NOTE, "first_list", article=case.article("first_list"), end=end, first=first
        )
    elif first <= last:
        yield case.finding(
            Severity.NOTE,
            "first_and_last_list",
            article=f"{case.article('first_list')}, {case.article('last_list')}",
            end=end,
            first=first,
            last=last,
        )


def list_of_the_start(case: Case) -> Iterator[Finding]:
    """The ratings are those of the list in force at the start: another list misleads."""
    start, listed, law = case.start, case.listed, case.law
    if start is None or listed is None or listed.on is None or not isinstance(law, ListsByEnd):
        return
    in_force = law.list_in_force(start)
    if listed.on != in_force:
        yield case.finding(
            Severity.WARNING,
            "other_list",
            article=case.article("list_in_force"),
            given=listed.on,
            in_force=in_force,
            start=start,
        )


def chosen_in_time(case: Case) -> Iterator[Finding]:
    """Rating period by period is chosen before the first round, or not at all (FIDE 2010, 4.13)."""
    article, declared, start = (
        case.article("list_for_game"),
        case.report.facts.by_period,
        case.start,
    )
    if article and declared and start is not None and declared > start:
        yield case.finding(
            Severity.WARNING, "by_period_late", article=article, declared=declared, start=start
        )


def registration(case: Case) -> Iterator[Finding]:
    """Says until when the tournament had to be registered, which its strongest players decide."""
    start, law = case.start, case.law
    if start is None or not isinstance(law, Registers):
        return
    women = [
        rating
        for entry in case.report.entries
        if (rating := case.ratings[entry.number]) and case.is_woman(entry)
    ]
    deadline = law.registration_deadline(start, case.top_rating, max(women, default=None))
    yield case.finding(
        Severity.NOTE,
        "registration",
        article=_notice_article(case, start, deadline),
        start=start,
        deadline=deadline,
    )


def _notice_article(case: Case, start: date, deadline: date) -> str:
    """Of two notices the article of the one that applies (FIDE 2024: 0.2.1 or 0.2.2)."""
    notice = (start - deadline).days
    for name in ("LONG_NOTICE", "NOTICE"):
        value = case.value(name)
        if value is not None and value == notice:
            return value.article
    return case.article("registration_deadline")
