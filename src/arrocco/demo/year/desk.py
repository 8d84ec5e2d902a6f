"""What the people of an invented office do day by day, through the office itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date, timedelta

from arrocco.demo.year.clock import Agenda, moment
from arrocco.demo.year.people import World
from arrocco.demo.year.staff import ARBITERS, Staff
from arrocco.desk import Office
from arrocco.formats.lists import read_list
from arrocco.office.records import DraftStatus, ReportStatus, SentReport
from arrocco.office.roles import Asker
from arrocco.store.list_folder import LIST

_REASONS = {
    "office.rounds_differ": "The match was decided early; the remaining games were not played.",
    "office.days_differ": "The match was decided early and ended sooner.",
    "check.name_differs": "The name was taken from the entry form.",
    "check.hybrid_games_file": "The games were sent to the office by mail.",
    "check.games_too_fast": "Known: these games are left out.",
}
_REASON = "Checked against the score sheets: it was so."


class YearDesk:
    """The office with its clock, its staff and its people."""

    def __init__(
        self, office: Office, agenda: Agenda, staff: Staff, world: World, seed: int
    ) -> None:
        self.office, self.agenda, self.staff, self.world = office, agenda, staff, world
        self.seed = seed
        self._ratings: dict[tuple[str, date], Mapping[int, int]] = {}

    def arbiter(self, number: int) -> Asker:
        return self.staff.arbiters[number]

    @staticmethod
    def arbiter_name(number: int) -> str:
        return ARBITERS[number].name

    def on(self, day: date, hour: int, act: Callable[[], None]) -> None:
        """Puts an act down for an hour of a day."""
        self.agenda.add(moment(day, hour), act)

    def later(self, days: int, hour: int, act: Callable[[], None]) -> None:
        """Puts an act down for some days from now."""
        self.on(self.agenda.day + timedelta(days=days), hour, act)

    # --- reports ----------------------------------------------------------------------------------

    def answer(self, arbiter: Asker, sent: SentReport) -> SentReport:
        """The arbiter gives a reason for every warning."""
        warned = {
            index: _REASONS.get(finding.key, _REASON)
            for index, finding in enumerate(sent.findings)
            if finding.severity == "warning"
        }
        return self.office.reports.answer(arbiter, sent.id, warned) if warned else sent

    def accept(self, report: int) -> None:
        """The administrator accepts a report unless it came back in the meantime."""
        sent = self.office.reports.get(self.staff.boss, report)
        assert sent.status is ReportStatus.SENT, (sent.file_name, sent.status, sent.findings)
        self.office.reports.accept(self.staff.boss, report)

    # --- lists ------------------------------------------------------------------------------------

    def draft(self, system: str, day: date) -> int:
        """Makes a draft of the next list, here and now."""
        number = self.office.lists.enter_draft(self.staff.boss, system, day)
        draft = self.office.lists.run_draft(number)
        assert draft.status is DraftStatus.READY, (system, day, draft.failure)
        assert not draft.left_out, (system, day, draft.left_out)
        return number

    def publish(self, system: str, day: date) -> None:
        self.office.lists.publish(self.staff.boss, self.draft(system, day))

    def ratings(self, system: str, day: date) -> Mapping[int, int]:
        """The ratings of the list of a system in force on a day."""
        latest = self.office.lists.latest(system, on_or_before=day)
        assert latest is not None, (system, day)
        key = system, latest.list_date
        if key not in self._ratings:
            listed = read_list(self.office.lists.folder(*key) / LIST)[0]
            pairs = zip(listed.id.tolist(), listed.rating.tolist(), strict=True)
            self._ratings[key] = {player: rating for player, rating in pairs if rating > 0}
        return self._ratings[key]
