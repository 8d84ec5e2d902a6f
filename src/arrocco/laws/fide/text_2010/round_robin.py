"""FIDE 2010, 8.21(b), 8.22-8.25 and 8.58: ratings out of a complete round robin.

The method knows only who is rated and how many points each made: every player met every other the
same number of times (`cycles`: 2 in a double round robin). n is the number of opponents, whatever
the number of games against each; a percentage is of all games. Nothing is rounded between the
figures the text prints: Ra, Ru, the new Rc and the new Ru are whole numbers, all else is exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from arrocco.errors import Illegal, Inconsistent
from arrocco.laws import tables
from arrocco.laws.edition import Choice, Legal, Reading
from arrocco.laws.rating import RatingLaw
from arrocco.laws.rounding import half_up, percent_half_up
from arrocco.units import HalfPoints, Rating

MAX_PASSES = 100
"""Where a repeated iteration gives up; the reading of the printed figures takes one pass."""


class RatedInRoundRobin(NamedTuple):
    """A rated player's part in the average of the tournament: 8.21(b)(ii)."""

    player: int
    rating: Rating
    half_points: HalfPoints
    percent: int
    dp: int


class CountedOpponent(NamedTuple):
    """An opponent more than 400 points away: the rating they have and the one they count with."""

    player: int
    rating: Rating
    counted: Rating


class UnratedInRoundRobin(NamedTuple):
    """One row of the table in 8.58: Rc and Ru before, and the new ones after the 400 points."""

    player: int
    half_points: HalfPoints
    percent: int
    dp: int
    rc: Rating
    ru: Rating
    counted: tuple[CountedOpponent, ...]
    rc_new: Rating
    ru_new: Rating


class RoundRobin(NamedTuple):
    """The steps of 8.58. Players are named by their position in what was given."""

    opponents: int
    cycles: int
    rated: tuple[RatedInRoundRobin, ...]
    sum_of_ratings: int
    sum_of_dp: int
    """Rar and dpa are these two divided by the number of rated players."""
    average: Rating
    unrated: tuple[UnratedInRoundRobin, ...]
    passes: int
    ratings: tuple[Rating, ...]
    """Everyone's rating for the changes of the rated: the listed one, or the new Ru."""


class RoundRobins(RatingLaw):
    """Round robins with unrated players."""

    RATES_ROUND_ROBINS = True

    POINTS_PER_HALF_POINT = Legal(15, "8.23", "points").means(
        "for each half point above 50 %", "per ogni mezzo punto oltre il 50%"
    )
    DIFFERENCE_CAP = Legal(400, "8.54", "points").means(
        "a larger difference counts as this one", "una differenza maggiore conta come questa"
    )

    ITERATION = Reading("iteration", "8.58", "one_pass", "figures").means(
        "How often the ratings of unrated players are refined for gaps of more than 400 points",
        "Quante volte si affinano i rating di chi non lo ha per distacchi di oltre 400 punti",
        Choice("one_pass").means("once, as in the printed table", "una volta, come nella tabella"),
        Choice("fixed_point").means("until nothing changes", "finché non cambia più nulla"),
    )

    PUBLISHED_RU = Reading("published_ru", "8.58", "new", "text").means(
        "Which Ru of an unrated player goes to the first rating that is published",
        "Quale Ru di chi non ha rating entra nel rating iniziale che viene pubblicato",
        Choice("new").means(
            "the new one, after the 400 points: it is the outcome of the iteration",
            "il Ru nuovo, dopo i 400 punti: è il risultato dell'iterazione",
        ),
        Choice("first").means(
            "the one of 8.22 to 8.25; the new one serves for the changes of the rated only",
            "quello di 8.22-8.25; il nuovo serve solo per le variazioni di chi ha il rating",
        ),
    )

    def published_average(self, step: UnratedInRoundRobin) -> Rating:
        """8.58 — the Rc with which a result goes to the first rating: the new one."""
        return step.rc if self.reads("published_ru", "first") else step.rc_new

    def bonus(self, half_points: int, games: int) -> int:
        """8.23 — the points above the average for a score of 50 % (8.22: none) or more."""
        return self.POINTS_PER_HALF_POINT * (half_points - games)

    def round_robin_average(
        self,
        ratings_of_rated: Sequence[int],
        half_points_of_rated: Sequence[int],
        opponents: int,
        *,
        cycles: int = 1,
    ) -> Rating:
        """8.21b — Ra = Rar - dpa x n/(n+1), from the rated players' ratings and scores."""
        if not ratings_of_rated:
            raise Illegal.of("laws.refused.no_rated_players")
        dps = [
            tables.rating_difference(percent_half_up(half_points, opponents * cycles))
            for half_points in half_points_of_rated
        ]
        numerator = sum(ratings_of_rated) * (opponents + 1) - sum(dps) * opponents
        return Rating(half_up(numerator, len(ratings_of_rated) * (opponents + 1)))

    def round_robin_rating(
        self, average: int, half_points: int, opponents: int, *, cycles: int = 1
    ) -> Rating:
        """8.25 — Ru = Ra + dp x n/(n+1) below 50 %; from 50 % on as in 8.22 and 8.23."""
        games = opponents * cycles
        if half_points >= games:  # in half points, 50 % of the games
            return Rating(average + self.bonus(half_points, games))
        dp = tables.rating_difference(percent_half_up(half_points, games))
        return Rating(half_up(average * (opponents + 1) + dp * opponents, opponents + 1))

    def iterate_round_robin(
        self, ratings: Sequence[int | None], half_points: Sequence[int], *, cycles: int = 1
    ) -> RoundRobin:
        """8.58 — the ratings of the unrated players of a complete round robin, step by step.

        Raises `Inconsistent` when the scores cannot be those of such a tournament, `Illegal` when
        nobody is rated or a repeated iteration finds no end.
        """
        _check(ratings, half_points, cycles)
        opponents = len(ratings) - 1
        rated = _rated_players(ratings, half_points, opponents * cycles)
        average = self.round_robin_average(
            [player.rating for player in rated],
            [player.half_points for player in rated],
            opponents,
            cycles=cycles,
        )
        current = [
            self.round_robin_rating(average, score, opponents, cycles=cycles)
            if rating is None
            else Rating(rating)
            for rating, score in zip(ratings, half_points, strict=True)
        ]
        first = [
            _first_step(player, half_points[player], opponents * cycles, average, current[player])
            for player, rating in enumerate(ratings)
            if rating is None
        ]

        unrated, passes = self._pass(first, current, cycles), 1
        refined = _ratings_after(current, unrated)
        while self.reads("iteration", "fixed_point") and refined != current:
            if passes == MAX_PASSES:
                raise Illegal.of("laws.refused.do_not_settle")
            current, passes = refined, passes + 1
            unrated = self._pass(first, current, cycles)
            refined = _ratings_after(current, unrated)
        return RoundRobin(
            opponents,
            cycles,
            tuple(rated),
            sum(player.rating for player in rated),
            sum(player.dp for player in rated),
            average,
            tuple(unrated),
            passes,
            tuple(refined),
        )

    def _pass(
        self, first: Sequence[UnratedInRoundRobin], current: Sequence[Rating], cycles: int
    ) -> list[UnratedInRoundRobin]:
        """Every unrated player's new Rc and Ru, all from the same current ratings."""
        opponents = len(current) - 1
        steps = []
        for step in first:
            counted = self._counted_opponents(step.player, current)
            shift = sum(opponent.counted - opponent.rating for opponent in counted)
            rc_new = Rating(half_up(step.rc * opponents + shift, opponents))
            ru_new = self.round_robin_rating(rc_new, step.half_points, opponents, cycles=cycles)
            steps.append(step._replace(counted=counted, rc_new=rc_new, ru_new=ru_new))
        return steps

    def _counted_opponents(
        self, player: int, current: Sequence[Rating]
    ) -> tuple[CountedOpponent, ...]:
        """The opponents more than 400 points above or below a player, brought to 400 points."""
        own = current[player]
        counted = []
        for opponent, rating in enumerate(current):
            nearest = own - self.counted_difference(own, rating)
            if nearest != rating:  # never the player: that difference is 0
                counted.append(CountedOpponent(opponent, rating, Rating(nearest)))
        return tuple(counted)


def _rated_players(
    ratings: Sequence[int | None], half_points: Sequence[int], games: int
) -> list[RatedInRoundRobin]:
    players = []
    for player, (rating, score) in enumerate(zip(ratings, half_points, strict=True)):
        if rating is not None:
            percent = percent_half_up(score, games)
            dp = tables.rating_difference(percent)
            players.append(
                RatedInRoundRobin(player, Rating(rating), HalfPoints(score), percent, dp)
            )
    return players


def _first_step(
    player: int, half_points: int, games: int, average: Rating, ru: Rating
) -> UnratedInRoundRobin:
    percent = percent_half_up(half_points, games)
    return UnratedInRoundRobin(
        player,
        HalfPoints(half_points),
        percent,
        tables.rating_difference(percent),
        average,
        ru,
        (),
        average,
        ru,
    )


def _ratings_after(
    current: Sequence[Rating], unrated: Sequence[UnratedInRoundRobin]
) -> list[Rating]:
    ratings = list(current)
    for step in unrated:
        ratings[step.player] = step.ru_new
    return ratings


def _check(ratings: Sequence[int | None], half_points: Sequence[int], cycles: int) -> None:
    if len(ratings) != len(half_points):
        raise Inconsistent.of(
            "laws.refused.scores_of_others", players=len(ratings), scores=len(half_points)
        )
    if len(ratings) < 2 or cycles < 1:
        raise Inconsistent.of("laws.refused.no_round_robin")
    most = 2 * (len(ratings) - 1) * cycles
    for player, score in enumerate(half_points):
        if not 0 <= score <= most:
            raise Inconsistent.of(
                "laws.refused.impossible_score", player=player, score=score, most=most
            )
