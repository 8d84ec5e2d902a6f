"""The FIDE Rating Regulations of 1982 as amended until 2010, and the same text from July 2012."""

from __future__ import annotations

from datetime import date

from arrocco.dates import Interval
from arrocco.laws.edition import Legal
from arrocco.laws.fide.text_2010.text import Text2010


class Fide2011(Text2010):
    """Standard rating: tournaments that start from 1 July 2011, the year after the decision (0.1).

    K 30 for new players and 15 points for each half point came in on that day; the floor of 1200
    is older (0.6).
    """

    law = "fide"
    in_force = Interval(date(2011, 7, 1), date(2012, 7, 1))
    title_en = "FIDE Rating Regulations as amended until 2010"
    title_it = "Regolamento per il Rating FIDE emendato fino al 2010"
    source = "FIDE Handbook B.02, General Assembly 1982, amended by those of 1984 to 2010"
    source_it = (
        "FIDE Handbook B.02, Assemblea Generale del 1982, emendato da quelle dal 1984 al 2010"
    )
    READINGS = (
        Text2010.MONTH_OF_NOTICE,
        Text2010.TOURNAMENT_DAYS,
        Text2010.DROPPED_UNRATED,
        Text2010.NEWCOMER_GAMES,
        Text2010.UNRATED_POOL,
        Text2010.UNRATED_POOL_COUNTS,
        Text2010.TOP_LIST,
        Text2010.MONTHLY_LISTS,
        Text2010.ZERO_FIRST_EVENT,
        Text2010.REPEATED_ZERO,
        Text2010.MIXED_POOL,
        Text2010.LISTED_SINCE,
        Text2010.K_CONFLICT,
        Text2010.ITERATION,
        Text2010.PUBLISHED_RU,
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
    source_it = (
        "FIDE Handbook B.02, emendato fino al 2010, con la soglia che la FIDE ha annunciato per il"
        " 1° luglio 2012; che le liste mensili (7.3) comincino quel giorno è un'ipotesi"
    )

    FLOOR = Legal(1000, "0.6", "rating").means(
        "the lowest rating that is published", "il rating minimo che viene pubblicato"
    )
