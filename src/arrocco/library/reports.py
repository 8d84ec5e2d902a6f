"""Tournament reports: read, checked by the law, rated and explained."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from os import PathLike
from pathlib import Path
from typing import Literal

from arrocco.engine.admission import Waiver, Waivers, judged, waived_findings, waiver_key
from arrocco.engine.assemble import law_for
from arrocco.engine.explain import PlayerRows
from arrocco.engine.rate_reports import RatedReports, rate_reports
from arrocco.engine.rated_steps import closing_steps, event_steps
from arrocco.errors import Inconsistent, NotFound, Refusal
from arrocco.findings import Finding
from arrocco.formats import trf
from arrocco.library.sentences import hundredths, sentences
from arrocco.office.repeated_reports import repeated_reports
from arrocco.records.ratinglist import RatingList
from arrocco.records.report import Report
from arrocco.words import Language, finding_text

__all__ = [
    "Finding",
    "RatedPlayer",
    "RatedTournaments",
    "Refusal",
    "Report",
    "check",
    "rate",
    "read_report",
    "text_of",
]


@dataclass(frozen=True)
class RatedPlayer:
    """A player of rated tournaments."""

    id: int
    name: str
    rating: int | None
    """Before; none for a player without a rating."""
    new_rating: int | None
    change: int
    games: int
    """How many count."""
    score: Decimal
    expected: Decimal
    k: int


class RatedTournaments:
    """Tournaments that were rated together, and everything there is to say about it."""

    def __init__(self, rated: RatedReports, findings: Sequence[Finding]) -> None:
        self._rated = rated
        self._rows = {rows.id: rows for rows in (*rated.players(), *rated.newcomers())}
        self.findings = tuple(findings)

    @property
    def players(self) -> tuple[RatedPlayer, ...]:
        """Those with a rating, the highest first, then those without, by id."""
        return tuple(self._player(rows) for rows in self._rows.values())

    def player(self, number: int) -> RatedPlayer:
        """A player by id. Raises `Refusal` for one who did not play."""
        return self._player(self._found(number))

    def explain(self, number: int, language: Language = "en") -> list[str]:
        """How a player's rating came about: every step in words, with its article."""
        rows = self._found(number)
        steps = [
            step
            for event in rows.events
            for step in event_steps(self._rated, rows, event, language)
        ]
        return sentences(language, [*steps, *closing_steps(self._rated, rows)])

    def _found(self, number: int) -> PlayerRows:
        if number not in self._rows:
            raise NotFound.of("library.no_player", player=number)
        return self._rows[number]

    def _player(self, rows: PlayerRows) -> RatedPlayer:
        return RatedPlayer(
            id=rows.id,
            name=self._rated.name(rows.row),
            rating=rows.rating,
            new_rating=rows.new_rating,
            change=rows.change,
            games=rows.n,
            score=hundredths(50 * rows.half_points),
            expected=hundredths(rows.expected),
            k=rows.k_applied,
        )


def read_report(source: str | PathLike[str] | bytes) -> tuple[Report, list[Finding]]:
    """Reads a TRF16 or TRF26 report from a file or its bytes.

    Whatever is wrong with it is among the findings; raises `Refusal` where nothing can be taken.
    """
    if isinstance(source, bytes):
        return trf.read_report(source, "")
    return trf.read_report(Path(source).read_bytes(), str(source))


def check(
    report: Report,
    law: str,
    rating_list: RatingList | None = None,
    *,
    found: Sequence[Finding] = (),
    on: date | None = None,
    **readings: str,
) -> list[Finding]:
    """What the law in force on the day the tournament starts has to say of it, the gravest first.

    `found` is what reading the report found: both are told, and nothing twice. `on` is the day the
    report is sent, or the start where the report does not give it.
    """
    edition = law_for(law, report, on, dict(readings))
    reading = [finding for finding in found if finding.place.file == report.source]
    return judged(report, edition, rating_list, reading=reading, on=on)


def rate(
    reports: Report | Sequence[Report],
    law: str,
    rating_list: RatingList | None = None,
    *,
    found: Sequence[Finding] = (),
    on: date | None = None,
    unlisted: Literal["refuse", "unrated", "report"] = "refuse",
    waive: Mapping[str, str] | None = None,
    **readings: str,
) -> RatedTournaments:
    """Rates reports together as one period against a list; without one, by the reports' ratings.

    What `check` calls an error is not rated: raises `Refusal` with the findings, unless `waive`
    names the key of the error and the reason to let it pass. `found` is what reading found.
    """
    several = [reports] if isinstance(reports, Report) else list(reports)
    waivers = Waivers(Waiver(key, reason) for key, reason in (waive or {}).items())
    findings = [
        finding
        for report in several
        for finding in check(report, law, rating_list, found=found, on=on, **readings)
        if unlisted == "refuse" or waiver_key(finding) != "check.not_on_list"
    ]
    admission = waivers.admit([*repeated_reports(several).values(), *findings])
    if not admission.is_admitted:
        count = len(admission.refused)
        raise Inconsistent.of("library.not_admitted", findings=admission.refused, count=count)
    waivers.require_used()
    rated = rate_reports(
        law,
        several,
        rating_list,
        on=on,
        readings=dict(readings),
        unlisted="unrated" if unlisted == "refuse" else unlisted,
    )
    told = (finding for finding in findings if not finding.is_error)
    return RatedTournaments(rated, [*waived_findings(admission.waived), *told, *rated.findings])


def text_of(finding: Finding, language: Language = "en") -> str:
    """A finding as a sentence."""
    return finding_text(language, finding)
