"""FIDE 2010, articles 0.4, 0.5, 4 and 13.1: registering a tournament, how long it may last."""

from __future__ import annotations

from datetime import date, timedelta

from arrocco.dates import Month, days_before
from arrocco.laws.edition import Choice, Edition, Legal, Reading
from arrocco.laws.fide.federations import is_known
from arrocco.laws.fide.text_2024.registration import RegistrationStatus


class Registration(Edition):
    """When a tournament must be registered, how to appeal, and how many days it may take."""

    NOTICE_MONTHS = Legal(1, "0.4", "months").means(
        "notice before the start of a tournament", "preavviso prima dell'inizio di un torneo"
    )
    APPEAL_DAYS = Legal(7, "0.5", "days").means(
        "to appeal to the Qualification Commission against a refusal to rate",
        "per appellarsi alla Commissione di Qualificazione contro il rifiuto di valutare",
    )
    LONGEST_TOURNAMENT = Legal(90, "4.1", "days").means(
        "a tournament may last, leagues and approved ones apart",
        "può durare un torneo, salvo i campionati di lega e quelli approvati",
    )

    MONTH_OF_NOTICE = Reading("month_of_notice", "0.4", "calendar_month", "guess").means(
        "What one month before the start means",
        "Che cosa significa un mese prima dell'inizio",
        Choice("calendar_month").means(
            "the same day of the month before, or its last day",
            "lo stesso giorno del mese precedente, o il suo ultimo giorno",
        ),
        Choice("thirty_days").means("thirty days before", "trenta giorni prima"),
    )
    TOURNAMENT_DAYS = Reading("tournament_days", "4.1", "both_ends", "guess").means(
        "How the days of a tournament are counted",
        "Come si contano i giorni di un torneo",
        Choice("both_ends").means(
            "the first and the last day included", "compresi il primo e l'ultimo giorno"
        ),
        Choice("elapsed").means(
            "the days that pass from the first to the last",
            "i giorni che passano dal primo all'ultimo",
        ),
    )

    def registration_deadline(
        self, start: date, top_rating: int | None = None, top_woman: int | None = None
    ) -> date:
        """0.4 — the last day to register, {NOTICE_MONTHS} {NOTICE_MONTHS:month|months} before the
        start.

        Later texts ask who takes part; this one does not, and the two ratings change nothing.
        """
        if self.reads("month_of_notice", "thirty_days"):
            return days_before(start, 30)
        month = Month.of(start).plus(-self.NOTICE_MONTHS)
        return month.first_day.replace(day=min(start.day, month.last_day.day))

    def registration_status(
        self,
        start: date,
        registered: date,
        top_rating: int | None = None,
        top_woman: int | None = None,
    ) -> RegistrationStatus:
        """0.4 — a later registration needs the Chairman of the Qualification Commission."""
        if registered <= self.registration_deadline(start, top_rating, top_woman):
            return RegistrationStatus.IN_TIME
        return RegistrationStatus.LATE_NEEDS_QC

    def appeal_deadline(self, notified: date) -> date:
        """0.5 — the last day to appeal against a refusal to rate."""
        return notified + timedelta(days=self.APPEAL_DAYS)

    def days_of(self, start: date, end: date) -> int:
        """4.1 — how many days a tournament lasts."""
        return (end - start).days + (1 if self.reads("tournament_days", "both_ends") else 0)

    def duration_is_allowed(
        self, start: date, end: date, *, league: bool = False, approved: bool = False
    ) -> bool:
        """4.1 — at most {LONGEST_TOURNAMENT} days, unless a league (4.11) or approved by the
        Chairman (4.12).
        """
        return league or approved or self.days_of(start, end) <= self.LONGEST_TOURNAMENT

    def last_list(self, end: date) -> date | None:
        """The last list a report can still be rated on: none, for this text sets no such limit."""
        return None

    def federation_is_known(self, code: str) -> bool:
        """13.1 — a player belongs to a national federation that is a member."""
        return is_known(code)
