"""What all commands share to speak: JSON or text, Italian or English, tables and findings.

A command decorated with `output_options` gets an `Output` as its first argument. With ``--json``
it prints one JSON document on standard output; without, text for people, with remarks on standard
error so that they never mix with what a pipe reads.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import wraps
from shutil import get_terminal_size
from typing import Any, Concatenate, ParamSpec, TypeVar

import click

from arrocco.errors import Refusal, Unavailable
from arrocco.findings import Finding, Severity
from arrocco.words import LANGUAGES, Language, finding_advice, finding_text, say

P = ParamSpec("P")
R = TypeVar("R")

_LANGUAGE_VARIABLES = ("ARROCCO_LANG", "LC_ALL", "LC_MESSAGES", "LANG")
_COLOURS = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.NOTE: "cyan"}


@dataclass(frozen=True)
class Column:
    """A column of a table: numbers stand to the right, a dim column is there for reference."""

    title: str
    right: bool = False
    dim: bool = False


@dataclass(frozen=True)
class Output:
    """How a command speaks: in JSON or in words, and in which language."""

    is_json: bool
    language: Language

    @classmethod
    def of(cls, ctx: click.Context) -> Output:
        """What the options of the running command ask for."""
        return cls(
            ctx.meta.get("arrocco.is_json", False),
            ctx.meta.get("arrocco.language") or default_language(),
        )

    def say(self, key: str, **details: Any) -> str:
        """A sentence from the catalogues in the command's language."""
        return say(self.language, key, **details)

    def json(self, value: Any) -> None:
        """Prints a value as JSON."""
        print_json(value)

    def line(
        self, text: str = "", *, indent: int = 0, bold: bool = False, dim: bool = False
    ) -> None:
        """Prints a line of text; on a terminal it is folded, further lines indented."""
        if sys.stdout.isatty():
            width = get_terminal_size().columns
            text = click.wrap_text(text, width, subsequent_indent=" " * indent)
        click.echo(click.style(text, bold=bold or None, dim=dim or None) if bold or dim else text)

    def remark(self, text: str) -> None:
        """Prints a line beside the answer, on standard error; with ``--json`` nothing."""
        if not self.is_json:
            click.secho(text, err=True, dim=True)

    def table(
        self, columns: Sequence[Column | str], rows: Iterable[Sequence[str]], *, title: str = ""
    ) -> None:
        """Prints a table: drawn on a terminal, plain aligned columns elsewhere."""
        print_table(columns, rows, title=title)

    def findings(self, findings: Iterable[Finding]) -> None:
        """Prints findings for people, each with its place, its words and what to do."""
        for finding in findings:
            click.echo(self.finding_line(finding))

    def finding_line(self, finding: Finding) -> str:
        """A finding as two lines: ``file:line:column: error: words [article]`` and the advice."""
        severity = click.style(
            self.say(f"cli.severity.{finding.severity}"), fg=_COLOURS[finding.severity]
        )
        article = f" [{finding.article}]" if finding.article else ""
        advice = finding_advice(self.language, finding)
        return f"{finding.place}: {severity}: {finding_text(self.language, finding)}{article}" + (
            f"\n    {advice}" if advice else ""
        )

    def finding_record(self, finding: Finding) -> dict[str, Any]:
        """A finding as JSON has it: the stable key with its details, and the words."""
        return {
            "severity": finding.severity.value,
            "key": finding.key,
            "file": finding.place.file,
            "line": finding.place.line,
            "column": finding.place.column,
            "article": finding.article,
            "details": finding.details,
            "more": finding.more,
            "text": finding_text(self.language, finding),
            "do": finding_advice(self.language, finding),
        }

    def refusal(self, refusal: Refusal) -> None:
        """Says why nothing was done: in JSON on standard output, in words on standard error."""
        message, advice = refusal.said(self.language)
        if self.is_json:
            record: dict[str, Any] = {"refused": message, "advice": advice}
            if refusal.key:
                record["key"] = refusal.key
            if refusal.details:
                record["details"] = refusal.details
            if isinstance(refusal, Unavailable):
                record["cause"] = refusal.cause
            record["findings"] = [self.finding_record(finding) for finding in refusal.findings]
            print_json(record)
            return
        label = click.style(self.say("cli.refusal"), fg="red", bold=True)
        click.echo(f"{label}: {message}", err=True)
        for finding in refusal.findings:
            click.echo(self.finding_line(finding), err=True)
        if advice:
            click.echo(f"    {advice}", err=True)
        if isinstance(refusal, Unavailable) and refusal.cause:
            click.echo(f"    {refusal.cause}", err=True)


def default_language() -> Language:
    """The language of the environment: Italian where it says so, else English."""
    for name in _LANGUAGE_VARIABLES:
        value = os.environ.get(name)
        if value:
            return "it" if value.lower().startswith("it") else "en"
    return "en"


def output_options(command: Callable[Concatenate[Output, P], R]) -> Callable[P, R]:
    """Gives a command ``--json`` and ``--lang``, and hands it an `Output` as first argument."""

    # The two values are kept in the context, where a refusal printed above the command finds them.
    @click.option(
        "--json",
        "is_json",
        is_flag=True,
        is_eager=True,
        expose_value=False,
        callback=_remember,
        help="Print JSON.",
    )
    @click.option(
        "--lang",
        "language",
        type=click.Choice(LANGUAGES),
        is_eager=True,
        expose_value=False,
        callback=_remember,
        help="Words in English or Italian (default: ARROCCO_LANG, then LANG).",
    )
    @wraps(command)
    def with_output(*args: P.args, **kwargs: P.kwargs) -> R:
        return command(Output.of(click.get_current_context()), *args, **kwargs)

    return with_output


def _remember(ctx: click.Context, param: click.Parameter, value: Any) -> None:
    ctx.meta[f"arrocco.{param.name}"] = value


def print_json(value: Any) -> None:
    """Prints a value as JSON, keys in the order given, two spaces deep."""
    import msgspec

    encoded = msgspec.json.encode(value, enc_hook=_plain)
    click.echo(msgspec.json.format(encoded, indent=2))


def _plain(value: Any) -> Any:
    """What JSON has no form for: legal integers, paths, numbers of numpy arrays."""
    if isinstance(value, int):
        return int(value)
    if hasattr(value, "item"):
        return value.item()
    return str(value)


def print_table(
    columns: Sequence[Column | str], rows: Iterable[Sequence[str]], *, title: str = ""
) -> None:
    """Prints a table: drawn on a terminal, plain aligned columns elsewhere."""
    heads = [Column(column) if isinstance(column, str) else column for column in columns]
    body = [list(row) for row in rows]
    if sys.stdout.isatty():
        _print_drawn(heads, body, title)
    else:
        _print_plain(heads, body, title)


def _print_plain(heads: list[Column], body: list[list[str]], title: str) -> None:
    # One row is one line here, so that each can be searched and cut.
    body = [[cell.replace("\n", " — ") for cell in row] for row in body]
    titles = [[head.title for head in heads]] if any(head.title for head in heads) else []
    lines = titles + body
    widths = [max((len(row[i]) for row in lines), default=0) for i in range(len(heads))]
    if title:
        click.echo(title)
    for line in lines:
        cells = (
            cell.rjust(width) if head.right else cell.ljust(width)
            for cell, width, head in zip(line, widths, heads, strict=True)
        )
        click.echo("  ".join(cells).rstrip())


def _print_drawn(heads: list[Column], body: list[list[str]], title: str) -> None:
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(
        box=SIMPLE_HEAD,
        title=title or None,
        title_justify="left",
        title_style="bold",
        header_style="bold",
        show_header=any(head.title for head in heads),
        pad_edge=False,
        padding=(0, 1, 0, 0),
        show_edge=False,
    )
    for head in heads:
        table.add_column(
            head.title,
            justify="right" if head.right else "left",
            style="dim" if head.dim else "",
            no_wrap=head.right,
        )
    for row in body:
        # Text, not markup: a name such as [red] must stay a name.
        table.add_row(*(Text(cell) for cell in row))
    Console(highlight=False).print(table)
