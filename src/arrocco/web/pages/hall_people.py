"""Who somebody is in an event: their account, and the player the federation knows (5.4)."""

from __future__ import annotations

from typing import Any

from arrocco.errors import Refusal
from arrocco.hall.event.records import Person
from arrocco.hall.event.rules import Rules
from arrocco.hall.event.state import State
from arrocco.laws.rio.edition_2025 import Rio2025
from arrocco.office.roles import Asker
from arrocco.store.list_view import ViewedPlayer
from arrocco.store.sql import accounts
from arrocco.store.sql.accounts import Account
from arrocco.web.view import View


class NoSuchAccount(Refusal, LookupError):
    """Nobody has an account of that address or number."""

    http_status = 422


def account_by(view: View, text: str) -> Account:
    """An account by its e-mail address. Raises `NoSuchAccount`."""
    with view.office.desk.database.reading() as connection:
        found = accounts.by_email(connection, text)
    if found is None or found.disabled:
        raise NoSuchAccount.of("hall_pages.no_account", email=text[:100])
    return found


def person_of_asker(view: View, asker: Asker, rules: Rules | None) -> dict[str, Any]:
    """5.4 — a player as entered by themselves: their number, surname and name as on the lists."""
    return _person(view, str(asker.account), asker.player, asker.name, asker.federation, rules)


def person_of_account(view: View, account: Account, rules: Rules | None) -> dict[str, Any]:
    """The same for a player whom an official enters."""
    return _person(view, str(account.id), account.player, account.name, account.federation, rules)


def person_numbered(view: View, person: Person, number: int, rules: Rules | None) -> dict[str, Any]:
    """The same for a player already entered, under another number of the federation."""
    name = f"{person.surname}, {person.name}"
    return _person(view, person.account, number, name, person.federation, rules)


def _person(
    view: View, account: str, number: int | None, name: str, federation: str, rules: Rules | None
) -> dict[str, Any]:
    listed = {} if number is None else view.office.people.on_lists(number)
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


def names_of(view: View, state: State) -> dict[str, str]:
    """The names of the people in an event's log, by account."""
    found = {entry.person.account: entry.person.full_name for entry in state.entries}
    found |= {arbiter.account: arbiter.name for arbiter in state.arbiters}
    with view.office.desk.database.reading() as connection:
        for organiser in state.created.organisers:
            if organiser not in found and organiser.isdecimal():
                account = accounts.by_id(connection, int(organiser))
                found[organiser] = organiser if account is None else account.name
    return found
