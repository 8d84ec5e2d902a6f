"""`arrocco demo generate`: an invented federation of any size, written as lists and reports."""

from __future__ import annotations

from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from arrocco.cli.options import LAWS
from arrocco.cli.output import Column, Output, output_options
from arrocco.dates import Month

if TYPE_CHECKING:
    from arrocco.demo.generate import Federation

_PARTS = 10_000
_SHOWN = tuple(
    """
    players rated_players tournaments late_reports entries unrated_entries games played forfeits
""".split()
)


def _month(text: str) -> Month:
    try:
        return Month.parse(text)
    except ValueError as error:
        raise click.BadParameter(str(error)) from None


def _share(text: str) -> int:
    """A share from 0 to 1 in parts of 10,000; finer ones are refused rather than rounded."""
    try:
        parts = Decimal(text) * _PARTS
    except InvalidOperation:
        raise click.BadParameter(f"{text!r} is not a share; write it as 0.26") from None
    if not parts.is_finite() or parts != int(parts) or not 0 <= parts <= _PARTS:
        raise click.BadParameter(f"{text}: a share lies from 0 to 1, with four decimals at most")
    return int(parts)


@click.command()
@click.option("--players", type=click.IntRange(1), required=True, help="Players on the list.")
@click.option("--games", type=click.IntRange(1), required=True, help="Games in all, about.")
@click.option(
    "--out",
    "folder",
    type=click.Path(path_type=Path),
    required=True,
    metavar="DIR",
    help="A new or empty folder.",
)
@click.option(
    "--seed",
    type=click.IntRange(0),
    default=1,
    show_default=True,
    help="The same seed and options give the same bytes.",
)
@click.option("--law", default="fide", show_default=True, help=LAWS)
@click.option(
    "--rating",
    "time_class",
    type=click.Choice(["rapid", "blitz", "bullet"]),
    default="blitz",
    show_default=True,
    help="RIO: which of its ratings.",
)
@click.option(
    "--period",
    type=_month,
    metavar="MONTH",
    help="The period, as 2024-05.  [2024-05; RIO: 2025-05]",
)
@click.option("--tournaments", type=click.IntRange(1), help="Tournaments.  [games / 200]")
@click.option(
    "--reports",
    "forms",
    type=click.Choice(["trf", "parquet", "both"]),
    default="both",
    show_default=True,
    help="The form of the reports.",
)
@click.option(
    "--rated-share",
    type=_share,
    metavar="SHARE",
    help="FIDE: how many players are rated.  [0.26 from 50,000 players, else 0.7]",
)
@click.option(
    "--defects",
    type=_share,
    default="0",
    metavar="SHARE",
    help="How many reports have a mistake.  [0]",
)
@output_options
def generate(
    out: Output,
    players: int,
    games: int,
    folder: Path,
    seed: int,
    law: str,
    time_class: str,
    period: Month | None,
    tournaments: int | None,
    forms: Literal["trf", "parquet", "both"],
    rated_share: int | None,
    defects: int,
) -> None:
    """Invent a federation: its lists and a period of tournaments, with nobody real in them.

    DIR gets the list that opens the period and those before it (lists/), the reports (reports/ and
    reports.parquet) and truth.json, which counts what was made up.
    """
    from arrocco.demo.generate import federation, write_federation
    from arrocco.errors import Illegal

    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise Illegal.of("generate.in_the_way", folder=folder)
    made = federation(
        players, seed, law=law, period=period, rated_share=rated_share, time_class=time_class
    )
    truth = write_federation(
        made, folder, games, tournaments=tournaments, forms=forms, defects=defects
    )
    if out.is_json:
        out.json({"folder": folder, **truth})
        return
    _print(out, made, folder, truth["counts"], has_files=forms != "parquet")


def _print(
    out: Output, made: Federation, folder: Path, counts: dict[str, Any], *, has_files: bool
) -> None:
    from arrocco.demo.generate import list_path, report_path

    out.line(out.say("generate.written", folder=folder))
    rows = [(out.say(f"generate.count.{name}"), str(counts[name])) for name in _SHOWN]
    out.table([Column(""), Column("", right=True)], rows)
    if has_files:
        out.line()
        out.line(out.say("generate.next"))
        listed = list_path(folder, made.calendar.lists[0])
        report = report_path(folder, 1)
        online = " --online" if made.profile.online else ""
        out.line(f"    arrocco report rate {report} --law {made.law} --list {listed}{online}")
