"""The chess clock as an immutable value: every change takes the server's `now` and gives a new one.

All times are whole milliseconds of the server, the only ones that count (1.3.7). A clock shows for
each side what is left, knows whose time runs and since when, and how many moves each side has
completed, from which its period follows. An increment is added once the move is completed. A last
period with a number of moves begins anew whenever they are made.
"""

from __future__ import annotations

import msgspec

from arrocco.errors import Illegal
from arrocco.laws.online.side import Side
from arrocco.records.timecontrol import Period, TimeControl

MS = 1000
"""Milliseconds in a second."""


class Clock(msgspec.Struct, frozen=True):
    """What both sides have left; `since` is when the time of `turn` was last counted.

    Without `since` no time runs: before the start, in a pause, after the end.
    """

    control: TimeControl
    white: int
    black: int
    white_moves: int = 0
    black_moves: int = 0
    turn: Side = Side.WHITE
    since: int | None = None

    @classmethod
    def of(cls, control: TimeControl) -> Clock:
        """The clock before the first move, standing still."""
        return cls(control, control.white[0].seconds * MS, control.black[0].seconds * MS)

    # --- what it shows -------------------------------------------------------------------------

    @property
    def running(self) -> Side | None:
        """Whose time runs."""
        return None if self.since is None else self.turn

    def shown(self, side: Side) -> int:
        """What a side had left when its time was last counted."""
        return self.white if side is Side.WHITE else self.black

    def remaining(self, side: Side, now: int) -> int:
        """What a side has left now, never less than nothing."""
        left = self.shown(side)
        if self.since is None or side is not self.turn:
            return left
        return max(left - max(now - self.since, 0), 0)

    def flag_at(self) -> int | None:
        """The moment the flag falls if nothing happens before; `None` while no time runs."""
        return None if self.since is None else self.since + self.shown(self.turn)

    def moves(self, side: Side) -> int:
        """The moves a side has completed."""
        return self.white_moves if side is Side.WHITE else self.black_moves

    def periods_passed(self, side: Side) -> int:
        """How many periods a side has left behind (1.3.3)."""
        return _periods_passed(self._periods(side), self.moves(side))

    def moves_to_control(self, side: Side) -> int | None:
        """The moves still to be made in this period; `None` when it lasts to the end."""
        return _moves_to_control(self._periods(side), self.moves(side))

    # --- how it runs ---------------------------------------------------------------------------

    def start(self, now: int) -> Clock:
        """1.3.5 — the time of the side to move runs from now on; it need not be there."""
        return msgspec.structs.replace(self, since=now)

    def switch(self, now: int) -> Clock:
        """1.3.2 — the side to move has moved: its time stops, gains, and the other's runs.

        Raises `Illegal` when no time runs or none is left: there is then no move to complete.
        """
        mover = self.turn
        left = self.remaining(mover, now)
        if self.since is None or left == 0:
            raise Illegal.of("hall.clock.not_running")
        made = self.moves(mover) + 1
        left += _gain(self._periods(mover), made)
        since = max(now, self.since)
        if mover is Side.WHITE:
            return msgspec.structs.replace(
                self, white=left, white_moves=made, turn=Side.BLACK, since=since
            )
        return msgspec.structs.replace(
            self, black=left, black_moves=made, turn=Side.WHITE, since=since
        )

    def pause(self, now: int) -> Clock:
        """11.6 — no time runs; what has run until now is counted."""
        if self.since is None:
            return self
        return msgspec.structs.replace(self._counted(now), since=None)

    def resume(self, now: int) -> Clock:
        """11.6 — the time of the side to move runs again; a running clock is left as it is."""
        return self if self.since is not None else self.start(now)

    # --- what an arbiter does to it ------------------------------------------------------------

    def set(self, side: Side, left: int, now: int) -> Clock:
        """11.5 — puts a time on a side's clock. Raises `Illegal` for less than nothing."""
        if left < 0:
            raise Illegal.of("hall.clock.below_zero")
        counted = self._counted(now)
        if side is Side.WHITE:
            return msgspec.structs.replace(counted, white=left)
        return msgspec.structs.replace(counted, black=left)

    def add(self, side: Side, time: int, now: int) -> Clock:
        """6.5, 6.9b — gives a side more time."""
        return self.set(side, self.remaining(side, now) + time, now)

    def subtract(self, side: Side, time: int, now: int) -> Clock:
        """6.9c — takes time from a side, at most all it has: then its flag has fallen."""
        return self.set(side, max(self.remaining(side, now) - time, 0), now)

    def back_to(self, white_moves: int, black_moves: int, white: int, black: int) -> Clock:
        """6.8 — the clock of an earlier position, standing still."""
        return msgspec.structs.replace(
            self,
            white=white,
            black=black,
            white_moves=white_moves,
            black_moves=black_moves,
            turn=Side.WHITE if white_moves == black_moves else Side.BLACK,
            since=None,
        )

    # --- within --------------------------------------------------------------------------------

    def _counted(self, now: int) -> Clock:
        """The same clock with the running time counted up to now."""
        if self.since is None:
            return self
        left, since = self.remaining(self.turn, now), max(now, self.since)
        if self.turn is Side.WHITE:
            return msgspec.structs.replace(self, white=left, since=since)
        return msgspec.structs.replace(self, black=left, since=since)

    def _periods(self, side: Side) -> tuple[Period, ...]:
        return self.control.white if side is Side.WHITE else self.control.black


def forfeit_at(tolerance_ends: int) -> int:
    """1.3.5 — the first moment too late: who arrives when the tolerance ends is in time."""
    return tolerance_ends + 1


def _gain(periods: tuple[Period, ...], made: int) -> int:
    """What completing the move of that number gives: its increment, and the time of a period."""
    first = 0
    for number, period in enumerate(periods):
        if period.moves is None or made < first + period.moves:
            return period.increment * MS
        if made == first + period.moves:
            following = periods[min(number + 1, len(periods) - 1)]
            return (period.increment + following.seconds) * MS
        first += period.moves
    last = periods[-1]
    assert last.moves is not None  # otherwise the loop has returned
    begins_anew = (made - first) % last.moves == 0
    return (last.increment + (last.seconds if begins_anew else 0)) * MS


def _periods_passed(periods: tuple[Period, ...], made: int) -> int:
    passed = 0
    for period in periods:
        if period.moves is None or made < period.moves:
            return passed
        made -= period.moves
        passed += 1
    return passed + made // (periods[-1].moves or 1)


def _moves_to_control(periods: tuple[Period, ...], made: int) -> int | None:
    for period in periods:
        if period.moves is None:
            return None
        if made < period.moves:
            return period.moves - made
        made -= period.moves
    last = periods[-1].moves or 1
    return last - made % last
