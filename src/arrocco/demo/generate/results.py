"""The results of games: drawn from the expected score, a few decided without play."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from arrocco.demo.generate.draws import WHOLE, Rng, chance
from arrocco.laws.tables import LAST_PRINTED_DIFFERENCE, expected_score
from arrocco.records.reportbatch import Kind

Halves = NDArray[np.int8]

_MAX_DIFFERENCE = LAST_PRINTED_DIFFERENCE + 1
_EXPECTED: Final = np.array(
    [expected_score(d) for d in range(-_MAX_DIFFERENCE, _MAX_DIFFERENCE + 1)], dtype=np.int16
)
_WHITE_IS_WORTH: Final = 35
"""Rating points that the first move is worth."""

FORFEITS: Final = 130
"""Games decided because somebody did not come, in parts of `WHOLE`."""
_BOTH_ABSENT: Final = 5
_SHORT: Final = 3
"""Games that ended before both had made a move."""
_BOTH_LOSE: Final = 1000
"""Of one game in `WHOLE` so many that both lose on the board, by decision of the arbiter."""


def play(
    rng: Rng, white: Any, black: Any, forfeits: Any = FORFEITS
) -> tuple[Halves, Halves, Halves]:
    """The half points of White and Black and the `Kind` of each game, given their strengths.

    `forfeits` is the share of games that one side loses by not coming; where it is 0 every game is
    played to its end.
    """
    size = len(white)
    won, drawn = _outcome(rng, white.astype(np.int32), black.astype(np.int32))
    white_half = (2 * won + drawn).astype(np.int8)
    black_half = 2 - white_half
    kind = np.full(size, Kind.PLAYED, dtype=np.int8)
    may_fail = np.broadcast_to(forfeits, size) > 0
    lot = rng.integers(0, WHOLE, size, dtype=np.int32)
    absent = lot < forfeits
    # Somebody who does not come loses: there is no draw by forfeit.
    white_half[absent & drawn], black_half[absent & drawn] = 2, 0
    from_top = WHOLE - 1 - lot
    nobody = may_fail & (from_top < _BOTH_ABSENT)
    short = may_fail & ~nobody & (from_top < _BOTH_ABSENT + _SHORT)
    punished = may_fail & (from_top == _BOTH_ABSENT + _SHORT) & chance(rng, size, _BOTH_LOSE)
    white_half[nobody | punished] = black_half[nobody | punished] = 0
    kind[absent | nobody] = Kind.FORFEIT
    kind[short] = Kind.SHORT
    return white_half, black_half, kind


def _outcome(rng: Rng, white: Any, black: Any) -> tuple[Any, Any]:
    """Which games White wins and which are drawn; the stronger the players the more draws."""
    difference = np.clip(white + _WHITE_IS_WORTH - black, -_MAX_DIFFERENCE, _MAX_DIFFERENCE)
    expected = _EXPECTED[difference + _MAX_DIFFERENCE].astype(np.int32)
    usual = np.clip(10 + ((white + black) // 2 - 1400) // 25, 8, 55)
    draws = np.minimum(usual, 2 * np.minimum(expected, 100 - expected))
    # In two hundredths: a draw takes as much from White's wins as from Black's.
    lot = rng.integers(0, 200, len(difference), dtype=np.int32)
    won = lot < 2 * expected - draws
    return won, ~won & (lot < 2 * expected + draws)
