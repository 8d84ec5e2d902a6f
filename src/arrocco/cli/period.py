"""`arrocco period`: all reports of a period, rated into the next list."""

from __future__ import annotations

import gc
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from arrocco.cli.options import LAWS, affiliated_option, reading_option
from arrocco.cli.output import Column, Output, output_options
from arrocco.cli.period_options import Progress, days_out, entry_lists, interim_reports, month, size
from arrocco.cli.period_replay import LEFT_OUT_WITH_ERRORS, replay
from arrocco.cli.waive_options import (
    fact_option,
    suspended_option,
    waive_options,
    waivers_of,
)
from arrocco.findings import Finding
from arrocco.formats.lists.registry import PARQUET, formats
from arrocco.words import finding_text

if TYPE_CHECKING:
    from arrocco.runs.batches import LeftOut
    from arrocco.runs.period import RatedPeriod


MAX_NAMED = 20
"""Reports left out that are named one by one; --json names all of them."""

_OBJECTS = 200_000
"""New objects before Python looks for cycles among them."""

_BESIDE = [each.name for each in formats() if each is not PARQUET]
"""Formats that a list can have besides the one it is kept in."""


@contextmanager
def _few_collections() -> Iterator[None]:
    """Looks for cycles rarely: rows of a period are in none, and each look costs milliseconds."""
    usual = gc.get_threshold()
    gc.set_threshold(_OBJECTS)
    try:
        yield
    finally:
        gc.set_threshold(*usual)


@click.group()
def command() -> None:
    """Rate all the reports of a period and write the next list."""


command.add_command(replay)


@command.command()
@click.option("--law", required=True, help=LAWS)
@click.option(
    "--period",
    required=True,
    callback=month,
    metavar="MONTH",
    help="The month the opening list is in force, as 2024-05.",
)
@click.option(
    "--lists",
    required=True,
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="Folder of lists, each named by its day: 2024-05-01.",
)
@click.option(
    "--reports",
    multiple=True,
    type=click.Path(path_type=Path),
    help="Folder, file, pattern or Parquet of reports; any number of times, or not at all for a"
    " period without reports.",
)
@click.option(
    "--out",
    required=True,
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder that gets the new list, in a folder named by its day.",
)
@click.option("--kind", default="", help="RIO: rapid, blitz or bullet.")
@click.option(
    "--format",
    "formats",
    multiple=True,
    type=click.Choice(_BESIDE),
    help="Also write the list in this format.",
)
@click.option("--games", is_flag=True, help="Also keep every game of the calculations.")
@click.option(
    "--entry-list",
    "entry_lists",
    multiple=True,
    callback=entry_lists,
    metavar="NAME=FILE",
    help="RIO, UISP: a list that entry ratings come from: fide, fide-rapid, fide-blitz, fsi; "
    "UISP: or a folder of lists named by their days.",
)
@click.option(
    "--standard-lists",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="FIDE rapid and blitz: folder of the standard lists that stand in.",
)
@click.option(
    "--came-out",
    "emitted",
    multiple=True,
    callback=days_out,
    metavar="LIST=DAY",
    help="UISP: the day a ranking really came out, as 2024-04-01=2024-04-08.",
)
@click.option(
    "--interim",
    multiple=True,
    callback=interim_reports,
    metavar="FILE=TOURNAMENT@DAY",
    help="FIDE, 4: the report is one of several of a long tournament that began on that day.",
)
@affiliated_option
@fact_option
@suspended_option
@click.option("--online", is_flag=True, help="The tournaments were played online.")
@click.option("--workers", default=0, type=click.IntRange(0, 256), help="Cores to use [all].")
@click.option("--memory", default="2G", callback=size, help="Bound for batches [2G].")
@click.option("--runner", default="local", type=click.Choice(["local", "spark"]))
@click.option("--master", default="local[*]", help="Spark: where it runs.")
@reading_option
@waive_options
@output_options
def rate(out: Output, /, waive: tuple[str, ...], reasons: tuple[str, ...], **options: Any) -> None:
    """Rate a period: thousands of reports against the lists in force, into the next list.

    Reports with errors are left out, each with its errors. Exit status 3 if there are any: the list
    is written, and somebody has to look at them.
    """
    from arrocco.runs.period import PeriodJob, rate_job

    for name, flag in (("facts", "--fact"), ("suspended", "--suspended")):
        if options[name] and options["runner"] == "spark":
            raise click.UsageError(f"{flag} is for the local runner")
    job = PeriodJob(**options, waivers=waivers_of(waive, reasons), looks_back=True)
    watch = Progress(out)
    with watch as progress, _few_collections():
        rated = rate_job(job, progress)
    if out.is_json:
        out.json(
            {
                **rated.summary,
                "folder": str(rated.folder),
                "seconds": {stage: f"{seconds:.3f}" for stage, seconds in watch.seconds.items()},
                "left_out": [_left_out_record(out, item) for item in rated.left_out],
                "findings": [out.finding_record(finding) for finding in rated.findings],
            }
        )
    else:
        _print(out, rated)
    if any(item.has_errors for item in rated.left_out):
        click.get_current_context().exit(LEFT_OUT_WITH_ERRORS)


def _left_out_record(out: Output, item: LeftOut) -> dict[str, Any]:
    errors = [out.finding_record(finding) for finding in item.findings]
    return {"report": item.report, "reason": item.reason, "words": item.words, "errors": errors}


def _print(out: Output, rated: RatedPeriod) -> None:
    from arrocco.engine.admission import waived_findings
    from arrocco.office.suspensions import KEYS as SUSPENDED

    _print_summary(out, rated.summary)
    out.findings(waived_findings(rated.waived))
    out.findings([finding for finding in rated.findings if finding.key in SUSPENDED])
    said = _first_errors(out, rated.findings)
    for item in rated.left_out[:MAX_NAMED]:
        words = said.get(item.report, item.words)
        out.remark(out.say(f"period.left_out.{item.reason}", report=item.report, words=words))
        for finding in item.findings:
            out.remark(out.finding_line(finding))
    if len(rated.left_out) > MAX_NAMED:
        out.remark(out.say("period.more_left_out", count=len(rated.left_out) - MAX_NAMED))
    out.line(out.say("period.written", folder=rated.folder), bold=True)


def _first_errors(out: Output, findings: Iterable[Finding]) -> dict[str, str]:
    """By file: the first error found in it, in the language of the command."""
    errors = [finding for finding in findings if finding.is_error]
    return {f.place.file: finding_text(out.language, f) for f in reversed(errors)}


def _print_summary(out: Output, summary: dict[str, Any]) -> None:
    rows = []
    for name, value in summary.items():
        if name == "waived":  # each has a line of its own
            continue
        words = out.say(f"period.summary.{name}")
        if isinstance(value, dict):
            rows += [
                [words if i == 0 else "", f"{key} {_shown(count)}"]
                for i, (key, count) in enumerate(value.items())
            ]
        else:
            rows.append([words, _shown(value)])
    out.table([Column(""), Column("", right=True)], rows)


def _shown(value: object) -> str:
    """A number with its thousands apart; anything else as it is."""
    return f"{value:,}".replace(",", " ") if isinstance(value, int) else str(value)
