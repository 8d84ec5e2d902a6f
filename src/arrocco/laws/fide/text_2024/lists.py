"""FIDE 2024, article 7: the list, the rating period, who is on it and who is active."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from arrocco.dates import Month, days_before
from arrocco.laws.edition import Choice, Legal, Reading
from arrocco.laws.rating import RatingLaw, Tranche


class Lists(RatingLaw):
    """Monthly lists: their dates, their closing days, who is published, who is inactive."""

    MONTHS_PER_LIST = Legal(
        1, "7.1", "months", "a list stays in force", "una lista resta in vigore"
    )
    FLOOR = Legal(
        1400, "7.1.2", "rating",
        "the lowest rating that is published",
        "il rating minimo che viene pubblicato",
    )  # fmt: skip
    CLOSING_DAYS = Legal(
        3, "7.1.3", "days",
        "before the list the tournaments that can be on it close",
        "prima della lista si chiudono i tornei che possono entrarvi",
    )  # fmt: skip
    OFFICIAL_CLOSING_DAYS = Legal(
        1, "7.1.3", "days",
        "before the list official FIDE competitions close",
        "prima della lista si chiudono le competizioni ufficiali FIDE",
    )  # fmt: skip
    FIRST_RATING_GAMES = Legal(
        5, "7.1.4", "games",
        "against rated opponents before a first rating is published",
        "contro avversari con rating prima di pubblicare un rating iniziale",
    )  # fmt: skip
    POOL_MONTHS = Legal(
        26, "7.1.4", "months",
        "of consecutive periods whose results are pooled for a first rating",
        "di periodi consecutivi i cui risultati si sommano per il rating iniziale",
    )  # fmt: skip
    LAST_LIST = Legal(
        3, "9.1", "lists",
        "the last list after the end on which a tournament can still be rated",
        "l'ultima lista dopo la fine in cui un torneo può ancora essere ratificato",
    )  # fmt: skip
    INACTIVE_AFTER = Legal(
        12, "7.2.2", "months",
        "without a rated game before a player is inactive",
        "senza partite valide prima che un giocatore sia inattivo",
    )  # fmt: skip

    UNRATED_POOL = Reading(
        "unrated_pool", "7.1.4",
        "How results of consecutive periods of not more than 26 months are pooled",
        "Come si sommano i risultati di periodi consecutivi non superiori a 26 mesi",
        (
            Choice("sliding_window", "the results of the last 26 monthly periods",
                   "i risultati degli ultimi 26 periodi mensili"),
            Choice("reset", "all results, until they span more than 26 months: then from nothing",
                   "tutti i risultati, finché non superano 26 mesi: poi da capo"),
        ),
        "sliding_window", "guess",
    )  # fmt: skip

    def list_in_force(self, day: date) -> date:
        """7.1 — the date of the list in force on a day: the first of its month."""
        return Month.of(day).first_day

    def next_list(self, list_date: date) -> date:
        """7.1 — the date of the list after this one."""
        return Month.of(list_date).plus(self.MONTHS_PER_LIST).first_day

    def previous_list(self, list_date: date) -> date:
        """7.1 — the date of the list before this one."""
        return Month.of(list_date).plus(-self.MONTHS_PER_LIST).first_day

    def closing_date(self, list_date: date, *, official: bool = False) -> date:
        """7.1.3 — the last day a tournament can end to be on a list."""
        return days_before(list_date, self.OFFICIAL_CLOSING_DAYS if official else self.CLOSING_DAYS)

    def first_list(self, end: date, *, official: bool = False) -> date:
        """7.1.3 — the first list a tournament that ends on this day can be on."""
        candidate = self.next_list(self.list_in_force(end))
        if end <= self.closing_date(candidate, official=official):
            return candidate
        return self.next_list(candidate)

    def last_list(self, end: date) -> date:
        """9.1 — the third list dated after the end: a report that misses it is never rated."""
        return Month.of(end).plus(self.LAST_LIST).first_day

    def list_refusal(self, end: date, list_date: date, *, official: bool = False) -> str | None:
        """7.1.3 — the list it can be on at the earliest, and at the latest the third (9.1)."""
        if list_date < self.first_list(end, official=official):
            return "not_yet"
        if list_date > self.last_list(end):
            return "too_late"
        return None

    def pool_starts(self, list_date: date) -> date:
        """7.1.4 — the earliest list whose results still pool with those of this one."""
        return Month.of(list_date).plus(1 - self.POOL_MONTHS).first_day

    def pooled_tranches(self, tranches: Sequence[Tranche], list_date: date) -> list[Tranche]:
        """7.1.4 — the results of consecutive periods of not more than 26 months."""
        earliest = self.pool_starts(list_date)
        first_month = earliest.year * 12 + earliest.month - 1
        kept = [tranche for tranche in tranches if tranche.month >= first_month]
        if self.reads("unrated_pool", "reset") and len(kept) < len(tranches):
            current = list_date.year * 12 + list_date.month - 1
            return [tranche for tranche in kept if tranche.month == current]
        return kept

    def is_published(self, rating: int) -> bool:
        """7.1.2 — whether a rating is high enough for the list."""
        return rating >= self.FLOOR

    def first_rating_is_published(
        self, games: int, rating: int, *, seven_suffice: bool = False
    ) -> bool:
        """7.1.4 — a first rating needs 5 games against rated opponents and at least 1400."""
        return games >= self.FIRST_RATING_GAMES and self.is_published(rating)

    def is_delisted(self, rating: int) -> bool:
        """7.2.1 — a player who drops below 1400 is unrated on the next list."""
        return not self.is_published(rating)

    def is_inactive(self, last_rated_list: date | None, list_date: date) -> bool:
        """7.2.2 — no rated game in the year of lists that ends with this one."""
        if last_rated_list is None:
            return True
        return Month.of(list_date).minus(Month.of(last_rated_list)) >= self.INACTIVE_AFTER
