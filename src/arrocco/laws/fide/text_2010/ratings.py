"""FIDE 2010, articles 8.5 and 12.3: the change of a rating."""

from __future__ import annotations

from datetime import date

from arrocco.laws.edition import Choice, Legal, Reading
from arrocco.laws.fide.text_2010.initial import InitialRatings
from arrocco.laws.rating import Coefficient, Exclusion, PlayerFacts
from arrocco.laws.rounding import half_up
from arrocco.units import Rating


class Ratings(InitialRatings):
    """How a rating changes; how it begins stands in `initial` and `round_robin`."""

    K_NEW = Legal(30, "8.56", "K").means("new to the list", "nuovo in lista")
    K_NEW_GAMES = Legal(30, "8.56", "games").means(
        "in completed events end the K of a new player",
        "in manifestazioni completate chiudono il K di un nuovo giocatore",
    )
    K_NORMAL = Legal(15, "8.56", "K").means("below 2400", "sotto 2400")
    K_TOP = Legal(10, "8.56", "K").means(
        "once 2400 was published, for ever", "raggiunti 2400, per sempre"
    )
    K_TOP_RATING = Legal(2400, "8.56", "rating").means(
        "once published, K is 10", "una volta pubblicato, K è 10"
    )
    STABLE_AFTER_K_TOP = Legal(75, "12.3", "games").means(
        "or so settle a rating at K 10", "circa stabilizzano un rating con K 10"
    )
    STABLE_AFTER_K_NORMAL = Legal(50, "12.3", "games").means(
        "or so settle a rating at K 15", "circa stabilizzano un rating con K 15"
    )
    STABLE_AFTER_K_NEW = Legal(25, "12.3", "games").means(
        "or so settle a rating at K 30", "circa stabilizzano un rating con K 30"
    )

    K_CONFLICT = Reading("k_conflict", "8.56", "top_first", "text").means(
        "K of a new player who has already reached 2400",
        "Il K di un nuovo giocatore che ha già raggiunto 2400",
        Choice("top_first").means("10: once reached it stays", "10: una volta raggiunto resta"),
        Choice("new_first").means(
            "30 until 30 games are completed", "30 finché non ha completato 30 partite"
        ),
    )

    K_LINES = {"top_reached": "K_TOP_RATING", "below_top": "K_TOP_RATING"}
    NUMBERS_OF = {
        "new_player": {"games": "K_NEW_GAMES"},
        "inactive": {"months": "INACTIVE_AFTER"},
        "off_list": {"months": "LISTED_AS_INACTIVE"},
        "affiliated": {"enough": "FIRST_RATING_GAMES_REDUCED"},
    }
    ARTICLES = {
        "difference": "8.51",
        "cap": "8.54",
        "expected": "8.55a",
        "delta": "8.55b",
        "sum": "8.55c",
        "k": "8.56",
        "k_applied": "8.56",
        "variation": "8.55c",
        "rounding": "8.57",
        "initial": "8.3",
        "average": "8.21",
        "percent": "8.1",
        "at_half": "8.22",
        "above_half": "8.23",
        "below_half": "8.2",
        "publish": "7.14",
        "affiliated": "7.14g",
        "delisted": "7.21",
        "first_event": "8.21",
        "one_sided": "8.4",
        "pool": "7.14c",
        "inactive": "7.23a",
        "off_list": "7.23b",
        "among_top": "7.24",
        "round_robin": "8.58",
    }
    EXCLUSION_ARTICLES = {
        Exclusion.UNPLAYED: "5.1",
        Exclusion.OPPONENT_UNRATED: "6.42",
        Exclusion.OWN_UNRATED: "8.2",
        Exclusion.BOTH_UNRATED: "8.21",
        Exclusion.TOO_FAST: "1.2",
        Exclusion.MATCH_UNRATED: "6.6",
        Exclusion.MATCH_DECIDED: "6.5",
        Exclusion.FIRST_EVENT_IGNORED: "8.21",
        Exclusion.ONE_SIDED: "8.4",
        Exclusion.OPPONENT_IGNORED: "6.1",
        Exclusion.BELOW_FLOOR_IGNORED: "8.31",
    }

    def rating_of_opponent(
        self, listed: int | None, determined_here: int | None = None
    ) -> Rating | None:
        """8.52 — an opponent's rating: the listed one (8.51), else the one this round robin made.

        What an unrated opponent achieved in earlier tournaments is ignored (8.53); without any
        rating, as in every Swiss, the game is not rated: `None`.
        """
        rating = listed if listed is not None else determined_here
        return None if rating is None else Rating(rating)

    def coefficient(self, facts: PlayerFacts, on: date) -> Coefficient:
        """8.56 — the K of a player, which age does not change in this text."""
        return self.k_line(facts.completed_games, facts.highest_published, False)

    def k_line(
        self, completed_games: int, highest_published: int, junior: bool, rating: int | None = None
    ) -> Coefficient:
        """8.56 — K: {K_TOP} once {K_TOP_RATING} was reached, {K_NEW} for new players, otherwise
        {K_NORMAL}.
        """
        is_new = completed_games < self.K_NEW_GAMES
        reached = highest_published >= self.K_TOP_RATING
        if is_new and (not reached or self.reads("k_conflict", "new_first")):
            return Coefficient(self.K_NEW, "new_player")
        if reached:
            return Coefficient(self.K_TOP, "top_reached")
        return Coefficient(self.K_NORMAL, "below_top")

    def new_rating(self, rating: int, variation: int) -> Rating:
        """8.57 — the old rating and the change of the period, rounded together, a half upwards."""
        return Rating(half_up(100 * rating + variation, 100))

    def games_until_stable(self, k: int) -> int | None:
        """12.3 — about how many games settle a rating at this K; for information only."""
        games = {
            int(self.K_TOP): self.STABLE_AFTER_K_TOP,
            int(self.K_NORMAL): self.STABLE_AFTER_K_NORMAL,
            int(self.K_NEW): self.STABLE_AFTER_K_NEW,
        }
        return games.get(k)
