"""`arrocco period`: all reports of a period, rated into the next list."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click

from arrocco.cli.options import reading_option
from arrocco.cli.output import Column, Output, output_options
from arrocco.cli.period_options import Progress, entry_lists, month, size
from arrocco.cli.period_replay import replay
from arrocco.findings import Finding
from arrocco.words import finding_text


@click.group()
def command() -> None:
    """Rate all the reports of a period and write the next list."""


command.add_command(replay)


@command.command()
@click.option("--law", required=True, help="fide, fide-rapid, fide-blitz, rio, uisp.")
@click.option(
    "--period", required=True, callback=month, metavar="MONTH",
    help="The month the opening list is in force, as 2024-05.",
)  # fmt: skip
@click.option(
    "--lists", required=True, type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="Folder of lists, each named by its day: 2024-05-01.",
)  # fmt: skip
@click.option(
    "--reports", required=True, multiple=True, type=click.Path(path_type=Path),
    help="Folder, file, pattern or Parquet of reports; any number of times.",
)  # fmt: skip
@click.option(
    "--out", required=True, type=click.Path(path_type=Path, file_okay=False),
    help="Folder that gets the new list, in a folder named by its day.",
)  # fmt: skip
@click.option("--kind", default="", help="RIO: rapid, blitz or bullet.")
@click.option(
    "--format", "formats", multiple=True, type=click.Choice(["fide_txt", "fide_xml", "csv"]),
    help="Also write the list in this format.",
)  # fmt: skip
@click.option("--games", is_flag=True, help="Also keep every game of the calculations.")
@click.option(
    "--entry-list", "entry_lists", multiple=True, callback=entry_lists, metavar="NAME=FILE",
    help="RIO, UISP: a list that entry ratings come from: fide, fide-rapid, fide-blitz, fsi.",
)  # fmt: skip
@click.option(
    "--standard-lists", type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="FIDE rapid and blitz: folder of the standard lists that stand in.",
)  # fmt: skip
@click.option("--workers", default=0, type=click.IntRange(0, 256), help="Cores to use [all].")
@click.option("--memory", default="2G", callback=size, help="Bound for batches [2G].")
@click.option("--runner", default="local", type=click.Choice(["local", "spark"]))
@click.option("--master", default="local[*]", help="Spark: where it runs.")
@reading_option
@output_options
def rate(out: Output, /, **options: Any) -> None:
    """Rate a period: thousands of reports against the lists in force, into the next list."""
    from arrocco.wiring.period import PeriodJob, rate_job

    job = PeriodJob(**options)
    watch = Progress(out)
    with watch as progress:
        rated = rate_job(job, progress)
    if out.is_json:
        out.json(
            {
                **rated.summary,
                "folder": str(rated.folder),
                "seconds": {stage: f"{seconds:.3f}" for stage, seconds in watch.seconds.items()},
                "left_out": [
                    {"report": item.report, "reason": item.reason, "words": item.words}
                    for item in rated.left_out
                ],
                "findings": [out.finding_record(finding) for finding in rated.findings],
            }
        )
        return
    _print_summary(out, rated.summary)
    said = _first_errors(out, rated.findings)
    for item in rated.left_out[:20]:
        words = said.get(item.report, item.words)
        out.remark(out.say(f"period.left_out.{item.reason}", report=item.report, words=words))
    if len(rated.left_out) > 20:
        out.remark(out.say("period.more_left_out", count=len(rated.left_out) - 20))
    out.line(out.say("period.written", folder=rated.folder), bold=True)


def _first_errors(out: Output, findings: Iterable[Finding]) -> dict[str, str]:
    """By file: the first error found in it, in the language of the command."""
    errors = [finding for finding in findings if finding.is_error]
    return {f.place.file: finding_text(out.language, f) for f in reversed(errors)}


def _print_summary(out: Output, summary: dict[str, Any]) -> None:
    rows = []
    for name, value in summary.items():
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
