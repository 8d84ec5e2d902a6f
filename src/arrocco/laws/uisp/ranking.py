"""UISP, part I: the national ranking, its periods, and the rating a player enters with."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import date, timedelta

from arrocco.dates import Month, days_before
from arrocco.laws import fsi
from arrocco.laws.edition import Choice, Edition, Legal, Reading
from arrocco.laws.publications import Publications
from arrocco.records.report import GameKind
from arrocco.units import Rating

ENTRY_SOURCES = ("fide", "fsi", "fide-rapid", "fsi-rapid", "fide-blitz")
"""I.5 — which lists are looked at, in order; ``fsi`` is the Elo Italia."""

NO_RATING = "none"
"""The source of an entry rating that comes from no other list."""


class Ranking(Edition):
    """Quarterly rankings: when they appear, what they count, from when they hold."""

    MONTHS_PER_LIST = Legal(3, "I.2", "months").means(
        "a classification period lasts", "dura un periodo di classificazione"
    )
    EMISSION_DAYS = Legal(10, "I.2", "days").means(
        "at the start of a quarter in which the ranking appears",
        "all'inizio di un trimestre in cui esce la Graduatoria",
    )
    CLOSING_DAYS = Legal(10, "I.2", "days").means(
        "before the ranking a tournament must have been received",
        "prima della Graduatoria un torneo deve essere pervenuto",
    )
    ENTRY_RATING = Legal(1440, "I.5", "rating").means(
        "on entry, for a player on none of the lists",
        "d'ingresso, per chi non è in nessuna delle liste",
    )

    LATE_TOURNAMENTS = Reading("late_tournaments", "I.2", "at_start", "guess").means(
        "Which ratings rate a tournament that was received too late for its period",
        "Con quali punteggi si calcola un torneo pervenuto troppo tardi per il suo periodo",
        Choice("at_start").means(
            "those in force when it started", "quelli in vigore al suo inizio"
        ),
        Choice("of_period").means(
            "those of the period in which it is counted",
            "quelli del periodo in cui viene conteggiato",
        ),
    )

    WITHOUT_GAMES = replace(
        Reading("without_games", "I.1", "rated", "text").means(
            "Whether a new player is ranked who took part with no game that counts",
            "Se entra in Graduatoria chi ha partecipato senza partite valide",
            Choice("rated").means(
                "yes: who takes part has a rating", "sì: chi partecipa ha un punteggio"
            ),
            Choice("not_rated").means(
                "no, not before a game counts", "no, non prima di una partita valida"
            ),
        ),
        before="not_rated",
    )
    ENTRY_LISTS_OF = replace(
        Reading("entry_lists", "I.5", "at_start", "text").means(
            "Which lists give a new player a rating: those in force on which day",
            "Quali liste danno il punteggio a un nuovo giocatore: quelle in vigore in quale giorno",
            Choice("at_start").means(
                "when the player's first tournament starts",
                "all'inizio del primo torneo del giocatore",
            ),
            Choice("at_opening").means(
                "when the classification period opens", "all'apertura del periodo"
            ),
        ),
        before="at_opening",
    )
    FSI_PRINTED_DEFAULT = fsi.printed_default("I.5", "counts", "text", before="as_printed")

    def is_played(self, kind: GameKind) -> bool:
        """I.6 — games that were not played, for whatever reason, do not count."""
        return kind is GameKind.PLAYED

    def entry_rating(self, held: Mapping[str, int | None]) -> tuple[Rating, str]:
        """I.5 — the rating of a player's first tournament, and the key of the list it comes from.

        `held` maps ``fide``, ``fsi``, ``fide-rapid``, ``fsi-rapid`` and ``fide-blitz`` to what the
        lists in force then say of the player.
        """
        for source in ENTRY_SOURCES:
            rating = held.get(source)
            if rating and (not source.startswith("fsi") or fsi.is_rating(self, rating)):
                return Rating(rating), source
        return self.entry_rating_without_lists()

    def entry_rating_for(self, kind: str, held: Mapping[str, int | None]) -> tuple[Rating, str]:
        """I.5 — as `entry_rating`: there is one kind of Elo UISP."""
        return self.entry_rating(held)

    def entry_rating_without_lists(self) -> tuple[Rating, str]:
        """I.5 — a player on none of the lists enters with {ENTRY_RATING}."""
        return Rating(self.ENTRY_RATING), NO_RATING

    def enters_by_start(self) -> bool:
        """I.5 — entry ratings are those of the lists in force when the first tournament starts."""
        return self.reads("entry_lists", "at_start")

    def lists_every_entrant(self) -> bool:
        """I.1 — who takes part gets a rating, also with no game that counts."""
        return self.reads("without_games", "rated")

    # --- I.2: when a ranking appears and what it counts ----------------------------------------

    def list_in_force(self, day: date) -> date:
        """I.2 — the first day of the quarter: the date of its ranking unless published later."""
        months_in = (day.month - 1) % self.MONTHS_PER_LIST
        return Month.of(day).plus(-months_in).first_day

    def next_list(self, list_date: date) -> date:
        """I.2 — the nominal date of the ranking after this one."""
        return Month.of(self.list_in_force(list_date)).plus(self.MONTHS_PER_LIST).first_day

    def previous_list(self, list_date: date) -> date:
        """I.2 — the nominal date of the ranking before this one."""
        return Month.of(self.list_in_force(list_date)).plus(-self.MONTHS_PER_LIST).first_day

    def emission_is_in_time(self, emission: date, ranking: date | None = None) -> bool:
        """I.2 — a ranking appears in the first {EMISSION_DAYS} days of a quarter.

        `ranking` is the first day of the quarter whose ranking it is; else that of the day's own.
        """
        quarter = ranking or self.list_in_force(emission)
        return emission < quarter + timedelta(days=self.EMISSION_DAYS)

    def closing_date(self, emission: date) -> date:
        """I.2 — the last day a tournament can be received for a ranking: {CLOSING_DAYS} days before
        it.
        """
        return days_before(emission, self.CLOSING_DAYS)

    def period_of_receipt(self, received: date, emissions: Publications | None = None) -> date:
        """I.2 — the ranking that counts a tournament: the first it was received in time for.

        `emissions` are the rankings published or announced; after the last of them the nominal
        dates follow.
        """
        return next(
            emission
            for emission in self._emissions(received, emissions or Publications())
            if received <= self.closing_date(emission)
        )

    # --- I.3 and I.4: which ratings hold -------------------------------------------------------

    def list_published_by(self, day: date, publications: Publications) -> date | None:
        """I.4 — the last ranking published by a day: a late one leaves the one before in force.

        `None` stands for a day before the first publication.
        """
        return publications.in_force(day)

    def ratings_used(
        self, start: date, counted_on: date, publications: Publications | None = None
    ) -> date | None:
        """I.4 — the ranking whose ratings a tournament is computed with.

        `start` is its first day, `counted_on` the ranking that counts it (`period_of_receipt`).
        Without publications the nominal dates hold.
        """
        late = self.reads("late_tournaments", "of_period")
        day = days_before(counted_on, 1) if late else start
        if publications is None:
            return self.list_in_force(day)
        return self.list_published_by(day, publications)

    def ratings_are_fixed_in_period(self) -> bool:
        """I.3 — a rating holds for the whole period; then the variations are added up."""
        return True

    def _emissions(self, day: date, known: Publications) -> Iterator[date]:
        """The rankings known, then the nominal ones; without any, those after the day's quarter."""
        emission = self.list_in_force(day)
        for emission in known:
            yield emission
        while True:
            emission = self.next_list(emission)
            yield emission
