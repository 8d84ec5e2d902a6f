"""The FIDE Rating Regulations of 1 January 2022, and what was added on 25 December 2023.

Of this text only 8.2 and 8.3.1 were read word for word; what is told of the rest by others agrees
with the text of 2024, from which it is inherited. `VALUE_BASES` says which value rests on what.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from arrocco.dates import Interval
from arrocco.laws import tables
from arrocco.laws.edition import Choice, Legal, Reading
from arrocco.laws.fide.text_2024.lists import Lists as Lists2024
from arrocco.laws.fide.text_2024.play import Play
from arrocco.laws.fide.text_2024.ratings import Ratings as Ratings2024
from arrocco.laws.fide.text_2024.registration import Registration, TopPlayerNotice
from arrocco.laws.rating import InitialRating
from arrocco.laws.rounding import half_up, percent_half_up
from arrocco.units import Hundredths, Rating


class Lists2022(Lists2024):
    """The lists of 2022: those of 2024 with a lower floor."""

    FLOOR = Legal(1000, "7.1.2", "rating").means(
        "the lowest rating that is published", "il rating minimo che viene pubblicato"
    )


class Ratings2022(Ratings2024):
    """First ratings without hypothetical opponents, and one upgrade a tournament."""

    COUNTS_BY_EVENT = True

    HALF_POINT_STEP = Legal(20, "8.2.3", "points").means(
        "for every half point above one half, added to a first rating",
        "per ogni mezzo punto oltre la metà, aggiunti al rating iniziale",
    )

    ONE_UPGRADE = Reading("one_upgrade", "8.3.1", "stronger", "text").means(
        "Whose differences over 400 are cut only once in a tournament",
        "Di chi si limitano una sola volta nel torneo le differenze oltre 400",
        Choice("stronger").means(
            "the stronger player's, who benefits; the weaker one's always",
            "del più forte, che ne trae vantaggio; quelle del più debole sempre",
        ),
        Choice("both").means("either player's", "di entrambi"),
    )

    def initial_rating(self, games: int, sum_of_ratings: int, half_points: int) -> InitialRating:
        """8.2.3 — Ru is Ra at one half, Ra + {HALF_POINT_STEP} a half point above it, Ra + dp below
        it.
        """
        percent = percent_half_up(half_points, games)
        if half_points < games:  # in half points, fewer than one half of the games
            dp, reason = tables.rating_difference(percent), "below_half"
        else:
            dp = self.HALF_POINT_STEP * (half_points - games)
            reason = "above_half" if dp else "at_half"
        rating = half_up(sum_of_ratings + dp * games, games)
        return InitialRating(
            games,
            half_points,
            Hundredths(half_up(100 * sum_of_ratings, games)),
            percent,
            dp,
            Rating(rating),
            (reason,),
        )

    def counted_differences(self, own: int, opponents: Sequence[int]) -> list[int]:
        """8.3.1 — over {DIFFERENCE_CAP} counts as {DIFFERENCE_CAP}; as an upgrade only in the game
        with the greatest one.
        """
        differences = [own - opponent for opponent in opponents]
        upgrades = [
            place
            for place, difference in enumerate(differences)
            if difference > self.DIFFERENCE_CAP
            or (self.reads("one_upgrade", "both") and difference < -self.DIFFERENCE_CAP)
        ]
        used = max(upgrades, key=lambda place: abs(differences[place]), default=None)
        return [
            difference
            if place in upgrades and place != used
            else self.counted_difference(own, opponents[place])
            for place, difference in enumerate(differences)
        ]


class Fide2022(Play, Registration, Lists2022, Ratings2022):
    """Standard rating: tournaments that start from 1 January 2022."""

    law = "fide"
    in_force = Interval(date(2022, 1, 1), date(2023, 12, 25))
    title_en = "FIDE Rating Regulations effective 1 January 2022"
    title_it = "Regolamento per il Rating FIDE in vigore dal 1° gennaio 2022"
    source = "FIDE Handbook B.02 of 2022: 8.2 and 8.3.1 as printed, the rest as others tell of it"
    source_it = (
        "FIDE Handbook B.02 del 2022: 8.2 e 8.3.1 come sono stampati, il resto da fonti indirette"
    )
    READINGS = (
        Lists2024.NEWCOMER_GAMES,
        Lists2024.UNRATED_POOL,
        Lists2024.UNRATED_POOL_COUNTS,
        Lists2024.REENTRY,
        Ratings2024.ZERO_FIRST_EVENT,
        Ratings2024.REPEATED_ZERO,
        Ratings2024.INTERIM_FIRST_EVENT,
        Ratings2024.LISTED_SINCE,
        Ratings2022.ONE_UPGRADE,
        Ratings2024.JUNIOR_UNTIL,
        Ratings2024.JUNIOR_2300,
        Ratings2024.HALF_POINT_ROUNDING,
    )
    VALUE_BASES = {
        **dict.fromkeys(
            (
                "FLOOR",
                "FIRST_RATING_GAMES",
                "POOL_MONTHS",
                "MONTHS_PER_LIST",
                "NOTICE",
                "INTERIM_REPORTS_AFTER",
                "HIGH_BAND",
                "MIDDLE_BAND",
                "HIGH_BAND_MINUTES",
                "MIDDLE_BAND_MINUTES",
                "LOW_BAND_MINUTES",
                "FIRST_CONTROL_MOVES",
                "K_NEW",
                "K_NEW_GAMES",
                "K_NORMAL",
                "K_TOP",
                "K_TOP_RATING",
                "K_JUNIOR",
                "K_JUNIOR_AGE",
                "K_JUNIOR_RATING",
                "K_TIMES_GAMES",
                "TOP_PLAYER",
                "TOP_WOMAN",
                "LONG_NOTICE",
            ),
            "second-hand",
        ),
        **dict.fromkeys(
            (
                "HOURS_PER_DAY",
                "CLOSING_DAYS",
                "OFFICIAL_CLOSING_DAYS",
                "LAST_LIST",
                "INACTIVE_AFTER",
                "APPEAL_DAYS",
            ),
            "guess",
        ),
    }


class Fide2023(TopPlayerNotice, Fide2022):
    """The text of 2022 with the long notice for tournaments of the strongest."""

    in_force = Interval(date(2023, 12, 25), date(2024, 3, 1))
    title_en = "FIDE Rating Regulations of 2022 as amended on 25 December 2023"
    title_it = "Regolamento per il Rating FIDE del 2022, modificato dal 25 dicembre 2023"
    source = "FIDE Handbook B.02 of 2022, with the notice that FIDE announced on 25 December 2023"
    source_it = "FIDE Handbook B.02 del 2022, con l'avviso della FIDE del 25 dicembre 2023"
