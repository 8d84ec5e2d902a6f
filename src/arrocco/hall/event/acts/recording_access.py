"""12.3 — the chief arbiter or the committee opens a recording: each access with its reason."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from msgspec import Meta

from arrocco.hall.event.acts.base import EVERYBODY, ActRecord, Command
from arrocco.hall.event.acts.filing_decisions import CHIEF, Capacity
from arrocco.hall.event.changes import Changes
from arrocco.hall.event.decision import Decision, happened, refused
from arrocco.hall.event.records import EventRole
from arrocco.hall.event.state import State
from arrocco.hall.game.events import Detail
from arrocco.laws.hall import Laws
from arrocco.laws.online.fair_play import Viewer

RecordingName = Annotated[str, Meta(pattern=r"^\d{1,6}-(camera|screen|room)-\d{1,6}$")]
_MAX_REASON = 500


class WatchRecording(Command, frozen=True, kw_only=True):
    """12.3 — somebody opens a recording and says why; the server knows as what they ask."""

    MAY = EVERYBODY
    FROM_PAGES = True

    capacity: Capacity
    recording: RecordingName
    reason: Annotated[str, Meta(max_length=_MAX_REASON)]

    def decide(self, state: State, now: datetime, laws: Laws) -> Decision:
        """The chief arbiter of the event, or a member of the committee, with a reason."""
        is_party = state.entry_of(self.by) is not None  # whoever else they are, they play in it
        if is_party or not laws.online.may_see_recording(self._viewer(state)):
            return refused("for_the_chief", "12.3")
        if not self.reason.strip():
            return refused("reason_needed", "12.3")
        return happened(
            RecordingWatched(
                **self.signed(now),
                capacity=self.capacity,
                recording=self.recording,
                reason=self.reason.strip(),
            )
        )

    def _viewer(self, state: State) -> Viewer:
        """As what they ask; who says to be the chief arbiter and is not, is one arbiter of many."""
        if self.capacity != CHIEF:
            return Viewer.COMMITTEE
        is_chief = EventRole.CHIEF in state.roles(self.by)
        return Viewer.CHIEF_ARBITER if is_chief else Viewer.ARBITER


class RecordingWatched(ActRecord, frozen=True, kw_only=True):
    """12.3 — somebody has opened a recording."""

    IS_REPORTED = True

    capacity: Capacity
    recording: RecordingName
    reason: str

    def changes(self, state: State) -> Changes:
        watched = {**state.recordings_watched, (self.by, self.recording): self.at}
        return {"recordings_watched": watched}

    def details(self, state: State) -> tuple[Detail, ...]:
        entry = int(self.recording.partition("-")[0])
        return Detail("text", state.name_of(entry)), Detail("text", self.recording)
