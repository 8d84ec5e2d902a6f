"""Which lists of a system a replay goes over: made here, one after the other."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from arrocco.desk.book import Book, Plan, plan_again
from arrocco.errors import Inconsistent
from arrocco.laws.systems import RatingSystem
from arrocco.office.ledger import ListPublished
from arrocco.office.replaying import Other
from arrocco.runs.replay_sides import Side
from arrocco.words import Phrase


@dataclass(frozen=True)
class PublishedList:
    """A list of the history, with the ledger as it stood when it came out."""

    seq: int
    entry: ListPublished
    book: Book
    plan: Plan

    @property
    def day(self) -> date:
        return self.entry.list_date


def lists_between(book: Book, system: RatingSystem, first: date, last: date) -> list[ListPublished]:
    """The lists to rate once more, from the first to the last.

    Raises `Inconsistent` where either is not out, was not made here, or does not follow.
    """
    made = {entry.list_date: entry for _, entry in book.published(system.key)}
    for day in (first, last):
        if day not in made:
            known = tuple(sorted(made)) or Phrase("desk.no_list_yet")
            raise Inconsistent.of(
                "replay_pages.refused.not_made_here", system=system.key, list_date=day, known=known
            )
    if last < first:
        raise Inconsistent.of("replay_pages.refused.backwards", first=first, last=last)
    days = [day for day in book.lists(system.key) if first <= day <= last]
    for day in days:
        if day not in made:
            raise Inconsistent.of("replay_pages.refused.imported", system=system.key, list_date=day)
    return [made[day] for day in days]


def side_of(other: Other) -> Side:
    """The regulation that a replay rates by."""
    return Side(other.law, other.edition, dict(other.readings), other.kind)


def published_list(book: Book, system: RatingSystem, entry: ListPublished) -> PublishedList:
    """A list with what it was made of."""
    seq = book.lists(system.key)[entry.list_date]
    then, plan = plan_again(book, system, entry.list_date)
    return PublishedList(seq, entry, then, plan)
