"""6.4, 9.1, 12.4 — room and person of everybody, or of some drawn by lot, asked for in one act."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from msgspec import Meta

from arrocco.hall.event.acts.base import ARBITERS, ActRecord, Command
from arrocco.hall.event.acts.chat import reads
from arrocco.hall.event.acts.joining import objection_to_supervision
from arrocco.hall.event.acts.room_checks import changed, plays, room_check
from arrocco.hall.event.attendance import expected, is_excused
from arrocco.hall.event.changes import Changes
from arrocco.hall.event.decision import Decision, happened, refused
from arrocco.hall.event.lots import drawn_by_lot
from arrocco.hall.event.records import EntryId
from arrocco.hall.event.state import RoomCheck, State
from arrocco.hall.game.events import Detail
from arrocco.hall.game.records import InspectionPoint
from arrocco.laws.hall import Laws

_LOT = "room-check"
_MAX_SAMPLE = 1_000
Points = Annotated[tuple[InspectionPoint, ...], Meta(min_length=1, max_length=len(InspectionPoint))]


class RequestRoomChecks(Command, frozen=True, kw_only=True):
    """12.4 — an arbiter asks many players at once to show something before play.

    `sample` says how many are drawn by lot from `seed`; 0 asks everybody.
    """

    MAY = ARBITERS

    points: Points
    sample: Annotated[int, Meta(ge=0, le=_MAX_SAMPLE)] = 0
    seed: Annotated[str, Meta(max_length=200)] = ""

    def decide(self, state: State, now: datetime, laws: Laws) -> Decision:
        """Of everybody who is expected, whom the arbiter watches (6.3), and who does not play."""
        objection = objection_to_supervision(state)
        if objection is not None:
            return objection
        watched = [
            entry.id
            for entry in expected(state)
            if reads(state, self.by, entry.id) and not is_excused(state, entry)
        ]
        if not watched:
            return refused("nobody_to_ask", "12.4")
        among = tuple(entry for entry in watched if not plays(state, entry))
        if not among:
            return refused("ask_at_the_board", "12.4")
        seed = self.seed.strip() if self.sample else ""
        if self.sample and not seed:
            return refused("seed_needed", "9.1")
        entries = drawn_by_lot(seed, _LOT, among, self.sample) if self.sample else among
        points = tuple(dict.fromkeys(self.points))
        if not any(is_to_ask(state, entry, point) for entry in entries for point in points):
            return refused("room_check_open", "12.4")
        return happened(
            RoomChecksRequested(
                **self.signed(now),
                points=points,
                entries=entries,
                seed=seed,
                among=among if self.sample else (),
            )
        )


class RoomChecksRequested(ActRecord, frozen=True, kw_only=True):
    """12.4 — players are asked to show something: all, or those whose lots came first.

    Who has `seed` and the entries `among` whom it was drawn can draw the same lots again.
    """

    IS_REPORTED = True
    IS_FOR_ITS_PLAYER = True

    points: Points
    entries: tuple[EntryId, ...]
    seed: str = ""
    among: tuple[EntryId, ...] = ()

    def changes(self, state: State) -> Changes:
        checks = state.room_checks
        for entry in self.entries:
            for point in self.points:
                if is_to_ask(state, entry, point):
                    asked = RoomCheck(entry=entry, point=point, asked=self.at)
                    checks = changed(checks, asked)
        return {"room_checks": checks}

    def is_possible(self, state: State) -> bool:
        return all(state.entry(entry) is not None for entry in (*self.entries, *self.among))

    def details(self, state: State) -> tuple[Detail, ...]:
        names = "; ".join(state.name_of(entry) for entry in self.entries)
        told = (Detail("text", names), *(Detail("word", f"point.{point}") for point in self.points))
        return (*told, Detail("text", self.seed)) if self.seed else told


def is_to_ask(state: State, entry: int, point: InspectionPoint) -> bool:
    """Whether a point was not asked for yet, or is closed: what is open stays as it is."""
    asked = room_check(state, entry, point)
    return asked is None or asked.in_order is not None
