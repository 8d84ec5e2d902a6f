"""FIDE 2024, article 8: which first results count, and the change of a rating."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from datetime import date

from arrocco.dates import birthday
from arrocco.laws.edition import Choice, Legal, Reading
from arrocco.laws.rating import (
    Coefficient,
    Exclusion,
    InitialRating,
    PlayerFacts,
    RatingLaw,
    Tranche,
)
from arrocco.laws.rounding import half_away_from_zero, half_up
from arrocco.report import Birth
from arrocco.units import Rating


class Ratings(RatingLaw):
    """Which results begin a rating (8.2) and how it changes (8.3); `initial` makes the first."""

    DIFFERENCE_CAP = Legal(
        400, "8.3.1", "points",
        "a larger difference counts as this one",
        "una differenza maggiore conta come questa",
    )  # fmt: skip
    K_NEW = Legal(40, "8.3.3", "K", "new to the list", "nuovo in lista")
    K_NEW_GAMES = Legal(
        30, "8.3.3", "games",
        "in completed events end the K of a new player",
        "in manifestazioni completate chiudono il K di un nuovo giocatore",
    )  # fmt: skip
    K_NORMAL = Legal(20, "8.3.3", "K", "below 2400", "sotto 2400")
    K_TOP = Legal(
        10, "8.3.3", "K", "once 2400 was published, for ever", "raggiunti 2400, per sempre"
    )
    K_TOP_RATING = Legal(
        2400, "8.3.3", "rating", "once published, K is 10", "una volta pubblicato, K è 10"
    )
    K_JUNIOR = Legal(40, "8.3.3", "K", "junior below 2300", "giovane sotto 2300")
    K_JUNIOR_AGE = Legal(
        18, "8.3.3", "years", "the birthday that ends a junior's K",
        "il compleanno che chiude il K di un giovane",
    )  # fmt: skip
    K_JUNIOR_RATING = Legal(
        2300, "8.3.3", "rating",
        "once published, a junior's K is over",
        "una volta pubblicato, il K di un giovane è finito",
    )  # fmt: skip
    K_TIMES_GAMES = Legal(
        700, "8.3.3", "points",
        "the most that K times the games of a period may be",
        "il massimo di K per le partite di un periodo",
    )  # fmt: skip

    ZERO_FIRST_EVENT = Reading(
        "zero_first_event", "8.2.1",
        "Zero points in the first event: against whom",
        "Zero punti nella prima manifestazione: contro chi",
        (
            Choice("against_rated", "against rated opponents", "contro avversari con rating"),
            Choice("whole_event", "in the whole event", "nell'intera manifestazione"),
        ),
        "against_rated", "figures",
    )  # fmt: skip
    REPEATED_ZERO = Reading(
        "repeated_zero", "8.2.1",
        "Whether a second event with zero is ignored as well",
        "Se si ignora anche una seconda manifestazione con zero",
        (
            Choice("first_only", "only the first event can be ignored",
                   "si può ignorare solo la prima manifestazione"),
            Choice("until_score", "every event until the player scores",
                   "ogni manifestazione finché il giocatore non fa punti"),
        ),
        "first_only", "text",
    )  # fmt: skip
    JUNIOR_UNTIL = Reading(
        "junior_until", "8.3.3",
        "When a junior's K ends; with only the year of birth known, always the end of that year",
        "Quando finisce il K di un giovane; se è noto solo l'anno di nascita, a fine anno",
        (
            Choice("birthday", "on the 18th birthday", "al 18° compleanno"),
            Choice("year_end", "at the end of the year of the 18th birthday",
                   "alla fine dell'anno del 18° compleanno"),
        ),
        "birthday", "text",
    )  # fmt: skip
    HALF_POINT_ROUNDING = Reading(
        "half_point_rounding", "8.3.4",
        "How a half is rounded in the change of a period",
        "Come si arrotonda il mezzo punto nella variazione di un periodo",
        (
            Choice("away_from_zero", "away from zero: -2.50 is -3", "lontano da zero: -2,50 è -3"),
            Choice("up", "upwards: -2.50 is -2", "per eccesso: -2,50 è -2"),
        ),
        "away_from_zero", "figures",
    )  # fmt: skip

    ARTICLES = {
        "difference": "8.3.1", "cap": "8.3.1", "expected": "8.1.2", "delta": "8.3.2",
        "sum": "8.3.2", "k": "8.3.3", "k_applied": "8.3.3", "variation": "8.3.2",
        "rounding": "8.3.4", "initial": "8.2.3", "average": "8.2.2", "percent": "8.1.1",
        "publish": "7.1.4", "delisted": "7.2.1", "first_event": "8.2.1", "one_sided": "8.2.4",
        "pool": "7.1.4", "inactive": "7.2.2",
    }  # fmt: skip
    EXCLUSION_ARTICLES = {
        Exclusion.UNPLAYED: "5.1",
        Exclusion.OPPONENT_UNRATED: "8.3.1",
        Exclusion.OWN_UNRATED: "8.2.1",
        Exclusion.BOTH_UNRATED: "8.2.2",
        Exclusion.TOO_FAST: "1.1",
        Exclusion.MATCH_UNRATED: "6.1",
        Exclusion.MATCH_DECIDED: "6.2",
        Exclusion.FIRST_EVENT_IGNORED: "8.2.1",
        Exclusion.ONE_SIDED: "8.2.4",
    }

    # --- 8.2: a first rating -------------------------------------------------------------------

    def first_event_is_ignored(
        self,
        half_points_against_rated: int,
        half_points: int,
        *,
        is_first: bool,
        has_scored: bool = False,
        games_against_rated: int = 0,
    ) -> bool:
        """8.2.1 — an unrated player's first rated event is ignored when it brought zero points."""
        decisive = (
            half_points if self.reads("zero_first_event", "whole_event")
            else half_points_against_rated
        )  # fmt: skip
        if self.reads("repeated_zero", "until_score"):
            return decisive == 0 and not has_scored
        return decisive == 0 and is_first

    @property
    def first_event_ends_the_search(self) -> bool:
        """8.2.1 — by its words, only the first event of all can be ignored."""
        return self.reads("repeated_zero", "first_only")

    def pooled_initial_rating(self, tranches: Sequence[Tranche]) -> InitialRating:
        """7.1.4 — the first rating from all pooled results together."""
        return self.initial_rating(
            sum(tranche.games for tranche in tranches),
            sum(tranche.ratings for tranche in tranches),
            sum(tranche.half_points for tranche in tranches),
        )

    @abstractmethod
    def initial_rating(self, games: int, sum_of_ratings: int, half_points: int) -> InitialRating:
        """The first rating that results against rated opponents come to."""

    # --- 8.3: the change of a rating -----------------------------------------------------------

    def is_junior(self, birth: Birth | None, on: date) -> bool:
        """8.3.3 — not yet 18 on the date of the list that opens the period."""
        if birth is None:
            return False
        if birth.date is None or self.reads("junior_until", "year_end"):
            return on.year <= birth.year + self.K_JUNIOR_AGE
        return on < birthday(birth.date, self.K_JUNIOR_AGE)

    def coefficient(self, facts: PlayerFacts, on: date) -> Coefficient:
        """8.3.3 — the K of a player in the period that a list dated `on` opens."""
        return self.k_line(
            facts.completed_games,
            facts.reached_2400,
            facts.reached_2300,
            self.is_junior(facts.birth, on),
        )

    def k_line(
        self, completed_games: int, reached_2400: bool, reached_2300: bool, junior: bool
    ) -> Coefficient:
        """8.3.3 — K: 10 once 2400 was reached, 40 for juniors and new players, otherwise 20.

        The text does not order its lines. Published lists do: 2400 comes first, whatever the number
        of games, and a junior who was ever published at 2300 stays out.
        """
        if reached_2400:
            return Coefficient(self.K_TOP, "reached_2400")
        if junior and not reached_2300:
            return Coefficient(self.K_JUNIOR, "junior")
        if completed_games < self.K_NEW_GAMES:
            return Coefficient(self.K_NEW, "new_player")
        return Coefficient(self.K_NORMAL, "below_2400")

    def applied_coefficient(self, k: int, games: int) -> int:
        """8.3.3 — where K times the games of the period exceeds 700, the largest K that fits."""
        return k if k * games <= self.K_TIMES_GAMES else self.K_TIMES_GAMES // games

    def rounded_change(self, variation: int) -> int:
        """8.3.4 — the change of a period rounded to the nearest whole number."""
        if self.reads("half_point_rounding", "up"):
            return half_up(variation, 100)
        return half_away_from_zero(variation, 100)

    def new_rating(self, rating: int, variation: int) -> Rating:
        """8.3.4 — the rating of the previous list plus the rounded change of the period."""
        return Rating(rating + self.rounded_change(variation))
