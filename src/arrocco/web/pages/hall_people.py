"""Who somebody is in an event: their account, and the player the federation knows (5.4)."""

from __future__ import annotations

from typing import Any

from arrocco.desk.hall_people import person_known
from arrocco.errors import Refusal
from arrocco.hall.event.records import Person
from arrocco.hall.event.state import State
from arrocco.laws.classes import TimeClass
from arrocco.office.roles import Asker
from arrocco.store.sql import accounts
from arrocco.store.sql.accounts import Account
from arrocco.web.view import View


class NoSuchAccount(Refusal, LookupError):
    """Nobody has an account of that address or number."""

    http_status = 422


def account_by(view: View, text: str) -> Account:
    """An account by its e-mail address. Raises `NoSuchAccount`."""
    with view.office.desk.database.reading() as connection:
        account = accounts.by_email(connection, text)
    if account is None or account.disabled:
        raise NoSuchAccount.of("hall_pages.no_account", email=text[:100])
    return account


def person_of_asker(view: View, asker: Asker, kind: TimeClass | None) -> dict[str, Any]:
    """5.4 — a player as entered by themselves: their number, surname and name as on the lists."""
    return person_known(
        view.office, str(asker.account), asker.player, asker.name, asker.federation, kind
    )


def person_of_account(view: View, account: Account, kind: TimeClass | None) -> dict[str, Any]:
    """The same for a player whom an official enters."""
    return person_known(
        view.office, str(account.id), account.player, account.name, account.federation, kind
    )


def person_numbered(
    view: View, person: Person, number: int, kind: TimeClass | None
) -> dict[str, Any]:
    """The same for a player already entered, under another number of the federation."""
    name = f"{person.surname}, {person.name}"
    return person_known(view.office, person.account, number, name, person.federation, kind)


def names_of(view: View, state: State) -> dict[str, str]:
    """The names of the people in an event's log, by account."""
    names = {entry.person.account: entry.person.full_name for entry in state.entries}
    names |= {arbiter.account: arbiter.name for arbiter in state.arbiters}
    with view.office.desk.database.reading() as connection:
        for organiser in state.created.organisers:
            if organiser not in names and organiser.isdecimal():
                account = accounts.by_id(connection, int(organiser))
                names[organiser] = organiser if account is None else account.name
    return names
