"""One player's figures: a change, a first rating, a performance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal

from arrocco.engine import calculator
from arrocco.engine.explain import Step, initial_steps
from arrocco.engine.receipt_steps import tournament_steps, without_repetition
from arrocco.laws.rating import RatingLaw
from arrocco.library.sentences import hundredths, sentences
from arrocco.records.timecontrol import TimeControl, parse_text
from arrocco.words import Language

__all__ = ["Change", "FirstRating", "Performance", "change", "first_rating", "performance"]

Game = tuple[int | None, float]
"""The opponent's rating (`None` for an unrated one) and the result: 1, 0.5 or 0."""


@dataclass(frozen=True)
class Change:
    """What some games do to a rating."""

    rating: int
    new_rating: int
    change: int
    games: int
    """How many of them count."""
    score: Decimal
    expected: Decimal
    k: int
    variation: Decimal
    """K times score less expected, before it is rounded."""
    _steps: tuple[Step, ...] = field(repr=False)

    def explain(self, language: Language = "en") -> list[str]:
        """Every step in words, with its article."""
        return sentences(language, self._steps)


@dataclass(frozen=True)
class FirstRating:
    """The first rating some games come to."""

    rating: int
    is_published: bool
    reasons: tuple[str, ...]
    """Keys of what brought it about and of what stands against publishing it."""
    games: int
    score: Decimal
    _steps: tuple[Step, ...] = field(repr=False)

    def explain(self, language: Language = "en") -> list[str]:
        """Every step in words, with its article."""
        return sentences(language, self._steps)


@dataclass(frozen=True)
class Performance:
    """The rating at which a result would have been expected."""

    rating: int
    average: Decimal
    games: int
    score: Decimal


def change(
    law: RatingLaw,
    rating: int,
    games: Sequence[Game],
    *,
    k: int | None = None,
    on: date | None = None,
    time_control: str | TimeControl | None = None,
    online: bool = False,
) -> Change:
    """The change of a rating by games of one tournament.

    Without `k` the law gives it, taking the player as one past the first thirty games; `on` is the
    day of the list, without it the day the edition came into force. Raises `Refusal` for what
    cannot be a rating, a result or a K.
    """
    day = on or law.in_force.start or date.min
    control = parse_text(time_control) if isinstance(time_control, str) else time_control
    rows, steps = calculator.calculate_change(
        law, day, rating, _played(games), k=k, control=control, online=online
    )
    event = rows.events[0]
    told = [*tournament_steps(rows, event), *without_repetition(steps, rows)]
    return Change(
        rating=rating,
        new_rating=rating + rows.change,
        change=rows.change,
        games=rows.n,
        score=hundredths(50 * rows.half_points),
        expected=hundredths(rows.expected),
        k=event.k if law.K_FROM_TOURNAMENT else rows.k_applied,
        variation=hundredths(rows.variation),
        _steps=tuple(told),
    )


def first_rating(law: RatingLaw, games: Sequence[Game]) -> FirstRating:
    """The first rating of an unrated player. Raises `Refusal` where the law knows none."""
    initial_rating, reasons = calculator.calculate_initial(law, _played(games))
    published = not calculator.KEPT_BACK & set(reasons)
    return FirstRating(
        rating=initial_rating.rating,
        is_published=published,
        reasons=tuple(reasons),
        games=initial_rating.games,
        score=hundredths(50 * initial_rating.half_points),
        _steps=tuple(initial_steps(law, initial_rating, reasons, publishable=published)),
    )


def performance(games: Sequence[Game]) -> Performance:
    """The opponents' average plus what the table of FIDE 8.1.1 gives for the score."""
    performed = calculator.calculate_performance(_played(games))
    return Performance(
        performed.rating,
        hundredths(performed.average),
        performed.games,
        hundredths(50 * performed.half_points),
    )


def _played(games: Sequence[Game]) -> list[calculator.Played]:
    for _, score in games:
        if score not in (0, 0.5, 1):
            raise ValueError(f"{score} is not a result: give 1, 0.5 or 0")
    return [calculator.Played(opponent, int(2 * score)) for opponent, score in games]
