"""The list of FIDE that a time control belongs to, by the texts of 2024."""

from __future__ import annotations

from arrocco.laws.classes import TimeClass
from arrocco.laws.fide.rapid_blitz_2024 import FideBlitz2024, FideRapid2024
from arrocco.laws.fide.standard_2024 import Fide2024
from arrocco.records.timecontrol import TimeControl

_BLITZ = FideBlitz2024()
_RAPID = FideRapid2024()


def fide_class(control: TimeControl) -> TimeClass | None:
    """The FIDE list a time control belongs to; none at 3 minutes or less for 60 moves.

    A control whose sides belong to different lists belongs to none. Whether a game is rated is a
    further question: rapid and blitz want equal times, standard wants more for higher ratings.
    """
    shortest, longest = control.seconds_for_60_moves, control.longest_seconds_for_60_moves
    if shortest >= 60 * Fide2024.LOW_BAND_MINUTES:
        return TimeClass.STANDARD
    if _RAPID.is_in_class(shortest) and _RAPID.is_in_class(longest):
        return TimeClass.RAPID
    if _BLITZ.is_in_class(shortest) and _BLITZ.is_in_class(longest):
        return TimeClass.BLITZ
    return None
