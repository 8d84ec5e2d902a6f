"""What each player did in each round, as pairings and tie-breaks look at it."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import NamedTuple

from arrocco.hall.event.state import Board, Phase, Round, State, rules_of
from arrocco.laws.online.score import Scoring
from arrocco.laws.online.side import Side
from arrocco.records.report import ByeKind, GameKind


class SlotKind(StrEnum):
    """How a round went for one player."""

    PLAYED = "played"
    FORFEIT_WIN = "forfeit_win"
    FORFEIT_LOSS = "forfeit_loss"
    ALLOCATED_BYE = "allocated_bye"
    HALF_POINT_BYE = "half_point_bye"
    ZERO_POINT_BYE = "zero_point_bye"
    PENDING = "pending"
    """Paired, and not over."""


class Slot(NamedTuple):
    """One round of one player; `opponent` is who was paired with them, whether or not they met."""

    round: int
    kind: SlotKind
    points: int = 0
    half_points: int = 0
    opponent: int | None = None
    side: Side | None = None

    @property
    def was_played(self) -> bool:
        return self.kind is SlotKind.PLAYED

    @property
    def is_requested_bye(self) -> bool:
        """C.07 16.1.1 — a half-point or zero-point bye, also of who has withdrawn."""
        return self.kind in (SlotKind.HALF_POINT_BYE, SlotKind.ZERO_POINT_BYE)

    @property
    def is_voluntary(self) -> bool:
        """C.07 16.1.2 — a requested bye or a forfeit loss."""
        return self.is_requested_bye or self.kind is SlotKind.FORFEIT_LOSS


Cards = dict[int, tuple[Slot, ...]]
"""The slots of each entry, one for each round."""

_BYES = {
    ByeKind.HALF_POINT: SlotKind.HALF_POINT_BYE,
    ByeKind.ZERO_POINT: SlotKind.ZERO_POINT_BYE,
    ByeKind.PAIRING_ALLOCATED: SlotKind.ALLOCATED_BYE,
    ByeKind.FULL_POINT: SlotKind.ALLOCATED_BYE,
}


def players(state: State) -> list[int]:
    """The entries that take part: who withdrew before ever being numbered does not."""
    numbered = set(state.order)
    return [
        entry.id
        for entry in state.entries
        if entry.id in numbered or not (entry.withdrawn or state.is_expelled(entry.id))
    ]


def cards(state: State) -> Cards:
    """The slots of everybody who takes part, over all rounds that are open or closed."""
    by_entry: dict[int, list[Slot]] = {entry: [] for entry in players(state)}
    for round_ in state.rounds:
        if round_.phase is Phase.PAIRED:
            continue
        slots = dict(_slots(state, round_))
        missed = Slot(round_.number, SlotKind.ZERO_POINT_BYE, rules_of(state).scoring.forfeit)
        for entry, own in by_entry.items():
            own.append(slots.get(entry, missed))
    return {entry: tuple(own) for entry, own in by_entry.items()}


def _slots(state: State, round_: Round) -> Iterator[tuple[int, Slot]]:
    scoring, bye = rules_of(state).scoring, rules_of(state).points_for_bye
    for entry, kind in round_.byes.items():
        yield entry, _bye(round_.number, _BYES[kind], scoring, bye)
    for board in round_.boards:
        yield board.white, _game(round_.number, board, Side.WHITE)
        yield board.black, _game(round_.number, board, Side.BLACK)


def _bye(number: int, kind: SlotKind, scoring: Scoring, allocated: int) -> Slot:
    points = {
        SlotKind.HALF_POINT_BYE: scoring.draw,
        SlotKind.ZERO_POINT_BYE: scoring.forfeit,
        SlotKind.ALLOCATED_BYE: allocated,
    }
    half_points = {SlotKind.HALF_POINT_BYE: 1, SlotKind.ALLOCATED_BYE: 2}
    return Slot(number, kind, points[kind], half_points.get(kind, 0))


def _game(number: int, board: Board, side: Side) -> Slot:
    own, other = (0, 1) if side is Side.WHITE else (1, 0)
    opponent, result = board.players[other], board.result
    if result is None:
        return Slot(number, SlotKind.PENDING, opponent=opponent, side=side)
    half_points = result.half_points[own]
    kind = SlotKind.PLAYED
    if result.kind is GameKind.FORFEIT:
        kind = SlotKind.FORFEIT_WIN if half_points else SlotKind.FORFEIT_LOSS
    return Slot(number, kind, result.points[own], half_points, opponent, side)
