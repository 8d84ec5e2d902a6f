"""FIDE 2024, article 8: which first results count, and the change of a rating."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import replace
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
from arrocco.records.report import Birth
from arrocco.units import Rating


class Ratings(RatingLaw):
    """Which results begin a rating (8.2) and how it changes (8.3); `initial` makes the first."""

    DIFFERENCE_CAP = Legal(400, "8.3.1", "points").means(
        "a larger difference counts as this one", "una differenza maggiore conta come questa"
    )
    K_NEW = Legal(40, "8.3.3", "K").means("new to the list", "nuovo in lista")
    K_NEW_GAMES = Legal(30, "8.3.3", "games").means(
        "in completed events end the K of a new player",
        "in manifestazioni completate chiudono il K di un nuovo giocatore",
    )
    K_NORMAL = Legal(20, "8.3.3", "K").means("below 2400", "sotto 2400")
    K_TOP = Legal(10, "8.3.3", "K").means(
        "once 2400 was published, for ever", "raggiunti 2400, per sempre"
    )
    K_TOP_RATING = Legal(2400, "8.3.3", "rating").means(
        "once published, K is 10", "una volta pubblicato, K è 10"
    )
    K_JUNIOR = Legal(40, "8.3.3", "K").means("junior below 2300", "giovane sotto 2300")
    K_JUNIOR_AGE = Legal(18, "8.3.3", "years").means(
        "the birthday that ends a junior's K", "il compleanno che chiude il K di un giovane"
    )
    K_JUNIOR_RATING = Legal(2300, "8.3.3", "rating").means(
        "once published, a junior's K is over", "una volta pubblicato, il K di un giovane è finito"
    )
    K_TIMES_GAMES = Legal(700, "8.3.3", "points").means(
        "the most that K times the games of a period may be",
        "il massimo di K per le partite di un periodo",
    )

    ZERO_FIRST_EVENT = Reading("zero_first_event", "8.2.1", "against_rated", "second-hand").means(
        "Zero points in the first event: against whom",
        "Zero punti nella prima manifestazione: contro chi",
        Choice("against_rated").means("against rated opponents", "contro avversari con rating"),
        Choice("whole_event").means("in the whole event", "nell'intera manifestazione"),
    )
    REPEATED_ZERO = Reading("repeated_zero", "8.2.1", "first_only", "text").means(
        "Whether a second event with zero is ignored as well",
        "Se si ignora anche una seconda manifestazione con zero",
        Choice("first_only").means(
            "only the first event can be ignored", "si può ignorare solo la prima manifestazione"
        ),
        Choice("until_score").means(
            "every event until the player scores",
            "ogni manifestazione finché il giocatore non fa punti",
        ),
    )
    INTERIM_FIRST_EVENT = replace(
        Reading("interim_first_event", "8.2.1", "whole_tournament", "guess").means(
            "What is the first event of a player whose tournament is reported every month (4)",
            "Qual è la prima manifestazione di chi gioca un torneo con resoconti mensili (4)",
            Choice("whole_tournament").means(
                "the tournament: a month without points is ignored until there is a point",
                "il torneo: un mese senza punti si ignora finché non c'è un punto",
            ),
            Choice("each_report").means("each report", "ogni resoconto"),
        ),
        before="each_report",
    )
    LISTED_SINCE = replace(
        Reading("listed_since", "8.2.4", "entry_rating", "text").means(
            "With which rating a tournament counts for who was listed after it began",
            "Con quale rating conta un torneo per chi è entrato in lista dopo il suo inizio",
            Choice("entry_rating").means(
                "the one with which the player entered the list, also when the report is late",
                "quello con cui il giocatore è entrato in lista, anche se il rapporto è tardivo",
            ),
            Choice("current").means(
                "the one on the list that opens the period",
                "quello della lista che apre il periodo",
            ),
        ),
        before="current",
    )
    JUNIOR_UNTIL = Reading("junior_until", "8.3.3", "birthday", "text").means(
        "When a junior's K ends; with only the year of birth known, always the end of that year",
        "Quando finisce il K di un giovane; se è noto solo l'anno di nascita, a fine anno",
        Choice("birthday").means("on the 18th birthday", "al 18° compleanno"),
        Choice("year_end").means(
            "at the end of the year of the 18th birthday", "alla fine dell'anno del 18° compleanno"
        ),
    )
    JUNIOR_2300 = Reading("junior_2300", "8.3.3", "once", "figures").means(
        "Whether a junior's K comes back when the rating falls below 2300 again",
        "Se il K di un giovane torna quando il rating scende di nuovo sotto 2300",
        Choice("once").means(
            "no: once published at 2300 it is over", "no: pubblicato a 2300, è finito"
        ),
        Choice("while_below").means(
            "yes: it holds while the list shows less", "sì: vale finché la lista ne mostra meno"
        ),
    )
    HALF_POINT_ROUNDING = Reading(
        "half_point_rounding", "8.3.4", "away_from_zero", "figures"
    ).means(
        "How a half is rounded in the change of a period",
        "Come si arrotonda il mezzo punto nella variazione di un periodo",
        Choice("away_from_zero").means(
            "away from zero: -2.50 is -3", "lontano da zero: -2,50 è -3"
        ),
        Choice("up").means("upwards: -2.50 is -2", "per eccesso: -2,50 è -2"),
    )

    K_LINES = {
        "top_reached": "K_TOP_RATING",
        "below_top": "K_TOP_RATING",
        "junior": "K_JUNIOR_RATING",
    }
    NUMBERS_OF = {
        "new_player": {"games": "K_NEW_GAMES"},
        "inactive": {"months": "INACTIVE_AFTER"},
    }
    ARTICLES = {
        # the text of 2022 tells these three apart
        **dict.fromkeys(("at_half", "above_half", "below_half"), "8.2.3"),
        "difference": "8.3.1",
        "cap": "8.3.1",
        "expected": "8.1.2",
        "delta": "8.3.2",
        "sum": "8.3.2",
        "k": "8.3.3",
        "k_applied": "8.3.3",
        "variation": "8.3.2",
        "rounding": "8.3.4",
        "initial": "8.2.3",
        "average": "8.2.2",
        "percent": "8.1.1",
        "publish": "7.1.4",
        "delisted": "7.2.1",
        "first_event": "8.2.1",
        "one_sided": "8.2.4",
        "pool": "7.1.4",
        "inactive": "7.2.2",
    }
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
            half_points
            if self.reads("zero_first_event", "whole_event")
            else half_points_against_rated
        )
        if self.reads("repeated_zero", "until_score"):
            return decisive == 0 and not has_scored
        return decisive == 0 and is_first

    @property
    def first_event_ends_the_search(self) -> bool:
        """8.2.1 — by its words, only the first event of all can be ignored."""
        return self.reads("repeated_zero", "first_only")

    def interim_is_one_event(self) -> bool:
        """8.2.1 — the interim reports of a tournament (4) are one event."""
        return self.reads("interim_first_event", "whole_tournament")

    def listed_since_by_entry(self) -> bool:
        """8.2.4 — who was listed after the start is rated with the rating of entry."""
        return self.reads("listed_since", "entry_rating")

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
        """8.3.3 — not yet {K_JUNIOR_AGE} on the date of the list that opens the period."""
        if birth is None:
            return False
        if birth.date is None or self.reads("junior_until", "year_end"):
            return on.year <= birth.year + self.K_JUNIOR_AGE
        return on < birthday(birth.date, self.K_JUNIOR_AGE)

    def coefficient(self, facts: PlayerFacts, on: date) -> Coefficient:
        """8.3.3 — the K of a player in the period that a list dated `on` opens."""
        junior = self.is_junior(facts.birth, on)
        return self.k_line(facts.completed_games, facts.highest_published, junior, facts.rating)

    @property
    def k_asks_rating(self) -> bool:
        """8.3.3 — whether a junior's K comes back below 2300."""
        return self.reads("junior_2300", "while_below")

    def k_line(
        self, completed_games: int, highest_published: int, junior: bool, rating: int | None = None
    ) -> Coefficient:
        """8.3.3 — K: {K_TOP} once {K_TOP_RATING} was reached, {K_JUNIOR} for juniors, {K_NEW} for
        new players, otherwise {K_NORMAL}.

        The text does not order its lines. Published lists do: 2400 comes first, whatever the number
        of games, and a junior who was ever published at 2300 stays out, unless `junior_2300` is
        read otherwise.
        """
        if highest_published >= self.K_TOP_RATING:
            return Coefficient(self.K_TOP, "top_reached")
        decisive = highest_published
        if self.k_asks_rating and rating is not None:
            decisive = rating
        if junior and decisive < self.K_JUNIOR_RATING:
            return Coefficient(self.K_JUNIOR, "junior")
        if completed_games < self.K_NEW_GAMES:
            return Coefficient(self.K_NEW, "new_player")
        return Coefficient(self.K_NORMAL, "below_top")

    def applied_coefficient(self, k: int, games: int) -> int:
        """8.3.3 — where K times the games of the period exceeds {K_TIMES_GAMES}, the largest K that
        fits.
        """
        return k if k * games <= self.K_TIMES_GAMES else self.K_TIMES_GAMES // games

    def rounded_change(self, variation: int) -> int:
        """8.3.4 — the change of a period rounded to the nearest whole number."""
        if self.reads("half_point_rounding", "up"):
            return half_up(variation, 100)
        return half_away_from_zero(variation, 100)

    def new_rating(self, rating: int, variation: int) -> Rating:
        """8.3.4 — the rating of the previous list plus the rounded change of the period."""
        return Rating(rating + self.rounded_change(variation))
