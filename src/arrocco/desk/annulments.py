"""Annulling a tournament that is on published lists: a correction that removes it whole (0.4)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from sqlalchemy import Connection

from arrocco.desk.corrections import Corrections, impact_of
from arrocco.desk.desk import Act, Desk, account_of, require_for, tournament_named
from arrocco.desk.withdrawals import is_on_a_list, withdraw_report
from arrocco.errors import Illegal
from arrocco.office import reports as report_states
from arrocco.office import tournaments as states
from arrocco.office.carrying import Impact
from arrocco.office.ledger import Annulment, Correction, ReportWithdrawn
from arrocco.office.records import ReportStatus, SentReport, Tournament
from arrocco.office.roles import Asker, Permission
from arrocco.store.sql import assignments, ledger, reports, tournaments

_TAKEN = (ReportStatus.ACCEPTED, ReportStatus.RATED)


@dataclass(frozen=True)
class AnnulmentPreview:
    """What annulling a tournament would do."""

    tournament: Tournament
    rated: tuple[SentReport, ...]
    """Its reports that are on published lists."""
    impacts: Mapping[str, Impact]
    next_lists: Mapping[str, date]


class Annulments:
    """Takes tournaments out of what was rated; lists that are out stay as they are."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._corrections = Corrections(desk)

    def preview(self, asker: Asker, tournament: int) -> AnnulmentPreview:
        """Whom annulling a tournament would touch; changes nothing."""
        with self._desk.looking(asker, "preview_annulment", _subject(tournament)) as connection:
            row = tournament_named(connection, tournament)
            _require(asker, row)
            rated = _rated(connection, tournament)
            book = self._desk.book(connection)
        corrections = [
            Correction(report=sent_report.id, changes=(Annulment(),), reason="-")
            for sent_report in rated
        ]
        systems = row.registration.systems
        impacts, next_lists = impact_of(self._desk, book, systems, corrections)
        return AnnulmentPreview(row, tuple(rated), impacts, next_lists)

    def enter(self, asker: Asker, tournament: int, reason: str) -> Tournament:
        """Annuls a tournament: it is refused, and the next lists take out what it brought."""
        with self._desk.acting(asker, "annul_tournament", _subject(tournament)) as act:
            row = tournament_named(act.connection, tournament)
            _require(asker, row)
            changed = states.refused(row, reason, on=act.day)
            rated = _rated(act.connection, tournament)
            for report in reports.of_tournament(act.connection, tournament):
                if report.status not in _TAKEN:
                    continue
                if report in rated:
                    self._annul(act, asker, report, reason)
                else:
                    withdraw_report(act, asker, report, reason)
            tournaments.change(act.connection, row, changed)
            act.details |= {
                "status": changed.status.value,
                "annulled": [sent_report.id for sent_report in rated],
            }
            return changed

    def _annul(self, act: Act, asker: Asker, report: SentReport, reason: str) -> None:
        self._corrections.append(act, asker, report.id, [Annulment()], reason)
        if assignments.remove(act.connection, report.id):  # off lists that are still to come
            ledger.append(
                act.connection,
                act.at,
                account_of(asker),
                ReportWithdrawn(report=report.id, reason=reason.strip()),
            )
        done = report_states.annulled(report, reason, by=account_of(asker), at=act.at)
        reports.change(act.connection, report, done)


def _require(asker: Asker, tournament: Tournament) -> None:
    require_for(asker, Permission.APPROVE_REGISTRATION, tournament)
    require_for(asker, Permission.CORRECT, tournament)


def _rated(connection: Connection, tournament: int) -> list[SentReport]:
    """The reports on published lists. Raises `Illegal` where there is none: refuse it instead."""
    sent_reports = [
        report
        for report in reports.of_tournament(connection, tournament)
        if report.status in _TAKEN and is_on_a_list(connection, report)
    ]
    if not sent_reports:
        raise Illegal.of("desk.refused.on_no_list", number=tournament)
    return sent_reports


def _subject(tournament: int) -> str:
    return f"tournament:{tournament}"
