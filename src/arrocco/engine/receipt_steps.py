"""Steps that a reader needs beside the engine's own: of one tournament, of a round robin.

They are said of a period in memory and of one out of the store alike.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from arrocco.engine.explain import EventRow, PlayerRows, Step, k_step
from arrocco.laws.edition import Reading
from arrocco.laws.fide.text_2010.round_robin import RoundRobin, UnratedInRoundRobin
from arrocco.laws.rating import RatingLaw
from arrocco.laws.rounding import half_up
from arrocco.units import decimal, points
from arrocco.words import Language, number

_REPEATED = {"explain.sum", "explain.variation_sum"}
"""What a single tournament has already said where K belongs to it."""


def tournament_steps(player: PlayerRows, event: EventRow) -> list[Step]:
    """What one tournament adds: PA and K where they are its own, its sums if it is not the only."""
    law, tournament = event.tournament.law, event.tournament
    if player.rating is None or not event.n:
        return []
    steps: list[Step] = []
    details: dict[str, Any]
    if law.K_FROM_TOURNAMENT:
        details = {"unrounded": event.expected_unrounded, "expected": event.expected}
        steps.append(Step("explain.event.pa", law.article("pa"), details))
    if law.K_FROM_TOURNAMENT or len(player.events) > 1:
        details = {
            "n": event.n,
            "score": 50 * event.half_points,
            "expected": event.expected,
            "delta": event.delta,
            "average": str(event.average or "-"),
        }
        steps.append(Step("explain.event.line", law.article("sum"), details))
    if law.K_FROM_TOURNAMENT:
        details = {"k": event.k, "delta": event.delta, "variation": event.variation}
        steps += [
            k_step(law, event.k, tournament.k_reason),
            Step("explain.event.variation", law.article("variation"), details),
        ]
    return steps


def listed_since(event: EventRow, *, was_rated: bool) -> list[Step]:
    """That somebody unrated at the start is rated with the rating of a later list."""
    if event.own_rating is None or was_rated:
        return []
    details = {"rating": event.own_rating}
    article = event.tournament.law.article("one_sided")
    return [Step("explain.event.own_current", article, details)]


def without_repetition(steps: list[Step], player: PlayerRows) -> list[Step]:
    """The steps without the sums that a single tournament with its own K has already said."""
    if len(player.events) == 1 and tournament_steps(player, player.events[0]):
        return [step for step in steps if step.key not in _REPEATED]
    return steps


def open_readings(law: RatingLaw, articles: Iterable[str]) -> list[Reading]:
    """The readings of these articles that rest on no source: the default is then our guess."""
    cited = set(articles)
    return [
        reading
        for reading in law.READINGS
        if reading.basis == "guess"
        and law.reads(reading.name, reading.default)
        and cited & _articles_of(reading)
    ]


def readings_behind(law: RatingLaw, articles: Iterable[str]) -> list[Reading]:
    """As `open_readings` for who did not choose: also those that are not read as by default."""
    cited = set(articles)
    chosen = [
        reading
        for reading in law.READINGS
        if not law.reads(reading.name, reading.default)
        and cited & (_articles_of(reading) | set(reading.bears_on))
    ]
    return [*open_readings(law, cited), *chosen]


def _articles_of(reading: Reading) -> set[str]:
    return {reading.article, reading.article.rstrip("abcdefgh")}


# --- FIDE 2010, 8.58 ------------------------------------------------------------------------------


def unrated_steps(
    law: RatingLaw,
    table: RoundRobin,
    step: UnratedInRoundRobin,
    names: list[str],
    language: Language,
) -> list[Step]:
    """How a round robin rates one of its unrated; `names` are by position in its table."""
    rated, n = len(table.rated), table.opponents
    steps = [
        Step(
            "report.round_robin.average",
            law.article("average"),
            {
                "rated": rated,
                "n": n,
                "more": n + 1,
                "rating": table.average,
                "rar": number(language, decimal(half_up(100 * table.sum_of_ratings, rated))),
                "dpa": number(language, decimal(half_up(100 * table.sum_of_dp, rated))),
            },
        ),
        Step(
            "report.round_robin.first",
            law.article("initial"),
            {
                "points": number(language, points(step.half_points)),
                "games": n * table.cycles,
                "rating": step.ru,
            },
        ),
    ]
    article = law.article("round_robin")
    if not step.counted:
        details = {"rating": step.ru, "cap": int(law.DIFFERENCE_CAP)}
        return [*steps, Step("report.round_robin.nobody_far", article, details)]
    far = "; ".join(f"{names[o.player]} {o.rating} → {o.counted}" for o in step.counted)
    return [
        *steps,
        Step("report.round_robin.far", article, {"opponents": far, "cap": int(law.DIFFERENCE_CAP)}),
        Step("report.round_robin.again", article, {"rc": step.rc_new, "rating": step.ru_new}),
    ]
