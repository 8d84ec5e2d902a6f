"""What is fixed for a FIDE period, and a player while his games are being added up."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import date

from .coefficient import coefficient_2010, coefficient_2024
from .initial import initial_2010, initial_2022, initial_2024
from .records import JInitial, JPlayer, JPoolResult, JSide, month_index


@dataclass(frozen=True)
class Period:
    """What is the same for every player and tournament of one period."""

    kind: str
    """standard, rapid or blitz."""
    is_2010: bool
    edition: date
    readings: dict[str, str]
    list_date: date

    @property
    def month(self) -> int:
        return month_index(self.list_date)

    def pool_month(self, start: date) -> int:
        """7.1.4; 2010: 7.14c: the month of the list after the period a tournament was played in.

        A period is known by the first day of a tournament; read as `rated` it is this one.
        """
        if self.readings["unrated_pool_counts"] == "rated":
            return self.month
        months = 2 if self.is_2010 else 1
        return min(self.month, month_index(start) // months * months + months)

    @property
    def previous_list(self) -> date:
        """The list that opens the period: a month before, in 2010 two months."""
        year, month = divmod(self.month - (2 if self.is_2010 else 1), 12)
        return date(year, month + 1, 1)

    @property
    def is_2022(self) -> bool:
        return self.edition == date(2022, 1, 1)

    @property
    def floor(self) -> int:
        if self.is_2022:
            return 1000
        return 1200 if self.is_2010 else 1400

    @property
    def window(self) -> int:
        """Months of lists a pool may span, the current one included."""
        return 24 if self.is_2010 else 26

    def coefficient(self, player: JPlayer, on: date) -> int:
        if self.is_2010:
            return coefficient_2010(player)
        return coefficient_2024(player, on, self.readings["junior_until"])

    def initial(self, pool: list[JPoolResult], special_body: bool) -> JInitial:
        if self.is_2022:
            return initial_2022(pool)
        return initial_2010(pool, special_body) if self.is_2010 else initial_2024(pool)


@dataclass
class Account:
    """A player while his period is being added up."""

    player: JPlayer
    base: int | None
    first_done: bool
    kept: list[JPoolResult]
    fresh: list[JPoolResult] = field(default_factory=list)
    pointless: list[JPoolResult] = field(default_factory=list)
    """Results of long tournaments that wait for a point."""
    returned: int = 0
    """Games of earlier months that a point has brought back: rated before this period."""
    counted: dict[str, list[JSide]] = field(default_factory=dict)

    def base_since(self, start: date, reading: str) -> int | None:
        """8.2.4; 2010: 8.4: the rating with which he entered the list after a start.

        Read as `current` it is the one of the previous list.
        """
        entered = [rating for day, rating in self.player.entered if day > start]
        return entered[0] if entered and reading == "entry_rating" else self.base


def open_account(period: Period, player: JPlayer) -> Account:
    """The player with his base and with what is left of his pool.

    `sliding_window` forgets results older than the window one by one; `reset` forgets all earlier
    results as soon as one of them is older. A published rating of 2400 or 2300 on the previous
    list counts as reached even if the flags do not say so. Who has a rating has had a first event.
    """
    rating = player.rating
    player = replace(
        player,
        ever_2400=player.ever_2400 or (rating or 0) >= 2400,
        ever_2300=player.ever_2300 or (rating or 0) >= 2300,
    )
    kept = [result for result in player.pool if period.month - result.month < period.window]
    if period.readings["unrated_pool"] == "reset" and len(kept) < len(player.pool):
        kept = []
    pointless = [result for result in kept if result.pointless_in]
    kept = [result for result in kept if not result.pointless_in]
    base = rating
    if base is None and period.kind != "standard":
        base = player.standard
    return Account(
        player, base, player.first_event_done or rating is not None, kept, pointless=pointless
    )
