"""What the office has of a person: given to them as a file, and erased where nothing rests on it.

Nothing that is published is changed: lists, reports and their results stay as they were published,
and the audit log keeps what an account did under its number, since it is proved by its chain.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from typing import Any

import msgspec
from sqlalchemy import Column, ColumnElement, Connection, Table, func, select

from arrocco.desk import passwords
from arrocco.desk.desk import Desk, account_of
from arrocco.desk.own_account import OwnAccount, require_other_manager
from arrocco.errors import Illegal
from arrocco.office.roles import Asker, Permission, require
from arrocco.store.sql import accounts, follows, mail_choices, mails, questions, seals, webhooks
from arrocco.store.sql import tables as t
from arrocco.store.sql.accounts import Account
from arrocco.store.sql.tokens import new_token
from arrocco.words import Phrase

MAX_ROWS = 10_000
"""Of one table in a file; a person with more is told that there are more."""
_SECRET = frozenset(
    {
        "password_hash",
        "token_hash",
        "token",
        "secret",
        "code_hash",
        "credential",
        "hash",
        "previous",
    }
)
_ABOUT_OTHERS = {
    "audit": frozenset({"subject", "details"}),
    "committee_records": frozenset({"body"}),
    "dismissed_alarms": frozenset({"entry", "games", "reason"}),
    "mails": frozenset({"params"}),
    "player_files": frozenset({"entry", "games"}),
}
"""What rows of somebody's own acts and messages say of other people, by table."""
_ERASED = (t.devices, t.sessions, t.second_factors, t.recovery_codes, t.api_keys, t.one_time_tokens)
"""What goes with the account, by its column `account`."""


class PersonalData:
    """A person's own data."""

    def __init__(self, desk: Desk, own_account: OwnAccount) -> None:
        self._desk, self._own = desk, own_account

    def export(self, asker: Asker, of_hall: Mapping[str, bytes] | None = None) -> bytes:
        """Everything that is the asker's, and nobody else's, as a ZIP; `of_hall` are more files."""
        with self._desk.acting(asker, "export_data") as act:
            require(asker, Permission.SEE_OWN_ACCOUNT)
            number = account_of(asker)
            data: dict[str, Any] = {"exported_at": act.at.isoformat()}
            for table in t.metadata.sorted_tables:
                data[table.name] = _rows_of(act.connection, table, number)
            owner = accounts.by_id(act.connection, number)
            if owner is not None:
                invited = t.invitations.c.email == owner.email
                data["invitations"] += _shown(act.connection, t.invitations, invited)
            if asker.player is not None:
                data["ratings"] = _ratings(act.connection, asker.player)
                mine = t.player_addresses.c.player == asker.player
                data["player_addresses"] += _shown(act.connection, t.player_addresses, mine)
            data = {name: rows for name, rows in data.items() if rows}
            act.details["tables"] = len(data)
        body = msgspec.json.format(msgspec.json.encode(data, enc_hook=str), indent=2)
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as file:
            file.writestr("personal-data.json", body)
            for name, more in (of_hall or {}).items():
                file.writestr(name, more)
        return packed.getvalue()

    def rests_on(self, asker: Asker) -> tuple[str, ...]:
        """What is published or decided and names the asker; while there is any, they stay."""
        with self._desk.looking(asker, "see_own_data") as connection:
            require(asker, Permission.SEE_OWN_ACCOUNT)
            return _rests(connection, account_of(asker))

    def erase(self, asker: Asker, password: str) -> None:
        """Erases the asker's account for good; that it was done, and what stayed, is recorded."""
        owner = self._own.proved(asker, "erase_account", password)
        with self._desk.acting(asker, "erase_account", str(owner.id)) as act:
            require_other_manager(act, owner)
            rests = _rests(act.connection, owner.id)
            if rests:
                what = tuple(Phrase(f"privacy.rests.{name}") for name in rests)
                raise Illegal.of("privacy.refused.rests", what=what)
            act.details |= _erase(act.connection, owner)


def _rests(connection: Connection, account: int) -> tuple[str, ...]:
    named = {
        "tournaments": t.tournaments.c.registered_by,
        "ledger": t.ledger.c.by,
        "drafts": t.drafts.c.made_by,
        "events": t.hall_events.c.owner,
    }
    rests = [
        name
        for name, column in named.items()
        if connection.execute(select(func.count()).where(column == account)).scalar_one()
    ]
    kept = (t.questions.c.account == account, t.questions.c.correction.is_not(None))
    if connection.execute(select(func.count()).where(*kept)).scalar_one():
        rests.append("questions")
    return tuple(rests)


def _erase(connection: Connection, owner: Account) -> dict[str, Any]:
    """Takes away all that is the person's; the number of the account stays, without a name."""
    account = owner.id
    gone: dict[str, Any] = {
        "questions": questions.forget_of_account(connection, account),
        "follows": follows.forget_of_account(connection, account),
        "webhooks": webhooks.forget_of_account(connection, account),
        "mails": mails.forget_of_account(connection, account),
    }
    mail_choices.forget(connection, account)
    seals.delete(connection, t.mails, t.mails.c.address == owner.email)
    seals.delete(connection, t.invitations, t.invitations.c.email == owner.email)
    seals.delete(connection, t.claims, t.claims.c.account == account)
    for table in _ERASED:
        gone[table.name] = seals.delete(connection, table, table.c.account == account)
    if owner.player is not None:
        mine = t.player_addresses.c.player == owner.player
        gone["player_addresses"] = seals.delete(connection, t.player_addresses, mine)
    empty = {
        "email": f"erased-{account}@erased.invalid",
        "name": f"({account})",
        "player": None,
        "federation": "",
        "disabled": True,
        "password_hash": passwords.hashed(new_token()),
    }
    seals.update(connection, t.accounts, t.accounts.c.id == account, values=empty)
    return {name: count for name, count in gone.items() if count}


def _rows_of(connection: Connection, table: Table, account: int) -> list[dict[str, Any]]:
    """The rows of a table that name an account, without what opens something.

    What somebody only made or decided is about others: of that they get which and when.
    """
    if table is t.accounts:
        return _shown(connection, table, table.c.id == account)
    rows = []
    if "account" in table.c:
        rows += _shown(connection, table, table.c.account == account)
    acted = [column for column in table.c if _names_account(column) and column.name != "account"]
    for column in acted:
        keys = [c for c in table.primary_key.columns if c.name not in (*_SECRET, "player")]
        moments = [c for c in table.c if c.name.endswith("_at")]
        query = select(*keys, *moments).where(column == account)
        ordered = query.order_by(*table.primary_key.columns).limit(MAX_ROWS)
        rows += [{"you": column.name} | row._asdict() for row in connection.execute(ordered)]
    return rows


def _shown(connection: Connection, table: Table, mine: ColumnElement[bool]) -> list[dict[str, Any]]:
    """Somebody's own rows of a table, without who else had to do with them."""
    left_out = _SECRET | _ABOUT_OTHERS.get(table.name, frozenset())
    columns = [
        column
        for column in table.c
        if column.name not in left_out and (column.name == "account" or not _names_account(column))
    ]
    query = select(*columns).where(mine).order_by(*table.primary_key.columns).limit(MAX_ROWS)
    return [row._asdict() for row in connection.execute(query)]


def _names_account(column: Column[Any]) -> bool:
    return any(key.column is t.accounts.c.id for key in column.foreign_keys)


def _ratings(connection: Connection, player: int) -> list[dict[str, Any]]:
    rows = select(t.history).where(t.history.c.player == player)
    ordered = rows.order_by(t.history.c.system, t.history.c.list_date).limit(MAX_ROWS)
    return [row._asdict() for row in connection.execute(ordered)]
