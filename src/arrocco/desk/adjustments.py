"""The one-off adjustment of a list: entered once, it moves what the next period opens with."""

from __future__ import annotations

from datetime import date
from typing import NamedTuple

from sqlalchemy import Connection

from arrocco.desk.desk import Desk, account_of
from arrocco.desk.list_builder import opening_of_list
from arrocco.desk.reasons import check_reason
from arrocco.errors import Illegal
from arrocco.laws.rating import RatingLaw
from arrocco.laws.systems import SYSTEMS, system_named
from arrocco.office.adjustment import AdjustedRatings, with_adjustment
from arrocco.office.ledger import ListAdjusted
from arrocco.office.roles import Asker, Permission, require
from arrocco.store.list_folder import ListFolder
from arrocco.store.sql import ledger
from arrocco.words import Phrase


class Adjustable(NamedTuple):
    """A list that its regulation has adjusted and the office has not yet."""

    system: str
    list_date: date
    law: RatingLaw


class Adjustments:
    """Adjusts lists, where the regulation they open under came with such an act."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def open(self) -> list[Adjustable]:
        """The lists that can be adjusted now: the newest of their systems, and not adjusted yet."""
        with self._desk.database.reading() as connection:
            book = self._desk.book(connection)
        adjustables = []
        for key, system in SYSTEMS.items():
            last = max(book.lists(key), default=None)
            if last is None or last in book.adjusted(key):
                continue
            law = system.edition_on(last)
            if last == law.ADJUSTED_LIST:
                adjustables.append(Adjustable(key, last, law))
        return adjustables

    def preview(self, asker: Asker, system: str, list_date: date) -> AdjustedRatings:
        """Whom the adjustment of a list would move, as the list was published."""
        with self._desk.looking(asker, "see_adjustment", _subject(system, list_date)) as connection:
            require(asker, Permission.PUBLISH_LIST)
            law = self._require(connection, system, list_date)
        kind = system_named(system).kind
        stored = ListFolder(self._desk.lists / system, kind).read(list_date)
        return with_adjustment(opening_of_list(stored), law)[1]

    def enter(self, asker: Asker, system: str, list_date: date, reason: str) -> int:
        """Enters that a list is adjusted; the place in the ledger."""
        with self._desk.acting(asker, "adjust_list", _subject(system, list_date)) as act:
            require(asker, Permission.PUBLISH_LIST)
            check_reason(reason)
            self._require(act.connection, system, list_date)
            entry = ListAdjusted(system=system, list_date=list_date, reason=reason.strip())
            seq = ledger.append(act.connection, act.at, account_of(asker), entry).seq
            # Two who ask at the same time both pass the look before: the ledger is locked by now.
            if seq != self._desk.book(act.connection).first_adjustment(system, list_date):
                raise _already(system, list_date)
            act.details["seq"] = seq
            return seq

    def _require(self, connection: Connection, system: str, list_date: date) -> RatingLaw:
        """The edition that adjusts a list. Raises `Illegal` where the list cannot be adjusted."""
        rating_system, book = system_named(system), self._desk.book(connection)
        if list_date in book.adjusted(system):
            raise _already(system, list_date)
        last = max(book.lists(system), default=None)
        if last != list_date:
            known = last or Phrase("desk.no_list_yet")
            raise Illegal.of(
                "desk.refused.adjust_newest", system=system, list_date=list_date, last=known
            )
        law = rating_system.edition_on(list_date)
        if list_date != law.ADJUSTED_LIST:
            raise Illegal.of(
                "desk.refused.no_adjustment",
                system=system,
                list_date=list_date,
                law=law.law,
                edition=law.edition,
            )
        return law


def _already(system: str, list_date: date) -> Illegal:
    return Illegal.of("desk.refused.adjusted_already", system=system, list_date=list_date)


def _subject(system: str, list_date: date) -> str:
    return f"list:{system}:{list_date}"
