"""9.1 — a report whose games are on a published list already is entered as a correction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Connection

from arrocco.desk.corrections import CorrectionPreview, Corrections
from arrocco.desk.counted_once import Counting
from arrocco.desk.desk import Desk, account_of, report_named, require_for
from arrocco.engine.admission import Waiver
from arrocco.errors import Illegal
from arrocco.office import reports as states
from arrocco.office.ledger import CorrectionOf, ErrorsWaived, IdCorrection, ReportReplacement
from arrocco.office.new_players import numbered
from arrocco.office.records import ReportStatus, SentReport, Tournament
from arrocco.office.roles import Asker, Permission
from arrocco.store.sql import ledger, reports
from arrocco.words import Phrase

_UNDECIDED = (ReportStatus.RETURNED, ReportStatus.NEEDS_ANSWERS, ReportStatus.SENT)
MAX_SHOWN = 200
"""Differences that are listed; the others are counted."""


@dataclass(frozen=True)
class Offer:
    """A report that was sent, the rated one it corrects, and where the two differ."""

    sent: SentReport
    rated: SentReport
    differences: tuple[Phrase, ...]
    more: int
    """Differences beyond those listed."""

    @property
    def changes(self) -> list[CorrectionOf]:
        """The report in the other's place, with the numbers that were decided for its entries."""
        sent = self.sent
        return [
            ReportReplacement(report=sent.id, blob=sent.blob, file_name=sent.file_name),
            *(IdCorrection(entry=n, player=player) for n, player in sorted(sent.numbers.items())),
        ]


class Replacements:
    """Enters reports that were sent again after publication as corrections."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._counting = Counting(desk)
        self._corrections = Corrections(desk)

    def offered(self, asker: Asker, report: int) -> Offer | None:
        """The correction that a report can be entered as; none where it is not one."""
        with self._desk.looking(asker, "see_report", f"report:{report}") as connection:
            sent, tournament = report_named(connection, report)
            require_for(asker, Permission.SEE_TOURNAMENT_FILE, tournament)
            return self._offer(connection, sent, tournament)

    def preview(self, asker: Asker, report: int) -> tuple[Offer, CorrectionPreview]:
        """What entering a report as a correction would do; changes nothing."""
        with self._desk.looking(asker, "preview_correction", f"report:{report}") as connection:
            sent, tournament = report_named(connection, report)
            require_for(asker, Permission.CORRECT, tournament)
            offer = self._required(connection, sent, tournament)
        return offer, self._corrections.preview(asker, offer.rated.id, offer.changes)

    def enter(self, asker: Asker, report: int, reason: str, waivers: Sequence[Waiver] = ()) -> int:
        """Enters a report as the correction of the rated one; the place in the ledger.

        Errors stop it unless they are waived, each by its key and with a reason.
        """
        with self._desk.acting(asker, "enter_correction", f"report:{report}") as act:
            sent, tournament = report_named(act.connection, report)
            require_for(asker, Permission.CORRECT, tournament)
            offer = self._required(act.connection, sent, tournament)
            let_pass = sent
            if waivers:
                require_for(asker, Permission.DECIDE_REPORT, tournament)
                let_pass = states.waived(sent, waivers)
            done = states.entered_as_correction(let_pass, reason, by=account_of(asker), at=act.at)
            if waivers:
                errors = states.errors_waived(let_pass)
                waived = ErrorsWaived(report=sent.id, errors=errors)
                ledger.append(act.connection, act.at, account_of(asker), waived)
                act.details["waived"] = {error.key: error.reason for error in errors}
            seq = self._corrections.append(act, asker, offer.rated.id, offer.changes, reason)
            reports.change(act.connection, sent, done)
            act.details["corrects"] = offer.rated.id
            return seq

    def _required(self, connection: Connection, sent: SentReport, tournament: Tournament) -> Offer:
        offer = self._offer(connection, sent, tournament)
        if offer is None:
            raise Illegal.of("desk.refused.no_correction", version=sent.version)
        return offer

    def _offer(
        self, connection: Connection, sent: SentReport, tournament: Tournament
    ) -> Offer | None:
        if sent.status not in _UNDECIDED or not states.may_be_waived(sent):
            return None  # what nobody may let pass corrects nothing
        report, _ = self._desk.parsed.read(self._desk.blobs.get(sent.blob), sent.file_name)
        as_numbered = numbered(report, sent.numbers)
        corrects = self._counting.corrects(connection, tournament, as_numbered, sent.id)
        if corrects is None:
            return None
        shown = tuple(corrects.differences[:MAX_SHOWN])
        return Offer(sent, corrects.rated, shown, len(corrects.differences) - len(shown))
