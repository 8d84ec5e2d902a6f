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


class Fide2024(Play, TopPlayerNotice, Lists, InitialRatings):
    """Standard rating: tournaments that start from 1 March 2024 (0.1)."""

    law = "fide"
    in_force = Interval(date(2024, 3, 1), date(2025, 10, 1))
    title_en = "FIDE Rating Regulations effective 1 March 2024"
    title_it = "Regolamento per il Rating FIDE in vigore dal 1° marzo 2024"
    source = "FIDE Handbook B.02, approved by the FIDE Council on 15 December 2023"
    READINGS = (
        Lists.UNRATED_POOL,
        Ratings.ZERO_FIRST_EVENT,
        Ratings.REPEATED_ZERO,
        Ratings.JUNIOR_UNTIL,
        Ratings.HALF_POINT_ROUNDING,
    )


class Fide2025(Fide2024):
    """The 2024 text with the exemption of the strongest from the 400-point rule."""

    in_force = Interval(date(2025, 10, 1))
    title_en = "FIDE Rating Regulations of 2024 as amended on 1 October 2025"
    title_it = "Regolamento per il Rating FIDE del 2024, modificato dal 1° ottobre 2025"
    source = "FIDE Handbook B.02 of 2024 with the note on 8.3.1 in force from 1 October 2025"

    FULL_DIFFERENCE_RATING = Legal(
        2650, "8.3.1", "rating",
        "from this rating on a player's differences count in full",
        "da questo rating in su le differenze di un giocatore contano per intero",
    )  # fmt: skip

    def is_capped(self, own: int) -> bool:
        """8.3.1 — the difference is cut at 400 unless the player's own rating is 2650 or more."""
        return own < self.FULL_DIFFERENCE_RATING
