"""FIDE 2010, articles 6.1, 6.41, 8.2, 8.3 and 8.4: how a rating begins."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from arrocco.errors import Illegal
from arrocco.laws import tables
from arrocco.laws.edition import Choice, Legal, Reading
from arrocco.laws.fide.text_2010.round_robin import RoundRobins
from arrocco.laws.fide.text_2024.ratings import Ratings as Ratings2024
from arrocco.laws.rating import InitialRating, Tranche
from arrocco.laws.rounding import half_up, percent_half_up
from arrocco.units import Hundredths, Rating


class InitialRatings(RoundRobins):
    """Which results of an unrated player count, and the rating they make."""

    FLOOR: Legal
    """0.6, in `lists`."""

    FIRST_EVENT_HALF_POINTS = Legal(2, "8.21", "half points").means(
        "at least, or the first event of an unrated player is ignored",
        "almeno, altrimenti la prima manifestazione di chi non ha rating è ignorata",
    )
    FIRST_EVENT_RATED_OPPONENTS = Legal(3, "8.21", "opponents").means(
        "with a rating at least, or the first event of an unrated player is ignored",
        "con rating almeno, altrimenti la prima manifestazione di chi non ha rating è ignorata",
    )

    REPEATED_ZERO = Reading("repeated_zero", "8.21", "first_only", "text").means(
        "Which events of an unrated player must bring 1 point and three rated opponents",
        "Quali manifestazioni di chi non ha rating devono dare 1 punto e tre avversari con rating",
        Choice("first_only").means(
            "only the first rated event (8.21)", "solo la prima manifestazione valutata (8.21)"
        ),
        Choice("until_score").means(
            "every event until a performance counts (6.1, 8.31)",
            "ogni manifestazione finché una prestazione non conta (6.1, 8.31)",
        ),
    )
    ZERO_FIRST_EVENT = Reading("zero_first_event", "8.21", "against_rated", "text").means(
        "Less than 1 point in the first event of a Swiss or team event: against whom",
        "Meno di 1 punto nella prima manifestazione, svizzera o a squadre: contro chi",
        Choice("against_rated").means(
            "against rated opponents, as in 6.41", "contro avversari con rating, come in 6.41"
        ),
        Choice("whole_event").means("in the whole event", "nell'intera manifestazione"),
    )
    LISTED_SINCE = replace(Ratings2024.LISTED_SINCE, article="8.4")
    MIXED_POOL = Reading("mixed_pool", "8.3", "full_dp", "guess").means(
        "Below 50 % over several events, round robins among them: how much of dp counts",
        "Sotto il 50% in più manifestazioni, anche a girone: quanta parte di dp conta",
        Choice("full_dp").means(
            "all of it (8.24), unless everything is from one round robin",
            "tutta (8.24), salvo che tutto venga da un solo girone",
        ),
        Choice("reduced_dp").means(
            "n/(n+1) of it (8.25), n being all the games",
            "n/(n+1) (8.25), con n pari a tutte le partite",
        ),
    )

    # --- which results count -------------------------------------------------------------------

    def first_event_is_ignored(
        self,
        half_points_against_rated: int,
        half_points: int,
        *,
        is_first: bool,
        has_scored: bool = False,
        games_against_rated: int = 0,
        round_robin: bool = False,
    ) -> bool:
        """8.21 — a first event without a point, or with fewer than {FIRST_EVENT_RATED_OPPONENTS}
        rated opponents, is ignored.

        `has_scored` tells that an earlier performance already counts: then every later result
        does (6.1). In a round robin the games against unrated players count as well, so the whole
        score decides.
        """
        if has_scored or not (is_first or self.reads("repeated_zero", "until_score")):
            return False
        whole_event = round_robin or self.reads("zero_first_event", "whole_event")
        decisive = half_points if whole_event else half_points_against_rated
        return (
            decisive < self.FIRST_EVENT_HALF_POINTS
            or games_against_rated < self.FIRST_EVENT_RATED_OPPONENTS
        )

    @property
    def first_event_ends_the_search(self) -> bool:
        """8.21 — by its words, only the first event of all can be ignored."""
        return self.reads("repeated_zero", "first_only")

    def tranche_is_valid(
        self, games_against_rated: int, half_points_against_rated: int, rating: int
    ) -> bool:
        """6.41 — {FIRST_EVENT_RATED_OPPONENTS} games against rated players, a point from them, and
        at least the floor.
        """
        return (
            games_against_rated >= self.FIRST_EVENT_RATED_OPPONENTS
            and half_points_against_rated >= self.FIRST_EVENT_HALF_POINTS
            and self.performance_counts(rating)
        )

    def first_results_are_ignored(self, rating: int, *, has_performance: bool = False) -> bool:
        """8.31 — the first results are ignored while they are below the floor of their day."""
        return not has_performance and not self.performance_counts(rating)

    def performance_counts(self, rating: int) -> bool:
        """8.33 — Rn counts only from the floor on, the one in force when the event was played."""
        return rating >= self.FLOOR

    def listed_since_by_entry(self) -> bool:
        """8.4 — who was listed after the start is rated with the rating of entry."""
        return self.reads("listed_since", "entry_rating")

    def is_one_sided(self, *, listed_at_start: bool, listed_when_rated: bool) -> bool:
        """8.4 — a player who was listed after an event began changes by it; opponents do not."""
        return listed_when_rated and not listed_at_start

    # --- the rating they make ------------------------------------------------------------------

    def initial_rating(self, games: int, sum_of_ratings: int, half_points: int) -> InitialRating:
        """8.24 — Ru = Rc + dp below 50 % in Swiss and team events; 8.22 and 8.23 from 50 % on."""
        return self.pooled_initial_rating([Tranche(0, "", games, sum_of_ratings, half_points)])

    def pooled_initial_rating(self, tranches: Sequence[Tranche]) -> InitialRating:
        """8.3 — Rn from all results of a new player as if they were one tournament.

        Each event's Rc weighs as many games as it counts; their mean is rounded as in 8.34. In the
        result `dp` is what the average was raised or lowered by, before any n/(n+1); `reasons`
        holds ``at_half``, ``above_half`` or ``below_half``, and ``round_robin`` where n/(n+1)
        applied. Raises `Illegal` where no game counts.
        """
        games = sum(tranche.games for tranche in tranches)
        if games < 1:
            raise Illegal.of("laws.refused.no_games_against_rated")
        half_points = sum(tranche.half_points for tranche in tranches)
        total = sum(tranche.ratings for tranche in tranches)
        average = half_up(total, games)
        percent = percent_half_up(half_points, games)
        if half_points >= games:  # in half points, 50 % of the games
            dp = self.bonus(half_points, games)
            rating, reasons = average + dp, ["above_half" if dp else "at_half"]
        else:
            dp = tables.rating_difference(percent)
            rating, reasons = average + dp, ["below_half"]
            n = self._round_robin_opponents(tranches, games)
            if n is not None:
                rating = half_up(average * (n + 1) + dp * n, n + 1)
                reasons.append("round_robin")
        return InitialRating(
            games,
            half_points,
            Hundredths(half_up(100 * total, games)),
            percent,
            dp,
            Rating(rating),
            tuple(reasons),
        )

    def _round_robin_opponents(self, tranches: Sequence[Tranche], games: int) -> int | None:
        """The n of n/(n+1), or `None` where dp counts in full."""
        if len(tranches) == 1:
            return tranches[0].round_robin_opponents
        round_robins = any(tranche.round_robin_opponents is not None for tranche in tranches)
        return games if round_robins and self.reads("mixed_pool", "reduced_dp") else None
