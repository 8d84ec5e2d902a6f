"""The Elo UISP: its text bears no date, so it is held to be in force on every day."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

from arrocco.dates import Interval
from arrocco.errors import Illegal
from arrocco.laws.classes import TimeClass
from arrocco.laws.edition import Choice, Legal, Reading
from arrocco.laws.fide.classes import fide_class
from arrocco.laws.fide.rapid_blitz_2024 import FideBlitz2024
from arrocco.laws.fide.standard_2024 import Fide2024
from arrocco.laws.rating import Coefficient, Exclusion, PlayerFacts, RatingLaw
from arrocco.laws.rounding import half_up, tenths_with_half_down
from arrocco.laws.uisp.ranking import Ranking
from arrocco.records.timecontrol import TimeControl
from arrocco.units import Hundredths, Rating


class Uisp(Ranking, RatingLaw):
    """Part I (ranking) is in `Ranking`; here stands part II, the computation."""

    law = "uisp"
    in_force = Interval(None)
    title_en = "Elo UISP and its national ranking"
    title_it = "Punteggio di merito Elo UISP – Graduatoria Nazionale"
    source = "UISP, chess; the text bears no date"
    source_it = "UISP, scacchi; il testo non porta una data"
    K_FROM_TOURNAMENT = True
    HAS_UNRATED = False

    DIFFERENCE_CAP = Legal(400, "II.1", "points").means(
        "a larger difference counts as this one", "una differenza maggiore conta come questa"
    )
    K_BLITZ = Legal(10, "II.2", "K").means(
        "at a time control of FIDE's blitz list",
        "con un tempo di riflessione della lista Elo Blitz FIDE",
    )
    K_RAPID = Legal(20, "II.2", "K").means(
        "at a time control of FIDE's rapid list",
        "con un tempo di riflessione della lista Elo Rapid FIDE",
    )
    K_STANDARD = Legal(30, "II.2", "K").means(
        "at a time control of FIDE's standard list, and from 30 minutes with 10 seconds",
        "con un tempo di riflessione della lista Elo FIDE, e da 30 minuti con 10 secondi",
    )
    K_STANDARD_MINUTES = Legal(30, "II.2", "minutes").means(
        "that with the increment give the highest K", "che con l'incremento danno il K più alto"
    )
    K_STANDARD_INCREMENT = Legal(10, "II.2", "seconds").means(
        "a move that with the minutes give the highest K",
        "a mossa che con i minuti danno il K più alto",
    )
    ONLINE_DIVISOR = Legal(2, "II.2", "part").means(
        "K is divided by this online", "K si divide per questo online"
    )

    DECIMALS = Reading("decimals", "II.3", "published_integer", "guess").means(
        "Which rating the next period starts from",
        "Da quale punteggio parte il periodo successivo",
        Choice("published_integer").means(
            "the whole number that was published", "l'intero pubblicato"
        ),
        Choice("carried").means(
            "the exact one, decimals carried on", "quello esatto, con i decimali"
        ),
    )
    READINGS = (
        Ranking.WITHOUT_GAMES,
        Ranking.LATE_TOURNAMENTS,
        Ranking.ENTRY_LISTS_OF,
        Ranking.FSI_PRINTED_DEFAULT,
        DECIMALS,
    )

    ARTICLES = {
        "entry": "I.5",
        "list": "I.2",
        "period": "I.3",
        "difference": "II.1",
        "cap": "II.1",
        "expected": "II.4",
        "delta": "II.1",
        "sum": "II.1",
        "pa": "II.1",
        "k": "II.2",
        "k_applied": "II.2",
        "variation": "II.1",
        "rounding": "II.3",
    }
    EXCLUSION_ARTICLES = {Exclusion.UNPLAYED: "I.6"}
    _SHORTEST = {"minutes": "K_STANDARD_MINUTES", "seconds": "K_STANDARD_INCREMENT"}
    _LOWEST_BAND = {"minutes": Fide2024.LOW_BAND_MINUTES}
    NUMBERS_OF = {
        "thirty_minutes_ten_seconds": _SHORTEST,
        "thirty_minutes_ten_seconds_online": _SHORTEST,
        "fide_standard_low_bands": _LOWEST_BAND,
        "fide_standard_low_bands_online": _LOWEST_BAND,
    }

    def excluded_by_time(
        self, control: TimeControl, own: int | None = None, opponent: int | None = None
    ) -> Exclusion | None:
        """II.2 — no time control excludes a game; one without a K stops the whole tournament."""
        return None

    def list_used(self, start: date, list_date: date) -> date:
        """I.2 — the ranking a tournament is rated with: `ratings_used`, with nominal dates."""
        used = self.ratings_used(start, list_date)
        assert used is not None, "only publications can leave a day without a ranking"
        return used

    def list_out_by(self, start: date, list_date: date, emitted: Mapping[date, date]) -> date:
        """I.4 — a ranking that came out late leaves the one before in force until its day."""
        used = self.list_used(start, list_date)
        if self.reads("late_tournaments", "at_start"):
            while emitted.get(used, used) > start:
                used = self.previous_list(used)
        return used

    def expected_points(self, expected: int) -> Hundredths:
        """II.1 — PA: the sum of a tournament to one decimal, .01 to .05 down, .06 to .09 up."""
        return Hundredths(10 * tenths_with_half_down(expected))

    def tournament_coefficient(self, control: TimeControl | None, *, online: bool) -> Coefficient:
        """II.2 — K by time control: {K_BLITZ} blitz, {K_RAPID} rapid, {K_STANDARD} standard; online
        divided by {ONLINE_DIVISOR}.

        Raises `Illegal` where the text gives no K: the control is not known, or FIDE rates it on
        none of its lists.
        """
        if control is None:
            raise Illegal.of("laws.refused.uisp_no_control")
        k, reason = self._over_the_board(control)
        if online:
            return Coefficient(k // self.ONLINE_DIVISOR, f"{reason}_online")
        return Coefficient(k, reason)

    def coefficient(self, facts: PlayerFacts, on: date) -> Coefficient:
        """II.2 — K belongs to tournaments. Raises `Illegal`: no player has a K."""
        raise Illegal.of("laws.refused.uisp_k_of_tournaments")

    def is_between_bands(self, control: TimeControl) -> bool:
        """II.2 — whether FIDE takes a control for its standard list only below some rating.

        From 60 to 119 minutes FIDE 1.1 leaves out the games of strong players; the whole tournament
        still has one K, and it is 30.
        """
        seconds = control.seconds_for_60_moves
        return 60 * Fide2024.LOW_BAND_MINUTES <= seconds < 60 * Fide2024.HIGH_BAND_MINUTES

    def is_left_out_by_fide(self, control: TimeControl, rating: int | None) -> bool:
        """II.2 — whether FIDE does not rate a game of a player with this rating at a control.

        Italiano: se la FIDE non ratifica la partita di chi ha quel rating a quel tempo.
        """
        return Fide2024().excluded_by_time(control, rating, rating) is not None

    def new_rating(self, rating: int, variation: int) -> Rating:
        """II.3 — the published rating: .1 to .4 to the whole number below, .5 to .9 above."""
        return self.published(100 * rating + variation)

    def published(self, index: int) -> Rating:
        """II.3 — the whole number published for an index in hundredths."""
        return Rating(half_up(index, 100))

    @property
    def carries_decimals(self) -> bool:
        """II.3 — whether the decimals behind a published rating go into the next period."""
        return self.reads("decimals", "carried")

    def carried_index(self, index: int) -> Hundredths:
        """II.3 — what the next period starts from, in hundredths, for an index in hundredths."""
        return Hundredths(index if self.carries_decimals else 100 * self.published(index))

    def _over_the_board(self, control: TimeControl) -> tuple[int, str]:
        # The clause on 30 minutes comes first: 30' + 10" is a rapid control to FIDE, and the text
        # names it apart only to lift it to 30.
        if (
            control.base_seconds >= 60 * self.K_STANDARD_MINUTES
            and control.increment >= self.K_STANDARD_INCREMENT
        ):
            return self.K_STANDARD, "thirty_minutes_ten_seconds"
        kind = fide_class(control)
        if kind is TimeClass.STANDARD:
            between = self.is_between_bands(control)
            return self.K_STANDARD, "fide_standard_low_bands" if between else "fide_standard"
        if kind is None or not control.is_equal:
            raise Illegal.of(
                "laws.refused.uisp_no_k",
                control=str(control),
                above=FideBlitz2024.MORE_THAN_MINUTES,
                standard=Fide2024.LOW_BAND_MINUTES,
            )
        if kind is TimeClass.RAPID:
            return self.K_RAPID, "fide_rapid"
        return self.K_BLITZ, "fide_blitz"
