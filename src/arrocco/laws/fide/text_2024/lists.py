"""FIDE 2024, article 7: the list, the rating period, who is on it and who is active."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from arrocco.dates import Month, days_before
from arrocco.laws.edition import Choice, Legal, Reading
from arrocco.laws.pooling import kept_in_pool
from arrocco.laws.rating import RatingLaw, Tranche


class Lists(RatingLaw):
    """Monthly lists: their dates, their closing days, who is published, who is inactive."""

    MONTHS_PER_LIST = Legal(1, "7.1", "months").means(
        "a list stays in force", "una lista resta in vigore"
    )
    FLOOR = Legal(1400, "7.1.2", "rating").means(
        "the lowest rating that is published", "il rating minimo che viene pubblicato"
    )
    CLOSING_DAYS = Legal(3, "7.1.3", "days").means(
        "before the list the tournaments that can be on it close",
        "prima della lista si chiudono i tornei che possono entrarvi",
    )
    OFFICIAL_CLOSING_DAYS = Legal(1, "7.1.3", "days").means(
        "before the list official FIDE competitions close",
        "prima della lista si chiudono le competizioni ufficiali FIDE",
    )
    FIRST_RATING_GAMES = Legal(5, "7.1.4", "games").means(
        "against rated opponents before a first rating is published",
        "contro avversari con rating prima di pubblicare un rating iniziale",
    )
    POOL_MONTHS = Legal(26, "7.1.4", "months").means(
        "of consecutive periods whose results are pooled for a first rating",
        "di periodi consecutivi i cui risultati si sommano per il rating iniziale",
    )
    LAST_LIST = Legal(3, "9.1", "lists").means(
        "the last list after the end on which a tournament can still be rated",
        "l'ultima lista dopo la fine in cui un torneo può ancora essere ratificato",
    )
    INACTIVE_AFTER = Legal(12, "7.2.2", "months").means(
        "without a rated game before a player is inactive",
        "senza partite valide prima che un giocatore sia inattivo",
    )

    UNRATED_POOL = Reading("unrated_pool", "7.1.4", "sliding_window", "guess").means(
        "How results of consecutive periods of not more than 26 months are pooled",
        "Come si sommano i risultati di periodi consecutivi non superiori a 26 mesi",
        Choice("sliding_window").means(
            "the results of the last 26 monthly periods",
            "i risultati degli ultimi 26 periodi mensili",
        ),
        Choice("reset").means(
            "all results, until they span more than 26 months: then from nothing",
            "tutti i risultati, finché non superano 26 mesi: poi da capo",
        ),
    )

    UNRATED_POOL_COUNTS = replace(
        Reading("unrated_pool_counts", "7.1.4", "played", "text").means(
            "From which period the months of a pooled result are counted",
            "Da quale periodo si contano i mesi di un risultato raggruppato",
            Choice("played").means(
                "the one in which the tournament was played: that of its first day",
                "quello in cui il torneo è stato giocato: quello del primo giorno",
            ),
            Choice("rated").means(
                "the one of the list on which it was rated",
                "quello della lista in cui è stato ratificato",
            ),
        ),
        before="rated",
    )
    NEWCOMER_GAMES = replace(
        Reading("newcomer_games", "7.1.2", "of_period", "text").means(
            "Which games the list shows beside a first rating",
            "Quali partite la lista mostra accanto a un rating iniziale",
            Choice("of_period").means("those rated in the period", "quelle ratificate nel periodo"),
            Choice("of_pool").means(
                "all that the first rating rests on", "tutte quelle su cui si basa il rating"
            ),
        ),
        before="of_pool",
    )

    REENTRY = replace(
        Reading("reentry", "7.2.1", "as_new", "text").means(
            "What a player brings along who was delisted and plays again",
            "Che cosa porta con sé chi era uscito dalla lista e torna a giocare",
            Choice("as_new").means(
                "nothing: like any unrated player, with the K of a new one; a first event with "
                "zero points is ignored again",
                "nulla: come chiunque sia senza rating, con il K di un nuovo giocatore; una prima "
                "manifestazione con zero punti si ignora di nuovo",
            ),
            Choice("keeps_games").means(
                "the games completed before, and with them K; no first event is ignored",
                "le partite completate prima, e con esse il K; nessuna manifestazione si ignora",
            ),
        ),
        before="keeps_games",
        bears_on=("7.1.4", "8.2.1"),
    )

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
        """9.1 — list number {LAST_LIST} after the end: a report that misses it is never rated."""
        return Month.of(end).plus(self.LAST_LIST).first_day

    def list_refusal(self, end: date, list_date: date, *, official: bool = False) -> str | None:
        """7.1.3 — the list it can be on at the earliest, and at the latest (9.1)."""
        if list_date < self.first_list(end, official=official):
            return "not_yet"
        if list_date > self.last_list(end):
            return "too_late"
        return None

    def pool_starts(self, list_date: date) -> date:
        """7.1.4 — the earliest list whose results still pool with those of this one."""
        return Month.of(list_date).plus(1 - self.POOL_MONTHS).first_day

    def pool_period(self, start: date, list_date: date) -> date:
        """7.1.4 — results are grouped by the period in which the tournament was played."""
        if self.reads("unrated_pool_counts", "rated"):
            return list_date
        return min(list_date, self.next_list(self.list_in_force(start)))

    def pooled_tranches(
        self, tranches: Sequence[Tranche], list_date: date, *, fresh: int = 0
    ) -> list[Tranche]:
        """7.1.4 — the results of consecutive periods of not more than {POOL_MONTHS} months."""
        earliest = self.pool_starts(list_date)
        first_month = earliest.year * 12 + earliest.month - 1
        return kept_in_pool(
            tranches, first_month, fresh, resets=self.reads("unrated_pool", "reset")
        )

    def is_published(self, rating: int) -> bool:
        """7.1.2 — whether a rating is high enough for the list."""
        return rating >= self.FLOOR

    def first_rating_is_published(
        self, games: int, rating: int, *, seven_suffice: bool = False
    ) -> bool:
        """7.1.4 — a first rating needs {FIRST_RATING_GAMES} games against rated opponents and at
        least {FLOOR}.
        """
        return games >= self.FIRST_RATING_GAMES and self.is_published(rating)

    def newcomer_games_are_of_period(self) -> bool:
        """7.1.2 — the number of games on a list is that of the period, for who is new on it too."""
        return self.reads("newcomer_games", "of_period")

    def is_delisted(self, rating: int) -> bool:
        """7.2.1 — a player who drops below {FLOOR} is unrated on the next list."""
        return not self.is_published(rating)

    def reentry_is_as_new(self) -> bool:
        """7.2.1 — after delisting a player is unrated like any other: no games, no first event."""
        return self.reads("reentry", "as_new")

    def is_inactive(self, last_rated_list: date | None, list_date: date) -> bool:
        """7.2.2 — no rated game in the {INACTIVE_AFTER} months of lists that end with this one."""
        if last_rated_list is None:
            return True
        return Month.of(list_date).minus(Month.of(last_rated_list)) >= self.INACTIVE_AFTER
