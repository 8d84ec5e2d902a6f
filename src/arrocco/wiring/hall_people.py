"""Who somebody is in an event: their account, and the player the federation knows (5.4)."""

from __future__ import annotations

from typing import Any

from arrocco.hall.event.records import Person
from arrocco.hall.event.rules import Rules
from arrocco.laws.rio.edition_2025 import Rio2025
from arrocco.office.roles import Asker
from arrocco.store.list_view import ViewedPlayer
from arrocco.store.sql import accounts
from arrocco.wiring.office import Office

_MAX_DIGITS = 18


class KnownPeople:
    """What an office knows of people who enter an event."""

    def __init__(self, office: Office) -> None:
        self._office = office

    def __call__(self, asker: Asker, rules: Rules | None) -> Person:
        """Who somebody is who enters themselves."""
        return Person(
            **person_known(
                self._office, str(asker.account), asker.player, asker.name, asker.federation, rules
            )
        )

    def may_have_number(self, account: str, number: int) -> bool:
        """Whether an account is the one that holds a number of the federation, or is none."""
        if not (account.isascii() and account.isdecimal() and len(account) <= _MAX_DIGITS):
            return True
        with self._office.desk.database.reading() as connection:
            found = accounts.by_id(connection, int(account))
        return found is None or found.player == number


def who_asks(office: Office) -> KnownPeople:
    """What tells who somebody is who enters an event."""
    return KnownPeople(office)


def person_known(
    office: Office,
    account: str,
    number: int | None,
    name: str,
    federation: str,
    rules: Rules | None,
) -> dict[str, Any]:
    """A player with name, title and rating as on the lists; what the account says without them."""
    listed = {} if number is None else office.people.on_lists(number)
    record = _record(listed, rules)
    surname, given = _names(name if record is None else record.name)
    person: dict[str, Any] = {
        "account": account, "surname": surname, "name": given, "id": number,
        "federation": federation,
    }  # fmt: skip
    if record is not None:
        person |= {"federation": record.federation, "title": record.title, "sex": record.sex}
        if record.birth is not None:
            person["birth"] = record.birth
    rated = listed.get(_system(rules))
    if rated is not None and rated.rating is not None:
        person["rating"] = int(rated.rating)
    return person


def _record(listed: dict[str, ViewedPlayer], rules: Rules | None) -> ViewedPlayer | None:
    own = listed.get(_system(rules))
    return own if own is not None else next(iter(listed.values()), None)


def _system(rules: Rules | None) -> str:
    """14.3 — the list in force for the event's type of time control."""
    kind = None if rules is None else rules.time_class(Rio2025())
    return "" if kind is None else f"rio-{kind.value}"


def _names(name: str) -> tuple[str, str]:
    """Surname and name: lists part them by a comma, accounts write the name first."""
    if "," in name:
        surname, _, given = name.partition(",")
        return surname.strip(), given.strip()
    given, _, surname = name.strip().rpartition(" ")
    return (surname.strip(), given.strip()) if given else (name.strip(), "")
