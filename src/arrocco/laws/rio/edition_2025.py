"""RIO, articles 14 and 15 of the FSI online regulation as revised on 12 April 2025."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import date

from arrocco.dates import Interval, Month
from arrocco.errors import Illegal
from arrocco.laws import fsi
from arrocco.laws.classes import TimeClass
from arrocco.laws.edition import Choice, Legal, Reading
from arrocco.laws.publications import Publications
from arrocco.laws.rating import Coefficient, Exclusion, PlayerFacts, PlayRated, RatingLaw
from arrocco.laws.rio.categories import Categories
from arrocco.laws.rounding import half_up, tenths_with_half_down
from arrocco.records.report import GameKind
from arrocco.records.timecontrol import TimeControl
from arrocco.units import HalfPoints, Hundredths, Rating

Score = tuple[HalfPoints, HalfPoints]
"""The half points of White and of Black."""

ENTRY_SOURCES: Mapping[TimeClass, tuple[str, ...]] = {
    TimeClass.RAPID: ("fide-rapid", "fide", "fsi"),
    TimeClass.BLITZ: ("fide-blitz", "fide", "fsi"),
    TimeClass.BULLET: ("fide-blitz", "fide", "fsi"),
}
"""14.2 — which ratings are looked at, in order, for the entry rating of each type."""

NO_RATING = "none"
"""The source of an entry rating that comes from no other rating."""


class Rio2025(Categories, RatingLaw):
    """The Rating Italia Online: rapid, blitz and bullet, each a rating of its own."""

    law = "rio"
    in_force = Interval(date(2025, 4, 12))
    title_en = "Rating Italia Online, revision 01 of 12 April 2025"
    title_it = "Rating Italia Online, revisione 01 del 12 aprile 2025"
    source = "FSI, regulation of supervised online chess, Federal Council resolution 44/2025"
    source_it = "FSI, regolamento scacchi on line con Supervisore, delibera 44/2025"
    K_FROM_TOURNAMENT = True
    HAS_UNRATED = False
    PLAY_RATED = PlayRated(online=True, article="14.1")

    ENTRY_RATING = Legal(999, "14.2", "rating").means(
        "on entry, without a FIDE or FSI rating", "d'ingresso, in mancanza di Elo FIDE o FSI"
    )
    RAPID_MORE_THAN = Legal(10, "14.3a", "minutes").means(
        "for 60 moves: a rapid game has more than these",
        "per 60 mosse: una partita rapid ne ha di più",
    )
    RAPID_LESS_THAN = Legal(60, "14.3a", "minutes").means(
        "for 60 moves: a rapid game has less than these",
        "per 60 mosse: una partita rapid ne ha di meno",
    )
    BLITZ_MORE_THAN = Legal(3, "14.3b", "minutes").means(
        "for 60 moves: a blitz game has more than these",
        "per 60 mosse: una partita blitz ne ha di più",
    )
    BLITZ_AT_MOST = Legal(10, "14.3b", "minutes").means(
        "for 60 moves: a blitz game has not more than these",
        "per 60 mosse: una partita blitz non ne ha di più",
    )
    BULLET_AT_LEAST = Legal(1, "14.3c", "minutes").means(
        "for 60 moves: a bullet game has at least these",
        "per 60 mosse: una partita bullet ne ha almeno tanti",
    )
    BULLET_AT_MOST = Legal(3, "14.3c", "minutes").means(
        "for 60 moves: a bullet game has not more than these",
        "per 60 mosse: una partita bullet non ne ha di più",
    )
    DIFFERENCE_CAP = Legal(735, "15.1", "points").means(
        "a larger difference counts as this one", "una differenza maggiore conta come questa"
    )
    K = Legal(20, "15.2", "K").means("in every tournament", "in ogni torneo")

    FSI_PRINTED_DEFAULT = fsi.printed_default("14.2", "is_absence", "text")
    UNEQUAL_TIMES = Reading("unequal_times", "Premessa", "not_rated", "guess").means(
        "Whether a game is rated in which the players have different times of the same type",
        "Se è valida una partita in cui i giocatori hanno tempi diversi dello stesso tipo",
        Choice("not_rated").means(
            "it is not, as in FIDE's rapid and blitz rules (1.2)",
            "non lo è, come nelle regole rapid e blitz della FIDE (1.2)",
        ),
        Choice("rated").means(
            "it is: 14.3 only asks the time of each player",
            "lo è: 14.3 chiede solo il tempo di ciascun giocatore",
        ),
    )
    RATED_SCORE = Reading("rated_score", "15.1", "as_decided", "guess").means(
        "Which score of a game is rated when another was decided than was made on the board",
        "Quale punteggio di una partita vale per il rating se ne è stato deciso un altro",
        Choice("as_decided").means(
            "the one finally decided, of both players: a fault found during play or after mate "
            "has the same effect",
            "quello deciso per ultimo, di entrambi: una colpa scoperta durante la partita o dopo "
            "il matto ha lo stesso effetto",
        ),
        Choice("as_played").means("the one made on the board", "quello fatto sulla scacchiera"),
    )
    MEMBERSHIP = replace(
        Reading("membership", "14.1", "by_number", "guess").means(
            "Whether a game is rated in which somebody plays whom the federation does not know",
            "Se vale per il rating una partita di chi la federazione non conosce",
            Choice("by_number").means(
                "it is not: RIO is for games under the aegis of FSI, with an account that FSI "
                "recognises (5.4); who plays has a number, given in the report or by the office",
                "no: il RIO è per le partite sotto l'egida della FSI, con un account riconosciuto "
                "dalla FSI (5.4); chi gioca ha un numero, nel rapporto o dato dall'ufficio",
            ),
            Choice("not_asked").means(
                "it is: 14.1 does not speak of members, and who has no number is warned of",
                "sì: 14.1 non parla di tesserati, e chi è senza numero è solo segnalato",
            ),
        ),
        before="not_asked",
        bears_on=("15.1",),
    )
    UPDATE_CYCLE = Reading("update_cycle", "15.3", "publication", "guess").means(
        "Which rating a tournament starts from",
        "Da quale rating parte un torneo",
        Choice("publication").means(
            "the one of the list in force; variations add up until the next",
            "quello dell'elenco in vigore; le variazioni si sommano fino al successivo",
        ),
        Choice("tournament").means(
            "the one the tournament before has left", "quello lasciato dal torneo precedente"
        ),
    )
    PUBLICATION_INTERVAL = Reading("publication_interval", "15.3", "monthly", "guess").means(
        "How often a list is published",
        "Ogni quanto si pubblica un elenco",
        Choice("monthly").means("every month, as FIDE does", "ogni mese, come la FIDE"),
        Choice("quarterly").means("every quarter", "ogni trimestre"),
    )
    READINGS = (
        MEMBERSHIP,
        FSI_PRINTED_DEFAULT,
        Categories.CATEGORY_KEPT,
        Categories.CATEGORY_LIST,
        UNEQUAL_TIMES,
        replace(RATED_SCORE, before="as_played", formerly="excluded_player_games"),
        UPDATE_CYCLE,
        PUBLICATION_INTERVAL,
    )

    ARTICLES = {
        "entry": "14.2",
        "class": "14.3",
        "category": "14.7",
        "difference": "15.1",
        "cap": "15.1",
        "expected": "15.4",
        "delta": "15.1",
        "sum": "15.1",
        "pa": "15.1",
        "k": "15.2",
        "k_applied": "15.2",
        "variation": "15.1",
        "rounding": "15.3",
    }
    EXCLUSION_ARTICLES = {
        Exclusion.UNPLAYED: "Premessa (FIDE 5.1)",
        Exclusion.UNEQUAL_TIMES: "Premessa (FIDE rapid, blitz 1.2)",
        Exclusion.WRONG_CLASS: "14.3",
    }

    # --- what is rated -------------------------------------------------------------------------

    def is_played(self, kind: GameKind) -> bool:
        """Premessa (FIDE 5.1) — only a game in which both made at least one move counts."""
        return kind is GameKind.PLAYED

    def asks_for_members(self) -> bool:
        """14.1 — whether games count only between players whom the federation knows.

        Italiano: se le partite valgono solo tra giocatori che la federazione conosce.
        """
        return self.reads("membership", "by_number")

    def time_class(self, control: TimeControl) -> TimeClass | None:
        """14.3 — rapid, blitz or bullet, by each player's time for 60 moves; none outside them."""
        shortest = self._class_of(control.seconds_for_60_moves)
        longest = self._class_of(control.longest_seconds_for_60_moves)
        return shortest if shortest is longest else None

    def excluded_by_time(
        self, control: TimeControl, own: int | None = None, opponent: int | None = None
    ) -> Exclusion | None:
        """14.3 — a game of no type is not rated, nor one in which the players' times differ."""
        if self.time_class(control) is None:
            return Exclusion.WRONG_CLASS
        if not control.is_equal and self.reads("unequal_times", "not_rated"):
            return Exclusion.UNEQUAL_TIMES
        return None

    def rated_score(
        self, played: Score, decided: Score | None = None, entered: Score | None = None
    ) -> Score:
        """15.1, 12.13 — the score that is rated: the one finally decided, unless read otherwise.

        `decided` is what an arbiter or the committee made of the game; that opponents of excluded
        players are given nothing anew is seen to where it is decided. `entered` is what the office
        has ruled for this very game: it comes before any reading.
        """
        if entered is not None:
            return entered
        if decided is not None and self.reads("rated_score", "as_decided"):
            return decided
        return played

    # --- 14.2: entry, and the lists ------------------------------------------------------------

    def entry_rating(self, kind: TimeClass, held: Mapping[str, int | None]) -> tuple[Rating, str]:
        """14.2 — the rating a player enters with, and the key of the rating it comes from.

        `held` maps ``fide``, ``fide-rapid``, ``fide-blitz`` and ``fsi`` to the player's ratings.
        Raises `Illegal` for a type RIO does not have.
        """
        if kind not in ENTRY_SOURCES:
            raise Illegal.of("laws.refused.rio_kind", kind=kind, kinds=tuple(ENTRY_SOURCES))
        for source in ENTRY_SOURCES[kind]:
            rating = held.get(source)
            if rating and (source != "fsi" or fsi.is_rating(self, rating)):
                return Rating(rating), source
        return self.entry_rating_without_lists()

    def entry_rating_for(self, kind: str, held: Mapping[str, int | None]) -> tuple[Rating, str]:
        """14.2 — as `entry_rating`, with the type by its name."""
        return self.entry_rating(TimeClass(kind), held)

    def is_of_kind(self, control: TimeControl, kind: str) -> bool:
        """14.3 — whether a time control is of this type: each type is a rating of its own."""
        return self.time_class(control) == TimeClass(kind)

    def entry_rating_without_lists(self) -> tuple[Rating, str]:
        """14.2 — without a FIDE or FSI rating a player enters with {ENTRY_RATING}."""
        return Rating(self.ENTRY_RATING), NO_RATING

    def list_in_force(self, day: date) -> date:
        """15.3 — the date of the list in force on a day where nothing is known of publications.

        The text says only that lists appear periodically; the interval is a reading.
        """
        months_in = (day.month - 1) % self._months_per_list
        return Month.of(day).plus(-months_in).first_day

    def next_list(self, list_date: date) -> date:
        """15.3 — the date of the list after this one where nothing is known of publications."""
        in_force = Month.of(self.list_in_force(list_date))
        return in_force.plus(self._months_per_list).first_day

    def list_published_by(self, day: date, publications: Publications) -> date | None:
        """15.3 — the last list published by a day; `None` before the first."""
        return publications.in_force(day)

    def ratings_are_fixed_in_period(self) -> bool:
        """15.3 — whether ratings stay as published until the next list."""
        return self.reads("update_cycle", "publication")

    # --- 15: the computation -------------------------------------------------------------------

    def expected_points(self, expected: int) -> Hundredths:
        """15.1 — PA: the sum of a tournament to one decimal, .01 to .05 down, .06 to .09 up."""
        return Hundredths(10 * tenths_with_half_down(expected))

    def tournament_coefficient(self, control: TimeControl | None, *, online: bool) -> Coefficient:
        """15.2 — K is {K} for rapid, blitz and bullet.

        Raises `Illegal` for a time control of no type.
        """
        if control is not None and self.time_class(control) is None:
            raise Illegal.of(
                "laws.refused.rio_no_type",
                control=str(control),
                least=self.BULLET_AT_LEAST,
                below=self.RAPID_LESS_THAN,
            )
        return Coefficient(self.K, "every_tournament")

    def coefficient(self, facts: PlayerFacts, on: date) -> Coefficient:
        """15.2 — K is the same for every player."""
        return Coefficient(self.K, "every_tournament")

    def new_rating(self, rating: int, variation: int) -> Rating:
        """15.3 — the published rating: .1 to .4 to the whole number below, .5 to .9 above."""
        return Rating(half_up(100 * rating + variation, 100))

    @property
    def _months_per_list(self) -> int:
        return 1 if self.reads("publication_interval", "monthly") else 3

    def _class_of(self, seconds: int) -> TimeClass | None:
        if 60 * self.RAPID_MORE_THAN < seconds < 60 * self.RAPID_LESS_THAN:
            return TimeClass.RAPID
        if 60 * self.BLITZ_MORE_THAN < seconds <= 60 * self.BLITZ_AT_MOST:
            return TimeClass.BLITZ
        if 60 * self.BULLET_AT_LEAST <= seconds <= 60 * self.BULLET_AT_MOST:
            return TimeClass.BULLET
        return None
