"""Reads what a rating starts from: the reports, the list, and the ratings of newcomers.

Everything is read and judged before anything is rated: a report with errors is refused together
with all that was found in all the files, so that one correction can answer everything.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from arrocco.cli.report_options import ENTRY_LISTS, Request
from arrocco.cli.report_view import RatedFiles
from arrocco.engine.assemble import law_for
from arrocco.engine.rate_reports import rate_reports
from arrocco.errors import Inconsistent, Malformed
from arrocco.findings import Finding, Place, Severity, has_errors
from arrocco.formats.trf import read_report
from arrocco.laws.classes import TimeClass
from arrocco.laws.rating import RatingLaw
from arrocco.laws.rio.edition_2025 import FSI_PLACEHOLDERS, Rio2025
from arrocco.ratinglist import RatingList
from arrocco.report import Entry, Report
from arrocco.timecontrol import parse_text

FROM_REPORT = "report"
"""The source of a rating on entry that is taken at the report's word."""

_KIND_OF_LAW = {"fide": "standard", "fide-rapid": "rapid", "fide-blitz": "blitz", "uisp": "uisp"}


def rate_files(request: Request) -> RatedFiles:
    """Reads everything a request names and rates it as one period."""
    reports, findings = read_reports(request.files)
    findings += _add_what_was_told(request, reports)
    laws = [law_for(request.law, report, request.on, dict(request.readings)) for report in reports]
    kind = _rio_class(reports, laws) if request.law == "rio" else None
    lists = _Lists(reports)
    listed = standard = None
    if request.list_file is not None:
        listed = lists.read(request.list_file, request.list_kind or _list_kind(request.law, kind))
    if laws[0].STANDARD_STANDS_IN:
        if request.standard_list is not None:
            standard = lists.read(request.standard_list, "standard")
        else:
            lists.findings.append(Finding(Severity.WARNING, "report.no_standard_list"))
    entry_ratings = _entry_ratings(request, reports, laws, kind, listed, lists)
    rated = rate_reports(
        request.law,
        reports,
        listed,
        on=request.on,
        readings=dict(request.readings),
        unlisted=request.unlisted,
        entry_ratings=entry_ratings,
        standard=standard,
    )
    # Without a list nobody is new: one warning says where all the ratings come from.
    own = [
        f for f in rated.findings if listed is not None or f.details.get("source") != FROM_REPORT
    ]
    return RatedFiles(request.law, rated, listed, findings + lists.findings + own)


def _list_kind(law: str, kind: TimeClass | None) -> str:
    """The kind of rating a law asks of its list; RIO's is the type of its tournaments."""
    return kind.value if kind is not None else _KIND_OF_LAW.get(law, "standard")


# --- reports --------------------------------------------------------------------------------------


def read_reports(files: Sequence[Path]) -> tuple[list[Report], list[Finding]]:
    """Reads report files, each once; refuses them all when any of them has an error."""
    reports: list[Report] = []
    findings: list[Finding] = []
    seen: dict[bytes, Path] = {}
    for file in files:
        data = _bytes_of(file)
        if data and data in seen:
            raise Inconsistent.of("report.same_report", file=file, first=seen[data])
        seen[data] = file
        try:
            report, found = read_report(data, str(file))
        except Malformed as unreadable:
            if not unreadable.findings:
                raise
            findings += unreadable.findings
        else:
            reports.append(report)
            findings += found
    if has_errors(findings):
        count = sum(finding.is_error for finding in findings)
        raise Malformed.of("report.has_errors", findings=tuple(findings), count=count)
    return reports, findings


def _bytes_of(file: Path) -> bytes:
    """What a file holds; a dash is the standard input."""
    return sys.stdin.buffer.read() if file == Path("-") else file.read_bytes()


def _add_what_was_told(request: Request, reports: Sequence[Report]) -> list[Finding]:
    """Puts into the reports what the options say; a contradiction is told."""
    control = parse_text(request.time_control) if request.time_control else None
    findings = []
    for report in reports:
        report.facts.online |= request.online
        report.facts.official |= request.official
        if control is None:
            continue
        if report.time_control not in (None, control):
            details = {"told": str(control), "reported": str(report.time_control)}
            findings.append(
                Finding(Severity.WARNING, "report.time_control_differs", Place(report.source),
                        details=details)
            )  # fmt: skip
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

        listed, found = read_list(file, kind, only=self.ids)
        missing = for_newcomers or any(listed.row(number) is None for number in self.own_ids)
        if missing and has_errors(found):
            raise Malformed.of("report.list_has_errors", findings=tuple(found), file=file)
        self.findings += found
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
            if entry.id is None or (listed is not None and listed.row(entry.id) is not None):
                continue
            if entry.rating is not None and (listed is None or request.unlisted == "report"):
                ratings.setdefault(entry.id, (entry.rating, FROM_REPORT))
                continue
            held = {source: _rating_on(rows, source, entry) for source, rows in sources.items()}
            ratings.setdefault(entry.id, law.entry_rating_for(kind or "", held))
    return ratings


def _rio_class(reports: Sequence[Report], laws: Sequence[RatingLaw]) -> TimeClass | None:
    """The RIO rating that all the reports belong to: rapid, blitz and bullet never mix."""
    classes: set[TimeClass | None] = set()
    for report, law in zip(reports, laws, strict=True):
        if report.time_control is None:
            raise Inconsistent.of("report.no_rio_class", file=report.source)
        if isinstance(law, Rio2025):
            classes.add(law.time_class(report.time_control))
    if len(classes) > 1:
        names = tuple(sorted(str(kind or "-") for kind in classes))
        raise Inconsistent.of("report.rio_classes_differ", classes=names)
    return next(iter(classes), None)


def _rating_on(rows: RatingList, source: str, entry: Entry) -> int | None:
    """What a list says of a player; the Italian lists go by the Italian number, if it is given."""
    number = entry.id
    italian = source.startswith("fsi")
    if italian:
        number = next((n.id for n in entry.national if n.federation == "ITA" and n.id), number)
    player = None if number is None else rows.player(number)
    if player is None or player.rating is None:
        return None
    return None if italian and player.rating in FSI_PLACEHOLDERS else player.rating
