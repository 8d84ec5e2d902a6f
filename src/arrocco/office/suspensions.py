"""Federations that are excluded from membership for a time (10.1, 9.1 or 13.1 of FIDE)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date

from msgspec import Struct

from arrocco.errors import Inconsistent
from arrocco.findings import Finding, Place, Severity
from arrocco.laws.rating import RatingLaw
from arrocco.office.questions import article_of
from arrocco.records.report import Report
from arrocco.words import Phrase

MAX_SUSPENSIONS = 100
KEYS = frozenset({"office.players_suspended", "office.tournament_suspended"})
"""The findings about suspended federations."""
_MAX_NAMES = 5


class Suspension(Struct, frozen=True, kw_only=True, order=True):
    """A federation that is no member from one day until another, or until further notice."""

    federation: str
    since: date
    until: date | None = None

    def touches(self, start: date, end: date) -> bool:
        """Whether it holds on one of these days, first and last included."""
        return self.since <= end and (self.until is None or start <= self.until)


def require_suspensions(suspensions: Sequence[Suspension]) -> None:
    """Raises `Inconsistent` for suspensions that cannot be kept."""
    if len(suspensions) > MAX_SUSPENSIONS:
        raise Inconsistent.of("settings.refused.suspensions", most=MAX_SUSPENSIONS)
    for suspension in suspensions:
        code = suspension.federation
        if not (len(code) == 3 and code.isascii() and code.isalpha() and code.isupper()):
            raise Inconsistent.of("settings.refused.suspended_code", code=code[:20])
        if suspension.until is not None and suspension.until < suspension.since:
            raise Inconsistent.of("settings.refused.suspended_days", code=code)


def suspended_findings(
    report: Report, federation: str, law: RatingLaw, suspensions: Sequence[Suspension]
) -> Iterator[Finding]:
    """What there is to say of players of suspended federations, and of a tournament of one."""
    article = article_of(law, "federation_is_known")
    if report.start is None or not article:
        return
    end = report.end or report.start
    for suspension in suspensions:
        if not suspension.touches(report.start, end):
            continue
        days = {"federation": suspension.federation, "days": _days(suspension)}
        if federation.strip().upper() == suspension.federation:
            yield Finding(
                Severity.WARNING, "office.tournament_suspended", Place(report.source), article, days
            )
        players = [
            entry
            for entry in report.entries
            if entry.federation.strip().upper() == suspension.federation
        ]
        if players:
            names = [entry.name or str(entry.number) for entry in players]
            if len(names) > _MAX_NAMES:
                names[_MAX_NAMES:] = ["…"]
            told = {"count": len(players), "players": ", ".join(names)}
            yield Finding(
                Severity.WARNING, "office.players_suspended", players[0].place, article, days | told
            )


def _days(suspension: Suspension) -> Phrase:
    if suspension.until is None:
        return Phrase("office.suspended_from", {"since": suspension.since})
    return Phrase("office.suspended_days", {"since": suspension.since, "until": suspension.until})
