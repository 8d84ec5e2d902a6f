"""The FIDE Rapid and Blitz Rating Regulations of 1 January 2022 and their chapter of October 2022.

None of it was read word for word: what is told of it by others is the standard text of 2022 with
the differences that the chapter of 2024 still has, and one K of 20 until October 2022.
"""

from __future__ import annotations

from datetime import date

from arrocco.dates import Interval
from arrocco.laws.edition import Legal
from arrocco.laws.fide.rapid_blitz_2024 import Blitz, Rapid, RapidBlitz, reading_here
from arrocco.laws.fide.standard_2022 import Fide2022, Lists2022, Ratings2022
from arrocco.laws.rating import Coefficient

_TITLE_EN = "FIDE Rapid and Blitz Rating Regulations"
_TITLE_IT = "Regolamento per il Rating FIDE Rapid e Blitz"
_SOURCE = "FIDE Handbook B.02, rapid and blitz, of 2022, as others tell of it"
_SOURCE_IT = "FIDE Handbook B.02, rapid e blitz, del 2022, da fonti indirette"


class RapidBlitz2022(Lists2022, Ratings2022, RapidBlitz):
    """What rapid and blitz of 2022 have in common."""

    READINGS = tuple(map(reading_here, Fide2022.READINGS))
    VALUE_BASES = {
        **Fide2022.VALUE_BASES,
        **dict.fromkeys(
            (
                "DIFFERENCE_CAP",
                "HALF_POINT_STEP",
                "K_ALL",
                "MORE_THAN_MINUTES",
                "LESS_THAN_MINUTES",
                "AT_MOST_MINUTES",
                "ROUNDS_PER_DAY",
            ),
            "second-hand",
        ),
    }


class OneK(RapidBlitz2022):
    """One K for everybody, until October 2022."""

    K_ALL = Legal(20, "7.3.3", "K").means("for everybody", "per tutti")
    WITHOUT = frozenset(
        {
            "K_NEW",
            "K_NEW_GAMES",
            "K_NORMAL",
            "K_TOP",
            "K_TOP_RATING",
            "K_JUNIOR",
            "K_JUNIOR_AGE",
            "K_JUNIOR_RATING",
        }
    )
    K_LINES = {}

    def k_line(
        self, completed_games: int, highest_published: int, junior: bool, rating: int | None = None
    ) -> Coefficient:
        """7.3.3 — K is {K_ALL} for everybody."""
        return Coefficient(self.K_ALL, "for_everybody")


class FideRapid2022(OneK, Rapid):
    """Rapid rating: tournaments that start from 1 January 2022."""

    law = "fide-rapid"
    in_force = Interval(date(2022, 1, 1), date(2022, 10, 1))
    title_en = f"{_TITLE_EN} effective 1 January 2022: rapid"
    title_it = f"{_TITLE_IT} in vigore dal 1° gennaio 2022: rapid"
    source = _SOURCE
    source_it = _SOURCE_IT


class FideRapid2022October(RapidBlitz2022, Rapid):
    """Rapid rating with the K of standard: tournaments that start from 1 October 2022."""

    law = "fide-rapid"
    in_force = Interval(date(2022, 10, 1), date(2024, 3, 1))
    title_en = f"{_TITLE_EN} of October 2022: rapid"
    title_it = f"{_TITLE_IT} di ottobre 2022: rapid"
    source = _SOURCE
    source_it = _SOURCE_IT


class FideBlitz2022(OneK, Blitz):
    """Blitz rating: tournaments that start from 1 January 2022."""

    law = "fide-blitz"
    in_force = FideRapid2022.in_force
    title_en = f"{_TITLE_EN} effective 1 January 2022: blitz"
    title_it = f"{_TITLE_IT} in vigore dal 1° gennaio 2022: blitz"
    source = _SOURCE
    source_it = _SOURCE_IT


class FideBlitz2022October(RapidBlitz2022, Blitz):
    """Blitz rating with the K of standard: tournaments that start from 1 October 2022."""

    law = "fide-blitz"
    in_force = FideRapid2022October.in_force
    title_en = f"{_TITLE_EN} of October 2022: blitz"
    title_it = f"{_TITLE_IT} di ottobre 2022: blitz"
    source = _SOURCE
    source_it = _SOURCE_IT
