"""One player's period as rows: the columns of the computation itself, each with its article.

Nothing is computed again here. A row of the explanation is a row of the columns; the sums shown are
the sums used.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from arrocco.engine.columns import COUNTED, Tournament, reason_of
from arrocco.engine.kernel import Sides
from arrocco.engine.period import Period
from arrocco.engine.pools import FirstRating
from arrocco.laws.rating import Exclusion, InitialRating, RatingLaw
from arrocco.units import Hundredths


@dataclass(frozen=True)
class GameRow:
    """One game from the player's side."""

    round: int
    opponent: int
    """Row of the opponent in the players' table; out of the store, the opponent's id."""
    opponent_rating: int | None
    half_points: int
    difference: int | None
    counted_difference: int | None
    expected: Hundredths | None
    delta: Hundredths | None
    exclusion: Exclusion | None
    article: str

    @property
    def is_capped(self) -> bool:
        return self.difference != self.counted_difference


@dataclass(frozen=True)
class EventRow:
    """One tournament of the player: its games and what they add up to."""

    tournament: Tournament
    own_rating: int | None
    games: tuple[GameRow, ...]
    n: int
    half_points: int
    expected_unrounded: Hundredths
    expected: Hundredths
    delta: Hundredths
    k: int
    variation: Hundredths
    average: int | None
    """Rc: the average rating of the opponents that count, a half upwards."""


@dataclass(frozen=True)
class Step:
    """A step of the computation in words to come: a key, its numbers and its article."""

    key: str
    article: str
    details: dict[str, Any]


@dataclass(frozen=True)
class PlayerRows:
    """Everything about one player in one period."""

    row: int
    id: int
    rating: int | None
    n: int
    half_points: int
    expected_unrounded: Hundredths
    expected: Hundredths
    delta: Hundredths
    k: int
    k_reason: str
    k_applied: int
    variation: Hundredths
    change: int
    new_rating: int | None
    delisted: bool
    events: tuple[EventRow, ...]
    first_rating: FirstRating | None


def rows_of_player(period: Period, row: int, *, with_events: bool = True) -> PlayerRows:
    """Gathers one player's rows from the columns of a period; the events only where asked for."""
    entries = period.entries_of(row)
    events = tuple(_event(period, entry) for entry in entries) if with_events else ()
    unrounded = int(period.sums.expected[entries].sum())
    half, expected = int(period.sums.half[entries].sum()), period.expected_points[entries].sum()
    rating = int(period.players.rating[row])
    new = int(period.outcome.new_rating[row])
    return PlayerRows(
        row=row,
        id=int(period.players.id[row]),
        rating=rating or None,
        n=int(period.outcome.totals.games[row]),
        half_points=int(period.outcome.totals.half[row]),
        expected_unrounded=Hundredths(unrounded),
        expected=Hundredths(int(period.outcome.totals.expected[row])),
        delta=Hundredths(50 * half - int(expected)),
        k=int(period.outcome.k[row]),
        k_reason=period.outcome.k_reasons[int(period.outcome.k_reason[row])],
        k_applied=int(period.outcome.k_applied[row]),
        variation=Hundredths(int(period.outcome.variation[row])),
        change=int(period.outcome.change[row]),
        new_rating=new or None,
        delisted=bool(period.outcome.delisted[row]),
        events=events,
        first_rating=period.outcome.first_ratings.by_row.get(row),
    )


def _event(period: Period, entry: int) -> EventRow:
    sums, tournament = period.sums, period.tournaments[int(period.entries.tournament[entry])]
    mine = period.sides_of(entry)
    games = sorted((_game(period, side) for side in mine), key=lambda game: game.round)
    counted = [game.opponent_rating or 0 for game in games if game.exclusion is None]
    half, expected = int(sums.half[entry]), int(period.expected_points[entry])
    k = int(period.entry_k[entry])
    own = int(period.entries.own[entry])
    return EventRow(
        tournament=tournament,
        own_rating=own or None,
        games=tuple(games),
        n=int(sums.games[entry]),
        half_points=half,
        expected_unrounded=Hundredths(int(sums.expected[entry])),
        expected=Hundredths(expected),
        delta=Hundredths(50 * half - expected),
        k=k,
        variation=Hundredths(k * (50 * half - expected)),
        average=(2 * sum(counted) + len(counted)) // (2 * len(counted)) if counted else None,
    )


def _game(period: Period, side: int) -> GameRow:
    sides, entries = period.sides, period.entries
    opponent, entry = int(sides.opponent[side]), int(sides.entry[side])
    law = period.tournaments[int(entries.tournament[entry])].law
    code = int(sides.exclusion[side])
    reason = reason_of(code)
    shown = int(sides.against[side])
    half = int(sides.half[side])
    counts = code == COUNTED
    return GameRow(
        round=int(period.rounds[side]),
        opponent=int(entries.player[opponent]),
        opponent_rating=shown or None,
        half_points=half,
        difference=int(sides.difference[side]) if counts else None,
        counted_difference=int(sides.counted_difference[side]) if counts else None,
        expected=Hundredths(int(sides.expected[side])) if counts else None,
        delta=Hundredths(50 * half - int(sides.expected[side])) if counts else None,
        exclusion=reason,
        article=game_article(law, reason, capped=bool(counts and _is_cut(sides, side))),
    )


def _is_cut(sides: Sides, side: int) -> bool:
    return bool(sides.difference[side] != sides.counted_difference[side])


def game_article(law: RatingLaw, reason: Exclusion | None, *, capped: bool) -> str:
    """The article that a game is rated or excluded under."""
    if reason is not None:
        return law.exclusion_article(reason)
    return law.article("cap" if capped else "difference")


def steps_of_player(period: Period, rows: PlayerRows) -> list[Step]:
    """The steps after the games, under the law of the period."""
    return steps_under(period.law, rows)


def steps_under(law: RatingLaw, rows: PlayerRows) -> list[Step]:
    """The steps after the games, in order: sums, K and why, the limit, the change, the result."""
    steps: list[Step] = []
    if rows.rating is None:
        return _first_rating_steps(law, rows)
    steps.append(
        Step("explain.sum", law.article("sum"), {
            "n": rows.n, "score": rows.half_points * 50, "expected": rows.expected,
            "delta": rows.delta,
        })
    )  # fmt: skip
    if not law.K_FROM_TOURNAMENT:
        steps.append(Step(f"explain.k.{rows.k_reason}", law.article("k"), {"k": rows.k}))
        if rows.k_applied != rows.k:
            steps.append(
                Step("explain.k_limit", law.article("k_applied"),
                     {"k": rows.k, "n": rows.n, "applied": rows.k_applied})
            )  # fmt: skip
        steps.append(
            Step("explain.variation", law.article("variation"),
                 {"k": rows.k_applied, "delta": rows.delta, "variation": rows.variation})
        )  # fmt: skip
    else:
        steps.append(
            Step("explain.variation_sum", law.article("variation"), {"variation": rows.variation})
        )
    steps.append(
        Step("explain.rounding", law.article("rounding"), {
            "variation": rows.variation, "change": f"{rows.change:+d}" if rows.change else "0",
            "rating": rows.rating, "new_rating": rows.rating + rows.change,
        })
    )  # fmt: skip
    if rows.delisted:
        steps.append(
            Step("explain.delisted", law.article("delisted"), {"rating": rows.rating + rows.change})
        )
    return steps


def _first_rating_steps(law: RatingLaw, rows: PlayerRows) -> list[Step]:
    first = rows.first_rating
    if first is None:
        return [Step("explain.no_first_rating", law.article("initial"), {})]
    return initial_steps(law, first.rating, first.reasons, publishable=first.publishable)


_ON_THE_WAY = {
    "two_draws": "average", "above_half": "initial", "at_half": "initial",
    "below_half": "initial", "round_robin": "initial", "cap": "initial",
}  # fmt: skip
"""Reasons that belong to the computation, and the step each explains; the others judge it."""


def initial_steps(
    law: RatingLaw, rating: InitialRating, reasons: Sequence[str], *, publishable: bool
) -> list[Step]:
    """The steps of a first rating: the average, the fractional score, the rating, what becomes."""
    result = {"rating": rating.rating, "n": rating.games}
    score = {"score": rating.half_points * 50, "percent": rating.percent, "dp": rating.dp}
    average = {"n": rating.games, "average": rating.average_hundredths}

    def because(*steps: str) -> list[Step]:
        return [
            Step(f"explain.first.{reason}", law.article(_ON_THE_WAY.get(reason, "publish")), result)
            for reason in reasons
            if _ON_THE_WAY.get(reason, "publish") in steps
        ]

    steps = [
        *because("average"),
        Step("explain.average", law.article("average"), average),
        Step("explain.percent", law.article("percent"), score),
        *because("initial"),
        Step("explain.initial", law.article("initial"), {"rating": rating.rating}),
        *because("publish"),
    ]
    if publishable:
        steps.append(Step("explain.first.published", law.article("publish"), result))
    return steps
