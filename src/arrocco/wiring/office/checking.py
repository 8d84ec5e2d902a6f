"""Checking reports: against the law, their registration and the lists in force."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from sqlalchemy import Connection

from arrocco.findings import Finding, has_errors
from arrocco.formats.lists import read_list
from arrocco.formats.trf import read_report
from arrocco.laws.publications import Publications
from arrocco.office import cutoff, intake
from arrocco.office.cutoff import NoList
from arrocco.office.findings import stored
from arrocco.office.intake import Adjustment
from arrocco.office.records import ReportStatus, StoredFinding, Tournament
from arrocco.office.systems import RatingSystem, system_named
from arrocco.ratinglist import RatingList
from arrocco.report import Report
from arrocco.store.list_folder import ListFolder
from arrocco.store.sql import publications
from arrocco.wiring.office.counting import Counting
from arrocco.wiring.office.desk import Desk, merged_numbers


@dataclass(frozen=True)
class Checked:
    """A report before it is sent: what is in it and what there is to say of it."""

    report: Report
    findings: Mapping[str, tuple[Finding, ...]]
    """By system; under the empty name what reading found, the same for all of them."""
    adjustments: Mapping[str, tuple[Adjustment, ...]]
    lists: Mapping[str, date | NoList]
    """The list it would fall on if it were accepted today."""
    status: ReportStatus
    """What would become of it."""


class Checker:
    """Checks reports of an office."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._counting = Counting(desk)

    def check(
        self, connection: Connection, tournament: Tournament, name: str, content: bytes
    ) -> Checked:
        """What there is to say of a report of a tournament, if it is sent now."""
        report, reading = read_report(content, name)
        registration, on = tournament.registration, self._desk.now().date()
        merged = merged_numbers(connection)
        counted = self._counting.findings(connection, tournament, report)
        findings: dict[str, tuple[Finding, ...]] = {"": (*reading, *counted)}
        read = {id(finding) for finding in reading}
        adjusted: dict[str, tuple[Adjustment, ...]] = {}
        lists: dict[str, date | NoList] = {}
        for system in map(system_named, registration.systems):
            start = report.start or registration.start
            listed = self._list_in_force(connection, system, start, report, merged)
            found = intake.check(
                report, reading, registration, system, listed, on, merged=merged,
                approvals=tournament.approvals,
            )  # fmt: skip
            findings[system.key] = tuple(one for one in found if id(one) not in read)
            law = system.edition_on(start) if not has_errors(found) else None
            if law is not None:
                adjusted[system.key] = tuple(
                    intake.adjustments(
                        report, law, listed, merged=merged, registration=registration
                    )
                )
                lists[system.key] = self.list_for(connection, system, report, tournament, on)
        every = [one for found in findings.values() for one in found]
        return Checked(report, findings, adjusted, lists, intake.status_of(every))

    def _list_in_force(
        self,
        connection: Connection,
        system: RatingSystem,
        start: date,
        report: Report,
        merged: Mapping[int, int],
    ) -> RatingList | None:
        """The players of a report on the list in force when it started."""
        found = publications.latest(connection, system.key, on_or_before=start)
        if found is None:
            return None
        ids = {merged.get(entry.id, entry.id) for entry in report.entries if entry.id is not None}
        path = ListFolder(self._desk.lists / system.key, system.kind).path(found.list_date)
        return read_list(path, system.kind, only=ids)[0]

    def list_for(
        self,
        connection: Connection,
        system: RatingSystem,
        report: Report,
        tournament: Tournament,
        received: date,
    ) -> date | NoList:
        """The list of a system that a report received on a day falls on."""
        registration = tournament.registration
        days = [one.list_date for one in publications.of_system(connection, system.key)]
        end = report.end or registration.end
        return cutoff.list_for(
            system.edition_on(end), system, end, received, registration.facts.official,
            Publications(days), latest=max(days, default=None),
        )  # fmt: skip


def stored_findings(findings: Mapping[str, tuple[Finding, ...]]) -> tuple[StoredFinding, ...]:
    """Findings of all systems; what several systems say alike is kept once, under no system."""
    seen: dict[tuple[str, str, str], str] = {}
    kept: list[StoredFinding] = []
    for system, found in findings.items():
        for one in found:
            same = one.key, str(one.place), repr(sorted(one.details.items(), key=str))
            if same not in seen:
                seen[same] = system
                kept.append(stored(one, system))
    return tuple(kept)
