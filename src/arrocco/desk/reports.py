"""Reports: checked, sent, answered, decided; one that was acknowledged is on the disk."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date

from msgspec.structs import replace
from sqlalchemy import Connection

from arrocco.desk.corrected_reports import CorrectedReports
from arrocco.desk.counted_once import TAKEN, Counting
from arrocco.desk.desk import (
    Act,
    Desk,
    account_of,
    report_named,
    require_for,
    tournament_named,
)
from arrocco.desk.notices import tell_about_report
from arrocco.desk.report_checks import Checked, Checker, stored_findings
from arrocco.desk.tournaments import whose
from arrocco.desk.uploads import File, taken
from arrocco.desk.withdrawals import is_on_a_list, withdraw_report
from arrocco.engine.admission import Waiver, Waivers, waiver_key
from arrocco.errors import Illegal
from arrocco.findings import Finding, Severity
from arrocco.laws.systems import system_named
from arrocco.office import reports as states
from arrocco.office import tournaments as standing
from arrocco.office.field_strength import KEY, approval_of
from arrocco.office.games_sent import is_of_games
from arrocco.office.intake import facts_of, settled_by
from arrocco.office.ledger import (
    Correction,
    ErrorsWaived,
    IdCorrection,
    ReportAccepted,
    WaivedError,
)
from arrocco.office.new_players import carried_over, numbered
from arrocco.office.records import (
    ReportStatus,
    SentReport,
    Tournament,
    TournamentStatus,
)
from arrocco.office.roles import Asker, Permission
from arrocco.records.report import Report
from arrocco.store.sql import assignments, ledger, reports, tournaments
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
        self._corrected = CorrectedReports(desk)

    # --- sending ----------------------------------------------------------------------------------

    def check(
        self,
        asker: Asker,
        tournament: int,
        file_name: str,
        data: bytes,
        games: File | None = None,
    ) -> Checked:
        """Says what would become of a report; changes nothing."""
        with self._desk.looking(asker, "check_report", _of(tournament)) as connection:
            target = tournament_named(connection, tournament)
            require_for(asker, Permission.SEND_REPORT, target)
            return self._checker.check(connection, target, taken(file_name, data, games))

    def send(
        self,
        asker: Asker,
        tournament: int,
        file_name: str,
        data: bytes,
        games: File | None = None,
    ) -> SentReport:
        """Sends a report, with its games where they come along; then it is on the disk."""
        # Checked before the transaction: nobody waits while a large report is read.
        with self._desk.looking(asker, "send_report", _of(tournament)) as connection:
            target = tournament_named(connection, tournament)
            require_for(asker, Permission.SEND_REPORT, target)
            _require_registered(target)
            whole = taken(file_name, data, games)
            name, content = whole.name, whole.content
            checked = self._checker.check(connection, target, whole)
        with self._desk.acting(asker, "send_report", _of(tournament)) as act:
            _require_registered(tournament_named(act.connection, tournament))
            for earlier, _ in self._counting.earlier(act.connection, tournament, checked.report):
                if earlier.status in _REPLACED:
                    reports.change(act.connection, earlier, states.superseded(earlier))
            numbers = self._numbers_before(act, tournament, checked.report)
            if numbers:
                again, reading = self._desk.parsed.read(content, name)
                checked = self._checker.check_read(
                    act.connection,
                    target,
                    numbered(again, numbers),
                    reading,
                    act.day,
                    games=_of_games(checked) if whole.games is not None else None,
                )
            sent = SentReport(
                given=tuple(sorted(numbers.items())),
                id=0,
                tournament=tournament,
                version=0,
                blob=self._desk.blobs.put(content),
                file_name=name,
                sent_by=account_of(asker),
                sent_at=act.at,
                status=checked.status,
                findings=stored_findings(checked.findings),
                games_blob=self._desk.blobs.put(whole.games.data) if whole.games else "",
                games_name=whole.games.name if whole.games else "",
            )
            sent = reports.add(act.connection, sent)
            self._ask_again(act, tournament, checked)
            act.details |= {"report": sent.id, "blob": sent.blob, "status": sent.status.value}
            return sent

    def _numbers_before(self, act: Act, tournament: int, report: Report) -> dict[int, int]:
        """The numbers that were decided for the version before."""
        earlier = [
            sent_report
            for sent_report in reports.of_tournament(act.connection, tournament)
            if sent_report.numbers
        ]
        if not earlier:
            return {}
        last = max(earlier, key=lambda sent_report: sent_report.version)
        before, _ = self._desk.parsed.read(self._desk.blobs.get(last.blob), last.file_name)
        return carried_over(report, before, last.numbers)

    def _ask_again(self, act: Act, number: int, checked: Checked) -> None:
        """0.2.3 — a field stronger than announced waits for the approval it needs."""
        stronger = [
            finding
            for findings in checked.findings.values()
            for finding in findings
            if finding.key == KEY
        ]
        if stronger:
            tournament = tournament_named(act.connection, number)
            waiting = standing.needing(tournament, approval_of(stronger[0]))
            tournaments.change(act.connection, tournament, waiting)
            act.details["needs_approval"] = [finding.article for finding in stronger]

    # --- deciding ---------------------------------------------------------------------------------

    def answer(self, asker: Asker, report: int, answers: Mapping[int, str]) -> SentReport:
        """Gives reasons for warnings, by their place among the findings."""
        with self._desk.acting(asker, "answer_report", _number(report)) as act:
            sent_report, tournament = report_named(act.connection, report)
            require_for(asker, Permission.SEND_REPORT, tournament)
            changed = reports.change(
                act.connection, sent_report, states.answered(sent_report, answers)
            )
            act.details |= {"answers": sorted(answers), "status": changed.status.value}
            return changed

    def accept(
        self, asker: Asker, report: int, note: str = "", waivers: Sequence[Waiver] = ()
    ) -> SentReport:
        """Accepts a report: it goes on the next list of each system that is still open for it.

        Errors stop it unless they are waived, each by its key and with a reason.
        """
        with self._desk.acting(asker, "accept_report", _number(report)) as act:
            sent_report, tournament = report_named(act.connection, report)
            require_for(asker, Permission.DECIDE_REPORT, tournament)
            _require_registered(tournament)
            let_pass = states.waived(sent_report, waivers) if waivers else sent_report
            states.require_acceptable(let_pass)
            read, reading = self._desk.parsed.read(
                self._desk.blobs.get(sent_report.blob), sent_report.file_name
            )
            as_numbered = numbered(read, sent_report.numbers)
            self._refuse_counted_elsewhere(act, tournament, as_numbered)
            received = sent_report.sent_at.date()
            waived = self._admitted(act, tournament, as_numbered, reading, received, waivers)
            exclusions = self._replace_accepted(act, asker, sent_report, as_numbered)
            accepted = states.accepted(let_pass, by=account_of(asker), at=act.at, note=note)
            reports.change(act.connection, sent_report, accepted)
            if waived:
                entry = ErrorsWaived(report=sent_report.id, errors=waived)
                ledger.append(act.connection, act.at, account_of(asker), entry)
            lists = self._lists(act.connection, read, tournament, received)
            registration = tournament.registration
            control = "" if read.time_control is not None else registration.time_control
            entered = ledger.append(
                act.connection,
                act.at,
                account_of(asker),
                ReportAccepted(
                    tournament=tournament.id,
                    report=sent_report.id,
                    blob=sent_report.blob,
                    file_name=sent_report.file_name,
                    facts=facts_of(registration, tournament.id),
                    received=received,
                    lists=lists,
                    time_control=control,
                ),
            )
            for exclusion in exclusions:
                ledger.append(act.connection, act.at, account_of(asker), exclusion)
            if sent_report.numbers:
                changes = tuple(
                    IdCorrection(entry=entry, player=player)
                    for entry, player in sorted(sent_report.numbers.items())
                )
                reason = "numbers of entries that had none in the file"
                decided = Correction(report=sent_report.id, changes=changes, reason=reason)
                ledger.append(act.connection, act.at, account_of(asker), decided)
            assignments.add(act.connection, sent_report.id, lists)
            act.details |= {
                "seq": entered.seq,
                "lists": {s: d.isoformat() for s, d in lists.items()},
            }
            if waived:
                act.details |= {
                    "waived": {waived_error.key: waived_error.reason for waived_error in waived}
                }
            tell_about_report(act, asker, tournament, accepted)
            return accepted

    def _admitted(
        self,
        act: Act,
        tournament: Tournament,
        read: Report,
        reading: list[Finding],
        received: date,
        waivers: Sequence[Waiver],
    ) -> tuple[WaivedError, ...]:
        """Asks the gate once more, with the lists of today; what is waived or was approved.

        Raises `Illegal` with the errors that stand.
        """
        checked = self._checker.check_read(
            act.connection, tournament, read, reading, received, approvals=()
        )
        if any(finding.key == KEY for each in checked.findings.values() for finding in each):
            raise Illegal.of("desk.refused.field_stronger", name=read.name)
        settled = settled_by(tournament.approvals)
        approved = [
            Waiver(
                key, f"{approval.granted_by}, {approval.granted_on}: {approval.note}".rstrip(": ")
            )
            for key, approval in settled.items()
        ]
        counted = {  # told by their own acts
            "office.games_rated",
            "office.days_rated",
            "office.parts_rated",
            "office.same_games_elsewhere",
        }
        admission = Waivers.recorded([*waivers, *approved]).admit(
            one for found in checked.findings.values() for one in found if one.key not in counted
        )
        if not admission.is_admitted:
            keys = tuple(dict.fromkeys(map(waiver_key, admission.refused)))
            raise Illegal.of(
                "desk.refused.has_errors", findings=admission.refused, report=read.name, keys=keys
            )
        reasons = {waiver_key(finding): reason for finding, reason in admission.waived}
        return tuple(WaivedError(key=key, reason=why) for key, why in sorted(reasons.items()))

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
            if finding.severity is not Severity.ERROR:
                continue  # it was asked when the report was sent, and is seen by who accepts it
            raise Illegal.of("desk.refused.same_games_elsewhere", **finding.details)

    def _replace_accepted(
        self, act: Act, asker: Asker, new: SentReport, read: Report
    ) -> list[Correction]:
        """9.1 — takes the place of accepted reports of the same games that are on no list yet.

        Games that were excluded in them (5.1) are excluded in the new one too.
        """
        exclusions = []
        for earlier, _ in self._counting.earlier(act.connection, new.tournament, read, new.id):
            if earlier.status not in TAKEN:
                continue
            if earlier.status is _S.RATED or is_on_a_list(act.connection, earlier):
                raise Illegal.of("desk.refused.rated_already", version=earlier.version)
            reason = f"replaced by version {new.version}"
            exclusions += self._corrected.exclusions_for(act.connection, earlier.id, new.id, read)
            taken_back = withdraw_report(act, asker, earlier, reason)
            # Pages say in their reader's language what the reason says in the ledger.
            left = replace(states.superseded(taken_back), note="")
            reports.change(act.connection, taken_back, left)
        return exclusions

    def reject(self, asker: Asker, report: int, reason: str) -> SentReport:
        """Rejects a report, with a reason."""
        with self._desk.acting(asker, "reject_report", _number(report)) as act:
            sent_report, tournament = report_named(act.connection, report)
            require_for(asker, Permission.DECIDE_REPORT, tournament)
            changed = states.rejected(sent_report, reason, by=account_of(asker), at=act.at)
            changed = reports.change(act.connection, sent_report, changed)
            tell_about_report(act, asker, tournament, changed)
            return changed

    def withdraw(self, asker: Asker, report: int, reason: str) -> SentReport:
        """Takes a report back that is on no list yet; one that was accepted, the administrator."""
        with self._desk.acting(asker, "withdraw_report", _number(report)) as act:
            sent_report, tournament = report_named(act.connection, report)
            decided = sent_report.status is _S.ACCEPTED
            permission = Permission.DECIDE_REPORT if decided else Permission.SEND_REPORT
            require_for(asker, permission, tournament)
            return withdraw_report(act, asker, sent_report, reason)

    # --- looking ----------------------------------------------------------------------------------

    def get(self, asker: Asker, report: int) -> SentReport:
        """A report with its findings."""
        with self._desk.looking(asker, "see_report", _number(report)) as connection:
            sent_report, tournament = report_named(connection, report)
            require_for(asker, Permission.SEE_TOURNAMENT_FILE, tournament)
            return sent_report

    def content(self, asker: Asker, report: int) -> bytes:
        """The file of a report, as it was sent."""
        return self._desk.blobs.get(self.get(asker, report).blob)

    def games(self, asker: Asker, report: int) -> File | None:
        """The games that came with a report, as they were sent; `None` without them."""
        sent_report = self.get(asker, report)
        if not sent_report.games_blob:
            return None
        return File(sent_report.games_name, self._desk.blobs.get(sent_report.games_blob))

    def read(self, asker: Asker, report: int) -> Report:
        """What a report says."""
        sent_report = self.get(asker, report)
        return self._desk.parsed.read(
            self._desk.blobs.get(sent_report.blob), sent_report.file_name
        )[0]

    def lists(self, asker: Asker, report: int) -> dict[str, tuple[date, bool]]:
        """By system: the list a report falls on and whether it is out."""
        self.get(asker, report)
        with self._desk.database.reading() as connection:
            return assignments.of_report(connection, report)

    def of_tournament(self, asker: Asker, tournament: int) -> list[SentReport]:
        """The reports of a tournament, the newest first."""
        with self._desk.looking(asker, "see_reports", _of(tournament)) as connection:
            target = tournament_named(connection, tournament)
            require_for(asker, Permission.SEE_TOURNAMENT_FILE, target)
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
                connection,
                (_S.SENT,) if decides else _WAITING,
                federation=federation,
                owner=owner,
                offset=offset,
                limit=limit,
            )

    def correctable(
        self, asker: Asker, *, text: str = "", offset: int = 0, limit: int = 50
    ) -> tuple[int, list[SentReport]]:
        """How many reports can be corrected, and a page of them: the latest tournaments first."""
        with self._desk.looking(asker, "see_correctable_reports") as connection:
            federation, owner = whose(asker)
            return reports.with_status(
                connection,
                (_S.RATED, _S.ACCEPTED),
                federation=federation,
                owner=owner,
                text=text,
                latest_first=True,
                offset=offset,
                limit=limit,
            )


def _of_games(checked: Checked) -> list[Finding]:
    return [finding for finding in checked.findings[""] if is_of_games(finding.key)]


def _require_registered(tournament: Tournament) -> None:
    if tournament.status is not TournamentStatus.REGISTERED:
        status = Phrase(f"office.tournament.{tournament.status.value}")
        raise Illegal.of("desk.refused.not_registered", number=tournament.id, status=status)


def _of(tournament: int) -> str:
    return f"tournament:{tournament}"


def _number(report: int) -> str:
    return f"report:{report}"
