"""`arrocco report check`: the file is read, the law in force at the start judges the report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from arrocco.cli.options import day, reading_option
from arrocco.cli.output import Output, output_options
from arrocco.errors import Malformed
from arrocco.findings import Finding, Place, Severity, by_severity, has_errors
from arrocco.laws import registry
from arrocco.laws.edition import edition_name
from arrocco.laws.rating import RatingLaw
from arrocco.report import Report
from arrocco.timecontrol import TimeControl, parse_text
from arrocco.words import system

if TYPE_CHECKING:
    from arrocco.ratinglist import RatingList

_KIND_OF_LAW = {"fide": "standard", "fide-rapid": "rapid", "fide-blitz": "blitz"}
"""Which rating of a combined list a law asks for; a list of RIO or UISP has only one."""

_SAID_BY_THE_LAW = {
    "trf.id_missing": ("check.id_missing", "check.unrated_without_id"),
    "trf.id_repeated": ("check.id_repeated",),
    "trf.end_before_start": ("check.end_before_start",),
    "trf.time_control_missing": ("check.time_control_unknown",),
    "trf.mandatory_missing 042": ("check.start_missing",),
    "trf.mandatory_missing 052": ("check.end_missing",),
    "trf.mandatory_missing 132": ("check.round_dates_missing",),
}
"""What the reader sees and the law sees again: it is said once, by the law."""


@dataclass
class _Checked:
    """One file: what was read, under which edition it was judged, and what was found."""

    file: str
    report: Report | None = None
    edition: str | None = None
    findings: list[Finding] = field(default_factory=list)


@dataclass(frozen=True)
class _Request:
    """The law that judges the files, and what it is told besides them."""

    law: str
    on: date | None
    list_file: Path | None
    time_control: TimeControl | None
    online: bool
    readings: dict[str, str]


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option(
    "--law",
    help="fide, fide-rapid, fide-blitz, rio, uisp. There is no default: without it only the file"
    " is checked.",
)
@click.option("--on", type=day, metavar="DAY", help="The day the report is sent, as 2024-05-01.")
@click.option(
    "--list", "list_file", type=click.Path(path_type=Path), metavar="FILE",
    help="The rating list in force at the start, to compare the players with.",
)  # fmt: skip
@click.option("--time-control", help="The time control, in place of the report's: 90'+30\".")
@click.option("--online", is_flag=True, help="The tournaments were played online.")
@reading_option
@output_options
def check(
    out: Output,
    files: tuple[str, ...],
    law: str | None,
    on: date | None,
    list_file: Path | None,
    time_control: str | None,
    online: bool,
    readings: dict[str, str],
) -> None:
    """Check reports: the files themselves and, with --law, what that regulation says of them.

    Each report is judged by the edition in force on the day it starts. Errors stop a report,
    warnings want an answer, notes inform. Exit status 1 if there is any error. A dash reads the
    standard input.
    """
    on_list: list[Finding] = []
    if law is not None:
        control = parse_text(time_control) if time_control else None
        request = _Request(law, on, list_file, control, online, readings)
        registry.editions(law)  # an unknown law is refused before anything is read
        checked = [_read(file) for file in files]
        on_list = _judge(request, checked)
    elif on or list_file or time_control or online or readings:
        raise click.UsageError("the other options need --law: they tell it what to judge by")
    else:
        out.remark(out.say("check.no_law"))
        checked = [_read(file) for file in files]
    for file in checked:
        file.findings = by_severity(file.findings)
    _print(out, law, checked, list_file, on_list)
    if has_errors(on_list) or any(has_errors(file.findings) for file in checked):
        click.get_current_context().exit(1)


# --- reading --------------------------------------------------------------------------------------


def _read(file: str) -> _Checked:
    """Reads one report; whatever cannot be read is a finding, so that the other files go on."""
    from arrocco.formats.trf import read_report
    from arrocco.formats.trf.document import MOST_BYTES

    name = click.format_filename(file)
    try:
        with click.open_file(file, "rb") as stream:
            # One byte beyond the bound is enough for the reader to refuse the file.
            data = stream.read(MOST_BYTES + 1)
        report, findings = read_report(data, name)
    except OSError as error:
        details = {"reason": system(error)}
        return _Checked(name, findings=[_error("check.unreadable", name, details)])
    except Malformed as refusal:
        # A refusal of one file is no more than an error among those of the others.
        own = [_error(refusal.key, name, refusal.details)]
        return _Checked(name, findings=list(refusal.findings) or own)
    return _Checked(name, report, findings=findings)


def _read_list(
    file: Path, kind: str | None, reports: Sequence[Report]
) -> tuple[RatingList, list[Finding]]:
    """The rows of those who play, or the whole list where some are missing and may be found."""
    from arrocco.formats.lists import read_list

    ids = {entry.id for report in reports for entry in report.entries if entry.id is not None}
    listed, findings = read_list(file, kind, only=ids)
    if any(listed.row(number) is None for number in ids):
        # What the second reading finds in the rows of others is of no weight here.
        listed, _ = read_list(file, kind)
    return listed, findings


# --- judging --------------------------------------------------------------------------------------


def _judge(request: _Request, checked: Sequence[_Checked]) -> list[Finding]:
    """Lets the law judge every file that could be read; what is found in the list is returned."""
    from arrocco.engine.checks import check_report

    reports = [file.report for file in checked if file.report is not None]
    listed: RatingList | None = None
    on_list: list[Finding] = []
    if request.list_file is not None and reports:
        listed, on_list = _read_list(request.list_file, _KIND_OF_LAW.get(request.law), reports)
    for file in checked:
        if file.report is None:
            continue
        file.report.facts.online |= request.online
        told = _set_time_control(file.report, request.time_control)
        edition = _edition(request.law, file.report, request.readings)
        if isinstance(edition, Finding):
            found = [edition]
        else:
            file.edition = edition.edition
            found = check_report(file.report, edition, listed, on=request.on)
        file.findings = _said_once(file.findings, found) + told
    return on_list


def _set_time_control(report: Report, told: TimeControl | None) -> list[Finding]:
    """Puts the time control of the option into a report; a contradiction is told."""
    reported = report.time_control
    if told is None:
        return []
    report.time_control, report.time_control_text = told, str(told)
    if reported in (None, told):
        return []
    details = {"told": str(told), "reported": str(reported)}
    place = Place(report.source)
    return [Finding(Severity.WARNING, "check.time_control_differs", place, details=details)]


def _edition(law: str, report: Report, readings: dict[str, str]) -> RatingLaw | Finding:
    """The edition in force on the day a report starts, or the finding that there is none."""
    editions = registry.editions(law)
    if report.start is None:
        # A text without dates holds on every day, so on this one too.
        undated = [e for e in editions if e.in_force.start is None and e.in_force.end is None]
        if undated:
            return undated[0](**readings)
        return _error("check.start_missing", report.source, {})
    for edition in editions:
        if report.start in edition.in_force:
            return edition(**readings)
    nearest = registry.nearest_editions(law, report.start)
    details = {
        "law": law,
        "start": report.start,
        "nearest": "; ".join(_name_and_days(edition) for edition in nearest),
    }
    return _error("check.no_edition", report.source, details)


def _name_and_days(edition: type[RatingLaw]) -> str:
    """An edition by its name, which is its first day, and its last day: ``2012-07-01 – …``."""
    end = edition.in_force.end
    return f"{edition_name(edition)} – {end - timedelta(days=1) if end else '…'}"


def _said_once(by_reader: list[Finding], by_law: list[Finding]) -> list[Finding]:
    """Both together; what both say is left to the law, at the place where the reader saw it."""
    by_law, kept = list(by_law), []
    places = {(found.key, found.place.line): index for index, found in enumerate(by_law)}
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


def _error(key: str, file: str, details: dict[str, Any]) -> Finding:
    return Finding(Severity.ERROR, key, Place(file), details=details)


# --- speaking -------------------------------------------------------------------------------------


def _print(
    out: Output,
    law: str | None,
    checked: Sequence[_Checked],
    list_file: Path | None,
    on_list: list[Finding],
) -> None:
    if out.is_json:
        record: dict[str, Any] = {
            "files": [_record(out, law, file) for file in checked],
            **_counts(finding for file in checked for finding in file.findings),
        }
        if list_file is not None:
            record["list"] = {
                "file": str(list_file),
                "findings": [out.finding_record(finding) for finding in on_list],
            }
        out.json(record)
        return
    out.findings(on_list)
    for file in checked:
        out.findings(file.findings)
        words = {"file": file.file, "law": _law_words(out, law, file)}
        out.line(out.say("check.summary", **words, **_counts(file.findings)), bold=True)
    if len(checked) > 1:
        counts = _counts(finding for file in checked for finding in file.findings)
        out.line(out.say("check.total", files=len(checked), **counts), bold=True)


def _counts(findings: Iterable[Finding]) -> dict[str, int]:
    """How many of each severity: ``errors``, ``warnings`` and ``notes``."""
    count: Counter[Severity] = Counter()
    for finding in findings:
        count[finding.severity] += 1 + finding.more
    return {f"{severity}s": count[severity] for severity in Severity}


def _law_words(out: Output, law: str | None, file: _Checked) -> str:
    if law is None:
        return out.say("check.format_only")
    if file.edition is None:
        return out.say("check.no_edition_chosen", law=law)
    return f"{law} {file.edition}"


def _record(out: Output, law: str | None, file: _Checked) -> dict[str, Any]:
    return {
        "file": file.file,
        "law": law,
        "edition": file.edition,
        "findings": [out.finding_record(finding) for finding in file.findings],
        **_counts(file.findings),
    }
