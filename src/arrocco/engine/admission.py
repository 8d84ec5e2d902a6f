"""The gate: whether a report may be rated, by what its reading, the law and the list say of it.

What `report check` calls an error stops a report on every road into a rating: one report rated
alone, a period of thousands, a comparison of two laws, the office, the hall's hand-over. An error
is waived only by name and with a reason, and whoever shows the result shows the waiver.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from pathlib import PurePath
from typing import Final, NamedTuple

from arrocco.engine.checks import check_report
from arrocco.errors import Illegal, Inconsistent
from arrocco.findings import Finding, Place, Severity, by_severity
from arrocco.laws import registry
from arrocco.laws.edition import edition_name
from arrocco.laws.rating import RatingLaw
from arrocco.records.ratinglist import RatingList
from arrocco.records.report import Report
from arrocco.words import Phrase, catalogue

NEVER_WAIVED: Final = frozenset(
    """
        check.unreadable check.start_missing check.no_edition check.no_coefficient
        check.time_control_unknown office.not_started office.games_rated office.days_rated
        office.parts_rated office.same_games_elsewhere
    """.split()
)
"""Errors behind which there is nothing to rate, or no rule to rate it by, or no right to."""

_PARTS: Final = ("check", "trf", "office")
"""The catalogues with findings about reports."""

_SAID_BY_THE_LAW: Final = {
    "trf.id_missing": ("check.id_missing", "check.member_unknown", "check.unrated_without_id"),
    "trf.id_repeated": ("check.id_repeated",),
    "trf.end_before_start": ("check.end_before_start",),
    "trf.time_control_missing": ("check.time_control_unknown",),
    "trf.mandatory_missing 042": ("check.start_missing",),
    "trf.mandatory_missing 052": ("check.end_missing",),
    "trf.mandatory_missing 132": ("check.round_dates_missing",),
}
"""What the reader sees and the law sees again: it is said once, by the law."""


@dataclass(frozen=True)
class Waiver:
    """An error that somebody lets pass, and why; `report` names the only one it holds for."""

    key: str
    reason: str
    report: str = ""

    def covers(self, finding: Finding) -> bool:
        """Whether it is this error, of this report: by its whole name or the name of its file."""
        file = finding.place.file
        here = not self.report or self.report in (file, PurePath(file).name)
        return here and waiver_key(finding) == self.key


class Waived(NamedTuple):
    """An error that was let pass, with the reason given."""

    finding: Finding
    reason: str


@dataclass(frozen=True)
class Admission:
    """What the gate says of one report."""

    findings: tuple[Finding, ...]
    """Everything there is to say of it, the gravest first."""
    refused: tuple[Finding, ...]
    """The errors that stand."""
    waived: tuple[Waived, ...]

    @property
    def is_admitted(self) -> bool:
        return not self.refused


class Waivers:
    """The waivers of one run; each must be one that can be given, and must waive something."""

    def __init__(self, waivers: Iterable[Waiver] = ()) -> None:
        self.waivers = tuple(waivers)
        self._used: set[Waiver] = set()
        self._is_recorded = False
        for waiver in self.waivers:
            _check(waiver)

    @classmethod
    def recorded(cls, waivers: Iterable[Waiver]) -> Waivers:
        """Waivers that were given before: they stand as they are, used here or not."""
        made = cls()
        made.waivers, made._is_recorded = tuple(waivers), True
        return made

    def part(self) -> Waivers:
        """The same for a part of the run, which need not use them all; the whole must."""
        made = Waivers.recorded(self.waivers)
        made._used = self._used
        return made

    def __bool__(self) -> bool:
        return bool(self.waivers)

    def admit(self, findings: Iterable[Finding]) -> Admission:
        """Lets a report with these findings in, or not."""
        findings = tuple(findings)
        refused: list[Finding] = []
        waived: list[Waived] = []
        for finding in findings:
            if not finding.is_error:
                continue
            waiver = next((waiving for waiving in self.waivers if waiving.covers(finding)), None)
            if waiver is None:
                refused.append(finding)
            else:
                self._used.add(waiver)
                waived.append(Waived(finding, waiver.reason))
        return Admission(findings, tuple(refused), tuple(waived))

    def require_used(self) -> None:
        """Refuses waivers that waived nothing: they name an error that is not there."""
        unused = [waiver for waiver in self.waivers if waiver not in self._used]
        if unused and not self._is_recorded:
            names = tuple(
                f"{waiver.key}@{waiver.report}" if waiver.report else waiver.key
                for waiver in unused
            )
            raise Inconsistent.of("admission.refused.waives_nothing", waivers=names)


def waiver_key(finding: Finding) -> str:
    """The name under which an error is waived: with or without a suggestion it is the same one."""
    return finding.key.removesuffix("_perhaps")


def _check(waiver: Waiver) -> None:
    part = waiver.key.partition(".")[0]
    if part not in _PARTS or f"{waiver.key}.text" not in catalogue("en", part):
        raise Inconsistent.of("admission.refused.unknown_key", name=waiver.key)
    if waiver.key in NEVER_WAIVED:
        raise Illegal.of("admission.refused.never_waived", name=waiver.key)
    if not waiver.reason.strip():
        raise Inconsistent.of("admission.refused.no_reason", name=waiver.key)


# --- judging --------------------------------------------------------------------------------------


def judged(
    report: Report,
    law: RatingLaw | Finding,
    listed: RatingList | None = None,
    *,
    reading: Iterable[Finding] = (),
    standard: RatingList | None = None,
    on: date | None = None,
    suggests: bool = True,
) -> list[Finding]:
    """Everything reading and the law say of a report, the gravest first, nothing of it twice.

    `law` is what `edition_for` answered; the lists are those in force at the start.
    """
    if isinstance(law, Finding):
        findings = [law]
    else:
        findings = check_report(report, law, listed, on=on, standard=standard, suggests=suggests)
    return by_severity(_said_once(list(reading), findings))


def edition_for(
    law: str, report: Report, readings: dict[str, str], edition: str = ""
) -> RatingLaw | Finding:
    """The edition in force when the tournament of a report began, or the one named; else the error.

    That of an interim report (2024: 4) began before the report does.
    """
    if edition:
        return registry.edition_named(law, edition)(**readings)
    editions, began = registry.editions(law), report.law_day
    if began is None:
        # A text without dates holds on every day, so on this one too.
        undated = [e for e in editions if e.in_force.start is None and e.in_force.end is None]
        if undated:
            return undated[0](**readings)
        return _error("check.start_missing", report)
    for candidate in editions:
        if began in candidate.in_force:
            return candidate(**readings)
    nearest = "; ".join(
        _name_and_days(candidate) for candidate in registry.nearest_editions(law, began)
    )
    return _error("check.no_edition", report, law=law, start=began, nearest=nearest)


def _error(key: str, report: Report, /, **details: object) -> Finding:
    return Finding(Severity.ERROR, key, Place(report.source), details=details)


def _name_and_days(edition: type[RatingLaw]) -> str:
    """An edition by its name, which is its first day, and its last day: ``2012-07-01 – …``."""
    end = edition.in_force.end
    return f"{edition_name(edition)} – {end - timedelta(days=1) if end else '…'}"


def _said_once(by_reader: list[Finding], by_law: list[Finding]) -> list[Finding]:
    """Both together; what both say is left to the law, at the place where the reader saw it."""
    by_law, kept = list(by_law), []
    places = {(finding.key, finding.place.line): index for index, finding in enumerate(by_law)}
    for seen in by_reader:
        record = seen.details.get("record")
        name = f"{seen.key} {record}" if seen.key == "trf.mandatory_missing" else seen.key
        keys = _SAID_BY_THE_LAW.get(name, ())
        # What concerns the whole report has no line in the eyes of the law.
        again = [(key, line) for key in keys for line in (seen.place.line, None)]
        same = next((places[place] for place in again if place in places), None)
        if same is None:
            kept.append(seen)
        elif by_law[same].place.column is None:
            by_law[same] = replace(by_law[same], place=seen.place)
    return kept + by_law


def waived_findings(waived: Sequence[Waived]) -> list[Finding]:
    """What was waived as findings, for whoever shows the result: the error and the reason."""
    return [
        Finding(
            Severity.WARNING,
            "admission.waived",
            finding.place,
            finding.article,
            {
                "name": waiver_key(finding),
                "error": Phrase(f"{finding.key}.text", finding.details),
                "reason": reason,
            },
            finding.more,
        )
        for finding, reason in waived
    ]
