"""`arrocco position`: what the online regulation asks of a position."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from arrocco.cli.output import Output, output_options

if TYPE_CHECKING:
    from arrocco.hall.unwinnable import Verdict

SIDES = ("white", "black")


@click.group()
def command() -> None:
    """Whether a side can still mate by any legal series of moves."""


@command.command()
@click.argument("fen", metavar="FEN")
@click.option("--side", type=click.Choice(SIDES), help="The side asked about (default: both).")
@output_options
def judge(out: Output, fen: str, side: str | None) -> None:
    """Say whether a side can still mate, with a mating line or the reason why it cannot.

    A fallen flag (1.3.4) and a lost connection (7.7) draw where the opponent cannot mate; a
    position in which neither side can is dead (2.2d). FEN is quoted as one argument.
    """
    from arrocco.hall.unwinnable import judge as judge_position

    verdicts = [judge_position(fen, name == "white") for name in SIDES if side in (None, name)]
    dead = len(verdicts) == len(SIDES) and all(verdict.can_mate is False for verdict in verdicts)
    if out.is_json:
        record: dict[str, Any] = {"fen": fen, "verdicts": [_record(out, each) for each in verdicts]}
        out.json(record if side else {**record, "dead": dead})
        return
    for verdict in verdicts:
        out.line(_sentence(verdict.said(out.language)), indent=4)
    if dead:
        out.line(out.say("unwinnable.dead"))


def _sentence(text: str) -> str:
    """Italian names of the sides have a small letter, which a sentence does not begin with."""
    return text[:1].upper() + text[1:]


def _record(out: Output, verdict: Verdict) -> dict[str, Any]:
    return {
        "side": SIDES[0] if verdict.side else SIDES[1],
        "can_mate": verdict.can_mate,
        "key": verdict.reason_key,
        "text": _sentence(verdict.said(out.language)),
        "line": [move.uci() for move in verdict.mating_line],
    }
