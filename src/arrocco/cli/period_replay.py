"""`arrocco period replay`: a history under another edition or reading, list against list."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from arrocco.cli.options import readings_option
from arrocco.cli.output import Column, Output, output_options
from arrocco.cli.period_options import Progress, entry_lists, size
from arrocco.cli.waive_options import waive_options, waivers_of
from arrocco.dates import Month
from arrocco.units import decimal, signed
from arrocco.words import number, show

if TYPE_CHECKING:
    from arrocco.engine.statistics import ListComparison
    from arrocco.runs.replay import Replayed

LEFT_OUT_WITH_ERRORS = 3
_SHOWN = 10
"""Reports left out that are named, of each side."""


def _periods(
    ctx: click.Context, param: click.Parameter, texts: tuple[str, ...]
) -> dict[Month, list[Path]]:
    by_month: dict[Month, list[Path]] = {}
    for text in texts:
        month, equals, path = text.partition("=")
        try:
            if not (equals and path):
                raise ValueError(f"{text!r}: write it as 2024-05=REPORTS")
            by_month.setdefault(Month.parse(month), []).append(Path(path))
        except ValueError as error:
            raise click.BadParameter(str(error), ctx, param) from None
    return by_month


@click.command()
@click.option(
    "--law",
    required=True,
    metavar="LAW[@EDITION]",
    help="The regulation the lists were made under.",
)
@click.option(
    "--as",
    "other",
    default="",
    metavar="LAW[@EDITION]",
    help="The other regulation: uisp, or fide@2012-07-01 for an edition not in force then.",
)
@readings_option("--reading", "readings", "Read an article of the other side another way.")
@readings_option("--law-reading", "law_readings", "A reading the lists were made under.")
@click.option(
    "--lists",
    required=True,
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="Folder with the list that opens the history, and the lists since where there are any.",
)
@click.option(
    "--reports",
    required=True,
    multiple=True,
    callback=_periods,
    metavar="MONTH=REPORTS",
    help="The reports of a period, by its first month; any number of times.",
)
@click.option(
    "--out",
    "folder",
    required=True,
    type=click.Path(path_type=Path),
    help="Folder that gets the lists of the replay; it must not be there.",
)
@click.option("--kind", default="", help="RIO: rapid, blitz or bullet.")
@click.option("--games", is_flag=True, help="Also keep every game of the calculations.")
@click.option(
    "--entry-list",
    "entry_lists",
    multiple=True,
    callback=entry_lists,
    metavar="NAME=FILE",
    help="RIO, UISP: a list that entry ratings come from: fide, fide-rapid, fide-blitz, fsi.",
)
@click.option(
    "--standard-lists",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="FIDE rapid and blitz: folder of the standard lists that stand in.",
)
@click.option("--top", "most", default=10, type=click.IntRange(0), help="Players to name [10].")
@click.option("--workers", default=0, type=click.IntRange(0, 256), help="Cores to use [all].")
@click.option("--memory", default="2G", callback=size, help="Bound for batches [2G].")
@waive_options
@output_options
def replay(
    out: Output,
    /,
    law: str,
    other: str,
    readings: dict[str, str],
    law_readings: dict[str, str],
    folder: Path,
    kind: str,
    waive: tuple[str, ...],
    reasons: tuple[str, ...],
    **options: Any,
) -> None:
    """Rate a history once more under another edition or reading, and compare list by list.

    The one side are the lists published since, or where they are not in the folder what the law in
    force makes of the same reports. Tournaments go on the lists of the other law's own calendar.
    Reports with errors are left out, as `period rate` does it; exit status 3 if there are any.
    """
    from arrocco.laws.systems import kind_to_tell
    from arrocco.runs.replay import ReplayJob, Side
    from arrocco.runs.replay import replay as run
    from arrocco.runs.replay_record import record_of

    law, _, own_edition = law.partition("@")
    one = Side(law, own_edition, law_readings, kind)
    name, _, edition = other.partition("@") if other else (law, "", own_edition)
    same = (name, edition) == (law, own_edition)
    side = Side(
        name, edition, {**(law_readings if same else {}), **readings}, kind_to_tell(name, kind)
    )
    with Progress(out) as progress:
        job = ReplayJob(one, side, out=folder, **options, waivers=waivers_of(waive, reasons))
        replayed = run(job, progress)
    if out.is_json:
        out.json(record_of(replayed))
    else:
        _print(out, replayed)
    if replayed.has_errors:
        click.get_current_context().exit(LEFT_OUT_WITH_ERRORS)


def _print(out: Output, replayed: Replayed) -> None:
    from arrocco.engine.admission import waived_findings

    out.line(out.say(f"replay.{'published' if replayed.is_published else 'computed'}"))
    for side, items in sorted(replayed.left_out.items()):
        counts = {"rated": replayed.reports[side], "left_out": len(items)}
        out.line(out.say(f"replay.reports.{side.replace('-', '_')}", **counts))
        for item in items[:_SHOWN]:
            words = out.say(f"period.left_out.{item.reason}", report=item.report, words=item.words)
            out.remark(words)
            for finding in item.findings:
                out.remark(out.finding_line(finding))
        out.findings(waived_findings(replayed.waived.get(side, ())))
        if len(items) > _SHOWN:
            out.remark(out.say("period.more_left_out", count=len(items) - _SHOWN))
    out.line()
    names = ("list", "one", "other", "both", "different", "mean", "only_one", "only_other")
    out.table(
        [Column(out.say(f"replay.head.{name}"), right=name != "list") for name in names],
        [_row(out, comparison) for comparison in replayed.comparisons],
        title=out.say("replay.title.lists"),
    )
    last = replayed.comparisons[-1] if replayed.comparisons else None
    if last is not None:
        _print_last(out, replayed, last)
    out.line(out.say("replay.written", folder=replayed.folder), bold=True)


def _row(out: Output, list_comparison: ListComparison) -> list[str]:
    def mean(value: int | None) -> str:
        return "-" if value is None else number(out.language, decimal(value))

    difference = (
        "-" if list_comparison.mean is None else number(out.language, signed(list_comparison.mean))
    )
    return [
        show(out.language, list_comparison.on),
        mean(list_comparison.one.mean),
        mean(list_comparison.other.mean),
        str(list_comparison.both),
        str(list_comparison.different),
        difference,
        str(list_comparison.only_one.count),
        str(list_comparison.only_other.count),
    ]


def _print_last(out: Output, replayed: Replayed, last: ListComparison) -> None:
    out.line()
    out.table(
        [Column(out.say(f"replay.head.{name}"), right=True) for name in ("size", "up", "down")],
        [
            [
                f"> {low - 1}" if high is None else f"{low}" if low == high else f"{low}–{high}",
                str(higher),
                str(lower),
            ]
            for low, high, higher, lower in last.buckets
        ],
        title=out.say("replay.title.buckets", on=last.on),
    )
    if last.most_affected:
        out.line()
        names = ("id", "name", "one_rating", "other_rating", "difference")
        out.table(
            [Column(out.say(f"replay.head.{name}"), right=name != "name") for name in names],
            [
                [
                    str(player.id),
                    replayed.names.get(player.id, ""),
                    str(player.one),
                    str(player.other),
                    f"{player.difference:+d}",
                ]
                for player in last.most_affected
            ],
            title=out.say("replay.title.most_affected"),
        )
    out.line()
