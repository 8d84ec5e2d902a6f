"""FIDE 2010, articles 6.3 and 6.4: how many must be rated, and what is rated as a round robin."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import ClassVar

from arrocco.laws.edition import Choice, Edition, Legal, Reading
from arrocco.records.report import System


class RoundRobinRefusal(StrEnum):
    """Why a round robin is not rated: which requirement on its rated players it misses."""

    UNDER_ONE_THIRD_RATED = "under_one_third_rated"
    UNDER_FOUR_RATED = "under_four_rated"
    DOUBLE_UNDER_SIX_PLAYERS = "double_under_six_players"
    DOUBLE_UNDER_FOUR_RATED = "double_under_four_rated"
    CHAMPIONSHIP_UNDER_THREE_RATED = "championship_under_three_rated"
    WOMENS_CHAMPIONSHIP_UNDER_TWO_RATED = "womens_championship_under_two_rated"


class Composition(Edition):
    """Who must take part in a round robin, and when it is rated as a Swiss."""

    RATED_SHARE = Legal(3, "6.3", "players").means(
        "in a round robin for each of whom at least one is rated",
        "di un girone all'italiana, per ognuno dei quali almeno uno ha il rating",
    )
    SMALL_EVENT = Legal(10, "6.31", "players").means(
        "below which a fixed number must be rated",
        "sotto i quali deve avere il rating un numero fisso",
    )
    SMALL_EVENT_RATED = Legal(4, "6.31", "players").means(
        "rated in a small event", "con rating in una manifestazione piccola"
    )
    DOUBLE_PLAYERS = Legal(6, "6.32", "players").means(
        "in a double round robin with unrated players",
        "in un doppio girone con giocatori senza rating",
    )
    DOUBLE_RATED = Legal(4, "6.32", "players").means(
        "rated in a double round robin with unrated players",
        "con rating in un doppio girone con giocatori senza rating",
    )
    CHAMPIONSHIP_MEN = Legal(3, "6.33", "players").means(
        "men with a rating in a national championship",
        "uomini con rating in un campionato nazionale",
    )
    CHAMPIONSHIP_WOMEN = Legal(2, "6.33", "players").means(
        "women with a rating in a national championship of women only",
        "donne con rating in un campionato nazionale solo femminile",
    )

    ROUND_ROBIN_ARTICLES: ClassVar[Mapping[RoundRobinRefusal, str]] = {
        RoundRobinRefusal.UNDER_ONE_THIRD_RATED: "6.3",
        RoundRobinRefusal.UNDER_FOUR_RATED: "6.31",
        RoundRobinRefusal.DOUBLE_UNDER_SIX_PLAYERS: "6.32",
        RoundRobinRefusal.DOUBLE_UNDER_FOUR_RATED: "6.32",
        RoundRobinRefusal.CHAMPIONSHIP_UNDER_THREE_RATED: "6.33",
        RoundRobinRefusal.WOMENS_CHAMPIONSHIP_UNDER_TWO_RATED: "6.33",
    }

    ROUND_ROBIN_NUMBERS: ClassVar[Mapping[RoundRobinRefusal, Mapping[str, str | int]]] = {
        RoundRobinRefusal.UNDER_ONE_THIRD_RATED: {"needed": "RATED_SHARE"},
        RoundRobinRefusal.UNDER_FOUR_RATED: {
            "needed": "SMALL_EVENT_RATED",
            "below": "SMALL_EVENT",
        },
        RoundRobinRefusal.DOUBLE_UNDER_SIX_PLAYERS: {"needed": "DOUBLE_PLAYERS"},
        RoundRobinRefusal.DOUBLE_UNDER_FOUR_RATED: {"needed": "DOUBLE_RATED"},
        RoundRobinRefusal.CHAMPIONSHIP_UNDER_THREE_RATED: {"needed": "CHAMPIONSHIP_MEN"},
        RoundRobinRefusal.WOMENS_CHAMPIONSHIP_UNDER_TWO_RATED: {"needed": "CHAMPIONSHIP_WOMEN"},
    }

    DROPPED_UNRATED = Reading("dropped_unrated", "6.1", "round_robin_among_others", "guess").means(
        "A round robin once the games of an unrated player with less than 1 point are ignored",
        "Un girone all'italiana quando si ignorano le partite di chi, senza rating, ha meno di"
        " 1 punto",
        Choice("round_robin_among_others").means(
            "still a round robin, among the others", "resta un girone all'italiana, fra gli altri"
        ),
        Choice("as_swiss").means(
            "rated as a Swiss, as if games were missing (6.43)",
            "valutato come svizzero, come se mancassero partite (6.43)",
        ),
    )

    def stages_are_one_event(self) -> bool:
        """6.2 — results of preliminaries and of finals or play-offs are grouped as one event."""
        return True

    def round_robin_refusal(
        self,
        players: int,
        rated: int,
        *,
        double: bool = False,
        national_championship: bool = False,
        women_only: bool = False,
        rated_men: int | None = None,
    ) -> RoundRobinRefusal | None:
        """6.3 — why a round robin has too few rated players, or `None` when it has enough.

        A national championship is rated by its own, lower number (6.33) where it misses the
        general one. `rated_men` defaults to all the rated.
        """
        refusal = self.general_refusal(players, rated, double=double)
        if refusal is None or not national_championship:
            return refusal
        men = rated if rated_men is None else rated_men
        return self.championship_refusal(rated if women_only else men, women_only=women_only)

    def general_refusal(
        self, players: int, rated: int, *, double: bool = False
    ) -> RoundRobinRefusal | None:
        """6.31 — {SMALL_EVENT_RATED} rated below {SMALL_EVENT} players, else one in {RATED_SHARE};
        6.32 for double round robins.
        """
        if double and rated < players:
            if players < self.DOUBLE_PLAYERS:
                return RoundRobinRefusal.DOUBLE_UNDER_SIX_PLAYERS
            if rated < self.DOUBLE_RATED:
                return RoundRobinRefusal.DOUBLE_UNDER_FOUR_RATED
        if players < self.SMALL_EVENT and rated < self.SMALL_EVENT_RATED:
            return RoundRobinRefusal.UNDER_FOUR_RATED
        if self.RATED_SHARE * rated < players:
            return RoundRobinRefusal.UNDER_ONE_THIRD_RATED
        return None

    def championship_refusal(
        self, rated: int, *, women_only: bool = False
    ) -> RoundRobinRefusal | None:
        """6.33 — a national championship needs {CHAMPIONSHIP_MEN} rated men, or
        {CHAMPIONSHIP_WOMEN} women where only women play.

        They must have been rated before it started.
        """
        if women_only:
            enough = rated >= self.CHAMPIONSHIP_WOMEN
            return None if enough else RoundRobinRefusal.WOMENS_CHAMPIONSHIP_UNDER_TWO_RATED
        enough = rated >= self.CHAMPIONSHIP_MEN
        return None if enough else RoundRobinRefusal.CHAMPIONSHIP_UNDER_THREE_RATED

    def counts_for_rated(self, *, opponent_is_rated: bool, round_robin: bool) -> bool:
        """6.42 — outside round robins a rated player's games count only against rated players."""
        return opponent_is_rated or round_robin

    def is_rated_as_round_robin(
        self, system: System, unplayed_games: int, *, dropped_players: int = 0
    ) -> bool:
        """6.43 — a round robin in which a game was not played is rated as a Swiss.

        `dropped_players` are the unrated whose games are ignored (6.1, 8.21).
        """
        if system not in (System.ROUND_ROBIN, System.DOUBLE_ROUND_ROBIN) or unplayed_games:
            return False
        return not dropped_players or self.reads("dropped_unrated", "round_robin_among_others")
