"""How an office reads articles that can be read in more than one way: what it chose, and from when.

A choice holds from a list on: that list and those after it are made so, with every report on them.
What came out before keeps the reading it was made with.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date, timedelta
from typing import NamedTuple

from arrocco.errors import NoLawInForce
from arrocco.laws.edition import Choice, Reading
from arrocco.laws.rating import RatingLaw
from arrocco.laws.registry import edition_in_force, editions
from arrocco.laws.systems import LAW_NAMES, RatingSystem
from arrocco.office.ledger import ReadingChosen

OF_THE_CALENDAR = frozenset({"publication_interval", "monthly_lists"})
"""Which lists there are: nothing that an office chooses from one of them on."""


class Chosen(NamedTuple):
    """A choice with its place in the ledger and its words."""

    seq: int
    entry: ReadingChosen
    reading: Reading
    choice: Choice


def choices_for(
    entered: Iterable[tuple[int, ReadingChosen]], law: str, list_date: date
) -> dict[str, str]:
    """The choices that hold for a list: of two about one article the later list, then the later."""
    mine = [
        (entry.from_list, seq, entry)
        for seq, entry in entered
        if entry.law == law and entry.from_list <= list_date
    ]
    return {entry.reading: entry.choice for _, _, entry in sorted(mine, key=lambda one: one[:2])}


def offered(law: RatingLaw) -> tuple[Reading, ...]:
    """The readings of an edition that an office can choose."""
    return tuple(reading for reading in law.READINGS if reading.name not in OF_THE_CALENDAR)


def in_words(seq: int, entry: ReadingChosen) -> Chosen:
    """A choice with its words, as the edition says them that it was made under."""
    reading = reading_of(entry)
    return Chosen(seq, entry, reading, reading.choice(entry.choice))


def reading_of(entry: ReadingChosen) -> Reading:
    """The reading that a choice is about."""
    eve = entry.from_list - timedelta(days=1)
    own = edition_in_force(entry.law, eve)
    every = [*own.READINGS, *(reading for text in editions(entry.law) for reading in text.READINGS)]
    return next(one for one in every if one.name == entry.reading)


def closing_list(system: RatingSystem, day: date) -> date:
    """The list that closes the period in which a day falls: what is played then is on it."""
    law = system.edition_on(day)
    return law.next_list(law.list_in_force(day))


def is_list_date(system: RatingSystem, day: date) -> bool:
    """Whether a system has a list of that day."""
    try:
        return closing_list(system, day - timedelta(days=1)) == day
    except NoLawInForce:
        return False


def laws_with_readings(on: date) -> Iterator[tuple[str, RatingLaw]]:
    """The editions in force on a day that leave an office something to choose."""
    for name in LAW_NAMES:
        try:
            law = edition_in_force(name, on)()
        except NoLawInForce:
            continue
        if offered(law):
            yield name, law
