"""FIDE 2024, articles 0.2-0.4, 4, 9 and 10.1: registering a tournament and reporting it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, timedelta
from enum import StrEnum
from typing import ClassVar

from arrocco.dates import Month, days_before
from arrocco.laws.edition import Edition, Legal
from arrocco.laws.fide.federations import is_known


class RegistrationStatus(StrEnum):
    """Whether a registration came in time, and whose approval it waits for when it did not."""

    IN_TIME = "in_time"
    LATE_NEEDS_PRESIDENT = "late_needs_president"
    LATE_NEEDS_QC = "late_needs_qc"


class Registration(Edition):
    """When a tournament must be registered, and how it is reported."""

    NOTICE = Legal(3, "0.2.2", "days").means(
        "notice before the start otherwise", "preavviso prima dell'inizio negli altri casi"
    )
    APPEAL_DAYS = Legal(7, "0.4", "days").means(
        "to appeal to the Council against a refusal to rate",
        "per appellarsi al Consiglio contro il rifiuto di ratifica",
    )
    INTERIM_REPORTS_AFTER = Legal(30, "4", "days").means(
        "a longer tournament reports its results every month",
        "un torneo più lungo invia i risultati ogni mese",
    )

    LATE_APPROVAL: ClassVar[Mapping[RegistrationStatus, str]] = {}
    """The articles by which a late registration can be approved, where they are several."""

    def registration_deadline(
        self, start: date, top_rating: int | None = None, top_woman: int | None = None
    ) -> date:
        """0.2 — the last day to register: {NOTICE} days before the start, whoever plays."""
        return days_before(start, self.NOTICE)

    def registration_status(
        self,
        start: date,
        registered: date,
        top_rating: int | None = None,
        top_woman: int | None = None,
    ) -> RegistrationStatus:
        """0.2 — a late registration needs the QC Chairman."""
        if registered <= self.registration_deadline(start):
            return RegistrationStatus.IN_TIME
        return RegistrationStatus.LATE_NEEDS_QC

    def needs_individual_approval(self, *, hybrid: bool) -> bool:
        """0.2 — every hybrid tournament is approved by the QC Chairman individually."""
        return hybrid

    def appeal_deadline(self, notified: date) -> date:
        """0.4 — the last day to appeal against a refusal to rate."""
        return notified + timedelta(days=self.APPEAL_DAYS)

    def needs_interim_reports(self, start: date, end: date) -> bool:
        """4 — whether the tournament lasts more than {INTERIM_REPORTS_AFTER} days, first and last
        day included.
        """
        return (end - start).days + 1 > self.INTERIM_REPORTS_AFTER

    def interim_reports(self, start: date, end: date) -> list[tuple[date, date]]:
        """4 — the stretches a long tournament is reported in: one for each calendar month."""
        if not self.needs_interim_reports(start, end):
            return [(start, end)]
        stretches, first = [], start
        while first <= end:
            last = min(end, Month.of(first).last_day)
            stretches.append((first, last))
            first = last + timedelta(days=1)
        return stretches

    def needs_games_file(self, *, hybrid: bool) -> bool:
        """9.4 — a hybrid tournament sends the full PGN with its report."""
        return hybrid

    def federation_is_known(self, code: str) -> bool:
        """10.1 — a player is registered through a federation that is a member."""
        return is_known(code)


class TopPlayerNotice(Registration):
    """The long notice of tournaments in which the strongest play, since 25 December 2023."""

    TOP_PLAYER = Legal(2700, "0.2.1", "rating").means(
        "above this rating of any player the long notice applies",
        "sopra questo rating di un giocatore vale il preavviso lungo",
    )
    TOP_WOMAN = Legal(2500, "0.2.1", "rating").means(
        "above this rating of a woman the long notice applies",
        "sopra questo rating di una giocatrice vale il preavviso lungo",
    )
    LONG_NOTICE = Legal(30, "0.2.1", "days").means(
        "notice before the start when a top player takes part",
        "preavviso prima dell'inizio se partecipa un giocatore di vertice",
    )

    def registration_deadline(
        self, start: date, top_rating: int | None = None, top_woman: int | None = None
    ) -> date:
        """0.2.1 — the last day to register: {LONG_NOTICE} days before the start with a top player,
        else {NOTICE}.
        """
        return days_before(start, self._notice(top_rating, top_woman))

    def registration_status(
        self,
        start: date,
        registered: date,
        top_rating: int | None = None,
        top_woman: int | None = None,
    ) -> RegistrationStatus:
        """0.2.3 — a late registration needs the President (top players) or the QC Chairman."""
        if registered <= self.registration_deadline(start, top_rating, top_woman):
            return RegistrationStatus.IN_TIME
        if self._notice(top_rating, top_woman) == self.LONG_NOTICE:
            return RegistrationStatus.LATE_NEEDS_PRESIDENT
        return RegistrationStatus.LATE_NEEDS_QC

    LATE_APPROVAL: ClassVar[Mapping[RegistrationStatus, str]] = {
        RegistrationStatus.LATE_NEEDS_PRESIDENT: "0.2.3",
        RegistrationStatus.LATE_NEEDS_QC: "0.2.4",
    }

    def _notice(self, top_rating: int | None, top_woman: int | None) -> int:
        top = (top_rating or 0) > self.TOP_PLAYER or (top_woman or 0) > self.TOP_WOMAN
        return self.LONG_NOTICE if top else self.NOTICE
