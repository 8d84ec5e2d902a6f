"""Invented accounts, tournaments and reports for the tests of the database."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

from msgspec.structs import replace
from sqlalchemy import Connection

from arrocco.office.ledger import AnyEntry, PlayersMerged, ReportAccepted
from arrocco.office.records import (
    Registration,
    ReportStatus,
    RoundTime,
    SentReport,
    Tournament,
    TournamentStatus,
)
from arrocco.office.roles import Role
from arrocco.records.report import Facts, System
from arrocco.store.sql import accounts, reports, tournaments

NOW = datetime(2026, 3, 1, 12, 30, 15, 250_000, tzinfo=UTC)
HOUR = timedelta(hours=1)
LIST = date(2026, 4, 1)
REGISTRATION = Registration(
    name="Open of Rocca Inventata",
    city="Rocca Inventata",
    federation="ITA",
    systems=("fide", "uisp"),
    start=date(2026, 3, 6),
    end=date(2026, 3, 8),
    schedule=(RoundTime(day=date(2026, 3, 6), hour="15:00"),),
    time_control="90'+30\"",
    pairing=System.SWISS,
    chief_arbiter="Àrbitro, Inventato",
    facts=Facts(official=True),
)


def an_account(
    connection: Connection, email: str = "a@example.org", role: Role = Role.ARBITER
) -> accounts.Account:
    return accounts.add(
        connection,
        email=email,
        name="Anna Inventata",
        password_hash="x",
        role=role,
        federation="ITA",
        created_at=NOW,
    )


def a_tournament(connection: Connection, owner: int, **changes: object) -> Tournament:
    return tournaments.add(
        connection,
        Tournament(
            id=0,
            registration=replace(REGISTRATION, **changes),
            status=TournamentStatus.REGISTERED,
            registered_by=owner,
            registered_at=NOW,
        ),
    )


def a_report(connection: Connection, tournament: Tournament, blob: str = "b" * 64) -> SentReport:
    return reports.add(
        connection,
        SentReport(
            id=0,
            tournament=tournament.id,
            version=0,
            blob=blob,
            file_name="open.trf",
            sent_by=tournament.registered_by,
            sent_at=NOW,
            status=ReportStatus.SENT,
        ),
    )


def an_entry(number: int) -> AnyEntry:
    if number % 3:
        return PlayersMerged(kept=99_000_000 + number, left=98_000_000, reason=f"così {number}")
    return ReportAccepted(
        tournament=number,
        report=number,
        blob="c" * 64,
        file_name="è.trf",
        facts=Facts(),
        received=date(2026, 3, 9),
        lists={"uisp": LIST, "fide": LIST},
    )
