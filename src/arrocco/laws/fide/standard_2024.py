"""The FIDE Rating Regulations of 1 March 2024 and their amendment of 1 October 2025."""

from __future__ import annotations

from datetime import date

from arrocco.dates import Interval
from arrocco.laws.edition import Legal
from arrocco.laws.fide.text_2024.initial import InitialRatings
from arrocco.laws.fide.text_2024.lists import Lists
from arrocco.laws.fide.text_2024.play import Play
from arrocco.laws.fide.text_2024.ratings import Ratings
from arrocco.laws.fide.text_2024.registration import TopPlayerNotice
from arrocco.laws.rounding import half_up
from arrocco.units import Rating


class Fide2024(Play, TopPlayerNotice, Lists, InitialRatings):
    """Standard rating: tournaments that start from 1 March 2024 (0.1)."""

    law = "fide"
    in_force = Interval(date(2024, 3, 1), date(2025, 10, 1))
    title_en = "FIDE Rating Regulations effective 1 March 2024"
    title_it = "Regolamento per il Rating FIDE in vigore dal 1° marzo 2024"
    source = "FIDE Handbook B.02, approved by the FIDE Council on 15 December 2023"
    source_it = "FIDE Handbook B.02, approvato dal Consiglio FIDE il 15 dicembre 2023"
    READINGS = (
        Lists.NEWCOMER_GAMES,
        Lists.UNRATED_POOL,
        Lists.UNRATED_POOL_COUNTS,
        Lists.REENTRY,
        Ratings.ZERO_FIRST_EVENT,
        Ratings.REPEATED_ZERO,
        Ratings.INTERIM_FIRST_EVENT,
        Ratings.LISTED_SINCE,
        Ratings.JUNIOR_UNTIL,
        Ratings.JUNIOR_2300,
        Ratings.HALF_POINT_ROUNDING,
    )
    VALUE_BASES = dict.fromkeys(("ADJUSTED_BELOW", "ADJUSTED_PERCENT"), "second-hand")

    ARTICLES = {**Ratings.ARTICLES, "adjustment": "0.1"}
    ADJUSTED_LIST = date(2024, 3, 1)
    ADJUSTED_BELOW = Legal(2000, "0.1", "rating").means(
        "ratings below it were adjusted once, on the list of 1 March 2024",
        "i rating inferiori sono stati adeguati una volta, nella lista del 1° marzo 2024",
    )
    ADJUSTED_PERCENT = Legal(40, "0.1", "percent").means(
        "of the points that a rating lacks were added by the adjustment",
        "dei punti che mancano a un rating sono stati aggiunti dall'adeguamento",
    )

    def adjusted_rating(self, rating: int) -> Rating:
        """0.1 — on 1 March 2024 a rating below {ADJUSTED_BELOW} gained {ADJUSTED_PERCENT} percent
        of what it lacked, once.

        The decision came with the text and does not stand in it; the amount is rounded to the
        nearest whole number, and a half cannot come out.

        Italiano: il 1° marzo 2024 un rating sotto 2000 ha guadagnato, una volta, il 40 per cento
        di quanto gli mancava.
        """
        if rating >= self.ADJUSTED_BELOW:
            return Rating(rating)
        lacking = self.ADJUSTED_BELOW - rating
        return Rating(half_up(100 * rating + self.ADJUSTED_PERCENT * lacking, 100))


class Fide2025(Fide2024):
    """The 2024 text with the exemption of the strongest from the 400-point rule."""

    in_force = Interval(date(2025, 10, 1))
    title_en = "FIDE Rating Regulations of 2024 as amended on 1 October 2025"
    title_it = "Regolamento per il Rating FIDE del 2024, modificato dal 1° ottobre 2025"
    source = "FIDE Handbook B.02 of 2024 with the note on 8.3.1 in force from 1 October 2025"
    source_it = "FIDE Handbook B.02 del 2024, con la nota all'8.3.1 in vigore dal 1° ottobre 2025"

    FULL_DIFFERENCE_RATING = Legal(2650, "8.3.1", "rating").means(
        "from this rating on a player's differences count in full",
        "da questo rating in su le differenze di un giocatore contano per intero",
    )

    def is_capped(self, own: int) -> bool:
        """8.3.1 — the difference is cut at {DIFFERENCE_CAP} unless the player's own rating is
        {FULL_DIFFERENCE_RATING} or more.
        """
        return own < self.FULL_DIFFERENCE_RATING
