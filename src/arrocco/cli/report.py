"""`arrocco report`: check the report of a tournament, rate reports, explain one player's change."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import click

from arrocco.cli.output import Output, output_options
from arrocco.cli.report_options import Request, file_path, rating_options

if TYPE_CHECKING:
    from arrocco.cli.report_view import RatedFiles

STANDARD_OUTPUT = Path("-")


class _WithCheck(click.Group):
    """`check` lives in a module of its own, imported only when it is named."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return ["check", *super().list_commands(ctx)]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name == "check":
            check: click.Command = import_module("arrocco.cli.report_check").check
            return check
        return super().get_command(ctx, cmd_name)


@click.group(cls=_WithCheck)
def command() -> None:
    """Read, check, rate and explain tournament reports (TRF16 and TRF26)."""


@command.command()
@rating_options
@click.option("--csv", "csv_file", type=file_path(), help="Write a CSV with one row a player.")
@click.option("--games-csv", type=file_path(), help="Write a CSV with one row a side of a game.")
@click.option("--html", "html_file", type=file_path(), help="Write a page with every game.")
@click.option(
    "--all",
    "show_all",
    is_flag=True,
    help="Show all games that do not count and all findings, not only the first few of each kind.",
)
@output_options
def rate(
    out: Output,
    request: Request,
    csv_file: Path | None,
    games_csv: Path | None,
    html_file: Path | None,
    show_all: bool,
) -> None:
    """Rate reports together as one period, each under the edition in force at its start.

    A dash for FILE reads standard input; a dash for one of the files to write prints it instead of
    the table.
    """
    from arrocco.cli import report_csv, report_files
    from arrocco.cli.report_inputs import rate_files
    from arrocco.files import write_all

    targets = [file for file in (csv_file, games_csv, html_file) if file is not None]
    if targets.count(STANDARD_OUTPUT) + out.is_json > 1:
        raise click.UsageError("only one result can be printed: choose --json or one dash")
    files_to_write = [file for file in targets if file != STANDARD_OUTPUT]
    report_files.check_targets(files_to_write, request.inputs)
    files = rate_files(request)
    results: dict[Path, bytes] = {}
    if csv_file is not None:
        results[csv_file] = report_csv.players_csv(files)
    if games_csv is not None:
        results[games_csv] = report_csv.games_csv(files)
    if html_file is not None:
        from arrocco.cli.report_html import page

        results[html_file] = page(out.language, files).encode("utf-8")
    on_screen = results.pop(STANDARD_OUTPUT, None)
    write_all(results)
    if on_screen is not None:
        click.echo(on_screen, nl=False)
        return
    _print(out, files, show_all)
    for file in results:
        out.remark(out.say("report.written", file=file))


def _print(out: Output, files: RatedFiles, show_all: bool) -> None:
    if out.is_json:
        from arrocco.cli.report_json import period_record

        out.json(period_record(out, files))
    else:
        from arrocco.cli.report_text import print_period

        print_period(out, files, show_all=show_all)


@command.command()
@rating_options
@click.option(
    "--player",
    "players",
    multiple=True,
    required=True,
    metavar="ID",
    help="The player's id, or a part of the name; may be given several times.",
)
@output_options
def explain(out: Output, request: Request, players: tuple[str, ...]) -> None:
    """Explain a player's change or first rating: every game and every step with its article."""
    from arrocco.cli.report_inputs import rate_files
    from arrocco.cli.report_players import find_player

    files = rate_files(request)
    asked = [find_player(files.rated, text) for text in players]
    if out.is_json:
        from arrocco.cli.report_json import explanation_record, head_record

        record = head_record(files)
        record["explained"] = [explanation_record(out, files, player) for player in asked]
        record["findings"] = [out.finding_record(finding) for finding in files.findings]
        out.json(record)
        return
    from arrocco.cli.report_text import print_head, print_player, print_readings

    print_head(out, files)
    for player in asked:
        out.line()
        print_player(out, files.rated, player)
    print_readings(out, files.rated, asked)
