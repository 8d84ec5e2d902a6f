"""One game of a PGN file, as far as a rating office cares."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from arrocco.findings import Place
from arrocco.records.report import GameKind, PlayerId
from arrocco.records.timecontrol import TimeControl
from arrocco.units import HalfPoints, Rating

RESULTS = {
    "1-0": (2, 0),
    "0-1": (0, 2),
    "1/2-1/2": (1, 1),
    "½-½": (1, 1),
    "0-0": (0, 0),
    "+/-": (2, 0),
    "-/+": (0, 2),
    "-/-": (0, 0),
}
"""What a result gives White and Black, in half points; ``*`` is an unfinished game."""
FORFEITS = frozenset({"+/-", "-/+", "-/-", "0-0"})


@dataclass(frozen=True)
class PgnGame:
    """The tags that matter and what the moves show.

    `clocks` holds, for each move of the main line, the time left after it in milliseconds, or
    `None` where the move has no clock. `is_whole` is false when a move could not be read: what
    follows it was then not counted.
    """

    event: str
    site: str
    day: date | None
    round: int | None
    white: str
    black: str
    result: str
    white_id: PlayerId | None
    black_id: PlayerId | None
    white_rating: Rating | None
    black_rating: Rating | None
    time_control_text: str
    time_control: TimeControl | None
    termination: str
    white_moves: int
    black_moves: int
    clocks: tuple[int | None, ...]
    is_whole: bool
    place: Place

    @property
    def scores(self) -> tuple[HalfPoints, HalfPoints] | None:
        """The half points of White and Black, or `None` for a game without a result."""
        scores = RESULTS.get(self.result)
        return None if scores is None else (HalfPoints(scores[0]), HalfPoints(scores[1]))

    @property
    def kind(self) -> GameKind:
        """Whether the game was played on the board.

        It was when both sides made a move. A game with a single move is short; one without any,
        or with the result of a forfeit, was decided without play.
        """
        if self.result in FORFEITS or not self.white_moves + self.black_moves:
            return GameKind.FORFEIT
        if self.white_moves and self.black_moves:
            return GameKind.PLAYED
        return GameKind.SHORT
