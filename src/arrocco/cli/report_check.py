"""`arrocco report check`: the file is read, the law in force as it began judges the report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from arrocco.cli.options import LAWS, day, reading_option
from arrocco.cli.output import Output, output_options
from arrocco.cli.period_options import interim_option
from arrocco.cli.waive_options import fact_option, suspended_option
from arrocco.errors import Malformed
from arrocco.findings import Finding, Place, Severity, by_severity, has_errors
from arrocco.laws import registry
from arrocco.laws.systems import only_kind_of
from arrocco.records.report import Report
from arrocco.records.timecontrol import TimeControl, parse_text
from arrocco.records.told_facts import ToldFact, with_facts
from arrocco.words import system

if TYPE_CHECKING:
    from arrocco.office.suspensions import Suspension
    from arrocco.records.ratinglist import RatingList


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
    standard_list: Path | None
    time_control: TimeControl | None
    online: bool
    interim: tuple[str, date] | None
    readings: dict[str, str]
    facts: tuple[ToldFact, ...]
    suspended: tuple[Suspension, ...]


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option(
    "--law",
    help=f"{LAWS} There is no default: without it only the file is checked.",
)
@click.option("--on", type=day, metavar="DAY", help="The day the report is sent, as 2024-05-01.")
@click.option(
    "--list",
    "list_file",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="The rating list in force at the start, to compare the players with.",
)
@click.option(
    "--standard-list",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="FIDE rapid and blitz: the list whose standard ratings stand in for missing ones.",
)
@click.option("--time-control", help="The time control, in place of the report's: 90'+30\".")
@click.option(
    "--games",
    "games_file",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="The games of the one report in PGN, to be matched with it game by game.",
)
@click.option("--online", is_flag=True, help="The tournaments were played online.")
@interim_option
@fact_option
@suspended_option
@reading_option
@output_options
def check(
    out: Output,
    files: tuple[str, ...],
    law: str | None,
    on: date | None,
    list_file: Path | None,
    standard_list: Path | None,
    time_control: str | None,
    games_file: Path | None,
    online: bool,
    interim: tuple[str, date] | None,
    facts: tuple[ToldFact, ...],
    suspended: tuple[Suspension, ...],
    readings: dict[str, str],
) -> None:
    """Check reports: the files themselves and, with --law, what that regulation says of them.

    Each report is judged by the edition in force on the day its tournament began. Errors stop a
    report, warnings want an answer, notes inform. Exit status 1 if there is any error. A dash reads
    the standard input.
    """
    on_list: list[Finding] = []
    if games_file is not None and len(files) > 1:
        raise click.UsageError("--games takes the games of one report: check the others without it")
    if law is not None:
        control = parse_text(time_control) if time_control else None
        request = _Request(
            law, on, list_file, standard_list, control, online, interim, readings, facts, suspended
        )
        registry.editions(law)  # an unknown law is refused before anything is read
        checked = [_read(file) for file in files]
        on_list = _judge(request, checked)
    elif any(
        (on, list_file, standard_list, time_control, online, interim, facts, suspended, readings)
    ):
        raise click.UsageError("the other options need --law: they tell it what to judge by")
    else:
        out.remark(out.say("check.no_law"))
        checked = [_read(file) for file in files]
    for file in checked:
        if games_file is not None and file.report is not None:
            file.findings = _matched(file, law, readings, games_file)
        file.findings = by_severity(file.findings)
    _print(out, law, checked, list_file, on_list)
    if has_errors(on_list) or any(has_errors(file.findings) for file in checked):
        click.get_current_context().exit(1)


# --- reading --------------------------------------------------------------------------------------


def _read(file: str) -> _Checked:
    """Reads one report; whatever cannot be read is a finding, so that the other files go on."""
    from arrocco.formats.trf import read_report
    from arrocco.formats.trf.document import MAX_BYTES

    name = click.format_filename(file)
    try:
        with click.open_file(file, "rb") as stream:
            # One byte beyond the bound is enough for the reader to refuse the file.
            data = stream.read(MAX_BYTES + 1)
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
    """Lets the law judge every file that could be read; what is found in the list is returned.

    Of two files that tell of the same games the second has an error: each game counts once (9.1).
    """
    from arrocco.engine.admission import edition_for, judged
    from arrocco.office.repeated_reports import repeated_reports
    from arrocco.office.suspensions import suspended_findings

    reports = [file.report for file in checked if file.report is not None]
    listed: RatingList | None = None
    standard: RatingList | None = None
    on_list: list[Finding] = []
    if request.list_file is not None and reports:
        kind = only_kind_of(request.law) or None
        listed, on_list = _read_list(request.list_file, kind, reports)
    if request.standard_list is not None and reports:
        standard, findings = _read_list(request.standard_list, "standard", reports)
        on_list += findings
    for file in checked:
        if file.report is None:
            continue
        file.report.facts.online |= request.online
        file.report.facts = with_facts(file.report.facts, file.report.source, request.facts)
        if request.interim is not None:
            file.report.facts.event, file.report.facts.began = request.interim
        told = _set_time_control(file.report, request.time_control)
        law = edition_for(request.law, file.report, request.readings)
        if not isinstance(law, Finding):
            file.edition = law.edition
        file.findings = told + judged(
            file.report, law, listed, reading=file.findings, standard=standard, on=request.on
        )
        if not isinstance(law, Finding):
            host = file.report.federation
            file.findings += suspended_findings(file.report, host, law, request.suspended)
    repeated = repeated_reports(reports)
    for place, file in enumerate(file for file in checked if file.report is not None):
        if place in repeated:
            file.findings = [repeated[place], *file.findings]
    return on_list


def _matched(
    file: _Checked, law: str | None, readings: dict[str, str], games_file: Path
) -> list[Finding]:
    """9.4 — the findings of a report that came with its games."""
    from arrocco.engine.admission import edition_for
    from arrocco.formats.pgn import MAX_BYTES
    from arrocco.office.games_sent import article_asking, games_findings, with_games

    assert file.report is not None
    name = click.format_filename(games_file)
    try:
        with click.open_file(str(games_file), "rb") as stream:
            data = stream.read(MAX_BYTES + 1)
    except OSError as error:
        details = {"reason": system(error)}
        return [*file.findings, _error("check.unreadable", name, details)]
    edition = edition_for(law, file.report, readings) if law is not None else None
    article = ""
    if edition is not None and not isinstance(edition, Finding):
        article = article_asking(edition, hybrid=file.report.facts.hybrid)
    try:
        games = games_findings(file.report, data, name, article)
    except Malformed as refusal:
        return [*file.findings, _error(refusal.key, name, refusal.details)]
    return [*with_games(file.findings, games), *games]


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
