"""The FIDE Rating Regulations of 1982 as amended until 2010, and the same text from July 2012."""

from __future__ import annotations

from datetime import date

from arrocco.dates import Interval
from arrocco.laws.edition import Legal
from arrocco.laws.fide.text_2010.composition import Composition
from arrocco.laws.fide.text_2010.lists import Lists
from arrocco.laws.fide.text_2010.numbering import DecimalNumbering
from arrocco.laws.fide.text_2010.play import Play
from arrocco.laws.fide.text_2010.ratings import Ratings
from arrocco.laws.fide.text_2010.registration import Registration


class Fide2011(DecimalNumbering, Play, Registration, Composition, Lists, Ratings):
    """Standard rating: tournaments that start from 1 July 2011, the year after the decision (0.1).

    K 30 for new players and 15 points for each half point came in on that day; the floor of 1200
    is older (0.6).
    """

    law = "fide"
    in_force = Interval(date(2011, 7, 1), date(2012, 7, 1))
    title_en = "FIDE Rating Regulations as amended until 2010"
    title_it = "Regolamento per il Rating FIDE emendato fino al 2010"
    source = "FIDE Handbook B.02, General Assembly 1982, amended by those of 1984 to 2010"
    READINGS = (
        Registration.MONTH_OF_NOTICE,
        Registration.TOURNAMENT_DAYS,
        Composition.DROPPED_UNRATED,
        Lists.UNRATED_POOL,
        Lists.TOP_LIST,
        Lists.MONTHLY_LISTS,
        Ratings.ZERO_FIRST_EVENT,
        Ratings.REPEATED_ZERO,
        Ratings.MIXED_POOL,
        Ratings.K_CONFLICT,
        Ratings.ITERATION,
    )


class Fide2012(Fide2011):
    """The same text with the floor of 1000 and monthly lists (7.3): their date is our guess."""

    in_force = Interval(date(2012, 7, 1), date(2014, 7, 1))
    title_en = "FIDE Rating Regulations as amended until 2010, with the floor of July 2012"
    title_it = "Regolamento per il Rating FIDE emendato fino al 2010, con la soglia di luglio 2012"
    source = (
        "FIDE Handbook B.02, amended until 2010, with the floor FIDE announced for 1 July 2012;"
        " that monthly lists (7.3) begin on the same day is a guess"
    )

    FLOOR = Legal(
        1000, "0.6", "rating",
        "the lowest rating that is published",
        "il rating minimo che viene pubblicato",
    )  # fmt: skip
