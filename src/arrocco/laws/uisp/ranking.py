"""UISP, part I: the national ranking, its periods, and the rating a player enters with."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date, timedelta

from arrocco.dates import Month, days_before
from arrocco.laws.edition import Choice, Edition, Legal, Reading
from arrocco.laws.publications import Publications
from arrocco.report import GameKind
from arrocco.units import Rating

ENTRY_SOURCES = ("fide", "fsi", "fide-rapid", "fsi-rapid", "fide-blitz")
"""I.5 — which lists are looked at, in order; ``fsi`` is the Elo Italia."""

NO_RATING = "none"
"""The source of an entry rating that comes from no other list."""


class Ranking(Edition):
    """Quarterly rankings: when they appear, what they count, from when they hold."""

    MONTHS_PER_LIST = Legal(
        3, "I.2", "months", "a classification period lasts", "dura un periodo di classificazione"
    )
    EMISSION_DAYS = Legal(
        10, "I.2", "days",
        "at the start of a quarter in which the ranking appears",
        "all'inizio di un trimestre in cui esce la Graduatoria",
    )  # fmt: skip
    CLOSING_DAYS = Legal(
        10, "I.2", "days",
        "before the ranking a tournament must have been received",
        "prima della Graduatoria un torneo deve essere pervenuto",
    )  # fmt: skip
    ENTRY_RATING = Legal(
        1440, "I.5", "rating",
        "on entry, for a player on none of the lists",
        "d'ingresso, per chi non è in nessuna delle liste",
    )  # fmt: skip

    LATE_TOURNAMENTS = Reading(
        "late_tournaments", "I.2",
        "Which ratings rate a tournament that was received too late for its period",
        "Con quali punteggi si calcola un torneo pervenuto troppo tardi per il suo periodo",
        (
            Choice("at_start", "those in force when it started",
                   "quelli in vigore al suo inizio"),
            Choice("of_period", "those of the period in which it is counted",
                   "quelli del periodo in cui viene conteggiato"),
        ),
        "at_start", "guess",
    )  # fmt: skip

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
            if rating:
                return Rating(rating), source
        return self.entry_rating_without_lists()

    def entry_rating_for(self, kind: str, held: Mapping[str, int | None]) -> tuple[Rating, str]:
        """I.5 — as `entry_rating`: there is one kind of Elo UISP."""
        return self.entry_rating(held)

    def entry_rating_without_lists(self) -> tuple[Rating, str]:
        """I.5 — a player on none of the lists enters with 1440."""
        return Rating(self.ENTRY_RATING), NO_RATING

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

    def emission_is_in_time(self, emission: date) -> bool:
        """I.2 — a ranking appears in the first 10 days of a quarter."""
        return emission < self.list_in_force(emission) + timedelta(days=self.EMISSION_DAYS)

    def closing_date(self, emission: date) -> date:
        """I.2 — the last day a tournament can be received for a ranking: 10 days before it."""
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
