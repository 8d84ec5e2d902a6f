"""Time controls as records and as code, and the time a player has for 60 moves.

A control is a sequence of periods. A period has seconds, an increment per move, and a number of
moves to make in it (none in the last). Both players usually share one control; where they do not
(Armageddon) each side has its own.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from arrocco.errors import Malformed

MOVES_ASSUMED = 60
"""The length of game that every regulation assumes when it counts the time of a player."""


@dataclass(frozen=True)
class Period:
    """One stretch of a control: `seconds` for `moves` moves (or for the rest), plus `increment`."""

    seconds: int
    increment: int = 0
    moves: int | None = None


@dataclass(frozen=True)
class TimeControl:
    """The periods of White and of Black."""

    white: tuple[Period, ...]
    black: tuple[Period, ...]

    @property
    def is_equal(self) -> bool:
        """Whether both players have the same time."""
        return self.white == self.black

    @property
    def first_control_moves(self) -> int | None:
        """The moves of the first control, the fewer of the two sides; none without a count."""
        counts = [side[0].moves for side in (self.white, self.black) if side[0].moves is not None]
        return min(counts) if counts else None

    @property
    def seconds_for_60_moves(self) -> int:
        """The time a player has for 60 moves, the lesser of the two sides."""
        return min(_seconds_for(self.white), _seconds_for(self.black))

    @property
    def longest_seconds_for_60_moves(self) -> int:
        return max(_seconds_for(self.white), _seconds_for(self.black))

    @property
    def base_seconds(self) -> int:
        """What stands on the clock over all periods reached in 60 moves, without increments."""
        return min(
            _seconds_for(self.white, increments=False), _seconds_for(self.black, increments=False)
        )

    @property
    def increment(self) -> int:
        """The smallest increment a player gets at any time of the 60 moves."""
        return min(
            period.increment for side in (self.white, self.black) for period in _reached(side)
        )

    @property
    def code(self) -> str:
        """The code of TRF record 222, in seconds: ``40/6000+30:900+30``."""
        white, black = _side_code(self.white), _side_code(self.black)
        return white if self.is_equal else f"W{white}-B{black}"

    def __str__(self) -> str:
        white, black = _side_text(self.white), _side_text(self.black)
        return white if self.is_equal else f"W {white} / B {black}"


def _reached(periods: tuple[Period, ...]) -> list[Period]:
    """The periods that begin within the first 60 moves."""
    reached, played = [], 0
    for period in periods:
        if played >= MOVES_ASSUMED:
            break
        reached.append(period)
        played = MOVES_ASSUMED if period.moves is None else played + period.moves
    return reached


@lru_cache(maxsize=1024)
def _seconds_for(periods: tuple[Period, ...], *, increments: bool = True) -> int:
    """Seconds for 60 moves: the periods reached and the increments granted in moves 1 to 60.

    A period that would start after move 60 does not count, nor does its increment: a game of 60
    moves never sees it.
    """
    total, left = 0, MOVES_ASSUMED
    for period in _reached(periods):
        moves = left if period.moves is None else min(period.moves, left)
        total += period.seconds + (period.increment * moves if increments else 0)
        left -= moves
    return total


def _side_code(periods: tuple[Period, ...]) -> str:
    return ":".join(
        (f"{p.moves}/" if p.moves is not None else "")
        + str(p.seconds)
        + (f"+{p.increment}" if p.increment else "")
        for p in periods
    )


def _side_text(periods: tuple[Period, ...]) -> str:
    parts = [_period_text(period) for period in periods]
    increments = {period.increment for period in periods}
    if increments == {0}:
        return " + ".join(parts)
    if len(increments) == 1:
        return f'{" + ".join(parts)} + {increments.pop()}"'
    # Where the increment changes each period says its own, 0 included, so that no one guesses.
    return " + ".join(
        f'{part} (+{period.increment}")' for part, period in zip(parts, periods, strict=True)
    )


def _period_text(period: Period) -> str:
    minutes, seconds = divmod(period.seconds, 60)
    # 90'30" would look like 90 minutes and 30 seconds a move: odd seconds are written 90m30s.
    text = f"{minutes}m{seconds:02d}s" if seconds else f"{minutes}'"
    if period.moves is None:
        return text
    # A bare number above 60 is not taken for moves: it says that it is one.
    return f"{text}/{period.moves}" + (" moves" if period.moves > MOVES_ASSUMED else "")


# --- reading --------------------------------------------------------------------------------------

_MAX_SECONDS = 100 * 3600
_CODE_PERIOD = re.compile(
    r"(?:(?P<moves>\d{1,3})/)?(?P<seconds>\d{1,6})(?:\+(?P<inc>\d{1,4}))?", re.ASCII
)
_UNEQUAL_CODE = re.compile(r"W(?P<white>[\d/+:]+)-B(?P<black>[\d/+:]+)", re.ASCII)


def parse_code(text: str) -> TimeControl:
    """Reads the code of TRF record 222, in seconds: ``5400+30``, ``40/6000+30:900+30``.

    Raises `Malformed` with the code's grammar when it does not follow it.
    """
    code = text.strip()
    unequal = _UNEQUAL_CODE.fullmatch(code)
    if unequal:
        return TimeControl(_code_side(unequal["white"], text), _code_side(unequal["black"], text))
    side = _code_side(code, text)
    return TimeControl(side, side)


def _code_side(code: str, whole: str) -> tuple[Period, ...]:
    periods = []
    for part in code.split(":"):
        match = _CODE_PERIOD.fullmatch(part)
        if not match:
            raise Malformed.of("timecontrol.refused.not_a_code", whole=whole)
        moves = int(match["moves"]) if match["moves"] else None
        periods.append(Period(int(match["seconds"]), int(match["inc"] or 0), moves))
    return checked(tuple(periods), whole)


def checked(periods: tuple[Period, ...], whole: str) -> tuple[Period, ...]:
    """The same periods, once they are known to make a control. Raises `Malformed` otherwise."""
    for number, period in enumerate(periods, start=1):
        if period.moves == 0 or (period.moves is None and number < len(periods)):
            raise Malformed.of("timecontrol.refused.no_moves", whole=whole, period=number)
        if not 0 <= period.seconds <= _MAX_SECONDS or period.increment > 3600:
            raise Malformed.of("timecontrol.refused.impossible", whole=whole, period=number)
    if sum(period.seconds + period.increment for period in periods) == 0:
        raise Malformed.of("timecontrol.refused.no_time", whole=whole)
    return periods
