"""The audit log: who did or tried what."""

from __future__ import annotations

from collections.abc import Collection
from datetime import date, datetime

from arrocco.desk.desk import Desk
from arrocco.errors import Refusal
from arrocco.office.roles import Asker, Permission, may, require
from arrocco.store.sql import accounts, api_keys, audit, drafts, tournaments
from arrocco.store.sql.audit import Audited
from arrocco.store.sql.reports import of_numbers

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
                connection,
                account=account,
                action=action,
                subject=subject,
                outcome=outcome,
                since=since,
                until=until,
                before=before,
                limit=limit,
            )

    def names(self, asker: Asker, numbers: Collection[int]) -> dict[int, str]:
        """The names of accounts that the log tells of, by their numbers."""
        with self._desk.looking(asker, "read_audit") as connection:
            require(asker, Permission.READ_AUDIT)
            rows = (accounts.by_id(connection, number) for number in sorted(numbers))
            return {account.id: account.name for account in rows if account is not None}

    def named(self, asker: Asker, text: str) -> list[tuple[int, str]]:
        """Accounts whose name or e-mail address holds all the words of a text, in any order."""
        words = text.casefold().split()
        with self._desk.looking(asker, "read_audit") as connection:
            require(asker, Permission.READ_AUDIT)
            return [
                (account.id, account.name)
                for account in accounts.every(connection)
                if all(word in f"{account.name} {account.email}".casefold() for word in words)
            ]

    def tournaments(
        self, asker: Asker, numbers: Collection[int], reports: Collection[int]
    ) -> tuple[dict[int, str], dict[int, str]]:
        """The names of tournaments by their numbers, and by the numbers of their reports."""
        with self._desk.looking(asker, "read_audit") as connection:
            require(asker, Permission.READ_AUDIT)
            sent = {
                of_number.id: of_number.tournament
                for of_number in of_numbers(connection, sorted(reports))
            }
            wanted = {*numbers, *sent.values()}
            rows = (tournaments.get(connection, number) for number in sorted(wanted))
            names = {
                tournament.id: tournament.registration.name
                for tournament in rows
                if tournament is not None
            }
        return names, {report: names.get(of, "") for report, of in sent.items()}

    def drafts(self, asker: Asker, numbers: Collection[int]) -> dict[int, tuple[str, date]]:
        """The lists that drafts are of, by the numbers of the drafts."""
        with self._desk.looking(asker, "read_audit") as connection:
            require(asker, Permission.READ_AUDIT)
            draft_rows = (drafts.get(connection, number) for number in sorted(numbers))
            return {
                draft_row.id: (draft_row.system, draft_row.list_date)
                for draft_row in draft_rows
                if draft_row is not None
            }

    def keys(self, asker: Asker, numbers: Collection[int]) -> dict[int, str]:
        """The names of API keys by their numbers."""
        with self._desk.looking(asker, "read_audit") as connection:
            require(asker, Permission.READ_AUDIT)
            if not numbers:
                return {}
            every = api_keys.of_account(connection)
            return {api_key.id: api_key.name for api_key in every if api_key.id in numbers}
