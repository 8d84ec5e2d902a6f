"""The readings of an office: chosen by its head, entered in the ledger, asked by whoever rates."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, timedelta
from typing import cast

from msgspec import Struct
from sqlalchemy import Connection

from arrocco.desk.desk import Desk, account_of
from arrocco.desk.reasons import check_reason
from arrocco.errors import Illegal, Inconsistent, NoLawInForce
from arrocco.laws.edition import Choice, Reading
from arrocco.laws.hall import OnlineRating, laws_held_under
from arrocco.laws.rating import RatingLaw
from arrocco.laws.systems import LAW_NAMES, SYSTEMS, RatingSystem, system_named
from arrocco.office import readings as rules
from arrocco.office.ledger import ReadingChosen
from arrocco.office.readings import Chosen
from arrocco.office.roles import Asker, Permission, require
from arrocco.store.sql import ledger, publications


class Offered(Struct, frozen=True, kw_only=True):
    """A reading that the office can choose, and how it stands."""

    law: str
    edition: str
    reading: Reading
    choice: Choice
    """What the next list is made with."""
    is_default: bool
    first_list: date
    """The first list that another choice can hold for."""


class ChosenReadings:
    """What the office has chosen, and choosing."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    # --- looking ----------------------------------------------------------------------------------

    def all(self) -> list[Chosen]:
        """Every choice that was entered, the last one first."""
        with self._desk.database.reading() as connection:
            entered = _entered(connection)
        return [rules.in_words(seq, entry) for seq, entry in reversed(entered)]

    def for_list(self, law: str, list_date: date) -> dict[str, str]:
        """The choices that hold for a list of a law."""
        with self._desk.database.reading() as connection:
            return choices_for(connection, law, list_date)

    def law_on(self, law: str, day: date) -> RatingLaw:
        """The edition in force on a day, as the office reads it for the list that is next then.

        Raises `NoLawInForce` where no edition is.
        """
        system = _systems(law)[0]
        with self._desk.database.reading() as connection:
            return system.edition_read(day, choices_on(connection, system, day))

    def rio_on(self, day: date) -> OnlineRating:
        """RIO as the office reads it for games of an event that starts on a day."""
        with self._desk.database.reading() as connection:
            return rio_on(connection, day)

    def offered(self) -> list[Offered]:
        """The readings of the editions in force that the office can choose."""
        offers, today = [], self._desk.now().date()
        with self._desk.database.reading() as connection:
            for name, law in rules.laws_with_readings(today):
                first = _first_list(connection, name, today)
                chosen = choices_for(connection, name, first)
                as_read = type(law).with_known(chosen)
                offers += [
                    Offered(
                        law=name,
                        edition=law.edition,
                        reading=reading,
                        choice=reading.choice(as_read.readings[reading.name]),
                        is_default=as_read.reads(reading.name, reading.default),
                        first_list=first,
                    )
                    for reading in rules.offered(law)
                ]
        return offers

    # --- choosing ---------------------------------------------------------------------------------

    def choose(
        self, asker: Asker, law: str, reading: str, choice: str, from_list: date, reason: str
    ) -> int:
        """Chooses how an article is read from a list on; the place in the ledger.

        Raises `Illegal` for what is read so already, for a list that is out, and for a day on
        which the law has no list.
        """
        with self._desk.acting(asker, "choose_reading", f"reading:{law}:{reading}"[:100]) as act:
            require(asker, Permission.CHOOSE_READING)
            check_reason(reason)
            self._require(act.connection, law, reading, choice, from_list)
            entry = ReadingChosen(
                law=law,
                reading=reading,
                choice=choice,
                from_list=from_list,
                reason=reason.strip(),
            )
            seq = ledger.append(act.connection, act.at, account_of(asker), entry).seq
            # Whoever published meanwhile was first: the ledger is locked by now.
            self._require_not_out(act.connection, law, from_list)
            act.details |= {"seq": seq, "choice": choice, "from_list": from_list.isoformat()}
            return seq

    def _require(
        self, connection: Connection, law: str, reading: str, choice: str, from_list: date
    ) -> None:
        if law not in LAW_NAMES:
            raise Illegal.of("laws.refused.no_regulation", law=law[:40], laws=LAW_NAMES)
        system = _systems(law)[0]
        if not rules.is_list_date(system, from_list):
            first = _first_list(connection, law, self._desk.now().date())
            raise Inconsistent.of(
                "desk.refused.no_list_then", law=law, list_date=from_list, first=first
            )
        self._require_not_out(connection, law, from_list)
        edition = system.edition_on(from_list - timedelta(days=1))
        known = {each.name: each for each in rules.offered(edition)}
        if reading not in known:
            raise Illegal.of(
                "laws.refused.no_reading", law=law, name=reading[:60], readings=tuple(known)
            )
        known[reading].choice(choice[:60])
        chosen = choices_for(connection, law, from_list)
        if type(edition).with_known(chosen).reads(reading, choice):
            raise Illegal.of(
                "desk.refused.read_so_already", reading=reading, choice=choice, list_date=from_list
            )

    def _require_not_out(self, connection: Connection, law: str, from_list: date) -> None:
        last = _last_list(connection, law)
        if last is not None and from_list <= last:
            first = _first_list(connection, law, self._desk.now().date())
            raise Illegal.of(
                "desk.refused.list_is_out", law=law, list_date=from_list, last=last, first=first
            )


def choices_for(connection: Connection, law: str, list_date: date) -> dict[str, str]:
    """The choices that hold for a list of a law, as the ledger stands."""
    return rules.choices_for(_entered(connection), law, list_date)


def choices_on(connection: Connection, system: RatingSystem, day: date) -> Mapping[str, str]:
    """The choices for the list that is next on a day; none where no edition is in force."""
    try:
        return choices_for(connection, system.law, rules.closing_list(system, day))
    except NoLawInForce:
        return {}


def rio_on(connection: Connection, day: date) -> OnlineRating:
    """RIO as the office reads it for games of an event that starts on a day.

    Hand-over, its preview, entry ratings and decided cases ask this one function; without a choice
    of the office it is the law that the hall holds the event under.
    """
    held = laws_held_under(day).rio
    chosen = choices_on(connection, SYSTEMS["rio-rapid"], day)
    return cast("OnlineRating", cast("type[RatingLaw]", type(held)).with_known(chosen))


def _entered(connection: Connection) -> list[tuple[int, ReadingChosen]]:
    return [
        (entered.seq, entered.entry)
        for entered in ledger.of_kind(connection, ReadingChosen)
        if isinstance(entered.entry, ReadingChosen)
    ]


def _systems(law: str) -> list[RatingSystem]:
    return [system for system in SYSTEMS.values() if system.law == law]


def _last_list(connection: Connection, law: str) -> date | None:
    """The newest list of any system of a law."""
    newest = [publications.latest(connection, system.key) for system in _systems(law)]
    return max((choice.list_date for choice in newest if choice is not None), default=None)


def _first_list(connection: Connection, law: str, today: date) -> date:
    """The first list of a law that is not out in any of its systems."""
    system = system_named(_systems(law)[0].key)
    return rules.closing_list(system, _last_list(connection, law) or today)
