"""Reports: checked, sent, answered, decided; one that was acknowledged is on the disk."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

from sqlalchemy import Connection

from arrocco.errors import Illegal
from arrocco.formats.trf import read_report
from arrocco.office import reports as states
from arrocco.office.ledger import ReportAccepted
from arrocco.office.records import (
    ReportStatus,
    SentReport,
    Tournament,
    TournamentStatus,
)
from arrocco.office.roles import Asker, Permission
from arrocco.office.systems import system_named
from arrocco.report import Report
from arrocco.store.sql import assignments, ledger, reports
from arrocco.wiring.office.checking import Checked, Checker, stored_findings
from arrocco.wiring.office.counting import Counting
from arrocco.wiring.office.desk import (
    Act,
    Desk,
    account_of,
    report_named,
    require_for,
    tournament_named,
)
from arrocco.wiring.office.tournaments import whose
from arrocco.wiring.office.uploads import taken
from arrocco.wiring.office.withdrawing import is_on_a_list, withdraw_report
from arrocco.words import Phrase

__all__ = ["Checked", "Reports"]

_S = ReportStatus
_WAITING = (_S.RETURNED, _S.NEEDS_ANSWERS, _S.SENT)
_REPLACED = (*_WAITING, _S.REJECTED, _S.WITHDRAWN)


class Reports:
    """Reports of tournaments on their way to a list."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._checker = Checker(desk)
        self._counting = Counting(desk)

    # --- sending ----------------------------------------------------------------------------------

    def check(self, asker: Asker, tournament: int, file_name: str, data: bytes) -> Checked:
        """Says what would become of a report; changes nothing."""
        with self._desk.looking(asker, "check_report", _of(tournament)) as connection:
            found = tournament_named(connection, tournament)
            require_for(asker, Permission.SEND_REPORT, found)
            return self._checker.check(connection, found, *taken(file_name, data))

    def send(self, asker: Asker, tournament: int, file_name: str, data: bytes) -> SentReport:
        """Sends a report; once this returns it is on the disk."""
        # Checked before the transaction: nobody waits while a large report is read.
        with self._desk.looking(asker, "send_report", _of(tournament)) as connection:
            found = tournament_named(connection, tournament)
            require_for(asker, Permission.SEND_REPORT, found)
            _require_registered(found)
            name, content = taken(file_name, data)
            checked = self._checker.check(connection, found, name, content)
        with self._desk.acting(asker, "send_report", _of(tournament)) as act:
            _require_registered(tournament_named(act.connection, tournament))
            for earlier, _ in self._counting.earlier(act.connection, tournament, checked.report):
                if earlier.status in _REPLACED:
                    reports.change(act.connection, earlier, states.superseded(earlier))
            sent = SentReport(
                id=0, tournament=tournament, version=0, blob=self._desk.blobs.put(content),
                file_name=name, sent_by=account_of(asker), sent_at=act.at,
                status=checked.status, findings=stored_findings(checked.findings),
            )  # fmt: skip
            sent = reports.add(act.connection, sent)
            act.details |= {"report": sent.id, "blob": sent.blob, "status": sent.status.value}
            return sent

    # --- deciding ---------------------------------------------------------------------------------

    def answer(self, asker: Asker, report: int, answers: Mapping[int, str]) -> SentReport:
        """Gives reasons for warnings, by their place among the findings."""
        with self._desk.acting(asker, "answer_report", _number(report)) as act:
            found, tournament = report_named(act.connection, report)
            require_for(asker, Permission.SEND_REPORT, tournament)
            changed = reports.change(act.connection, found, states.answered(found, answers))
            act.details |= {"answers": sorted(answers), "status": changed.status.value}
            return changed

    def accept(self, asker: Asker, report: int, note: str = "") -> SentReport:
        """Accepts a report: it goes on the next list of each system that is still open for it."""
        with self._desk.acting(asker, "accept_report", _number(report)) as act:
            found, tournament = report_named(act.connection, report)
            require_for(asker, Permission.DECIDE_REPORT, tournament)
            _require_registered(tournament)
            read, _ = read_report(self._desk.blobs.get(found.blob), found.file_name)
            self._refuse_counted_elsewhere(act, tournament, read)
            self._replace_accepted(act, asker, found, read)
            accepted = states.accepted(found, by=account_of(asker), at=act.at, note=note)
            reports.change(act.connection, found, accepted)
            received = found.sent_at.date()
            lists = self._lists(act.connection, read, tournament, received)
            registration = tournament.registration
            control = "" if read.time_control is not None else registration.time_control
            entered = ledger.append(
                act.connection, act.at, account_of(asker),
                ReportAccepted(
                    tournament=tournament.id, report=found.id, blob=found.blob,
                    file_name=found.file_name, facts=registration.facts, received=received,
                    lists=lists, time_control=control,
                ),
            )  # fmt: skip
            assignments.add(act.connection, found.id, lists)
            act.details |= {
                "seq": entered.seq,
                "lists": {s: d.isoformat() for s, d in lists.items()},
            }
            return accepted

    def _lists(
        self, connection: Connection, read: Report, tournament: Tournament, received: date
    ) -> dict[str, date]:
        """By system the list a report falls on. Raises `Illegal` where no system takes it."""
        lists = {
            system.key: self._checker.list_for(connection, system, read, tournament, received)
            for system in map(system_named, tournament.registration.systems)
        }
        open_ = {system: day for system, day in lists.items() if isinstance(day, date)}
        if not open_:
            reasons = tuple(
                Phrase(
                    "desk.no_list_of", {"system": system, "why": Phrase(f"office.no_list.{why}")}
                )
                for system, why in lists.items()
            )
            raise Illegal.of("desk.refused.no_list_open", reasons=reasons)
        return open_

    def _refuse_counted_elsewhere(self, act: Act, tournament: Tournament, read: Report) -> None:
        """9.1 — another registration may have been accepted since the report was checked."""
        for finding in self._counting.elsewhere(act.connection, tournament, read):
            raise Illegal.of("desk.refused.same_games_elsewhere", **finding.details)

    def _replace_accepted(self, act: Act, asker: Asker, new: SentReport, read: Report) -> None:
        """9.1 — withdraws accepted reports of the same games that are on no list yet."""
        for earlier, _ in self._counting.earlier(act.connection, new.tournament, read, new.id):
            if earlier.status is _S.RATED or is_on_a_list(act.connection, earlier):
                raise Illegal.of("desk.refused.rated_already", version=earlier.version)
            if earlier.status is _S.ACCEPTED:
                reason = f"replaced by version {new.version}"
                withdraw_report(act, asker, earlier, reason)

    def reject(self, asker: Asker, report: int, reason: str) -> SentReport:
        """Rejects a report, with a reason."""
        with self._desk.acting(asker, "reject_report", _number(report)) as act:
            found, tournament = report_named(act.connection, report)
            require_for(asker, Permission.DECIDE_REPORT, tournament)
            changed = states.rejected(found, reason, by=account_of(asker), at=act.at)
            return reports.change(act.connection, found, changed)

    def withdraw(self, asker: Asker, report: int, reason: str) -> SentReport:
        """Takes a report back that is on no list yet; one that was accepted, the administrator."""
        with self._desk.acting(asker, "withdraw_report", _number(report)) as act:
            found, tournament = report_named(act.connection, report)
            decided = found.status is _S.ACCEPTED
            permission = Permission.DECIDE_REPORT if decided else Permission.SEND_REPORT
            require_for(asker, permission, tournament)
            return withdraw_report(act, asker, found, reason)

    # --- looking ----------------------------------------------------------------------------------

    def get(self, asker: Asker, report: int) -> SentReport:
        """A report with its findings."""
        with self._desk.looking(asker, "see_report", _number(report)) as connection:
            found, tournament = report_named(connection, report)
            require_for(asker, Permission.SEE_TOURNAMENT_FILE, tournament)
            return found

    def content(self, asker: Asker, report: int) -> bytes:
        """The file of a report, as it was sent."""
        return self._desk.blobs.get(self.get(asker, report).blob)

    def read(self, asker: Asker, report: int) -> Report:
        """What a report says."""
        found = self.get(asker, report)
        return read_report(self._desk.blobs.get(found.blob), found.file_name)[0]

    def lists(self, asker: Asker, report: int) -> dict[str, tuple[date, bool]]:
        """By system: the list a report falls on and whether it is out."""
        self.get(asker, report)
        with self._desk.database.reading() as connection:
            return assignments.of_report(connection, report)

    def of_tournament(self, asker: Asker, tournament: int) -> list[SentReport]:
        """The reports of a tournament, the newest first."""
        with self._desk.looking(asker, "see_reports", _of(tournament)) as connection:
            found = tournament_named(connection, tournament)
            require_for(asker, Permission.SEE_TOURNAMENT_FILE, found)
            return reports.of_tournament(connection, tournament)

    def waiting(
        self, asker: Asker, *, offset: int = 0, limit: int = 50
    ) -> tuple[int, list[SentReport]]:
        """How many reports wait for somebody, and a page of them: those that wait longest first.

        For the administrator those to be decided; for others their own that came back.
        """
        with self._desk.looking(asker, "see_waiting_reports") as connection:
            federation, owner = whose(asker)
            decides = asker.scope_of(Permission.DECIDE_REPORT) is not None
            return reports.with_status(
                connection, (_S.SENT,) if decides else _WAITING, federation=federation,
                owner=owner, offset=offset, limit=limit,
            )  # fmt: skip

    def correctable(
        self, asker: Asker, *, text: str = "", offset: int = 0, limit: int = 50
    ) -> tuple[int, list[SentReport]]:
        """How many reports can be corrected, and a page of them: the latest tournaments first."""
        with self._desk.looking(asker, "see_correctable_reports") as connection:
            federation, owner = whose(asker)
            return reports.with_status(
                connection, (_S.RATED, _S.ACCEPTED), federation=federation, owner=owner,
                text=text, latest_first=True, offset=offset, limit=limit,
            )  # fmt: skip


def _require_registered(tournament: Tournament) -> None:
    if tournament.status is not TournamentStatus.REGISTERED:
        status = Phrase(f"office.tournament.{tournament.status.value}")
        raise Illegal.of("desk.refused.not_registered", number=tournament.id, status=status)


def _of(tournament: int) -> str:
    return f"tournament:{tournament}"


def _number(report: int) -> str:
    return f"report:{report}"
