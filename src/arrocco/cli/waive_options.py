"""What options tell of reports: facts that no file says, suspended federations, waived errors."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeVar

import click

from arrocco.dates import parse_day
from arrocco.errors import Inconsistent
from arrocco.records.told_facts import TELLABLE, ToldFact

if TYPE_CHECKING:
    from arrocco.engine.admission import Waivers
    from arrocco.office.suspensions import Suspension

F = TypeVar("F", bound=Callable[..., object])


def waive_options(command: F) -> F:
    """Gives a command ``--waive`` and ``--reason``, as `waive` and `reasons`."""
    for option in (
        click.option(
            "--reason",
            "reasons",
            multiple=True,
            metavar="TEXT",
            help="Why: one for each --waive in their order, or one for all.",
        ),
        click.option(
            "--waive",
            multiple=True,
            metavar="KEY[@FILE]",
            help="Let an error of `report check` pass, in all reports or in one; needs --reason.",
        ),
    ):
        command = option(command)
    return command


def fact_option(command: F) -> F:
    """Gives a command ``--fact``, as `facts`."""
    return click.option(
        "--fact",
        "facts",
        multiple=True,
        metavar="NAME[@FILE]",
        callback=_facts,
        help=f"What no file says, of all reports or of one: {', '.join(TELLABLE)}.",
    )(command)


def _facts(
    ctx: click.Context, param: click.Parameter, texts: tuple[str, ...]
) -> tuple[ToldFact, ...]:
    told = []
    for text in texts:
        name, _, file = (part.strip() for part in text.partition("@"))
        if name not in TELLABLE:
            raise click.BadParameter(f"{text!r}: one of {', '.join(TELLABLE)}", ctx, param)
        told.append(ToldFact(name, file))
    return tuple(told)


def suspended_option(command: F) -> F:
    """Gives a command ``--suspended``, as `suspended`."""
    return click.option(
        "--suspended",
        multiple=True,
        metavar="CODE=FROM..[TO]",
        callback=_suspensions,
        help="FIDE, 10.1: a federation that is no member on these days: XIN=2024-03-01..2025-02-28,"
        " or XIN=2024-03-01.. until further notice.",
    )(command)


def _suspensions(
    ctx: click.Context, param: click.Parameter, texts: tuple[str, ...]
) -> tuple[Suspension, ...]:
    from arrocco.office.suspensions import Suspension, require_suspensions

    suspensions = []
    for text in texts:
        code, _, days = (part.strip() for part in text.partition("="))
        since, dots, until = (part.strip() for part in days.partition(".."))
        try:
            if not (code and since and dots):
                raise ValueError(f"{text!r}: write it as {param.metavar}")
            last = parse_day(until) if until else None
            suspensions.append(
                Suspension(federation=code.upper(), since=parse_day(since), until=last)
            )
        except ValueError as error:
            raise click.BadParameter(str(error), ctx, param) from None
    require_suspensions(suspensions)
    return tuple(suspensions)


def waivers_of(waive: Sequence[str], reasons: Sequence[str]) -> Waivers:
    """The waivers that the options ask for. Raises `Refusal` where one cannot be given."""
    from arrocco.engine.admission import Waiver, Waivers

    if len(reasons) != len(waive) and not (waive and len(reasons) == 1):
        raise Inconsistent.of(
            "admission.refused.reasons_differ", waivers=len(waive), reasons=len(reasons)
        )
    every = list(reasons) if len(reasons) == len(waive) else list(reasons) * len(waive)
    parted = [text.partition("@") for text in waive]
    return Waivers(
        Waiver(key.strip(), reason.strip(), report)
        for (key, _, report), reason in zip(parted, every, strict=True)
    )
