"""The lists around a period as the regulation dates them: the one that opens it and some before."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from typing import Protocol, runtime_checkable

from arrocco.dates import Month
from arrocco.errors import Illegal, NoLawInForce
from arrocco.laws.rating import RatingLaw
from arrocco.laws.registry import edition_in_force

EARLIER_LISTS = 2
"""How many lists before the one that opens the period: late reports started under them."""


@runtime_checkable
class _Dated(Protocol):
    def list_in_force(self, day: date) -> date: ...
    def next_list(self, list_date: date) -> date: ...


@runtime_checkable
class _Closing(Protocol):
    def closing_date(self, list_date: date, /) -> date: ...


@dataclass(frozen=True)
class Calendar:
    """The lists that reports of a period refer to, the newest first, and how long it lasts.

    Tournaments start under a list from its `begins` (its date, or later where the regulation came
    into force later) to its `ends`: the last day it is in force, for the newest the last day a
    tournament can end to be on the next one.
    """

    period: Month
    lists: tuple[date, ...]
    begins: tuple[date, ...]
    ends: tuple[date, ...]
    laws: tuple[RatingLaw, ...]
    """The edition in force under each list."""

    @property
    def law(self) -> RatingLaw:
        """The edition in force when the period opens."""
        return self.laws[0]

    @classmethod
    def of(cls, law: str, period: Month) -> Calendar:
        """The lists of a period. Raises `NoLawInForce` where the regulation is not in force."""
        edition = edition_in_force(law, period.first_day)()
        if not isinstance(edition, _Dated):
            raise Illegal.of("generate.refused.no_dates", law=law)
        opening = edition.list_in_force(period.first_day)
        closing = edition.next_list(opening)
        last = closing - timedelta(days=1)
        if isinstance(edition, _Closing):
            last = edition.closing_date(closing)
        lists, begins, ends = [opening], [_begin(edition, opening)], [last]
        laws: list[RatingLaw] = [edition]
        while len(lists) <= EARLIER_LISTS:
            before = lists[-1] - timedelta(days=1)
            try:
                earlier = edition_in_force(law, before)()
            except NoLawInForce:
                break
            assert isinstance(earlier, _Dated)
            lists.append(earlier.list_in_force(before))
            begins.append(_begin(earlier, lists[-1]))
            ends.append(before)
            laws.append(earlier)
        return cls(period, tuple(lists), tuple(begins), tuple(ends), tuple(laws))


def _begin(edition: RatingLaw, list_date: date) -> date:
    """The first day under a list on which its edition is in force."""
    start = edition.in_force.start
    return list_date if start is None else max(list_date, start)
