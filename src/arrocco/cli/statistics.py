"""`arrocco statistics`: what a rating administrator watches, over any number of lists."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from arrocco.cli.output import Output, output_options

if TYPE_CHECKING:
    from arrocco.store.statistics import Watched

_LISTS = click.argument(
    "lists", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True)
)
_KIND = click.option("--kind", default="", help="The kind of rating, where a file holds several.")
_NO_GAMES = click.option(
    "--no-games", is_flag=True, help="Leave the stored games unread: they are by far the largest."
)


@click.group()
def command() -> None:
    """Watch a rating system: drift, spread, points coming and going, K, expected scores."""


def _watch(out: Output, lists: tuple[Path, ...], kind: str, no_games: bool) -> list[Watched]:
    """Counts the lists one after the other; only figures stay."""
    from arrocco.store.statistics import watch

    return list(watch(lists, kind, games=not no_games))


@command.command()
@_LISTS
@_KIND
@_NO_GAMES
@click.option(
    "--federations",
    default=0,
    type=click.IntRange(0),
    metavar="N",
    help="Also show the N largest federations of the last list.",
)
@output_options
def show(
    out: Output, /, lists: tuple[Path, ...], kind: str, no_games: bool, federations: int
) -> None:
    """Show LISTS in figures: folders of lists, folders of one list, files.

    Lists are taken in the order of their days, each against the one before. Calculations and games
    are counted where they are stored with a list.
    """
    watched = _watch(out, lists, kind, no_games)
    if out.is_json:
        from arrocco.store.statistics_rows import tables_of

        tables: dict[str, Any] = dict(tables_of(watched))
        if not federations:
            del tables["federations"]
        out.json(tables)
        return
    from arrocco.cli.statistics_text import print_statistics

    print_statistics(out, watched, federations)


@command.command()
@_LISTS
@click.option(
    "--out",
    "folder",
    required=True,
    type=click.Path(path_type=Path),
    help="Folder that gets one CSV file for each table; it must not be there.",
)
@_KIND
@_NO_GAMES
@output_options
def export(
    out: Output, /, lists: tuple[Path, ...], folder: Path, kind: str, no_games: bool
) -> None:
    """Write the figures of LISTS as CSV files, all of them or none."""
    from arrocco.store.list_folder import new_folder
    from arrocco.store.statistics_rows import tables_of

    tables = tables_of(_watch(out, lists, kind, no_games))
    written = []
    with new_folder(folder) as beside:
        for name, rows in tables.items():
            if rows:
                _write_csv(beside / f"{name}.csv", rows)
                written.append({"file": f"{name}.csv", "rows": len(rows)})
    if out.is_json:
        out.json({"folder": folder, "files": written})
        return
    for item in written:
        out.line(out.say("statistics.rows", **item))
    out.line(out.say("statistics.written", folder=folder), bold=True)


def _write_csv(path: Path, rows: list[dict[str, Any]]) -> None:
    import csv

    from arrocco.formats.csv_cells import defused_row

    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(rows[0])
        writer.writerows(defused_row(row.values()) for row in rows)
