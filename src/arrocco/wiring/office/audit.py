"""The audit log: who did or tried what."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from arrocco.errors import Refusal
from arrocco.office.roles import Asker, Permission, may, require
from arrocco.store.sql import accounts, audit
from arrocco.store.sql.audit import Audited
from arrocco.wiring.office.desk import Desk

SUBJECT = 200
"""Characters of an address that are kept."""


class Audit:
    """Reads what `Desk.acting` writes."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def note(self, asker: Asker, action: str, subject: str, refusal: Refusal) -> None:
        """Writes down that something was refused before any use case was asked."""
        self._desk.refused(asker, action, subject[:SUBJECT], refusal)

    def page(
        self,
        asker: Asker,
        *,
        account: int | None = None,
        action: str = "",
        subject: str = "",
        outcome: str = "",
        since: datetime | None = None,
        until: datetime | None = None,
        before: int | None = None,
        limit: int = 50,
    ) -> list[Audited]:
        """Lines of the log, the newest first; `before` is the last number of the page before."""
        if may(asker, Permission.READ_AUDIT):
            self._desk.sum_up_refused()
        with self._desk.looking(asker, "read_audit") as connection:
            require(asker, Permission.READ_AUDIT)
            return audit.page(
                connection, account=account, action=action, subject=subject, outcome=outcome,
                since=since, until=until, before=before, limit=limit,
            )  # fmt: skip

    def names(self, asker: Asker, numbers: Collection[int]) -> dict[int, str]:
        """The names of accounts that the log tells of, by their numbers."""
        with self._desk.looking(asker, "read_audit") as connection:
            require(asker, Permission.READ_AUDIT)
            found = (accounts.by_id(connection, number) for number in sorted(numbers))
            return {one.id: one.name for one in found if one is not None}

    def named(self, asker: Asker, text: str) -> list[tuple[int, str]]:
        """Accounts whose name or e-mail address holds all the words of a text, in any order."""
        words = text.casefold().split()
        with self._desk.looking(asker, "read_audit") as connection:
            require(asker, Permission.READ_AUDIT)
            return [
                (one.id, one.name)
                for one in accounts.every(connection)
                if all(word in f"{one.name} {one.email}".casefold() for word in words)
            ]
