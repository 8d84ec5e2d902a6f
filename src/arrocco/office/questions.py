"""What only some regulations answer about registering, appealing and closing lists.

As in the engine's checks, an edition has a chapter when it has its methods.
"""

from __future__ import annotations

from datetime import date
from functools import cache
from typing import Protocol, runtime_checkable

from arrocco.laws.publications import Publications
from arrocco.laws.rating import RatingLaw
from arrocco.laws.registry import edition_named
from arrocco.records.timecontrol import TimeControl


@runtime_checkable
class Appeals(Protocol):
    """A refusal to rate can be appealed against within so many days (FIDE)."""

    def appeal_deadline(self, notified: date) -> date: ...


@runtime_checkable
class ClosesByEnd(Protocol):
    """A list takes the tournaments that ended by a day, official ones until a later day (FIDE)."""

    def next_list(self, list_date: date) -> date: ...
    def first_list(self, end: date, *, official: bool = False) -> date: ...
    def closing_date(self, list_date: date, *, official: bool = False) -> date: ...
    def last_list(self, end: date) -> date | None: ...


@runtime_checkable
class ClosesByReceipt(Protocol):
    """A ranking takes the tournaments received by a day (UISP)."""

    def next_list(self, list_date: date) -> date: ...
    def closing_date(self, emission: date) -> date: ...
    def period_of_receipt(self, received: date, emissions: Publications | None = None) -> date: ...


@runtime_checkable
class AppearsInTime(Protocol):
    """A ranking is to appear within so many days (UISP)."""

    def emission_is_in_time(self, emission: date, ranking: date | None = None) -> bool: ...


@runtime_checkable
class TypesOfTime(Protocol):
    """The regulation has classes of time control of its own (RIO)."""

    def time_class(self, control: TimeControl) -> str | None: ...


def article_of(law: RatingLaw, rule: str) -> str:
    """The article under which an edition has a rule; empty where it has none."""
    return _articles(law.law, law.edition).get(rule, "")


@cache
def _articles(law: str, edition: str) -> dict[str, str]:
    """The articles of an edition's rules; found once, since it never changes."""
    return {rule.name: rule.article for rule in edition_named(law, edition).rules()}
