"""What every use case stands on: the folder, the database, the clock, and acts that are audited.

An act is one transaction. What it does and the line of the audit log that tells of it are written
together or not at all; an act that is refused leaves a line that says so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

from sqlalchemy import Connection

from arrocco.desk.book import Book
from arrocco.desk.parsed_reports import ParsedReports
from arrocco.errors import Inconsistent, Refusal, Unavailable
from arrocco.office.ledger import PlayersMerged
from arrocco.office.player_changes import renamed_ids
from arrocco.office.records import SentReport, Tournament
from arrocco.office.roles import Asker, Permission, Role, Subject, require
from arrocco.store.blobs import Blobs
from arrocco.store.sql import audit, ledger, refusal_counts, reports, tournaments
from arrocco.store.sql.database import Database

Now = Callable[[], datetime]
DONE, REFUSED = "done", "refused"
WINDOW = timedelta(hours=1)
"""What is only counted is summed up for each."""
MAX_NOTED = 60
"""Refusals of one account in a window that are written down one by one."""
_MAX_ACCOUNTS = 10
"""Accounts that a sum names: those that were tried most."""
OPERATOR = 0
"""Stands in the ledger for the command line, which needs no account."""


def utc_now() -> datetime:
    """The moment it is, in UTC."""
    return datetime.now(UTC)


@dataclass
class Act:
    """One act under way; what it adds to `details` stands in the audit log."""

    connection: Connection
    at: datetime
    subject: str = ""
    details: dict[str, object] = field(default_factory=dict)

    @property
    def day(self) -> date:
        return self.at.date()


class Desk:
    """The folder and the database of an office."""

    def __init__(self, folder: Path, database: Database, now: Now = utc_now) -> None:
        self.folder, self.database, self.now = folder, database, now
        self.blobs = Blobs(folder / "blobs")
        self.parsed = ParsedReports()
        self.lists = folder / "lists"
        self.drafts = folder / "drafts"
        self.views = folder / "views"
        self._noted: Counter[int] = Counter()
        self._noted_since = datetime.min.replace(tzinfo=UTC)

    @contextmanager
    def acting(self, asker: Asker, action: str, subject: str = "") -> Iterator[Act]:
        """One transaction and its line in the audit log, also where it is refused."""
        at = self.now()
        act = Act(None, at, subject)  # type: ignore[arg-type]
        try:
            with self.database.writing() as connection:
                act.connection = connection
                yield act
                self._note(connection, asker, action, act, DONE, act.details)
        except Unavailable:  # there is nothing to write it down in
            raise
        except Refusal as refusal:
            self.refused(asker, action, act.subject, refusal)
            raise

    @contextmanager
    def looking(self, asker: Asker, action: str, subject: str = "") -> Iterator[Connection]:
        """One moment of the database; only a refusal leaves a line in the audit log."""
        try:
            with self.database.reading() as connection:
                yield connection
        except Unavailable:  # there is nothing to write it down in
            raise
        except Refusal as refusal:
            self.refused(asker, action, subject, refusal)
            raise

    def refused(self, asker: Asker, action: str, subject: str, refusal: Refusal) -> None:
        """Writes down that something was refused.

        Strangers are counted, and so is an account that is refused again and again: anybody may
        have one where people sign up themselves, and nobody fills the log.
        """
        if asker.account is None and asker.role is Role.PUBLIC:
            self.count_refused(action, refusal)
            return
        if asker.account is not None and not self._is_noted(asker.account):
            self.count_refused(action, refusal, asker.account)
            return
        act = Act(None, self.now(), subject)  # type: ignore[arg-type]
        details: dict[str, object] = {"key": refusal.key} if refusal.key else {}
        with self.database.writing() as connection:
            self._note(connection, asker, action, act, REFUSED, details)

    def _is_noted(self, account: int) -> bool:
        """Whether one more refusal of an account stands in the log by itself."""
        since = _window_of(self.now())
        if since != self._noted_since:
            self._noted.clear()
            self._noted_since = since
        self._noted[account] += 1
        return self._noted[account] <= MAX_NOTED

    def count_refused(self, action: str, refusal: Refusal, account: int = 0) -> None:
        """Counts what was refused, with the account that it is about or that asked.

        What was typed is not kept. The audit log gets one line for each kind and window.
        """
        at = self.now()
        since = _window_of(at)
        with self.database.writing() as connection:
            if refusal_counts.has_any_before(connection, since):
                self._sum_up(connection, since, at)
            refusal_counts.add(connection, since, action, refusal.key, account)

    def sum_up_refused(self) -> None:
        """Writes down the sums of the windows that are over."""
        at = self.now()
        since = _window_of(at)
        with self.database.reading() as connection:
            is_due = refusal_counts.has_any_before(connection, since)
        if is_due:
            with self.database.writing() as connection:
                self._sum_up(connection, since, at)

    def _sum_up(self, connection: Connection, since: datetime, at: datetime) -> None:
        stranger = Asker()
        for counted in refusal_counts.before(connection, since):
            most = sorted(counted.accounts.items(), key=lambda item: (-item[1], item[0]))
            details: dict[str, object] = {
                "key": counted.key,
                "count": counted.total,
                "since": counted.since.isoformat(),
                "until": (counted.since + WINDOW).isoformat(),
                "accounts": {str(account): count for account, count in most[:_MAX_ACCOUNTS]},
            }
            act = Act(connection, at)
            self._note(connection, stranger, counted.action, act, REFUSED, details)
        refusal_counts.forget_before(connection, since)

    def _note(
        self,
        connection: Connection,
        asker: Asker,
        action: str,
        act: Act,
        outcome: str,
        details: Mapping[str, object],
    ) -> None:
        if asker.program:
            details = {**details, "program": asker.program}
        audit.append(
            connection,
            at=act.at,
            account=asker.account,
            role=asker.role.value,
            action=action,
            outcome=outcome,
            address=asker.address,
            subject=act.subject,
            details=details,
        )

    def book(self, connection: Connection) -> Book:
        """The whole ledger."""
        return Book(ledger.read(connection))


def _window_of(at: datetime) -> datetime:
    """When the window of a moment began."""
    return at.replace(minute=0, second=0, microsecond=0)


def operator(role: Role) -> Asker:
    """Who works at the machine itself, through the command line: without an account."""
    return Asker(name="operator", role=role, address="local")


def account_of(asker: Asker) -> int:
    """The number of the account that acts; `OPERATOR` for the command line."""
    return OPERATOR if asker.account is None else asker.account


def mergers(connection: Connection) -> list[PlayersMerged]:
    """All mergers of numbers, in the order they were entered."""
    entered = ledger.of_kind(connection, PlayersMerged)
    return [
        ledger_entry.entry
        for ledger_entry in entered
        if isinstance(ledger_entry.entry, PlayersMerged)
    ]


def merged_numbers(connection: Connection) -> dict[int, int]:
    """From every number that was left to the one that is kept."""
    return renamed_ids(mergers(connection))


def tournament_named(connection: Connection, number: int) -> Tournament:
    """A tournament by its number. Raises `Inconsistent` where there is none."""
    tournament = tournaments.get(connection, number)
    if tournament is None:
        raise Inconsistent.of("desk.refused.no_tournament", number=number)
    return tournament


def report_named(connection: Connection, number: int) -> tuple[SentReport, Tournament]:
    """A report by its number, with its tournament. Raises `Inconsistent` where there is none."""
    sent_report = reports.get(connection, number)
    if sent_report is None:
        raise Inconsistent.of("desk.refused.no_report", number=number)
    return sent_report, tournament_named(connection, sent_report.tournament)


def subject_of(tournament: Tournament) -> Subject:
    """Whose a tournament is."""
    return Subject(federation=tournament.registration.federation, owner=tournament.registered_by)


def require_for(asker: Asker, permission: Permission, tournament: Tournament) -> None:
    """Raises `Forbidden` unless the asker may do this to the tournament."""
    require(asker, permission, subject_of(tournament))
