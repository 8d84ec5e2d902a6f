"""A game on one time line, as one of its players lived it: moves, times, gaps, focus, offers."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

from arrocco.hall.game.state import Line, State
from arrocco.laws.online.side import Side


class StretchKind(StrEnum):
    """What was missing for a while."""

    FOCUS = "focus"
    """8.3 — another window had the keyboard."""
    VCS = "vcs"
    """7.9 — off the video conference."""
    BOARD = "board"
    """7.5 — off the board."""


class Stretch(Struct, frozen=True, kw_only=True):
    """A while of a game, in milliseconds since its start."""

    kind: StretchKind
    start: int
    end: int


class MoveTime(Struct, frozen=True, kw_only=True):
    """A move of either side: when it was made, and the time it took."""

    ply: int
    at: int
    spent: int
    is_own: bool
    is_premove: bool = False


class TimeLine(Struct, frozen=True, kw_only=True):
    """All of a game that has a moment, in milliseconds since its start."""

    length: int
    moves: tuple[MoveTime, ...]
    stretches: tuple[Stretch, ...]
    offers: tuple[int, ...]
    """Draw offers of the player."""


def time_line(state: State, account: str, plies: int, ended: int | None) -> TimeLine:
    """The time line of a player up to the end of a game, else to a half move (5.17)."""
    side = state.side_of_player(account)
    start = state.created.at if state.started is None else state.started
    moves = state.moves[:plies]
    if ended is None:  # a running game is told as far as it may be looked at
        ended = moves[-1].at if moves else start
    seat = state.seat(side)
    lines = (
        (StretchKind.FOCUS, seat.focus),
        (StretchKind.VCS, seat.vcs),
        (StretchKind.BOARD, seat.platform),
    )
    stretches = [
        stretch for kind, line in lines for stretch in _stretches(kind, line, start, ended)
    ]
    return TimeLine(
        length=ended - start,
        moves=tuple(
            MoveTime(
                ply=moved.ply,
                at=moved.at - start,
                spent=moved.spent,
                is_own=moved.side is side,
                is_premove=moved.premove,
            )
            for moved in moves
        ),
        stretches=tuple(sorted(stretches, key=lambda each: (each.start, each.kind))),
        offers=tuple(_offers(state, side, start, plies)),
    )


def _stretches(kind: StretchKind, line: Line, start: int, ended: int) -> list[Stretch]:
    whiles = [(gap.start, gap.end) for gap in line.gaps]
    if line.lost is not None:
        whiles.append((line.lost, ended))
    return [
        Stretch(kind=kind, start=max(first, start) - start, end=min(last, ended) - start)
        for first, last in whiles
        if last > start and first < ended
    ]


def _offers(state: State, side: Side, start: int, plies: int) -> list[int]:
    """Offers stand beside the move before their ply (2.3), and are told at its moment."""
    return [
        state.moves[offer.ply - 1].at - start
        for offer in state.offers
        if offer.side is side and 0 < offer.ply <= min(plies, len(state.moves))
    ]
