"""Who is meant by a file of numbers and addresses, and mails that invite to an event."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import quote

from msgspec import Struct
from sqlalchemy import Connection

from arrocco.desk.desk import DONE, Desk
from arrocco.desk.mail import MailKind, is_address, queue_to
from arrocco.errors import Malformed, Refusal
from arrocco.office.roles import Asker
from arrocco.store.sql import accounts, audit
from arrocco.store.sql.accounts import Account, same_email

MAX_BYTES = 64 * 1024
MAX_LINES = 500
MAX_MAILS_A_DAY = 1000
"""To which one account invites: they go out in the office's name, and to strangers."""
_DAY = timedelta(days=1)
_MAX_DIGITS = 12


class Row(Struct, frozen=True, kw_only=True):
    """A line of the file: a number of the federation, an address, or both."""

    line: int
    number: int | None = None
    email: str = ""
    problem: str = ""
    """The key of what is wrong with it; empty where nothing is."""
    column: int = 1
    account: Account | None = None


def read_rows(data: bytes) -> list[Row]:
    """The lines of a file, in whichever order its columns stand. Raises `Malformed`.

    A first line with neither a number nor an address has the names of the columns.
    """
    if len(data) > MAX_BYTES:
        raise Malformed.of("hall_plan.file_too_long", most=MAX_LINES)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Malformed.of("hall_plan.file_not_text") from None
    first = text.partition("\n")[0]
    delimiter = next((one for one in ";\t" if one in first), ",")
    try:
        lines = list(csv.reader(io.StringIO(text), delimiter=delimiter, strict=True))
    except csv.Error:
        raise Malformed.of("hall_plan.file_not_text") from None
    rows = [(n, cells) for n, cells in enumerate(lines, start=1) if any(map(str.strip, cells))]
    if rows and not any(_is_number(cell) or "@" in cell for cell in rows[0][1]):
        rows = rows[1:]
    if len(rows) > MAX_LINES:
        raise Malformed.of("hall_plan.file_too_long", most=MAX_LINES)
    if not rows:
        raise Malformed.of("hall_plan.file_empty")
    return [_row(line, cells) for line, cells in rows]


def _row(line: int, cells: list[str]) -> Row:
    number, email = None, ""
    for column, cell in enumerate(map(str.strip, cells), start=1):
        if not cell:
            continue
        if _is_number(cell) and number is None:
            number = int(cell)
        elif "@" in cell and not email:
            if not is_address(same_email(cell)):
                return Row(line=line, problem="hall_plan.line.no_address", column=column)
            email = same_email(cell)
        else:
            return Row(line=line, problem="hall_plan.line.neither", column=column)
    return Row(line=line, number=number, email=email)


def _is_number(text: str) -> bool:
    plain = text.strip()
    return plain.isascii() and plain.isdecimal() and len(plain) <= _MAX_DIGITS and int(plain) > 0


class TooManyMails(Refusal):
    """An account has invited as many people today as it may."""

    http_status = 429


def _require_mails(connection: Connection, asker: Asker, count: int, at: datetime) -> None:
    acts = audit.page(
        connection,
        account=asker.account,
        action="invite_to_event",
        outcome=DONE,
        since=at - _DAY,
        limit=MAX_MAILS_A_DAY,
    )
    if sum(int(act.details.get("invited", 0)) for act in acts) + count > MAX_MAILS_A_DAY:
        raise TooManyMails.of("hall_plan.too_many_mails_today", most=MAX_MAILS_A_DAY)


class EventInvitations:
    """People for an event of the hall."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def found(self, rows: Sequence[Row]) -> list[Row]:
        """The rows with their accounts, and what is wrong with those that name nobody."""
        with self._desk.database.reading() as connection:
            return [self._found(connection, row) for row in rows]

    @staticmethod
    def _found(connection: Any, row: Row) -> Row:
        if row.problem:
            return row
        by_number = None if row.number is None else accounts.by_player(connection, row.number)
        by_email = accounts.by_email(connection, row.email) if row.email else None
        account = by_number or by_email
        problem = ""
        if by_number is not None and by_email is not None and by_number.id != by_email.id:
            problem = "hall_plan.line.two_people"
        elif account is not None and account.disabled:
            problem = "hall_plan.line.closed"
        elif account is not None and row.number is not None and account.player != row.number:
            problem = "hall_plan.line.other_number"
        elif account is None and not row.email:
            problem = "hall_plan.line.no_account"
        return Row(
            line=row.line, number=row.number, email=row.email, account=account, problem=problem
        )

    def require_mails(self, asker: Asker, count: int) -> None:
        """Raises `TooManyMails` where an account has had too many people invited today."""
        with self._desk.database.reading() as connection:
            _require_mails(connection, asker, count, self._desk.now())

    def invite(
        self,
        asker: Asker,
        event: str,
        name: str,
        secret: str,
        until: datetime,
        emails: Sequence[str],
        language: str,
    ) -> list[str]:
        """Puts mails with a link into the spool, in one act; the addresses that get none."""
        left_out = []
        path = f"/hall/{quote(event)}/join/{quote(secret)}"
        with self._desk.acting(asker, "invite_to_event", event) as act:
            _require_mails(act.connection, asker, len(set(emails)), act.at)
            for email in dict.fromkeys(emails):
                try:
                    queue_to(
                        act.connection,
                        act.at,
                        MailKind.EVENT_INVITATION,
                        email,
                        language,
                        path,
                        inviter=asker.name or "Arrocco",
                        event=name,
                        until=until.date(),
                    )
                except Refusal:
                    left_out.append(email)
            act.details |= {"invited": len(set(emails)) - len(left_out)}
        return left_out
