"""Until when a tournament can still enter a list: its last day and that of its report.

Ordinary tournaments and official competitions can have days of their own (FIDE 2024, 7.1.3). When
the last day has passed a report of a tournament that ended in time may still arrive, for as long
as the office takes reports.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from arrocco.laws.rating import RatingLaw
from arrocco.office.cutoff import REPORT_DAYS, ClosesBy, closing_days, last_day_to_send


@dataclass(frozen=True)
class EntryDays:
    """The days of one kind of tournament for a list; `key` leads to the words that say them."""

    key: str
    closes: date
    """The last day that counts for the list."""
    send_by: date
    """The last day a report can be received for it."""
    article: str
    edition: str


def entry_days(
    law: RatingLaw, list_date: date, today: date, report_days: int = REPORT_DAYS
) -> tuple[EntryDays, ...]:
    """What can still enter a list, ordinary tournaments first; one row where all are alike."""
    closes_by, plain, official, article = closing_days(law, list_date)

    def row(kind: str, closes: date, *, is_official: bool) -> EntryDays:
        send_by = last_day_to_send(law, list_date, report_days, official=is_official)
        if closes_by is ClosesBy.PUBLICATION:
            send_by = closes
        state = "open" if today <= closes else "reports" if today <= send_by else "closed"
        return EntryDays(f"office.entry.{kind}.{state}", closes, send_by, article, law.edition)

    if closes_by is not ClosesBy.END:
        return (row(closes_by.value, plain, is_official=False),)
    if plain == official:
        return (row("all", plain, is_official=False),)
    return (
        row("ordinary", plain, is_official=False),
        row("official", official, is_official=True),
    )
