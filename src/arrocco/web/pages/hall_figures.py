"""Points, times and time controls of the hall as its pages write them."""

from __future__ import annotations

from datetime import timedelta
from functools import reduce

from arrocco.laws.hall import OnlineRating
from arrocco.records.timecontrol import Period, TimeControl
from arrocco.words import Language, say

_SAID = "hall_pages.control."


def control_in_words(language: Language, control: TimeControl, rio: OnlineRating) -> str:
    """A time control so that nobody takes minutes for seconds, and what its games are (14.3)."""
    white, black = (_side_in_words(language, side) for side in (control.white, control.black))
    text = white if control.is_equal else say(language, f"{_SAID}sides", white=white, black=black)
    kind = rio.time_class(control)
    return text if kind is None else f"{text} ({kind.value})"


def _side_in_words(language: Language, periods: tuple[Period, ...]) -> str:
    told = [_period(language, period) for period in periods]
    return reduce(lambda first, then: say(language, f"{_SAID}then", first=first, next=then), told)


def _period(language: Language, period: Period) -> str:
    minutes, seconds = divmod(period.seconds, 60)
    times = [("minute", minutes), ("second", seconds)]
    text = " ".join(_counted(language, name, count) for name, count in times if count)
    if period.moves is not None:
        text = say(language, f"{_SAID}for_moves", time=text, moves=period.moves)
    if period.increment:
        each = _counted(language, "second", period.increment)
        text = say(language, f"{_SAID}increment", time=text, each=each)
    return text


def _counted(language: Language, name: str, count: int) -> str:
    return say(language, f"{_SAID}{name if count == 1 else name + 's'}", count=count)


def points_text(tenths: int) -> str:
    """Tenths of a point: 10 is ``1``, 5 is ``0.5``."""
    whole, rest = divmod(tenths, 10)
    return f"{whole}.{rest}" if rest else str(whole)


def score_text(tenths: int) -> str:
    """The points of a game as results write them: half a point is ½."""
    whole, rest = divmod(tenths, 10)
    return f"{whole or ''}½" if rest == 5 else points_text(tenths)


def time_text(value: timedelta) -> str:
    minutes, seconds = divmod(value // timedelta(seconds=1), 60)
    return f"{minutes}:{seconds:02d}"
