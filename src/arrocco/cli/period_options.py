"""What the commands of `arrocco period` share: how options are read, and a progress bar."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from time import perf_counter
from typing import Any

import click

from arrocco.cli.output import Output
from arrocco.dates import Month


def month(ctx: click.Context, param: click.Parameter, text: str) -> Month:
    """Reads a month, as 2024-05."""
    try:
        return Month.parse(text)
    except ValueError as error:
        raise click.BadParameter(str(error), ctx, param) from None


def size(ctx: click.Context, param: click.Parameter, text: str) -> int:
    """Reads an amount of memory, as 500M or 2G."""
    units = {"k": 10, "m": 20, "g": 30}
    number, unit = (text[:-1], text[-1:].lower()) if text[-1:].lower() in units else (text, "")
    if not number.isdigit() or int(number) == 0:
        raise click.BadParameter(f"{text!r}: write it as 500M or 2G", ctx, param)
    return int(number) << units.get(unit, 0)


def entry_lists(
    ctx: click.Context, param: click.Parameter, texts: tuple[str, ...]
) -> dict[str, Path]:
    """Reads lists by name, as NAME=FILE."""
    lists: dict[str, Path] = {}
    for text in texts:
        name, equals, path = text.partition("=")
        if not (name and equals and path):
            raise click.BadParameter(f"{text!r}: write it as NAME=FILE", ctx, param)
        lists[name] = Path(path)
    return lists


def days_out(
    ctx: click.Context, param: click.Parameter, texts: tuple[str, ...]
) -> dict[date, date]:
    """Reads the days on which lists came out, as LIST=DAY."""
    days: dict[date, date] = {}
    for text in texts:
        listed, _, day = text.partition("=")
        try:
            days[date.fromisoformat(listed)] = date.fromisoformat(day)
        except ValueError:
            example = f"{text!r}: write it as 2024-04-01=2024-04-08"
            raise click.BadParameter(example, ctx, param) from None
    return days


def interim_reports(
    ctx: click.Context, param: click.Parameter, texts: tuple[str, ...]
) -> dict[str, tuple[str, date]]:
    """Reads which reports are interim ones, as FILE=TOURNAMENT@DAY."""
    parts: dict[str, tuple[str, date]] = {}
    for text in texts:
        file, _, rest = text.rpartition("=")
        if not Path(file).is_file():
            raise click.BadParameter(f"{text!r}: there is no such file", ctx, param)
        parts[str(Path(file))] = interim_of(ctx, param, rest)
    return parts


def interim_of(ctx: click.Context, param: click.Parameter, text: str) -> tuple[str, date]:
    """Reads the tournament of an interim report, as TOURNAMENT@DAY."""
    name, _, day = text.rpartition("@")
    try:
        if name:
            return name, date.fromisoformat(day)
    except ValueError:
        pass
    raise click.BadParameter(f"{text!r}: write it as TOURNAMENT@2025-09-20", ctx, param)


def _interim(
    ctx: click.Context, param: click.Parameter, text: str | None
) -> tuple[str, date] | None:
    return None if text is None else interim_of(ctx, param, text)


interim_option = click.option(
    "--interim",
    callback=_interim,
    metavar="TOURNAMENT@DAY",
    help="FIDE, 4: the reports are some of those of a long tournament that began on that day.",
)
"""Of commands on reports: all of them are parts of one tournament."""


class Progress:
    """A progress bar on a terminal, nothing elsewhere or with --json; and what each stage took."""

    def __init__(self, out: Output) -> None:
        import sys

        self.seconds: dict[str, float] = {}
        self.since = ("", perf_counter())
        self.out, self.bar, self.tasks = out, None, {}  # type: ignore[var-annotated]
        if sys.stderr.isatty() and not out.is_json:
            import rich.progress
            from rich.console import Console
            from rich.progress import (
                BarColumn,
                MofNCompleteColumn,
                TextColumn,
                TimeElapsedColumn,
            )

            self.bar = rich.progress.Progress(
                TextColumn("{task.description}"),
                BarColumn(),
                MofNCompleteColumn(),
                TimeElapsedColumn(),
                console=Console(stderr=True),
            )

    def __enter__(self) -> Any:
        if self.bar is not None:
            self.bar.start()
        return self._report

    def __exit__(self, *_: object) -> None:
        self._clock("")
        if self.bar is not None:
            self.bar.stop()

    def _clock(self, stage: str) -> None:
        """Counts the time since the last report to the stage that was under way."""
        (before, started), now = self.since, perf_counter()
        if before:
            self.seconds[before] = self.seconds.get(before, 0.0) + now - started
        self.since = (stage, now)

    def _report(self, stage: str, done: int, total: int) -> None:
        self._clock(stage)
        if self.bar is None:
            return
        if stage not in self.tasks:
            words = self.out.say(f"period.stage.{stage}")
            self.tasks[stage] = self.bar.add_task(words, total=total or None)
        self.bar.update(self.tasks[stage], completed=done, total=total or None)
