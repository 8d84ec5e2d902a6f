"""Checking reports: against the law, their registration and the lists in force."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from sqlalchemy import Connection

from arrocco.desk.chosen_readings import choices_for, choices_on
from arrocco.desk.counted_once import Counting
from arrocco.desk.desk import Desk, merged_numbers
from arrocco.desk.uploads import Taken
from arrocco.errors import NoLawInForce
from arrocco.findings import Finding, has_errors
from arrocco.formats.lists import read_list
from arrocco.laws.publications import Publications
from arrocco.laws.systems import STANDARD, RatingSystem, system_named
from arrocco.office import cutoff, intake
from arrocco.office.amendments import announced_on
from arrocco.office.cutoff import NoList
from arrocco.office.field_strength import stronger_field
from arrocco.office.findings import finding_of, stored
from arrocco.office.games_sent import article_asking, games_findings, is_of_games, with_games
from arrocco.office.intake import Adjustment
from arrocco.office.records import (
    Approval,
    ReportStatus,
    SentReport,
    StoredFinding,
    Tournament,
)
from arrocco.office.suspensions import suspended_findings
from arrocco.records.ratinglist import RatingList
from arrocco.records.report import Report
from arrocco.store.list_folder import ListFolder
from arrocco.store.sql import office_settings, publications

_DEADLINES = frozenset({"check.too_late"})
"""9.1 — until when games must be reported to be rated: those of a correction are rated already."""


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

    def check(self, connection: Connection, tournament: Tournament, sent: Taken) -> Checked:
        """What there is to say of a report of a tournament, if it is sent now."""
        report, reading = self._desk.parsed.read(sent.content, sent.name)
        games = self._games(tournament, report, sent)
        today = self._desk.now().date()
        return self.check_read(connection, tournament, report, reading, today, games=games)

    def _games(self, tournament: Tournament, report: Report, sent: Taken) -> list[Finding] | None:
        """9.4 — what the games that came along say of a report; `None` without them."""
        if sent.games is None:
            return None
        article, registration = "", tournament.registration
        for system in map(system_named, registration.systems):
            try:
                law = system.edition_on(intake.law_day(report, registration))
            except NoLawInForce:
                continue
            article = article or article_asking(law, hybrid=registration.facts.hybrid)
        return games_findings(report, sent.games.data, sent.games.name, article)

    def check_read(
        self,
        connection: Connection,
        tournament: Tournament,
        report: Report,
        reading: list[Finding],
        on: date,
        *,
        approvals: Iterable[Approval] | None = None,
        games: Sequence[Finding] | None = None,
    ) -> Checked:
        """What there is to say of a report that was sent on a day.

        `games` is what was found of the games that came with it; `None` where none came.
        """
        registration = tournament.registration
        approvals = tournament.approvals if approvals is None else approvals
        merged = merged_numbers(connection)
        counted = self._counting.findings(connection, tournament, report)
        findings: dict[str, tuple[Finding, ...]] = {"": (*reading, *counted, *(games or ()))}
        is_correction = any(finding.key == "office.corrects_rated" for finding in counted)
        read = {id(finding) for finding in reading}
        adjusted: dict[str, tuple[Adjustment, ...]] = {}
        lists: dict[str, date | NoList] = {}
        for system in map(system_named, registration.systems):
            start = report.start or registration.start
            listed = self._list_in_force(connection, system, start, report, merged)
            chosen = self._chosen(connection, system, report, tournament, on)
            remarks = intake.check(
                report,
                reading,
                registration,
                system,
                listed,
                on,
                merged=merged,
                approvals=approvals,
                standard=self._standard(connection, system, start, report),
                chosen=chosen,
            )
            if is_correction:
                remarks = [remark for remark in remarks if remark.key not in _DEADLINES]
            findings[system.key] = tuple(
                game for game in with_games(remarks, games) if id(game) not in read
            )
            began = intake.law_day(report, registration)
            at_first = (
                listed
                if began == start
                else self._list_in_force(connection, system, began, report, merged)
            )
            stronger = self._stronger_field(tournament, report, system, at_first, merged)
            if stronger is not None:
                findings[system.key] = (*findings[system.key], stronger)
            findings[system.key] += self._suspended(connection, tournament, report, system)
            if not has_errors(remarks):
                law = system.edition_read(began, chosen)
                adjusted[system.key] = tuple(
                    intake.adjustments(
                        report, law, listed, merged=merged, registration=registration
                    )
                )
                lists[system.key] = self.list_for(connection, system, report, tournament, on)
        every = [remark for remarks in findings.values() for remark in remarks]
        return Checked(report, findings, adjusted, lists, intake.status_of(every))

    def _chosen(
        self,
        connection: Connection,
        system: RatingSystem,
        report: Report,
        tournament: Tournament,
        received: date,
    ) -> Mapping[str, str]:
        """How the office reads open articles for the list that a report would fall on."""
        try:
            listed = self.list_for(connection, system, report, tournament, received)
        except NoLawInForce:
            return {}
        if isinstance(listed, NoList):
            return choices_on(connection, system, received)
        return choices_for(connection, system.law, listed)

    def _suspended(
        self, connection: Connection, tournament: Tournament, report: Report, system: RatingSystem
    ) -> tuple[Finding, ...]:
        """10.1 — what is of a federation that was suspended on the days of a report."""
        suspended = office_settings.get(connection).suspended
        try:
            law = system.edition_on(intake.law_day(report, tournament.registration))
        except NoLawInForce:
            return ()
        federation = tournament.registration.federation
        return tuple(suspended_findings(report, federation, law, suspended))

    def _stronger_field(
        self,
        tournament: Tournament,
        report: Report,
        system: RatingSystem,
        listed: RatingList | None,
        merged: Mapping[int, int],
    ) -> Finding | None:
        """0.2.1 — what the field as it turned out asks for."""
        began = intake.law_day(report, tournament.registration)
        try:
            law = system.edition_on(began)
        except NoLawInForce:
            return None
        announced = announced_on(tournament)
        return stronger_field(report, law, listed, began, announced, tournament.approvals, merged)

    def _list_in_force(
        self,
        connection: Connection,
        system: RatingSystem,
        start: date,
        report: Report,
        merged: Mapping[int, int],
    ) -> RatingList | None:
        """The players of a report on the list in force when it started."""
        publication = publications.latest(connection, system.key, on_or_before=start)
        if publication is None:
            return None
        ids = {merged.get(entry.id, entry.id) for entry in report.entries if entry.id is not None}
        path = ListFolder(self._desk.lists / system.key, system.kind).path(publication.list_date)
        return read_list(path, system.kind, only=ids)[0]

    def _standard(
        self, connection: Connection, system: RatingSystem, start: date, report: Report
    ) -> RatingList | None:
        """The standard list in force, for laws that let its ratings stand in."""
        try:
            stands_in = system.edition_on(start).STANDARD_STANDS_IN
        except NoLawInForce:
            return None
        if not stands_in:
            return None
        return self._list_in_force(connection, system_named(STANDARD), start, report, {})

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
        days = [
            publication.list_date for publication in publications.of_system(connection, system.key)
        ]
        end = report.end or registration.end
        return cutoff.list_for(
            system.edition_on(end),
            system,
            end,
            received,
            registration.facts.official,
            Publications(days),
            latest=max(days, default=None),
            report_days=office_settings.get(connection).report_days,
        )


def kept_games(sent: SentReport) -> list[Finding] | None:
    """What was found of the games that came with a report; `None` where none came."""
    if not sent.games_blob:
        return None
    return [finding_of(finding) for finding in sent.findings if is_of_games(finding.key)]


def stored_findings(findings: Mapping[str, tuple[Finding, ...]]) -> tuple[StoredFinding, ...]:
    """Findings of all systems; what several systems say alike is kept once, under no system."""
    seen: dict[tuple[str, str, str], str] = {}
    kept: list[StoredFinding] = []
    for system, found in findings.items():
        for finding in found:
            same = finding.key, str(finding.place), repr(sorted(finding.details.items(), key=str))
            if same not in seen:
                seen[same] = system
                kept.append(stored(finding, system))
    return tuple(kept)
