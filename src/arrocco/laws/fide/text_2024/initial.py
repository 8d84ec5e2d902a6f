"""FIDE 2024, article 8.2: the initial rating."""

from __future__ import annotations

from arrocco.laws import tables
from arrocco.laws.edition import Legal
from arrocco.laws.fide.text_2024.ratings import Ratings
from arrocco.laws.rating import InitialRating
from arrocco.laws.rounding import half_up, percent_half_up
from arrocco.units import Hundredths, Rating


class InitialRatings(Ratings):
    """The rating that first results make, with two drawn games added to them."""

    HYPOTHETICAL_OPPONENTS = Legal(2, "8.2.2", "games").means(
        "drawn against hypothetical opponents, added to the results of an unrated player",
        "patte contro avversari ipotetici, aggiunte ai risultati di chi è senza rating",
    )
    HYPOTHETICAL_RATING = Legal(1800, "8.2.2", "rating").means(
        "of a hypothetical opponent", "di un avversario ipotetico"
    )
    INITIAL_CAP = Legal(2200, "8.2.3", "rating").means(
        "the highest initial rating", "il rating iniziale massimo"
    )

    NUMBERS_OF = {
        **Ratings.NUMBERS_OF,
        "two_draws": {"draws": "HYPOTHETICAL_OPPONENTS", "against": "HYPOTHETICAL_RATING"},
    }

    def initial_rating(self, games: int, sum_of_ratings: int, half_points: int) -> InitialRating:
        """8.2.3 — Ru = Ra + dp, with {HYPOTHETICAL_OPPONENTS} drawn games against
        {HYPOTHETICAL_RATING} added, at most {INITIAL_CAP}.
        """
        all_games = games + self.HYPOTHETICAL_OPPONENTS
        total = sum_of_ratings + self.HYPOTHETICAL_OPPONENTS * self.HYPOTHETICAL_RATING
        percent = percent_half_up(half_points + self.HYPOTHETICAL_OPPONENTS, all_games)
        dp = tables.rating_difference(percent)
        rating = half_up(total + dp * all_games, all_games)
        reasons = ("two_draws", "cap") if rating > self.INITIAL_CAP else ("two_draws",)
        return InitialRating(
            games,
            half_points,
            Hundredths(half_up(100 * total, all_games)),
            percent,
            dp,
            Rating(min(rating, self.INITIAL_CAP)),
            reasons,
        )
