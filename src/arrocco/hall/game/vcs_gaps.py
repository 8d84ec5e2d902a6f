"""7.9 — a player's disconnections from the video conference, by no fault of the server."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from arrocco.hall.game.records import Cause
from arrocco.hall.game.state import Line, Phase, State
from arrocco.laws.online.connection import Absence
from arrocco.laws.online.law import OnlineLaw
from arrocco.laws.online.side import Side

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def vcs_only(state: State, side: Side, law: OnlineLaw) -> int:
    """7.9 — how often a player was off the conference while the board was there."""
    seat = state.seat(side)
    return law.vcs_only_disconnections(absences(seat.vcs), absences(seat.platform))


def vcs_gaps(state: State, side: Side) -> list[Absence]:
    """Every stretch of a game without the conference; one that lasted to its end ends there."""
    ended = _moment(state.last_at) if state.phase is Phase.ENDED else None
    return [
        absence._replace(end=ended) if absence.end is None else absence
        for absence in absences(state.seat(side).vcs)
    ]


def absences(line: Line) -> list[Absence]:
    """The stretches without a connection that a player answers for."""
    gaps = [
        Absence(_moment(gap.start), _moment(gap.end))
        for gap in line.gaps
        if gap.cause is Cause.PLAYER
    ]
    if line.lost is not None and line.cause is Cause.PLAYER:
        gaps.append(Absence(_moment(line.lost)))
    return gaps


def _moment(milliseconds: int) -> datetime:
    return _EPOCH + timedelta(milliseconds=milliseconds)
