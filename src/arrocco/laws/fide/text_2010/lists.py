"""FIDE 2010, articles 0.6, 4.13 and 7: the lists, what is on them and who is active."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from enum import StrEnum
from typing import ClassVar

from arrocco.dates import Month, days_before
from arrocco.laws.edition import Choice, Legal, Reading
from arrocco.laws.fide.text_2024.lists import Lists as Lists2024
from arrocco.laws.pooling import kept_in_pool
from arrocco.laws.rating import RatingLaw, Tranche

AFFILIATIONS = ("IBCA", "ICSC", "IPCA")
"""The bodies of blind, deaf and physically disabled players that 7.14g names."""


class Activity(StrEnum):
    """How long a player has been without rated games, as 7.23 tells it."""

    ACTIVE = "active"
    INACTIVE_LISTED = "inactive_listed"
    """Flagged, out of the federation's list, still on the alphabetical one."""
    INACTIVE = "inactive"
    """Off the list; the last published rating still serves for calculations."""


class Lists(RatingLaw):
    """Lists every two months, later every month: their dates, their contents, activity."""

    FLOOR = Legal(1200, "0.6", "rating").means(
        "the lowest rating that is published", "il rating minimo che viene pubblicato"
    )
    MONTHS_PER_LIST = Legal(2, "7.11", "months").means(
        "a list stays in force", "una lista resta in vigore"
    )
    CLOSING_DAYS = Legal(7, "7.13", "days").means(
        "before the list the tournaments that can be on it close",
        "prima della lista si chiudono i tornei che possono entrarvi",
    )
    OFFICIAL_CLOSING_DAYS = Legal(1, "7.13", "days").means(
        "before the list official FIDE competitions close",
        "prima della lista si chiudono le competizioni ufficiali FIDE",
    )
    FIRST_RATING_GAMES = Legal(9, "7.14a", "games").means(
        "before a first rating is published: all of a round robin's, otherwise against rated",
        "prima di pubblicare un rating iniziale: tutte in un girone, altrimenti contro chi ha"
        " il rating",
    )
    FIRST_RATING_GAMES_REDUCED = Legal(7, "7.14f", "games").means(
        "suffice from world and continental team events, or for IBCA, ICSC and IPCA players",
        "bastano dalle Olimpiadi e dai campionati a squadre, o a chi è affiliato IBCA, ICSC, IPCA",
    )
    POOL_MONTHS = Legal(24, "7.14c", "months").means(
        "of periods whose results are pooled for a first rating",
        "di periodi i cui risultati si sommano per il rating iniziale",
    )
    INACTIVE_AFTER = Legal(12, "7.23a", "months").means(
        "without a rated game before a player is inactive",
        "senza partite valide prima che un giocatore sia inattivo",
    )
    LISTED_AS_INACTIVE = Legal(24, "7.23b", "months").means(
        "an inactive player stays on the list", "un giocatore inattivo resta in lista"
    )
    TOP_LIST_MONTHS = Legal(12, "7.24", "months").means(
        "after which an inactive player leaves the list of the top players",
        "dopo i quali un giocatore inattivo lascia la lista di vertice",
    )
    MONTHS_PER_MONTHLY_LIST = Legal(1, "7.3", "months").means(
        "a list stays in force once lists are monthly",
        "una lista resta in vigore quando le liste sono mensili",
    )

    LISTS_ONLY_RATED: ClassVar[bool] = True
    """7.2 names who is not on the list: the unrated, and who is inactive for good."""
    MONTHLY_FROM: ClassVar[date] = date(2012, 7, 1)
    """The first monthly list. The text says only which day of the year it is: the year is ours."""
    PUBLISHED_DATA: ClassVar[tuple[str, ...]] = (
        "title",
        "federation",
        "rating",
        "id",
        "games",
        "birth_year",
        "sex",
        "k",
    )
    """What a list shows of each player (7.12): of the birth only the year."""

    UNRATED_POOL = Reading("unrated_pool", "7.14c", "sliding_window", "guess").means(
        "How results of rating periods in not more than two years are pooled",
        "Come si sommano i risultati di periodi rating in non più di due anni",
        Choice("sliding_window").means(
            "the results of the periods of the last two years",
            "i risultati dei periodi degli ultimi due anni",
        ),
        Choice("reset").means(
            "all results, until they span more than two years: then from nothing",
            "tutti i risultati, finché non superano due anni: poi da capo",
        ),
    )
    UNRATED_POOL_COUNTS = replace(Lists2024.UNRATED_POOL_COUNTS, article="7.14c")
    NEWCOMER_GAMES = replace(Lists2024.NEWCOMER_GAMES, article="7.12")
    MONTHLY_LISTS = Reading("monthly_lists", "7.3", "from_july_2012", "guess").means(
        "When lists become monthly: 1 July after a decision the text does not date",
        "Quando le liste diventano mensili: il 1° luglio dopo una decisione che il testo non data",
        Choice("from_july_2012").means("from 1 July 2012", "dal 1° luglio 2012"),
        Choice("never").means("never: six lists a year throughout", "mai: sempre sei liste l'anno"),
    )
    TOP_LIST = Reading("top_list", "7.24", "without_games", "guess").means(
        "Twelve months of what take a player off the list of the top players",
        "Dodici mesi di che cosa tolgono un giocatore dalla lista di vertice",
        Choice("without_games").means("without rated games", "senza partite valide"),
        Choice("as_inactive").means(
            "as an inactive player, after the year without games",
            "da giocatore inattivo, dopo l'anno senza partite",
        ),
    )

    # --- the dates of lists --------------------------------------------------------------------

    def months_per_list(self, day: date) -> int:
        """7.3 — how many months the list in force on a day lasts: {MONTHS_PER_LIST}, later
        {MONTHS_PER_MONTHLY_LIST}.
        """
        if day >= self.MONTHLY_FROM and self.reads("monthly_lists", "from_july_2012"):
            return self.MONTHS_PER_MONTHLY_LIST
        return self.MONTHS_PER_LIST

    def list_in_force(self, day: date) -> date:
        """7.11 — the date of the list valid for events that start on a day."""
        months = self.months_per_list(day)
        return date(day.year, (day.month - 1) // months * months + 1, 1)

    def next_list(self, list_date: date) -> date:
        """7.11 — the date of the list after the one in force on this day."""
        current = self.list_in_force(list_date)
        return Month.of(current).plus(self.months_per_list(current)).first_day

    def previous_list(self, list_date: date) -> date:
        """7.11 — the date of the list before the one in force on this day."""
        return self.list_in_force(days_before(self.list_in_force(list_date), 1))

    def list_for_game(self, start: date, played: date, *, declared: date | None = None) -> date:
        """4.13 — the list whose ratings a game uses: the one valid at the start of the tournament.

        Where rating period by period was chosen (`declared` is the day it was) before the first
        round, it is the list in force when the game is played.
        """
        by_period = declared is not None and declared <= start
        return self.list_in_force(played if by_period else start)

    def closing_date(self, list_date: date, *, official: bool = False) -> date:
        """7.13 — the last day a tournament can end to be on a list."""
        return days_before(list_date, self.OFFICIAL_CLOSING_DAYS if official else self.CLOSING_DAYS)

    def first_list(self, end: date, *, official: bool = False) -> date:
        """7.13 — the first list a tournament that ends on this day can be on."""
        candidate = self.next_list(end)
        if end <= self.closing_date(candidate, official=official):
            return candidate
        return self.next_list(candidate)

    # --- who is on a list ----------------------------------------------------------------------

    def is_published(self, rating: int) -> bool:
        """7.12 — whether a rating is high enough for the list: at least the floor (7.14d)."""
        return rating >= self.FLOOR

    def counted_games(self, games: int, games_against_rated: int, *, round_robin: bool) -> int:
        """7.14b — the games towards a first rating: all in a round robin, else against rated."""
        return games if round_robin else games_against_rated

    def list_refusal(self, end: date, list_date: date, *, official: bool = False) -> str | None:
        """7.13 — a tournament is not on a list before the first that it can be on."""
        if list_date < self.first_list(end, official=official):
            return "not_yet"
        return None

    def pool_starts(self, list_date: date) -> date:
        """7.14c — the earliest list whose results still pool with those of this one.

        Its rating period begins at most two years before this list.
        """
        earliest = Month.of(list_date).plus(-self.POOL_MONTHS).first_day
        opening = self.list_in_force(earliest)
        if opening < earliest:
            opening = self.next_list(opening)
        return self.next_list(opening)

    def pool_period(self, start: date, list_date: date) -> date:
        """7.14c — results are grouped by the period in which the tournament was played."""
        if self.reads("unrated_pool_counts", "rated"):
            return list_date
        return min(list_date, self.next_list(self.list_in_force(start)))

    def pooled_tranches(
        self, tranches: Sequence[Tranche], list_date: date, *, fresh: int = 0
    ) -> list[Tranche]:
        """7.14c — the results of rating periods in not more than {POOL_MONTHS} months."""
        earliest = _month_number(self.pool_starts(list_date))
        return kept_in_pool(tranches, earliest, fresh, resets=self.reads("unrated_pool", "reset"))

    def newcomer_games_are_of_period(self) -> bool:
        """7.12 — the number of games on a list is that of the period, for who is new on it too."""
        return self.reads("newcomer_games", "of_period")

    def seven_games_suffice(self, tranches: Sequence[Tranche], *, affiliated: bool = False) -> bool:
        """7.14f — {FIRST_RATING_GAMES_REDUCED} games suffice when all are from world or continental
        team events.

        They also do for a player of the IBCA, the ICSC or the IPCA (`affiliated`, 7.14g).
        """
        return affiliated or all(tranche.seven_suffice for tranche in tranches)

    def first_rating_is_published(
        self, games: int, rating: int, *, seven_suffice: bool = False
    ) -> bool:
        """7.14 — a first rating needs {FIRST_RATING_GAMES} games, in the cases of 7.14f and 7.14g
        {FIRST_RATING_GAMES_REDUCED}, and the floor.
        """
        needed = self.FIRST_RATING_GAMES_REDUCED if seven_suffice else self.FIRST_RATING_GAMES
        return games >= needed and self.is_published(rating)

    def is_delisted(self, rating: int) -> bool:
        """7.21 — a player who drops below the floor is struck off and then unrated."""
        return not self.is_published(rating)

    def is_on_list_of_titled(self, title: str, rating: int | None) -> bool:
        """7.22 — titled players without a rating stand on a list of their own."""
        return bool(title) and rating is None

    # --- activity ------------------------------------------------------------------------------

    def activity(self, last_rated_list: date | None, list_date: date) -> Activity:
        """7.23 — active; after {INACTIVE_AFTER} months without rated games flagged;
        {LISTED_AS_INACTIVE} months later off the list.

        One rated game makes a player active on the next list (7.23c): the count starts again there.
        """
        if last_rated_list is None:
            return Activity.INACTIVE
        months = Month.of(list_date).minus(Month.of(last_rated_list))
        if months < self.INACTIVE_AFTER:
            return Activity.ACTIVE
        if months < self.INACTIVE_AFTER + self.LISTED_AS_INACTIVE:
            return Activity.INACTIVE_LISTED
        return Activity.INACTIVE

    def is_inactive(self, last_rated_list: date | None, list_date: date) -> bool:
        """7.23a — no rated game in the {INACTIVE_AFTER} months of lists that end with this one."""
        return self.activity(last_rated_list, list_date) is not Activity.ACTIVE

    def is_listed(self, last_rated_list: date | None, list_date: date) -> bool:
        """7.23b — an inactive player stays on the alphabetical list for {LISTED_AS_INACTIVE} more
        months.
        """
        return self.activity(last_rated_list, list_date) is not Activity.INACTIVE

    def is_on_top_list(self, last_rated_list: date | None, list_date: date) -> bool:
        """7.24 — whether a player can still appear among the top players."""
        if last_rated_list is None:
            return False
        months: int = self.TOP_LIST_MONTHS
        if self.reads("top_list", "as_inactive"):
            months += self.INACTIVE_AFTER
        return Month.of(list_date).minus(Month.of(last_rated_list)) < months


def _month_number(day: date) -> int:
    """The number of a month as a `Tranche` has it."""
    return day.year * 12 + day.month - 1
