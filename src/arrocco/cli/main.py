"""The program `arrocco`: finds the noun, runs its command, turns refusals into exit statuses.

Exit status 0 is done, 1 is refused with reasons, 2 is a misuse of the command line, 130 is stopped
by the user and 141 is a reader that went away. Nothing here imports the rest of the program before
a noun is named: help and version must cost little.
"""

from __future__ import annotations

import os
import sys
from importlib import import_module
from importlib.machinery import PathFinder
from io import TextIOWrapper
from typing import Any

import click

from arrocco import __version__, cli
from arrocco.errors import Refusal

NOUNS = {
    "law": "The regulations: their editions, values, readings, rules, and how they differ.",
    "calc": "Work out one change, one first rating or one K, every step with its article.",
    "report": "Read, check and rate the report of a tournament.",
    "list": "Read, convert and compare rating lists.",
    "period": "Rate all the reports of a period and write the next list.",
    "player": "One player's games and ratings, explained.",
    "statistics": "Watch a rating system: drift, points coming and going, expected scores.",
    "pairing": "Pair the rounds of a Swiss tournament, check them, generate tournaments.",
    "ledger": "Check an office from outside: its ledger, its signatures and its lists.",
    "recording": "Recordings of supervised events: verified and erased.",
    "position": "Whether a side can still mate by any legal series of moves.",
    "fairplay": "Analyse games with an engine: figures with their limits, never a verdict.",
    "office": "The rating office of a folder: make it, look after it, back it up.",
    "serve": "The office on the web, for browsers and programs.",
    "demo": "The bundled tournaments, from report to list.",
}
"""Every noun with its help, so that the help is written without importing any of them."""

INTERRUPTED = 130
READER_GONE = 141


class LazyNouns(click.Group):
    """A group whose commands are modules of this package, imported when they are named."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [noun for noun in NOUNS if _has_module(noun)]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in NOUNS or not _has_module(cmd_name):
            return None
        command: click.Command = import_module(f"{cli.__name__}.{cmd_name}").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        rows = [(noun, NOUNS[noun]) for noun in self.list_commands(ctx)]
        if rows:
            with formatter.section("Commands"):
                formatter.write_dl(rows)

    def invoke(self, ctx: click.Context) -> Any:
        """Runs the command; whatever it refuses becomes words and a status, never a traceback."""
        try:
            result = super().invoke(ctx)
            sys.stdout.flush()
        except Refusal as refusal:
            _refuse(ctx, refusal)
        except KeyboardInterrupt:
            click.echo(err=True)
            ctx.exit(INTERRUPTED)
        except BrokenPipeError:
            # What is still buffered has no reader; without this the interpreter complains at exit.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            ctx.exit(READER_GONE)
        except (click.ClickException, click.exceptions.Exit, click.Abort):
            raise
        except Exception as error:
            _refuse_fault(ctx, error)
            if not isinstance(error, OSError):
                raise
            from arrocco.words import system

            name = error.filename if error.filename is not None else "-"
            _refuse(ctx, Refusal.of("cli.refused.system", file=name, reason=system(error)))
        return result


def _refuse_fault(ctx: click.Context, error: Exception) -> None:
    """Refuses where the disk or the database is at fault, whatever library says so."""
    from arrocco.store.faults import unavailable

    fault = unavailable(error)
    if fault is not None:
        _refuse(ctx, fault)


def _has_module(noun: str) -> bool:
    return PathFinder.find_spec(f"{cli.__name__}.{noun}", cli.__path__) is not None


def _refuse(ctx: click.Context, refusal: Refusal) -> None:
    from arrocco.cli.output import Output

    Output.of(ctx).refusal(refusal)
    ctx.exit(1)


@click.group(
    cls=LazyNouns,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Exit status: 0 done, 1 refused with reasons, 2 misuse. Words in Italian: --lang it "
    "with a command, or ARROCCO_LANG=it.",
)
@click.version_option(__version__, prog_name="arrocco")
def program() -> None:
    """The open chess rating office: regulations as dated editions, every figure with its article.

    Every command takes --json; `arrocco COMMAND --help` tells the rest.
    """


def main() -> None:
    """Runs the program with the arguments of the process."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):  # a terminal that cannot show ½ still shows the rest
            stream.reconfigure(errors="backslashreplace")
    program(prog_name="arrocco")
