"""`arrocco list`: look into rating lists, convert, compare and verify them."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from arrocco.cli.list_files import head_line, head_record, list_file, read
from arrocco.cli.office_options import office_option
from arrocco.cli.options import day
from arrocco.cli.output import Column, Output, output_options
from arrocco.errors import Inconsistent
from arrocco.findings import Finding
from arrocco.formats.lists.registry import format_named, format_of_suffix, formats

if TYPE_CHECKING:
    from arrocco.records.ratinglist import ListedPlayer, RatingList

SHOWN_FINDINGS = 10


@click.group()
def command() -> None:
    """Read, convert, compare and verify lists: FIDE's text and XML, CSV, Parquet, list folders."""


def _kind_option(command: Any) -> Any:
    return click.option(
        "--kind",
        metavar="KIND",
        help="Which rating of a file that holds several: standard, rapid or blitz.",
    )(command)


def _path() -> click.Path:
    return click.Path(path_type=Path)


# --- reading --------------------------------------------------------------------------------------


def print_findings(out: Output, findings: list[Finding]) -> None:
    """What reading and writing found: on standard error, the first few."""
    for finding in findings[:SHOWN_FINDINGS]:
        click.echo(out.finding_line(finding), err=True)
    if len(findings) > SHOWN_FINDINGS:
        out.remark(out.say("list.more_findings", count=len(findings) - SHOWN_FINDINGS))


# --- show -----------------------------------------------------------------------------------------


@command.command()
@click.argument("file", type=_path())
@click.option(
    "--player",
    "players",
    multiple=True,
    metavar="PLAYER",
    help="An id, or a part of a name; may be given several times.",
)
@click.option("--top", type=click.IntRange(0), default=20, help="How many players to show [20].")
@click.option("--federation", metavar="FED", help="Only players of this federation.")
@_kind_option
@output_options
def show(
    out: Output,
    file: Path,
    players: tuple[str, ...],
    top: int,
    federation: str | None,
    kind: str | None,
) -> None:
    """Show what a list holds: how many players, and the strongest or those asked for."""
    listed, findings = read(file, kind)
    rows = _chosen(listed, players, federation)
    shown = [listed.at(row) for row in rows[:top]]
    if out.is_json:
        out.json(
            {
                **head_record(listed),
                "found": len(rows),
                "shown": [_player_record(player) for player in shown],
                "findings": [out.finding_record(finding) for finding in findings],
            }
        )
        return
    out.line(head_line(out, "list.head", listed), bold=True)
    if shown:
        heads = ("id", "name", "federation", "title", "rating", "k", "games", "birth", "flag")
        right = {"id", "rating", "k", "games"}
        out.table(
            [Column(out.say(f"list.heading.{head}"), right=head in right) for head in heads],
            [_player_cells(player) for player in shown],
        )
    else:
        out.line(out.say("list.nobody"))
    if len(rows) > len(shown):
        out.remark(out.say("list.more_players", count=len(rows) - len(shown)))
    print_findings(out, findings)


def _chosen(listed: RatingList, players: tuple[str, ...], federation: str | None) -> list[int]:
    """The rows asked for, the strongest first."""
    import numpy as np

    keep = np.full(len(listed), not players, dtype=np.bool_)
    for text in players:
        asked = text.strip()
        if asked.isdecimal() and len(asked) <= 15:
            row = listed.row(int(asked))
            if row is not None:
                keep[row] = True
        elif asked:
            folded = asked.casefold()
            keep |= np.fromiter((folded in n.casefold() for n in listed.name), np.bool_, len(keep))
    if federation is not None:
        keep &= listed.federation == federation.strip().upper()
    rows = np.flatnonzero(keep)
    rows_shown: list[int] = rows[np.lexsort((listed.id[rows], -listed.rating[rows]))].tolist()
    return rows_shown


def _player_record(player: ListedPlayer) -> dict[str, Any]:
    return {
        "id": player.id,
        "name": player.name,
        "federation": player.federation,
        "sex": player.sex,
        "title": player.title,
        "rating": player.rating,
        "games": player.games,
        "k": player.k,
        "birth": None if player.birth is None else str(player.birth),
        "flag": player.flag,
    }


def _player_cells(player: ListedPlayer) -> list[str]:
    def number(value: int | None) -> str:
        return "" if value is None else str(value)

    return [
        str(player.id),
        player.name,
        player.federation,
        player.title,
        number(player.rating),
        number(player.k),
        number(player.games),
        str(player.birth or ""),
        player.flag,
    ]


# --- convert --------------------------------------------------------------------------------------


@command.command()
@click.argument("source", type=_path(), metavar="IN")
@click.argument("target", type=_path(), metavar="OUT")
@click.option(
    "--format",
    "format_",
    type=click.Choice(sorted(each.name for each in formats())),
    help="The format to write; without it the end of OUT's name tells.",
)
@_kind_option
@output_options
def convert(out: Output, source: Path, target: Path, format_: str | None, kind: str | None) -> None:
    """Write a list in another format; a combined file stays combined where the format can.

    Rows that cannot be read are left out and told; a file that is there already is replaced.
    """
    from arrocco.formats.lists import read_lists, write_list, write_lists

    file = list_file(source)
    known = format_named(format_) if format_ else format_of_suffix(target.suffix)
    if known is None:
        suffixes = ", ".join(each.suffix for each in formats())
        raise Inconsistent.of("list.format_unknown", file=target, formats=suffixes)
    format_ = known.name
    if target.exists() and file.exists() and target.samefile(file):
        raise Inconsistent.of("list.onto_itself", file=target)
    if kind is None and known.is_combined:
        lists, findings = read_lists(file)
        listed = next(iter(lists.values()))
        several = len(lists) > 1
        notes = write_lists(lists, target, format_) if several else None
    else:
        (listed, findings), several, notes = read(source, kind), False, None
        lists = {listed.system: listed}
    findings = findings + (write_list(listed, target, format_) if notes is None else notes)
    if out.is_json:
        out.json(
            {
                "file": str(target),
                "format": format_,
                "lists": [head_record(rating_list) for rating_list in lists.values()],
                "findings": [out.finding_record(finding) for finding in findings],
            }
        )
        return
    print_findings(out, findings)
    kinds = ", ".join(rating_list.system or "-" for rating_list in lists.values())
    out.line(out.say("list.written", file=target, format=format_, kinds=kinds, players=len(listed)))


# --- adjust ---------------------------------------------------------------------------------------


@command.command()
@click.argument("source", type=_path(), metavar="IN")
@click.argument("target", type=_path(), metavar="OUT")
@click.option("--law", default="fide", show_default=True, help="The regulation of the list.")
@click.option("--on", "list_date", type=day, required=True, metavar="DATE", help="Its day.")
@_kind_option
@output_options
def adjust(
    out: Output, source: Path, target: Path, law: str, list_date: date, kind: str | None
) -> None:
    """Write a list with its ratings adjusted once, as the edition of its day provides.

    Nothing in a file says whether it was adjusted before: whoever adjusts it twice has it twice.
    """
    from arrocco.formats.lists import write_list
    from arrocco.laws.registry import edition_in_force
    from arrocco.laws.systems import only_kind_of
    from arrocco.office.adjustment import adjusted_column

    edition = edition_in_force(law, list_date)()
    if list_date != edition.ADJUSTED_LIST:
        raise Inconsistent.of(
            "list.no_adjustment", law=law, edition=edition.edition, list_date=list_date
        )
    known = format_of_suffix(target.suffix)
    if known is None:
        suffixes = ", ".join(each.suffix for each in formats())
        raise Inconsistent.of("list.format_unknown", file=target, formats=suffixes)
    file = list_file(source)
    if target.exists() and file.exists() and target.samefile(file):
        raise Inconsistent.of("list.onto_itself", file=target)
    listed, findings = read(source, kind or only_kind_of(law))
    if listed.on not in (None, list_date):
        raise Inconsistent.of("list.other_day", file=source, on=listed.on, list_date=list_date)
    before = listed.rating.copy()
    listed.rating = adjusted_column(edition, before.astype("int64")).astype(before.dtype)
    moved, points = int((listed.rating != before).sum()), int((listed.rating - before).sum())
    findings += write_list(listed, target, known.name)
    if out.is_json:
        told = [out.finding_record(finding) for finding in findings]
        out.json({"file": str(target), "players": moved, "points": points, "findings": told})
        return
    print_findings(out, findings)
    out.line(out.say("list.adjusted", file=target, players=moved, points=points))


# --- diff -----------------------------------------------------------------------------------------


@command.command()
@click.argument("before", type=_path(), metavar="A")
@click.argument("after", type=_path(), metavar="B")
@click.option("--top", type=click.IntRange(0), default=10, help="How many to show of each [10].")
@click.option("--csv", "csv_file", type=_path(), help="One row for everybody who changed.")
@_kind_option
@output_options
def diff(
    out: Output, before: Path, after: Path, top: int, csv_file: Path | None, kind: str | None
) -> None:
    """Compare two lists: who gained and lost, came and went, and what else changed.

    A and B are files of any format or list folders. Where B is a folder with calculations, every
    change comes with its reason.
    """
    from arrocco.cli.list_diff import compare, diff_record, print_diff, write_csv

    if csv_file is not None and csv_file in (before, after):
        raise Inconsistent.of("list.onto_itself", file=csv_file)
    changes, findings = compare(before, after, kind)
    if csv_file is not None:
        from arrocco.files import replacing

        with replacing(csv_file) as stream:
            write_csv(changes, stream)
    if out.is_json:
        out.json(diff_record(out, changes, findings, top))
        return
    print_diff(out, changes, top)
    print_findings(out, findings)
    if csv_file is not None:
        out.remark(out.say("list.csv_written", file=csv_file))


# --- verify ---------------------------------------------------------------------------------------


@command.command()
@click.argument("system", required=False)
@click.argument("list_date", type=day, required=False, metavar="[DATE]")
@office_option
@click.option("--all", "every", is_flag=True, help="Every list of the office.")
@output_options
def verify(
    out: Output, system: str | None, list_date: date | None, folder: Path, every: bool
) -> None:
    """Build a published list of an office again from its ledger and compare every byte."""
    from arrocco.cli.list_verify import verify_lists

    verify_lists(out, folder, system, list_date, every=every)
