"""5.10, 6.4, 12.4 — the check of a player's room and person before play: asked, shown, noted.

Each point has its times. While a game is on, the arbiter asks at its board instead, where the
clocks can be stopped.
"""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from msgspec import Meta
from msgspec.structs import replace

from arrocco.hall.event.acts.base import ARBITERS, ActRecord, Command
from arrocco.hall.event.acts.chat import board_of, reads
from arrocco.hall.event.acts.joining import objection_to_supervision
from arrocco.hall.event.changes import Changes
from arrocco.hall.event.decision import Decision, happened, refused
from arrocco.hall.event.records import EntryId, EventRole
from arrocco.hall.event.state import Phase, RoomCheck, State
from arrocco.hall.game.events import Detail
from arrocco.hall.game.records import InspectionPoint
from arrocco.laws.hall import Laws

_MAX_NOTE = 500


class RequestRoomCheck(Command, frozen=True, kw_only=True):
    """12.4 — an arbiter asks a player to show something before play."""

    MAY = ARBITERS

    entry: EntryId
    point: InspectionPoint

    def decide(self, state: State, now: datetime, laws: Laws) -> Decision:
        """Of a player that the arbiter watches (6.3), and who does not play just now."""
        objection = _objection(state, self.by, self.entry)
        if objection is not None:
            return objection
        if plays(state, self.entry):
            return refused("ask_at_the_board", "12.4")
        asked = room_check(state, self.entry, self.point)
        if asked is not None and asked.in_order is None:
            return refused("room_check_open", self.point.article)
        return happened(RoomCheckRequested(**self.signed(now), entry=self.entry, point=self.point))


class RoomCheckRequested(ActRecord, frozen=True, kw_only=True):
    """12.4 — a player is asked to show something before play."""

    IS_REPORTED = True
    IS_FOR_ITS_PLAYER = True

    entry: EntryId
    point: InspectionPoint

    def changes(self, state: State) -> Changes:
        asked = RoomCheck(entry=self.entry, point=self.point, asked=self.at)
        return {"room_checks": changed(state.room_checks, asked)}

    def is_possible(self, state: State) -> bool:
        return state.entry(self.entry) is not None

    def details(self, state: State) -> tuple[Detail, ...]:
        return Detail("text", state.name_of(self.entry)), Detail("word", f"point.{self.point}")


class AnswerRoomCheck(Command, frozen=True, kw_only=True):
    """5.10 — a player shows what was asked for, or refuses."""

    MAY = frozenset({EventRole.PLAYER})

    point: InspectionPoint
    shows: bool

    def decide(self, state: State, now: datetime, laws: Laws) -> Decision:
        """Each for themselves; who has refused can still show it."""
        entry = state.entry_of(self.by)
        asked = None if entry is None else room_check(state, entry.id, self.point)
        if entry is None or asked is None or asked.in_order is not None:
            return refused("no_room_check", self.point.article)
        if asked.shows is self.shows:
            return happened()
        return happened(
            RoomCheckAnswered(
                **self.signed(now), entry=entry.id, point=self.point, shows=self.shows
            )
        )


class RoomCheckAnswered(ActRecord, frozen=True, kw_only=True):
    """5.10 — a player shows something, or refuses; what follows is for the arbiter."""

    IS_FOR_ITS_PLAYER = True

    entry: EntryId
    point: InspectionPoint
    shows: bool

    def changes(self, state: State) -> Changes:
        asked = room_check(state, self.entry, self.point)
        assert asked is not None
        answered = replace(asked, shows=self.shows, answered=self.at)
        return {"room_checks": changed(state.room_checks, answered)}

    def is_possible(self, state: State) -> bool:
        return room_check(state, self.entry, self.point) is not None

    def is_reported(self, state: State) -> bool:
        return not self.shows

    def details(self, state: State) -> tuple[Detail, ...]:
        return (
            Detail("text", state.name_of(self.entry)),
            Detail("word", f"point.{self.point}"),
            Detail("word", "inspection.shown" if self.shows else "inspection.refuses"),
        )


class RecordRoomCheck(Command, frozen=True, kw_only=True):
    """6.4, 12.4 — an arbiter ticks a point of the checklist, asked for or seen anyway."""

    MAY = ARBITERS

    entry: EntryId
    point: InspectionPoint
    in_order: bool
    note: Annotated[str, Meta(max_length=_MAX_NOTE)] = ""

    def decide(self, state: State, now: datetime, laws: Laws) -> Decision:
        """Of a player that the arbiter watches (6.3); noted again, the last one counts."""
        objection = _objection(state, self.by, self.entry)
        if objection is not None:
            return objection
        return happened(
            RoomChecked(
                **self.signed(now),
                entry=self.entry,
                point=self.point,
                in_order=self.in_order,
                note=self.note.strip(),
            )
        )


class RoomChecked(ActRecord, frozen=True, kw_only=True):
    """6.4, 12.4 — a point of the checklist of a player, and what the arbiter found."""

    IS_REPORTED = True
    IS_FOR_ITS_PLAYER = True

    entry: EntryId
    point: InspectionPoint
    in_order: bool
    note: str = ""

    def changes(self, state: State) -> Changes:
        asked = room_check(state, self.entry, self.point)
        asked = asked or RoomCheck(entry=self.entry, point=self.point)
        noted = replace(asked, in_order=self.in_order, at=self.at, note=self.note)
        return {"room_checks": changed(state.room_checks, noted)}

    def is_possible(self, state: State) -> bool:
        return state.entry(self.entry) is not None

    def details(self, state: State) -> tuple[Detail, ...]:
        outcome = "inspection.in_order" if self.in_order else "inspection.not_in_order"
        told = (
            Detail("text", state.name_of(self.entry)),
            Detail("word", f"point.{self.point}"),
            Detail("word", outcome),
        )
        return (*told, Detail("text", self.note)) if self.note else told


def room_check(state: State, entry: int, point: InspectionPoint) -> RoomCheck | None:
    """A point of a player's checklist, where it was asked for or noted."""
    room_checks = (
        check for check in state.room_checks if (check.entry, check.point) == (entry, point)
    )
    return next(room_checks, None)


def _objection(state: State, account: str, entry: int) -> Decision | None:
    objection = objection_to_supervision(state)
    if objection is not None:
        return objection
    if state.entry(entry) is None:
        return refused("no_such_entry", entry=entry)
    if not reads(state, account, entry):
        return refused("not_in_zone", "6.3", board=board_of(state, entry) or "-")
    return None


def plays(state: State, entry: int) -> bool:
    """Whether a game of the player is on."""
    last = state.last_round
    number = None if last is None or last.phase is not Phase.OPEN else last.board_of(entry)
    return last is not None and number is not None and last.boards[number - 1].result is None


def changed(checks: tuple[RoomCheck, ...], check: RoomCheck) -> tuple[RoomCheck, ...]:
    """The points of all checklists with one as it stands now."""
    kept = (one for one in checks if (one.entry, one.point) != (check.entry, check.point))
    return (*kept, check)
