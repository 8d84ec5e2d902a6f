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

    HYPOTHETICAL_OPPONENTS = Legal(
        2, "8.2.2", "games",
        "drawn against hypothetical opponents, added to the results of an unrated player",
        "patte contro avversari ipotetici, aggiunte ai risultati di chi è senza rating",
    )  # fmt: skip
    HYPOTHETICAL_RATING = Legal(
        1800, "8.2.2", "rating",
        "of a hypothetical opponent",
        "di un avversario ipotetico",
    )  # fmt: skip
    INITIAL_CAP = Legal(
        2200, "8.2.3", "rating", "the highest initial rating", "il rating iniziale massimo"
    )

    def initial_rating(self, games: int, sum_of_ratings: int, half_points: int) -> InitialRating:
        """8.2.3 — Ru = Ra + dp, with two drawn games against 1800 added, at most 2200."""
        all_games = games + self.HYPOTHETICAL_OPPONENTS
        total = sum_of_ratings + self.HYPOTHETICAL_OPPONENTS * self.HYPOTHETICAL_RATING
        percent = percent_half_up(half_points + self.HYPOTHETICAL_OPPONENTS, all_games)
        dp = tables.rating_difference(percent)
        rating = half_up(total + dp * all_games, all_games)
        reasons = ("two_draws", "cap") if rating > self.INITIAL_CAP else ("two_draws",)
        return InitialRating(
            games, half_points, Hundredths(half_up(100 * total, all_games)),
            percent, dp, Rating(min(rating, self.INITIAL_CAP)), reasons,
        )  # fmt: skip
