"""Text for the terminal: a player's events as receipts, the steps with their articles."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from arrocco.cli.output import Column, Output
from arrocco.engine.explain import EventRow, GameRow, Step
from arrocco.engine.wording import sentence
from arrocco.units import decimal, points, signed
from arrocco.words import number


def print_event(
    out: Output, event: EventRow, names: Mapping[int, str], *, title: bool = True
) -> None:
    """One tournament: a line a game, then the sums."""
    tournament, law = event.tournament, event.tournament.law
    if title:
        out.line(
            out.say(
                "explain.event.title",
                name=tournament.name or tournament.key,
                start=tournament.start,
                end=tournament.end,
            ),
            bold=True,
        )
    heads = ("round", "opponent", "rating", "score", "difference", "counted", "expected", "delta")
    right = {"round", "rating", "score", "difference", "counted", "expected", "delta"}
    columns = [Column(out.say(f"explain.heading.{head}"), right=head in right) for head in heads]
    columns += [
        Column(out.say("explain.heading.article")),
        Column(out.say("explain.heading.why"), dim=True),
    ]
    out.table(columns, [_game_cells(out, game, names) for game in event.games])
    if event.expected != event.expected_unrounded or law.K_FROM_TOURNAMENT:
        details: dict[str, Any] = {
            "unrounded": event.expected_unrounded,
            "expected": event.expected,
        }
        print_steps(out, [Step("explain.event.pa", law.article("pa"), details)])
    if law.K_FROM_TOURNAMENT:
        k, reason = event.k, tournament.k_reason or "given"
        details = {"k": k, "delta": event.delta, "variation": event.variation}
        print_steps(
            out,
            [
                Step(f"explain.k.{reason}", law.article("k"), {"k": k}),
                Step("explain.event.variation", law.article("variation"), details),
            ],
        )
    elif title and event.n:
        details = {
            "n": event.n, "score": 50 * event.half_points, "expected": event.expected,
            "delta": event.delta, "average": str(event.average or "-"),
        }  # fmt: skip
        print_steps(out, [Step("explain.event.line", law.article("sum"), details)])


def _game_cells(out: Output, game: GameRow, names: Mapping[int, str]) -> list[str]:
    capped = "*" if game.is_capped else ""
    remark = out.say(f"explain.exclusion.{game.exclusion}") if game.exclusion else ""
    return [
        str(game.round),
        names.get(game.opponent, ""),
        str(game.opponent_rating or "-"),
        number(out.language, points(game.half_points)),
        "" if game.difference is None else f"{game.difference:+d}",
        "" if game.counted_difference is None else f"{game.counted_difference:+d}{capped}",
        "" if game.expected is None else number(out.language, decimal(game.expected)),
        "" if game.delta is None else number(out.language, signed(game.delta)),
        game.article,
        remark,
    ]


def print_steps(out: Output, steps: Sequence[Step]) -> None:
    """Each step as a sentence with its article."""
    for step in steps:
        out.line(f"[{step.article}] {sentence(out.language, step)}", indent=4)
