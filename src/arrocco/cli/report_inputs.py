"""Reads what a rating starts from: the reports, the list, and the ratings of newcomers.

Everything is read and judged before anything is rated: a report with errors is refused together
with all that was found in all the files, so that one correction can answer everything.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from arrocco.cli.report_options import Request
from arrocco.cli.report_view import RatedFiles
from arrocco.cli.waive_options import waivers_of
from arrocco.engine.admission import (
    Waived,
    Waivers,
    judged,
    waived_findings,
    waiver_key,
)
from arrocco.engine.assemble import law_for
from arrocco.engine.entering import rating_to_begin_with
from arrocco.engine.rate_reports import rate_reports
from arrocco.errors import Inconsistent, Malformed
from arrocco.findings import Finding, Place, Severity, count_of, has_errors
from arrocco.formats.trf import read_report
from arrocco.laws.classes import TimeClass
from arrocco.laws.rating import RatingLaw
from arrocco.laws.systems import ENTRY_LISTS, has_kinds, only_kind_of
from arrocco.office.questions import TypesOfTime
from arrocco.office.repeated_reports import repeated_reports
from arrocco.office.suspensions import suspended_findings
from arrocco.records.ratinglist import RatingList
from arrocco.records.report import Entry, Report
from arrocco.records.timecontrol import parse_text
from arrocco.records.told_facts import with_facts

FROM_REPORT = "report"
"""The source of a rating on entry that is taken at the report's word."""


def rate_files(request: Request) -> RatedFiles:
    """Reads everything a request names, asks the gate, and rates it as one period."""
    waivers = waivers_of(request.waive, request.reasons)
    reports, reading = read_reports(request.files)
    told = _add_what_was_told(request, reports)
    laws = [law_for(request.law, report, request.on, dict(request.readings)) for report in reports]
    kind = _time_class(reports, laws) if has_kinds(request.law) else None
    lists = _Lists(reports)
    listed = standard = None
    if request.list_file is not None:
        listed = lists.read(request.list_file, request.list_kind or _list_kind(request.law, kind))
    if laws[0].STANDARD_STANDS_IN:
        if request.standard_list is not None:
            standard = lists.read(request.standard_list, "standard")
        else:
            lists.findings.append(Finding(Severity.WARNING, "report.no_standard_list"))
    waived = _admit(request, reports, reading, laws, listed, standard, waivers)
    entry_ratings = _entry_ratings(request, reports, laws, kind, listed, lists)
    rated = rate_reports(
        request.law,
        reports,
        listed,
        on=request.on,
        readings=dict(request.readings),
        unlisted="unrated" if request.unlisted == "refuse" else request.unlisted,
        entry_ratings=entry_ratings,
        standard=standard,
        affiliated=request.affiliated,
    )
    # Without a list nobody is new: one warning says where all the ratings come from.
    own = [
        f for f in rated.findings if listed is not None or f.details.get("source") != FROM_REPORT
    ]
    remarks = [f for findings in reading.values() for f in findings if not f.is_error]
    passed = waived_findings(waived)
    for report, law in zip(reports, laws, strict=True):
        told += suspended_findings(report, report.federation, law, request.suspended)
    told += [finding for finding in repeated_reports(reports).values() if not finding.is_error]
    return RatedFiles(
        request.law, rated, listed, [*passed, *remarks, *told, *lists.findings, *own], waived
    )


def _admit(
    request: Request,
    reports: Sequence[Report],
    reading: Mapping[str, list[Finding]],
    laws: Sequence[RatingLaw],
    listed: RatingList | None,
    standard: RatingList | None,
    waivers: Waivers,
) -> list[Waived]:
    """Lets all the reports in, or none, with everything that was found in all of them."""
    admissions = []
    repeated = repeated_reports(reports)
    for place, (report, law) in enumerate(zip(reports, laws, strict=True)):
        findings = judged(
            report, law, listed, reading=reading[report.source], standard=standard, suggests=False
        )
        if request.unlisted != "refuse":  # the option says what is to be done about it
            findings = [f for f in findings if waiver_key(f) != "check.not_on_list"]
        if place in repeated:
            findings = [repeated[place], *findings]
        admissions.append(waivers.admit(findings))
    refused = [finding for admission in admissions for finding in admission.refused]
    if refused:
        names = tuple(dict.fromkeys(map(waiver_key, refused)))
        by_reading = tuple(
            finding
            for admission in admissions
            for finding in admission.findings
            if not finding.is_error and finding.key.startswith("trf.")
        )
        raise Malformed.of(
            "report.has_errors",
            findings=(*refused, *by_reading),
            count=count_of(refused),
            keys=names,
        )
    waivers.require_used()
    return [waived for admission in admissions for waived in admission.waived]


def _list_kind(law: str, kind: TimeClass | None) -> str:
    """The kind of rating a law asks of its list; of several it is the type of the tournaments."""
    return kind.value if kind is not None else only_kind_of(law) or "standard"


# --- reports --------------------------------------------------------------------------------------


def read_reports(files: Sequence[Path]) -> tuple[list[Report], dict[str, list[Finding]]]:
    """Reads report files, each once, with what their reading found by file.

    Refuses them all, with what was found in all of them, where any cannot be read.
    """
    reports: list[Report] = []
    findings: dict[str, list[Finding]] = {}
    unreadable: list[Finding] = []
    seen: dict[bytes, Path] = {}
    for file in files:
        data = _bytes_of(file)
        if data and data in seen:
            raise Inconsistent.of("report.same_report", file=file, first=seen[data])
        seen[data] = file
        try:
            report, findings[str(file)] = read_report(data, str(file))
        except Malformed as malformed:
            if not malformed.findings:
                raise
            unreadable += malformed.findings
        else:
            reports.append(report)
    if unreadable:
        findings_of_all = (*unreadable, *(f for file in findings.values() for f in file))
        count = count_of([f for f in findings_of_all if f.is_error])
        raise Malformed.of("report.unreadable", findings=findings_of_all, count=count)
    return reports, findings


def _bytes_of(file: Path) -> bytes:
    """What a file holds; a dash is the standard input."""
    return sys.stdin.buffer.read() if file == Path("-") else file.read_bytes()


def _add_what_was_told(request: Request, reports: Sequence[Report]) -> list[Finding]:
    """Puts into the reports what the options say; a contradiction is told."""
    control = parse_text(request.time_control) if request.time_control else None
    findings = []
    for report in reports:
        report.start = report.start or request.on
        report.facts.online |= request.online
        report.facts.official |= request.official
        report.facts = with_facts(report.facts, report.source, request.facts)
        if request.interim is not None:
            report.facts.event, report.facts.began = request.interim
        if request.one_event:
            report.facts.event = str(request.files[0])
        if control is None:
            continue
        if report.time_control not in (None, control):
            details = {"told": str(control), "reported": str(report.time_control)}
            findings.append(
                Finding(
                    Severity.WARNING,
                    "report.time_control_differs",
                    Place(report.source),
                    details=details,
                )
            )
        report.time_control = control
    return findings


# --- lists ----------------------------------------------------------------------------------------


class _Lists:
    """Reads, of each list, the rows of those who play, and keeps what was found in it."""

    def __init__(self, reports: Sequence[Report]) -> None:
        self.ids = {
            number for report in reports for entry in report.entries for number in _ids_of(entry)
        }
        self.own_ids = {entry.id for report in reports for entry in report.entries if entry.id}
        self.findings: list[Finding] = []

    def read(self, file: Path, kind: str, *, for_newcomers: bool = False) -> RatingList:
        """The rows of those who play; a list with errors is refused where it misses any of them.

        A row that could not be read may be just the one that is missing.
        """
        from arrocco.formats.lists import read_list  # Arrow comes with it

        listed, findings = read_list(file, kind, only=self.ids)
        missing = for_newcomers or any(listed.row(number) is None for number in self.own_ids)
        if missing and has_errors(findings):
            raise Malformed.of("report.list_has_errors", findings=tuple(findings), file=file)
        self.findings += findings
        return listed


def _ids_of(entry: Entry) -> list[int]:
    """All the numbers a player goes by: the one of the report, and the national ones."""
    numbers = (entry.id, *(record.id for record in entry.national))
    return [number for number in numbers if number is not None]


# --- newcomers to RIO and UISP --------------------------------------------------------------------


def _entry_ratings(
    request: Request,
    reports: Sequence[Report],
    laws: Sequence[RatingLaw],
    kind: TimeClass | None,
    listed: RatingList | None,
    lists: _Lists,
) -> dict[int, tuple[int, str]]:
    """The rating on entry of every player the list does not have, by id, and its source."""
    if laws[0].HAS_UNRATED:
        if request.entry_lists:
            raise Inconsistent.of("report.no_entry_lists", law=request.law)
        return {}
    sources = {
        source: lists.read(file, ENTRY_LISTS[source], for_newcomers=True)
        for source, file in request.entry_lists.items()
    }
    ratings: dict[int, tuple[int, str]] = {}
    for report, law in zip(reports, laws, strict=True):
        for entry in report.entries:
            if entry.id is None or _has_rating(listed, entry.id):
                continue
            if entry.rating is not None and (listed is None or request.unlisted == "report"):
                ratings.setdefault(entry.id, (entry.rating, FROM_REPORT))
                continue
            held = {source: _rating_on(rows, source, entry) for source, rows in sources.items()}
            given = rating_to_begin_with(law, kind or "", None, held)
            ratings.setdefault(entry.id, given)
    return ratings


def _has_rating(listed: RatingList | None, player: int) -> bool:
    """Whether a player is on the list with a rating; who is there without one still enters."""
    row = None if listed is None else listed.row(player)
    return listed is not None and row is not None and int(listed.rating[row]) > 0


def _time_class(reports: Sequence[Report], laws: Sequence[RatingLaw]) -> TimeClass | None:
    """The rating that all the reports belong to: rapid, blitz and bullet never mix (RIO)."""
    classes: set[TimeClass | None] = set()
    for report, law in zip(reports, laws, strict=True):
        if report.time_control is None:
            raise Inconsistent.of("report.no_rio_class", file=report.source)
        if isinstance(law, TypesOfTime):
            kind = law.time_class(report.time_control)
            classes.add(None if kind is None else TimeClass(kind))
    if len(classes) > 1:
        names = tuple(sorted(str(kind or "-") for kind in classes))
        raise Inconsistent.of("report.rio_classes_differ", classes=names)
    return next(iter(classes), None)


def _rating_on(rows: RatingList, source: str, entry: Entry) -> int | None:
    """What a list says of a player; the Italian lists go by the Italian number, if it is given."""
    number = entry.id
    if source.startswith("fsi"):
        number = next((n.id for n in entry.national if n.federation == "ITA" and n.id), number)
    player = None if number is None else rows.player(number)
    return None if player is None else player.rating
