"""FIDE 2024, articles 0.2-0.4, 4 and 9: registering a tournament and reporting it."""

from __future__ import annotations

from datetime import date, timedelta
from enum import StrEnum

from arrocco.dates import Month, days_before
from arrocco.laws.edition import Edition, Legal


class RegistrationStatus(StrEnum):
    """Whether a registration came in time, and whose approval it waits for when it did not."""

    IN_TIME = "in_time"
    LATE_NEEDS_PRESIDENT = "late_needs_president"
    LATE_NEEDS_QC = "late_needs_qc"


class Registration(Edition):
    """When a tournament must be registered, and how it is reported."""

    NOTICE = Legal(
        3, "0.2.2", "days",
        "notice before the start otherwise",
        "preavviso prima dell'inizio negli altri casi",
    )  # fmt: skip
    APPEAL_DAYS = Legal(
        7, "0.4", "days",
        "to appeal to the Council against a refusal to rate",
        "per appellarsi al Consiglio contro il rifiuto di ratifica",
    )  # fmt: skip
    INTERIM_REPORTS_AFTER = Legal(
        30, "4", "days",
        "a longer tournament reports its results every month",
        "un torneo più lungo invia i risultati ogni mese",
    )  # fmt: skip

    def registration_deadline(
        self, start: date, top_rating: int | None = None, top_woman: int | None = None
    ) -> date:
        """0.2 — the last day to register: 3 days before the start, whoever plays."""
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
        """4 — whether the tournament lasts more than 30 days, first and last day included."""
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


class TopPlayerNotice(Registration):
    """The long notice of tournaments in which the strongest play, since 25 December 2023."""

    TOP_PLAYER = Legal(
        2700, "0.2.1", "rating",
        "above this rating of any player the long notice applies",
        "sopra questo rating di un giocatore vale il preavviso lungo",
    )  # fmt: skip
    TOP_WOMAN = Legal(
        2500, "0.2.1", "rating",
        "above this rating of a woman the long notice applies",
        "sopra questo rating di una giocatrice vale il preavviso lungo",
    )  # fmt: skip
    LONG_NOTICE = Legal(
        30, "0.2.1", "days",
        "notice before the start when a top player takes part",
        "preavviso prima dell'inizio se partecipa un giocatore di vertice",
    )  # fmt: skip

    def registration_deadline(
        self, start: date, top_rating: int | None = None, top_woman: int | None = None
    ) -> date:
        """0.2.1 — the last day to register: 30 days before the start with a top player, else 3."""
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

    def _notice(self, top_rating: int | None, top_woman: int | None) -> int:
        top = (top_rating or 0) > self.TOP_PLAYER or (top_woman or 0) > self.TOP_WOMAN
        return self.LONG_NOTICE if top else self.NOTICE
