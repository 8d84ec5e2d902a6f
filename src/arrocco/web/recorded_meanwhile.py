"""12.2, 12.3 — what was recorded of a player during a game, and where in each recording it is.

Only that it is there is told: who opens one says why, on the page of recordings.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from arrocco.hall.game.state import State
from arrocco.video.kept import kept_of

_SECOND, _MINUTE, _HOUR = 1_000, 60, 3_600


class Recorded(NamedTuple):
    """A recording that was made during a game: from where to where of it that was."""

    name: str
    kind: str
    begins: str
    ends: str


class PlayerRecordings:
    """All recordings of a player in an event, as long as they are kept."""

    def __init__(self, folder: Path, event: str, entry: int) -> None:
        self._spans = [
            (kept.name, kept.kind, span)
            for kept in kept_of(folder, event)
            if kept.entry == entry and (span := kept.span) is not None
        ]

    def during(self, state: State, length: int) -> list[Recorded]:
        """What there is of a game that lasted so long, in milliseconds."""
        start = state.created.at if state.started is None else state.started
        end = start + length
        return [
            Recorded(
                name, kind, _offset(max(start, first) - first), _offset(min(end, last) - first)
            )
            for name, kind, (first, last) in self._spans
            if first < end and last > start
        ]


def _offset(milliseconds: int) -> str:
    seconds = milliseconds // _SECOND
    hours, minutes = seconds // _HOUR, seconds % _HOUR // _MINUTE
    return f"{hours}:{minutes:02}:{seconds % _MINUTE:02}"
