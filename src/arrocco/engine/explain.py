"""One player's period as rows: the columns of the computation itself, each with its article.

Nothing is computed again here. A row of the explanation is a row of the columns; the sums shown are
the sums used.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from arrocco.engine.columns import Tournament, reason_of
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
    white: bool | None = None
    """Whether the player had White; `None` where nobody asked."""

    @classmethod
    def of(
        cls,
        law: RatingLaw,
        round_: int,
        opponent: int,
        shown: int,
        half: int,
        exclusion: Exclusion | None,
        *,
        difference: int,
        counted: int,
        expected: int,
        white: bool | None = None,
    ) -> GameRow:
        """The row of a game, from the columns of a period or from those of a list folder."""
        counts = exclusion is None
        capped = counts and difference != counted
        return cls(
            round=round_,
            opponent=opponent,
            opponent_rating=shown or None,
            half_points=half,
            difference=difference if counts else None,
            counted_difference=counted if counts else None,
            expected=Hundredths(expected) if counts else None,
            delta=Hundredths(50 * half - expected) if counts else None,
            exclusion=exclusion,
            article=_game_article(law, exclusion, capped=capped),
            white=white,
        )

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

    @classmethod
    def of(
        cls,
        tournament: Tournament,
        own: int,
        games: Iterable[GameRow],
        n: int,
        half: int,
        *,
        unrounded: int,
        expected: int,
        k: int,
    ) -> EventRow:
        """The row of an event, from the columns of a period or from those of a list folder."""
        in_order = tuple(sorted(games, key=lambda game: game.round))
        counted = [game.opponent_rating or 0 for game in in_order if game.exclusion is None]
        delta = 50 * half - expected
        return cls(
            tournament=tournament,
            own_rating=own or None,
            games=in_order,
            n=n,
            half_points=half,
            expected_unrounded=Hundredths(unrounded),
            expected=Hundredths(expected),
            delta=Hundredths(delta),
            k=k,
            variation=Hundredths(k * delta),
            average=(2 * sum(counted) + len(counted)) // (2 * len(counted)) if counted else None,
        )


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
    sums = period.sums
    return EventRow.of(
        period.tournaments[int(period.entries.tournament[entry])],
        int(period.entries.own[entry]),
        (_game(period, side) for side in period.sides_of(entry)),
        int(sums.games[entry]),
        int(sums.half[entry]),
        unrounded=int(sums.expected[entry]),
        expected=int(period.expected_points[entry]),
        k=int(period.entry_k[entry]),
    )


def _game(period: Period, side: int) -> GameRow:
    sides, entries = period.sides, period.entries
    entry = int(sides.entry[side])
    return GameRow.of(
        period.tournaments[int(entries.tournament[entry])].law,
        int(period.rounds[side]),
        int(entries.player[int(sides.opponent[side])]),
        int(sides.against[side]),
        int(sides.half[side]),
        reason_of(int(sides.exclusion[side])),
        difference=int(sides.difference[side]),
        counted=int(sides.counted_difference[side]),
        expected=int(sides.expected[side]),
        white=side < len(sides.entry) // 2,  # all games from White's side, then from Black's
    )


def _game_article(law: RatingLaw, reason: Exclusion | None, *, capped: bool) -> str:
    """The article that a game is rated or excluded under."""
    if reason is not None:
        return law.exclusion_article(reason)
    return law.article("cap" if capped else "difference")


def k_step(law: RatingLaw, k: int, reason: str) -> Step:
    """K, with the line of the law that gives it."""
    return Step(f"explain.k.{reason}", law.article("k"), {"k": k, **law.k_details(reason)})


def steps_of_player(period: Period, rows: PlayerRows) -> list[Step]:
    """The steps after the games, under the law of the period."""
    return steps_under(period.law, rows)


def steps_under(law: RatingLaw, rows: PlayerRows) -> list[Step]:
    """The steps after the games, in order: sums, K and why, the limit, the change, the result."""
    steps: list[Step] = []
    if rows.rating is None:
        return _first_rating_steps(law, rows)
    steps.append(
        Step(
            "explain.sum",
            law.article("sum"),
            {
                "n": rows.n,
                "score": rows.half_points * 50,
                "expected": rows.expected,
                "delta": rows.delta,
            },
        )
    )
    if not law.K_FROM_TOURNAMENT:
        steps.append(k_step(law, rows.k, rows.k_reason))
        if rows.k_applied != rows.k:
            steps.append(
                Step(
                    "explain.k_limit",
                    law.article("k_applied"),
                    {"k": rows.k, "n": rows.n, "applied": rows.k_applied},
                )
            )
        steps.append(
            Step(
                "explain.variation",
                law.article("variation"),
                {"k": rows.k_applied, "delta": rows.delta, "variation": rows.variation},
            )
        )
    else:
        steps.append(
            Step("explain.variation_sum", law.article("variation"), {"variation": rows.variation})
        )
    steps.append(
        Step(
            "explain.rounding",
            law.article("rounding"),
            {
                "variation": rows.variation,
                "change": f"{rows.change:+d}" if rows.change else "0",
                "rating": rows.rating,
                "new_rating": rows.rating + rows.change,
            },
        )
    )
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
    "two_draws": "average",
    "above_half": "above_half",
    "at_half": "at_half",
    "below_half": "below_half",
    "round_robin": "initial",
    "cap": "initial",
    "affiliated": "affiliated",
    "first_event_ignored": "first_event",
}
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
            Step(
                f"explain.first.{reason}",
                law.article(_ON_THE_WAY.get(reason, "publish")),
                {**result, **law.numbers_of(reason)},
            )
            for reason in reasons
            if _ON_THE_WAY.get(reason, "publish") in steps
        ]

    # Above half of the points the 2010 text has a bonus, not the table (8.23).
    has_bonus = "above_half" in reasons
    points = Step("explain.percent", law.article("percent"), score)
    if has_bonus:
        points = Step("explain.bonus", law.article("above_half"), score)
    steps = [
        *because("average"),
        Step("explain.average", law.article("average"), average),
        points,
        *because("initial", "at_half", "above_half", "below_half"),
        Step("explain.initial", law.article("initial"), {"rating": rating.rating}),
        *because("publish", "affiliated", "first_event"),
    ]
    if publishable:
        steps.append(Step("explain.first.published", law.article("publish"), result))
    return steps
