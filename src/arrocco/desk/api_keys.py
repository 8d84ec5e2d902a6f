"""Keys for programs that work in somebody's name: pairing programs that send reports."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from enum import StrEnum

from msgspec.structs import replace

from arrocco.desk.account_parts import NotLoggedIn, asker_for, tell
from arrocco.desk.desk import Desk, account_of
from arrocco.errors import Inconsistent
from arrocco.office.roles import Asker, Permission, require
from arrocco.store.sql import api_keys
from arrocco.store.sql.api_keys import NOTED_EVERY, ApiKey
from arrocco.store.sql.tokens import new_token

PREFIX = "arrocco_"
"""How a key begins, so that people and programs that look for leaked secrets know it."""
MAX_KEYS = 20
MAX_DAYS = 366
MAX_KEY_NAME = 100


class Scope(StrEnum):
    """What a key may be made for."""

    READ = "read"
    TOURNAMENTS = "tournaments"
    REPORTS = "reports"


_EVERY = frozenset({Permission.LOOK_UP, Permission.SEE_OWN_ACCOUNT})
PERMISSIONS: Mapping[Scope, frozenset[Permission]] = {
    Scope.READ: _EVERY | {Permission.SEE_TOURNAMENT_FILE},
    Scope.TOURNAMENTS: _EVERY | {Permission.SEE_TOURNAMENT_FILE, Permission.REGISTER_TOURNAMENT},
    Scope.REPORTS: _EVERY | {Permission.SEE_TOURNAMENT_FILE, Permission.SEND_REPORT},
}
"""What each scope lets do, as far as its owner's role may."""


class ApiKeys:
    """Keys: made and ended by their owners, and ended by administrators."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def make(self, asker: Asker, name: str, scopes: tuple[Scope, ...], days: int) -> str:
        """A new key of the asker; it is to be had only now."""
        with self._desk.acting(asker, "make_api_key", name[:MAX_KEY_NAME]) as act:
            require(asker, Permission.SEE_OWN_ACCOUNT)
            plain = name.strip()
            if not plain or not plain.isprintable() or len(plain) > MAX_KEY_NAME:
                raise Inconsistent.of("access.refused.key_name", longest=MAX_KEY_NAME)
            if not scopes:
                raise Inconsistent.of("access.refused.no_scope")
            if not 1 <= days <= MAX_DAYS:
                raise Inconsistent.of("access.refused.key_days", most=MAX_DAYS)
            account = account_of(asker)
            own = api_keys.of_account(act.connection, account)
            serving = [k for k in own if k.revoked_at is None and k.expires_at > act.at]
            if len(serving) >= MAX_KEYS:
                raise Inconsistent.of("access.refused.many_keys", most=MAX_KEYS)
            key, until = PREFIX + new_token(), act.at + timedelta(days=days)
            names = tuple(scope.value for scope in scopes)
            made = api_keys.add(act.connection, key, account, plain, names, act.at, until)
            act.details |= {"key": made.id, "scopes": list(names), "until": until.isoformat()}
            tell(act, account, "key_made")
            return key

    def own(self, asker: Asker) -> list[ApiKey]:
        """The asker's keys, the newest first."""
        with self._desk.looking(asker, "see_own_account") as connection:
            require(asker, Permission.SEE_OWN_ACCOUNT)
            return api_keys.of_account(connection, account_of(asker))

    def revoke(self, asker: Asker, key: int) -> None:
        """Ends a key of the asker, at once."""
        with self._desk.acting(asker, "revoke_api_key", str(key)) as act:
            require(asker, Permission.SEE_OWN_ACCOUNT)
            if not api_keys.revoke(act.connection, key, act.at, account_of(asker)):
                raise Inconsistent.of("access.refused.no_key")

    def asker_of(self, key: str, address: str = "") -> Asker:
        """In whose name a program asks, and for what. Raises `NotLoggedIn`."""
        at = self._desk.now()
        with self._desk.database.reading() as connection:
            holder = api_keys.holder(connection, key, at) if key.startswith(PREFIX) else None
            if holder is None:
                raise NotLoggedIn.of("access.refused.key")
            api_key, account = holder
            asker = asker_for(connection, account, address)
        if api_key.used_at is None or at - api_key.used_at >= NOTED_EVERY:
            with self._desk.database.writing() as connection:
                api_keys.note_use(connection, api_key.id, at, address)
        only = frozenset().union(*(PERMISSIONS[Scope(scope)] for scope in api_key.scopes))
        return replace(asker, only=only, program=api_key.name)
