"""`arrocco demo`: the bundled tournaments under the four regulations, rated and explained."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from arrocco.cli.demo_event import event
from arrocco.cli.demo_generate import generate
from arrocco.cli.demo_office import office, serve
from arrocco.cli.output import Output, output_options
from arrocco.cli.report_options import Request
from arrocco.demo.bundled import DEMOS, SUFFIXES, Demo, bundled_files

if TYPE_CHECKING:
    from arrocco.cli.report_view import RatedFiles


@click.group()
def command() -> None:
    """Everything here is invented: bundled tournaments, federations of any size, a whole office."""


command.add_command(generate)
command.add_command(office)
command.add_command(serve)
command.add_command(event)


@command.command()
@output_options
def show(out: Output) -> None:
    """Rate the bundled tournaments under four regulations and explain some of the players."""
    from arrocco.cli.report_inputs import rate_files

    with bundled_files() as folder:
        rated = [(demo, _with_short_names(rate_files(_request(demo, folder)))) for demo in DEMOS]
    if out.is_json:
        _print_json(out, rated)
        return
    out.line(out.say("demo.welcome"))
    for number, (demo, files) in enumerate(rated, start=1):
        _print(out, number, demo, files)
    out.line()
    out.line(out.say("demo.next"))


def _request(demo: Demo, folder: Path) -> Request:
    entry_lists = {kind: folder / file for kind, file in demo.entry_lists.items()}
    return Request(
        (folder / demo.report,),
        demo.law,
        folder / demo.list,
        entry_lists=entry_lists,
        online=demo.online,
    )


def _print(out: Output, number: int, demo: Demo, files: RatedFiles) -> None:
    from arrocco.cli.report_players import find_player
    from arrocco.cli.report_text import print_head, print_newcomers, print_player, print_rated

    out.line()
    out.line(f"{number}. {out.say(f'demo.{demo.key}.title')}", bold=True)
    out.line(out.say(f"demo.{demo.key}.about"))
    out.line(f"$ {demo.command()}", indent=4, dim=True)
    out.line()
    print_head(out, files)
    out.line()
    print_rated(out, files)
    if files.newcomers:
        out.line()
        print_newcomers(out, files)
    for asked in demo.players:
        out.line()
        print_player(out, files.rated, find_player(files.rated, asked))


def _print_json(out: Output, rated: list[tuple[Demo, RatedFiles]]) -> None:
    from arrocco.cli.report_json import explanation_record, period_record
    from arrocco.cli.report_players import find_player

    records = []
    for demo, files in rated:
        players = [find_player(files.rated, asked) for asked in demo.players]
        records.append(
            {
                "title": out.say(f"demo.{demo.key}.title"),
                "command": demo.command(),
                "period": period_record(out, files),
                "explained": [explanation_record(out, files, player) for player in players],
            }
        )
    out.json({"demos": records})


@command.command()
@click.argument("folder", type=click.Path(path_type=Path), metavar="DIR")
@output_options
def write(out: Output, folder: Path) -> None:
    """Write the bundled reports and lists into DIR, to try the commands on them."""
    from arrocco.errors import Illegal
    from arrocco.files import write_all

    with bundled_files() as source:
        files = {
            folder / path.name: path.read_bytes()
            for path in sorted(source.iterdir())
            if path.suffix in SUFFIXES
        }
    for file, data in files.items():
        if file.exists() and (file.is_dir() or file.read_bytes() != data):
            raise Illegal.of("demo.in_the_way", file=file)
    folder.mkdir(parents=True, exist_ok=True)
    write_all(files)
    if out.is_json:
        commands = [demo.command() for demo in DEMOS]
        out.json({"folder": folder, "files": [file.name for file in files], "commands": commands})
        return
    out.line(out.say("demo.written", count=len(files), folder=folder))
    out.line(f"    cd {folder}")
    for demo in DEMOS:
        out.line(f"    {demo.command()}")


def _with_short_names(files: RatedFiles) -> RatedFiles:
    """The same with bare file names: where the package is installed is of no interest here."""
    if files.listed is not None:
        files.listed.source = Path(files.listed.source).name
    for report in files.rated.assembled.reports:
        report.source = Path(report.source).name
    for tournament in files.rated.period.tournaments:
        tournament.key = Path(tournament.key).name
    findings = [
        replace(finding, place=replace(finding.place, file=Path(finding.place.file).name))
        for finding in files.findings
    ]
    return replace(files, findings=findings)
