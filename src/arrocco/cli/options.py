"""Options that several commands share: days, readings, affiliated players."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime
from typing import Any, TypeVar

import click

from arrocco.dates import parse_day
from arrocco.laws.systems import LAW_NAMES

LAWS = f"{', '.join(LAW_NAMES)}."
"""The help of an option that takes a regulation."""

F = TypeVar("F", bound=Callable[..., Any])


def day(text: str) -> date:
    """The type of an option that takes a day: ``click.option("--on", type=day)``."""
    try:
        return parse_day(text)
    except ValueError as error:
        raise click.BadParameter(str(error)) from None


def reading_option(command: F) -> F:
    """Gives a command ``--reading NAME=CHOICE``, any number of times, as a dict `readings`.

    Only the form is checked here: which readings there are is for the edition to say, so hand the
    dict to it (``edition(**readings)``) and it refuses what it does not know.
    """
    return readings_option(
        "--reading",
        "readings",
        "Read an ambiguous article another way; `arrocco law show` lists the choices.",
    )(command)


def affiliated_option(command: F) -> F:
    """Gives a command ``--affiliated ID``, any number of times, as a tuple `affiliated`."""
    return click.option(
        "--affiliated",
        multiple=True,
        type=click.IntRange(1),
        metavar="ID",
        help="FIDE 2010, 7.14g: a player of the IBCA, the ICSC or the IPCA.",
    )(command)


def readings_option(flag: str, name: str, words: str) -> Callable[[F], F]:
    """An option such as ``--reading`` under another name, for commands that take two laws."""
    return click.option(
        flag, name, multiple=True, metavar="NAME=CHOICE", callback=_parse, help=words
    )


def _parse(ctx: click.Context, param: click.Parameter, texts: tuple[str, ...]) -> dict[str, str]:
    readings: dict[str, str] = {}
    for text in texts:
        name, equals, choice = (part.strip() for part in text.partition("="))
        if not (name and equals and choice):
            raise click.BadParameter(f"{text!r}: write it as NAME=CHOICE", ctx, param)
        if readings.setdefault(name, choice) != choice:
            raise click.BadParameter(f"{name} is read in two ways", ctx, param)
    return readings


def today() -> date:
    """The day it is here; commands that assume it say so."""
    return datetime.now(UTC).astimezone().date()
