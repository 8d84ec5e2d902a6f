"""Roles given and taken; the audit log is their history, and nobody can rewrite it."""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct

from arrocco.desk.account_parts import check_federation, named, tell
from arrocco.desk.desk import DONE, Desk
from arrocco.desk.own_account import require_other_manager
from arrocco.desk.reasons import check_reason
from arrocco.errors import Inconsistent
from arrocco.office.roles import GRANTS, Asker, Permission, Role, require
from arrocco.store.sql import accounts, api_keys, audit

_MAX_HISTORY = 200


class RoleChange(Struct, frozen=True, kw_only=True):
    """When an account got a role, from whom and why."""

    at: datetime
    by: int | None
    """The account that gave it; `None` where it came with an invitation or at the machine."""
    by_name: str
    role: str
    federation: str
    reason: str


class RoleChanges:
    """Who was what, and since when."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def give(
        self, asker: Asker, account: int, role: Role, federation: str = "", reason: str = ""
    ) -> None:
        """Gives an account another role; what it could do before ends at once."""
        with self._desk.acting(asker, "give_role", str(account)) as act:
            require(asker, Permission.MANAGE_ACCOUNTS)
            owner = named(act.connection, account)
            if role is Role.PUBLIC:
                raise Inconsistent.of("desk.refused.public_role")
            check_federation(role, federation)
            check_reason(reason)
            if (role, federation) == (owner.role, owner.federation):
                raise Inconsistent.of("access.refused.same_role")
            if role not in GRANTS[Permission.MANAGE_ACCOUNTS]:
                require_other_manager(act, owner)
            act.details |= {
                "before": owner.role.value,
                "role": role.value,
                "federation": federation,
                "reason": reason.strip(),
            }
            accounts.set_role(act.connection, account, role, federation, owner.player)
            api_keys.revoke_all(act.connection, account, act.at)
            tell(act, account, "role")

    def history(self, asker: Asker, account: int) -> list[RoleChange]:
        """The roles an account was given, the newest first."""
        with self._desk.looking(asker, "see_accounts") as connection:
            require(asker, Permission.MANAGE_ACCOUNTS)
            named(connection, account)
            rows = audit.page(
                connection,
                action="give_role",
                subject=str(account),
                outcome=DONE,
                limit=_MAX_HISTORY,
            )
            known = {one.id: one.name for one in accounts.every(connection)}
        return [
            RoleChange(
                at=row.at,
                by=row.account,
                by_name=known.get(row.account or 0, ""),
                role=str(row.details.get("role", "")),
                federation=str(row.details.get("federation", "")),
                reason=str(row.details.get("reason", "")),
            )
            for row in rows
        ]
