"""The FIDE Rapid and Blitz Rating Regulations of 1 March 2024 and their amendment of 1 December.

The chapter repeats the standard one word for word except for notice, rate of play, rounds per day,
the use of a standard rating, and the difference of 400 points, which knows no exemption. It has no
interim reports, so its articles from 4 on are the standard ones less one: what is inherited here is
shown under the number it has in this chapter.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from typing import Any, ClassVar

from arrocco.dates import Interval
from arrocco.laws.edition import Legal, Reading, Rule, article_order
from arrocco.laws.fide.text_2024.initial import InitialRatings
from arrocco.laws.fide.text_2024.lists import Lists
from arrocco.laws.fide.text_2024.play import Play
from arrocco.laws.fide.text_2024.ratings import Ratings
from arrocco.laws.fide.text_2024.registration import Registration
from arrocco.laws.rating import Exclusion
from arrocco.records.timecontrol import TimeControl

NOT_IN_THIS_CHAPTER = frozenset({"0.2.1", "0.2.2", "0.2.3", "1.1", "1.2", "3", "4"})
"""Articles of the standard chapter that this one replaces or leaves out."""


def article_here(standard: str) -> str:
    """The number in this chapter of an article of the standard chapter: 7.1.3 is 6.1.3 here."""
    chapter, dot, rest = standard.partition(".")
    if int(chapter) < 5:
        return standard
    if standard.startswith("8.2."):  # 7.2.1 is new here: it moves the rest of 8.2 down by one
        return f"7.2.{int(standard.removeprefix('8.2.')) + 1}"
    return f"{int(chapter) - 1}{dot}{rest}"


def reading_here(standard: Reading) -> Reading:
    """A reading of the standard chapter with the numbers its articles have here."""
    return replace(
        standard,
        article=article_here(standard.article),
        bears_on=tuple(map(article_here, standard.bears_on)),
    )


class RapidBlitz(Play, Registration, Lists, Ratings):
    """What rapid and blitz have in common."""

    ROUNDS_PER_DAY: ClassVar[Legal]
    STANDARD_STANDS_IN = True

    NOTICE = Legal(3, "0.2", "days").means("notice before the start", "preavviso prima dell'inizio")

    READINGS = tuple(
        reading_here(reading)
        for reading in (
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
    )
    ARTICLES = {
        **{step: article_here(article) for step, article in Ratings.ARTICLES.items()},
        "standard_rating": "7.2.1",
    }
    EXCLUSION_ARTICLES = {
        Exclusion.UNPLAYED: "4.1",
        Exclusion.OPPONENT_UNRATED: "7.3.1",
        Exclusion.OWN_UNRATED: "7.2.2",
        Exclusion.BOTH_UNRATED: "7.2.3",
        Exclusion.WRONG_CLASS: "1.1",
        Exclusion.UNEQUAL_TIMES: "1.2",
        Exclusion.MATCH_UNRATED: "5.1",
        Exclusion.MATCH_DECIDED: "5.2",
        Exclusion.FIRST_EVENT_IGNORED: "7.2.2",
        Exclusion.ONE_SIDED: "7.2.5",
    }

    def needs_interim_reports(self, start: date, end: date) -> bool:
        """Never: this chapter has no interim reports, however long a tournament lasts."""
        return False

    # --- 1 and 3: rate of play, rounds per day -------------------------------------------------

    @abstractmethod
    def is_in_class(self, seconds: int) -> bool:
        """Whether a player's time for 60 moves, in seconds, is that of this list."""

    def excluded_by_time(
        self, control: TimeControl, own: int | None, opponent: int | None
    ) -> Exclusion | None:
        """1.1, 1.2 — rated only if each player's time is of this class and both have the same."""
        both = (control.seconds_for_60_moves, control.longest_seconds_for_60_moves)
        if not all(self.is_in_class(seconds) for seconds in both):
            return Exclusion.WRONG_CLASS
        return None if control.is_equal else Exclusion.UNEQUAL_TIMES

    def first_control_is_valid(self, control: TimeControl) -> bool:
        """Always: this chapter asks no number of moves of a first control."""
        return True

    def day_is_within_limit(self, control: TimeControl, rounds: int) -> bool:
        """3.1 — at most {ROUNDS_PER_DAY} rounds in a day, whatever their length."""
        return rounds <= self.ROUNDS_PER_DAY

    # --- 7.2: a player who has only a standard rating ------------------------------------------

    def rating_used(self, own: int | None, standard: int | None) -> int | None:
        """7.2.1 — an unrated player is rated with the standard rating held at the start."""
        return standard if own is None else own

    # --- how this chapter numbers what it inherits ---------------------------------------------

    @classmethod
    def values(cls) -> Iterator[tuple[str, Legal]]:
        """Every number of this chapter, under the article it has here."""
        here = []
        for name, value in super().values():
            if cls._is_own(name):
                here.append((name, value))
            elif value.article not in NOT_IN_THIS_CHAPTER:
                article = article_here(value.article)
                here.append((name, Legal(value, article, value.unit).means(value.en, value.it)))
        yield from sorted(here, key=lambda pair: article_order(pair[1].article))

    @classmethod
    def rules(cls) -> Iterator[Rule]:
        """Every rule of this chapter, under the article it has here."""
        here = []
        for rule in super().rules():
            if cls._is_own(rule.name):
                here.append(rule)
            elif rule.article not in NOT_IN_THIS_CHAPTER:
                here.append(replace(rule, article=article_here(rule.article)))
        yield from sorted(here, key=lambda rule: article_order(rule.article))

    @classmethod
    def _is_own(cls, name: str) -> bool:
        owner = next(owner for owner in cls.__mro__ if name in vars(owner))
        return owner.__module__.rpartition(".")[2].startswith("rapid_blitz")


class RatingGap(RapidBlitz):
    """The sentence added to 7.3.1 on 1 December 2024."""

    HAS_GAP = True

    GAP = Legal(600, "7.3.1", "points").means(
        "from this difference on a game with a top player is not rated",
        "da questa differenza in su una partita con un giocatore di vertice non è valida",
    )
    GAP_TOP_PLAYER = Legal(2600, "7.3.1", "rating").means(
        "above this rating of either player a large difference excludes the game",
        "sopra questo rating di uno dei due una grande differenza esclude la partita",
    )

    def gap_is_excluded(self, own: Any, opponent: Any) -> Any:
        """7.3.1 — a difference of {GAP} or more is not rated if either player is above
        {GAP_TOP_PLAYER}.
        """
        above = (own > self.GAP_TOP_PLAYER) | (opponent > self.GAP_TOP_PLAYER)
        return (abs(own - opponent) >= self.GAP) & above


class Rapid(RapidBlitz):
    """What makes a game rapid."""

    MORE_THAN_MINUTES = Legal(10, "1.1.1", "minutes").means(
        "for 60 moves: a rapid game has more than these",
        "per 60 mosse: una partita rapid ne ha di più",
    )
    LESS_THAN_MINUTES = Legal(60, "1.1.1", "minutes").means(
        "for 60 moves: a rapid game has less than these",
        "per 60 mosse: una partita rapid ne ha di meno",
    )
    ROUNDS_PER_DAY = Legal(15, "3.1.1", "rounds").means(
        "of rapid a day at most", "rapid al giorno al massimo"
    )
    EXCLUSION_ARTICLES = {**RapidBlitz.EXCLUSION_ARTICLES, Exclusion.WRONG_CLASS: "1.1.1"}

    def is_in_class(self, seconds: int) -> bool:
        """1.1.1 — rapid is more than {MORE_THAN_MINUTES} and less than {LESS_THAN_MINUTES} minutes
        for 60 moves.
        """
        return 60 * self.MORE_THAN_MINUTES < seconds < 60 * self.LESS_THAN_MINUTES


class FideRapid2024(Rapid, InitialRatings):
    """Rapid rating: tournaments that start from 1 March 2024."""

    law = "fide-rapid"
    in_force = Interval(date(2024, 3, 1), date(2024, 12, 1))
    title_en = "FIDE Rapid and Blitz Rating Regulations effective 1 March 2024: rapid"
    title_it = "Regolamento per il Rating FIDE Rapid e Blitz in vigore dal 1° marzo 2024: rapid"
    source = "FIDE Handbook B.02, rapid and blitz, approved by the FIDE Council on 15 December 2023"
    source_it = (
        "FIDE Handbook B.02, rapid e blitz, approvato dal Consiglio FIDE il 15 dicembre 2023"
    )


class FideRapid2024December(RatingGap, FideRapid2024):
    """The rapid text with the exclusion of large differences against the strongest."""

    in_force = Interval(date(2024, 12, 1))
    title_en = "FIDE Rapid and Blitz Rating Regulations as amended on 1 December 2024: rapid"
    title_it = (
        "Regolamento per il Rating FIDE Rapid e Blitz, modificato dal 1° dicembre 2024: rapid"
    )
    source = "FIDE Handbook B.02, rapid and blitz, with the note on 7.3.1 from 1 December 2024"
    source_it = "FIDE Handbook B.02, rapid e blitz, con la nota al 7.3.1 dal 1° dicembre 2024"
    EXCLUSION_ARTICLES = {**FideRapid2024.EXCLUSION_ARTICLES, Exclusion.RATING_GAP: "7.3.1"}


class Blitz(RapidBlitz):
    """What makes a game blitz."""

    MORE_THAN_MINUTES = Legal(3, "1.1.2", "minutes").means(
        "for 60 moves: a blitz game has more than these",
        "per 60 mosse: una partita blitz ne ha di più",
    )
    AT_MOST_MINUTES = Legal(10, "1.1.2", "minutes").means(
        "for 60 moves: a blitz game has not more than these",
        "per 60 mosse: una partita blitz non ne ha di più",
    )
    ROUNDS_PER_DAY = Legal(30, "3.1.2", "rounds").means(
        "of blitz a day at most", "blitz al giorno al massimo"
    )
    EXCLUSION_ARTICLES = {**RapidBlitz.EXCLUSION_ARTICLES, Exclusion.WRONG_CLASS: "1.1.2"}

    def is_in_class(self, seconds: int) -> bool:
        """1.1.2 — blitz is more than {MORE_THAN_MINUTES} and not more than {AT_MOST_MINUTES}
        minutes for 60 moves.
        """
        return 60 * self.MORE_THAN_MINUTES < seconds <= 60 * self.AT_MOST_MINUTES


class FideBlitz2024(Blitz, InitialRatings):
    """Blitz rating: tournaments that start from 1 March 2024."""

    law = "fide-blitz"
    in_force = FideRapid2024.in_force
    title_en = "FIDE Rapid and Blitz Rating Regulations effective 1 March 2024: blitz"
    title_it = "Regolamento per il Rating FIDE Rapid e Blitz in vigore dal 1° marzo 2024: blitz"
    source = FideRapid2024.source
    source_it = FideRapid2024.source_it


class FideBlitz2024December(RatingGap, FideBlitz2024):
    """The blitz text with the exclusion of large differences against the strongest."""

    in_force = FideRapid2024December.in_force
    title_en = "FIDE Rapid and Blitz Rating Regulations as amended on 1 December 2024: blitz"
    title_it = (
        "Regolamento per il Rating FIDE Rapid e Blitz, modificato dal 1° dicembre 2024: blitz"
    )
    source = FideRapid2024December.source
    source_it = FideRapid2024December.source_it
    EXCLUSION_ARTICLES = {**FideBlitz2024.EXCLUSION_ARTICLES, Exclusion.RATING_GAP: "7.3.1"}
