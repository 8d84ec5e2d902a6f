"""Who somebody is in an event: their account, and the player the federation knows (5.4)."""

from __future__ import annotations

from typing import Any

from arrocco.desk import Office
from arrocco.engine.entering import rating_to_begin_with
from arrocco.hall.event.records import Person
from arrocco.laws.classes import TimeClass
from arrocco.office.roles import Asker
from arrocco.store.list_view import ViewedPlayer
from arrocco.store.sql import accounts

_MAX_DIGITS = 18


class KnownPeople:
    """What an office knows of people who enter an event."""

    def __init__(self, office: Office) -> None:
        self._office = office

    def __call__(self, asker: Asker, kind: TimeClass | None) -> Person:
        """Who somebody is who enters themselves."""
        return Person(
            **person_known(
                self._office, str(asker.account), asker.player, asker.name, asker.federation, kind
            )
        )

    def may_have_number(self, account: str, number: int) -> bool:
        """Whether an account is the one that holds a number of the federation, or is none."""
        if not (account.isascii() and account.isdecimal() and len(account) <= _MAX_DIGITS):
            return True
        with self._office.desk.database.reading() as connection:
            row = accounts.by_id(connection, int(account))
        return row is None or row.player == number


def person_known(
    office: Office,
    account: str,
    number: int | None,
    name: str,
    federation: str,
    kind: TimeClass | None,
) -> dict[str, Any]:
    """A player with name, title and rating as on the lists; what the account says without them."""
    listed = {} if number is None else office.people.on_lists(number)
    record = _record(listed, kind)
    surname, given = _names(name if record is None else record.name)
    person: dict[str, Any] = {
        "account": account,
        "surname": surname,
        "name": given,
        "id": number,
        "federation": federation,
    }
    if record is not None:
        person |= {"federation": record.federation, "title": record.title, "sex": record.sex}
        if record.birth is not None:
            person["birth"] = record.birth
    rating = _rating(office, listed, kind)
    if rating is not None:
        person["rating"] = rating
    return person


def rating_known(office: Office, number: int, kind: TimeClass | None) -> int | None:
    """14.2 — what a player would begin an event with today; `None` where no list has a rating."""
    return _rating(office, office.people.on_lists(number), kind)


def _rating(office: Office, listed: dict[str, ViewedPlayer], kind: TimeClass | None) -> int | None:
    if kind is None:
        return None
    held = {name: None if row.rating is None else int(row.rating) for name, row in listed.items()}
    law = office.readings.rio_on(office.desk.now().date())
    own, nothing = held.get(_system(kind)), law.entry_rating_for(kind.value, {})
    given = rating_to_begin_with(law, kind.value, own, held)
    return None if given == nothing else int(given[0])


def _record(listed: dict[str, ViewedPlayer], kind: TimeClass | None) -> ViewedPlayer | None:
    own = listed.get(_system(kind))
    return own if own is not None else next(iter(listed.values()), None)


def _system(kind: TimeClass | None) -> str:
    """14.3 — the list in force for the event's type of time control."""
    return "" if kind is None else f"rio-{kind.value}"


def _names(name: str) -> tuple[str, str]:
    """Surname and name: lists part them by a comma, accounts write the name first."""
    if "," in name:
        surname, _, given = name.partition(",")
        return surname.strip(), given.strip()
    given, _, surname = name.strip().rpartition(" ")
    return (surname.strip(), given.strip()) if given else (name.strip(), "")
