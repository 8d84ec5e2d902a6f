"""Reports that organisers owe the office, and until when each can be on its first list."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import UTC, date, datetime, time

from msgspec import Struct
from sqlalchemy import Connection

from arrocco.desk.desk import Desk, require_for
from arrocco.desk.tournaments import whose
from arrocco.errors import NoLawInForce
from arrocco.laws.publications import Publications
from arrocco.laws.systems import system_named
from arrocco.office.cutoff import NoList, last_day_to_send, list_for
from arrocco.office.records import Registration, Tournament
from arrocco.office.roles import Asker, Permission, require
from arrocco.store.sql import office_settings, publications, waiting_work
from arrocco.store.sql.waiting_work import Waiting


class OwedReport(Struct, frozen=True, kw_only=True):
    """A tournament whose report is missing, or came back and is to be sent again."""

    tournament: Tournament
    send_by: date | None
    """The last day for the first list it can be on; none where no law in force says one."""


class OwedReports:
    """What somebody owes, for their page of tournaments."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def missing(self, asker: Asker) -> list[OwedReport]:
        """The asker's tournaments that are over and have no report."""
        with self._desk.looking(asker, "see_owed_reports") as connection:
            require(asker, Permission.SEE_TOURNAMENT_FILE)
            return missing(connection, self._desk.now().date(), *whose(asker))

    def came_back(self, asker: Asker) -> dict[int, date | None]:
        """Until when each of the asker's reports that came back is to be sent again."""
        with self._desk.looking(asker, "see_owed_reports") as connection:
            require(asker, Permission.SEE_TOURNAMENT_FILE)
            owed = returned(connection, *whose(asker))
        return {report.tournament.id: report.send_by for report in owed}

    def send_by(self, asker: Asker, tournament: Tournament) -> date | None:
        """The last day for the first list that a tournament can be on."""
        with self._desk.looking(asker, "see_owed_reports") as connection:
            require_for(asker, Permission.SEE_TOURNAMENT_FILE, tournament)
            (owed,) = _owed(connection, [tournament])
        return owed.send_by


def missing(
    connection: Connection, today: date, federation: str = "", owner: int | None = None
) -> list[OwedReport]:
    """Tournaments that are over and have no report: what is due first stands first."""
    return _owed(connection, waiting_work.without_report(connection, today, federation, owner))


def returned(
    connection: Connection, federation: str = "", owner: int | None = None
) -> list[OwedReport]:
    """Tournaments whose report came back: what is due first stands first."""
    return _owed(connection, waiting_work.with_returned_report(connection, federation, owner))


def waiting(owed: Iterable[OwedReport]) -> Waiting:
    """How many are owed, since when, and until when the first: the whole of that day."""
    reports = list(owed)
    ends = [report.tournament.registration.end for report in reports]
    days = [report.send_by for report in reports if report.send_by is not None]
    return Waiting(
        len(reports),
        datetime.combine(min(ends), time(), UTC) if ends else None,
        datetime.combine(min(days), time.max, UTC) if days else None,
    )


def _owed(connection: Connection, tournaments: Iterable[Tournament]) -> list[OwedReport]:
    emissions: dict[str, Publications] = {}
    report_days = office_settings.get(connection).report_days
    owed = []
    for tournament in tournaments:
        for system in tournament.registration.systems:
            if system not in emissions:
                lists = publications.of_system(connection, system)
                emissions[system] = Publications(published.list_date for published in lists)
        day = send_by(tournament.registration, emissions, report_days)
        owed.append(OwedReport(tournament=tournament, send_by=day))
    return sorted(owed, key=lambda report: report.send_by or date.max)


def send_by(
    told: Registration, emissions: Mapping[str, Publications], report_days: int
) -> date | None:
    """The last day to send a report for the first list that a tournament can be on."""
    official, days = told.facts.official, []
    for name in told.systems:
        system = system_named(name)
        try:
            law = system.edition_on(told.end)
        except NoLawInForce:
            continue
        listed = list_for(
            law, system, told.end, told.end, official, emissions[name], report_days=report_days
        )
        if not isinstance(listed, NoList):
            days.append(last_day_to_send(law, listed, report_days, official=official))
    return min(days, default=None)
