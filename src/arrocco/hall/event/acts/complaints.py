"""12.9 — complaints as logs had them before the desk of filings: they are read as filings."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from msgspec import Meta

from arrocco.hall.event.acts.base import EVERYBODY, ActRecord, Command
from arrocco.hall.event.acts.closing import complaints_until
from arrocco.hall.event.changes import Changes
from arrocco.hall.event.decision import Decision, happened, refused
from arrocco.hall.event.filings import FiledPaper
from arrocco.hall.event.records import Positive
from arrocco.hall.event.state import State
from arrocco.hall.game.events import Detail
from arrocco.laws.hall import Laws
from arrocco.laws.online.filings import FilingKind

MAX_TEXT = 2000
MAX_OF_ACCOUNT = 20


class FileComplaint(Command, frozen=True, kw_only=True):
    """A complaint in somebody's own words; a captain speaks for the team.

    No program files one: who may, and in time, is judged by the desk of filings.
    """

    MAY = EVERYBODY
    FROM_PAGES = True
    REFUSED_ELSEWHERE = ("event.filings_on_pages", "12.9")

    text: Annotated[str, Meta(max_length=MAX_TEXT)]

    def decide(self, state: State, now: datetime, laws: Laws) -> Decision:
        """12.9 — participants with a federation's number; for some hours after the last round."""
        entry, captained = state.entry_of(self.by), state.team_of_captain(self.by)
        if entry is None and captained is None and state.arbiter(self.by) is None:
            return refused("not_about_you", "12.9")
        if entry is not None and captained is None and entry.person.id is None:
            return refused("federation_id_needed", "12.9")
        if not self.text.strip():
            return refused("reason_needed", "12.9")
        until = complaints_until(state, laws)
        if until is not None and now > until:
            return refused(
                "complaint_too_late",
                "12.11.1c",
                until=until.isoformat("T", "minutes"),
                hours=int(laws.online.COMPLAINT_HOURS),
            )
        if sum(complaint.by == self.by for complaint in state.filings) >= MAX_OF_ACCOUNT:
            return refused("too_many_complaints", "12.9", most=MAX_OF_ACCOUNT)
        number = len(state.filings) + 1
        text = self.text.strip()
        return happened(ComplaintFiled(**self.signed(now), number=number, text=text))


class ComplaintFiled(ActRecord, frozen=True, kw_only=True):
    """Somebody complains to the chief arbiter; written by no act any more."""

    IS_REPORTED = True

    number: Positive
    text: str

    def changes(self, state: State) -> Changes:
        complaint = FiledPaper(
            number=self.number, kind=FilingKind.COMPLAINT, at=self.at, by=self.by, text=self.text
        )
        return {"filings": (*state.filings, complaint)}

    def is_possible(self, state: State) -> bool:
        return self.number == len(state.filings) + 1

    def details(self, state: State) -> tuple[Detail, ...]:
        return (Detail("text", self.text),)
