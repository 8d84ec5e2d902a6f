"""The arbiter's wall: all boards of an event, or of one's zone (6.3), live and by urgency.

Boards that have changed are sent together a few times a second; a board is written once, however
many arbiters look at it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import islice

from msgspec import Raw
from msgspec.structs import replace

from arrocco.hall.game.view import ClockView, ResultView, end_key
from arrocco.laws.online.side import Side
from arrocco.live.alarm import Alarm
from arrocco.live.attendance import AttendanceShown
from arrocco.live.game_messages import Listener
from arrocco.live.messages import Closed, Wall, WallBoard, encode
from arrocco.live.room import Room
from arrocco.live.server_time import Alarm as Timer
from arrocco.live.server_time import Time
from arrocco.live.urgency import alarms, wall_order

PAUSE = 200
"""Milliseconds between two tellings."""
LOOK_AGAIN = 1000
"""Milliseconds after which boards on which nothing happens are looked at for new alarms."""
AT_ONCE, BREATH = 5, 4
"""Boards written, and looked at for alarms, before moves get their turn; and the milliseconds until
the next of them. A round in which all boards change keeps no move waiting."""
TOGETHER = 25
"""Boards told of in one message, where so many have changed."""


@dataclass(eq=False)
class _Watcher:
    person: str
    watches: Callable[[int], bool]
    order: tuple[str, ...] = ()
    attendance: AttendanceShown | None = None
    """What of the presence board they were shown last."""


@dataclass(eq=False)
class _Board:
    number: int
    alarms: tuple[Alarm, ...]
    written: Raw
    written_at: int


class ArbiterWall:
    """The wall of one event."""

    def __init__(
        self,
        event: str,
        rooms: Callable[[], Iterable[Room]],
        time: Time,
        attendance: Callable[[str, int], AttendanceShown | None] | None = None,
    ) -> None:
        """`attendance` gives what somebody sees of the presence board at a moment."""
        self._event, self._rooms, self._time = event, rooms, time
        self._attendance = attendance
        self._watchers: dict[Listener, _Watcher] = {}
        self._boards: dict[str, _Board] = {}
        self._changed: dict[Room, None] = {}
        self._to_tell: dict[Room, None] = {}
        """Boards that are written anew and that nobody was told of yet."""
        self._timer: Timer | None = None
        self._looked_at = 0
        self._to_look: list[Room] = []
        """Boards that are still to be looked at for new alarms."""
        self._by_number: tuple[str, ...] = ()
        self._has_new_order, self._ordered_at = True, 0

    def join(self, listener: Listener, person: str, watches: Callable[[int], bool]) -> None:
        """Shows somebody the boards whose numbers they watch, all of them at first."""
        now = self._time.now()
        rooms = list(self._rooms())
        if not self._watchers:
            self._forget_boards()
        for room in rooms:
            if room.id not in self._boards:
                self._write(room, now)
        watcher = _Watcher(person, watches)
        self._watchers[listener] = watcher
        shown = tuple(
            self._boards[room.id].written for room in rooms if watches(room.state.created.board)
        )
        watcher.order = self._order_for(watcher, self._order())
        listener.send(encode(Wall(event=self._event, now=now, boards=shown, order=watcher.order)))
        self._show_attendance(listener, watcher, now)
        self._set_timer(PAUSE)

    def leave(self, listener: Listener) -> None:
        self._watchers.pop(listener, None)

    def remove_arbiters(self, may_stay: Callable[[str], bool]) -> None:
        """Closes the wall for those who are no arbiters any more."""
        for listener, watcher in tuple(self._watchers.items()):
            if not may_stay(watcher.person):
                self.leave(listener)
                listener.send(encode(Closed(event=self._event)))

    def changed(self, room: Room) -> None:
        """Something has happened at a board."""
        if self._watchers:
            self._changed[room] = None

    def attendance_changed(self) -> None:
        """Somebody has joined, was checked, or excused themselves: everybody is shown it now."""
        now = self._time.now()
        for listener, watcher in tuple(self._watchers.items()):
            self._show_attendance(listener, watcher, now)

    def begin_anew(self) -> None:
        """Another round: everybody gets its boards."""
        self._forget_boards()
        for listener, watcher in tuple(self._watchers.items()):
            self.join(listener, watcher.person, watcher.watches)

    def _forget_boards(self) -> None:
        self._boards.clear()
        self._to_look.clear()
        self._to_tell.clear()
        self._by_number = ()

    def close(self) -> None:
        if self._timer is not None:
            self._timer.cancel()

    # --- telling -------------------------------------------------------------------------------

    def _set_timer(self, wait: int) -> None:
        if self._timer is None:
            self._timer = self._time.call_at(self._time.now() + wait, self._notify)

    def _notify(self) -> None:
        self._timer = None
        if not self._watchers:
            self._changed.clear()
            return
        now = self._time.now()
        if now - self._looked_at >= LOOK_AGAIN and not self._to_look:
            self._looked_at = now
            self._to_look = list(self._rooms())[::-1]
            self.attendance_changed()
        self._look_for_alarms(now)
        for room in list(islice(self._changed, AT_ONCE)):
            del self._changed[room]
            self._write(room, now)
            self._to_tell[room] = None
        if not self._changed or len(self._to_tell) >= TOGETHER:
            self._tell_all(now)
        self._set_timer(BREATH if self._changed or self._to_look else PAUSE)

    def _tell_all(self, now: int) -> None:
        """Tells everybody of the boards that were written; of another order not more often."""
        rooms, order = list(self._to_tell), None
        self._to_tell.clear()
        if self._has_new_order and now - self._ordered_at >= PAUSE:
            order, self._has_new_order, self._ordered_at = self._order(), False, now
        for listener, watcher in tuple(self._watchers.items()):
            self._tell_one(listener, watcher, rooms, order, now)

    def _show_attendance(self, listener: Listener, watcher: _Watcher, now: int) -> None:
        """9.1d — the presence board, where it is another one than was shown last."""
        shown = None if self._attendance is None else self._attendance(watcher.person, now)
        if shown is None:
            return
        before = watcher.attendance
        if before is None or replace(before, now=now) != shown:
            watcher.attendance = shown
            listener.send(encode(shown))

    def _tell_one(
        self,
        listener: Listener,
        watcher: _Watcher,
        rooms: list[Room],
        order: tuple[str, ...] | None,
        now: int,
    ) -> None:
        shown = tuple(
            self._boards[room.id].written
            for room in rooms
            if watcher.watches(self._boards[room.id].number)
        )
        new = None
        if order is not None and (own := self._order_for(watcher, order)) != watcher.order:
            new = watcher.order = own
        if shown or new is not None:
            listener.send(encode(Wall(event=self._event, now=now, boards=shown, order=new)))

    def _look_for_alarms(self, now: int) -> None:
        look, self._to_look = self._to_look[-AT_ONCE:], self._to_look[:-AT_ONCE]
        for room in reversed(look):
            board = self._boards.get(room.id)
            if room in self._changed or (board and now - board.written_at < LOOK_AGAIN // 2):
                continue
            if board is None or board.alarms != _alarms_of(room, now):
                self._changed[room] = None

    def _order(self) -> tuple[str, ...]:
        """Boards with alarms by urgency, then all others by number, which seldom changes."""
        if len(self._by_number) != len(self._boards):
            numbered = sorted((board.number, game) for game, board in self._boards.items())
            self._by_number = tuple(game for _, game in numbered)
        urgent = wall_order(
            (game, board.number, board.alarms)
            for game, board in self._boards.items()
            if board.alarms
        )
        first = frozenset(urgent)
        return (*urgent, *(game for game in self._by_number if game not in first))

    def _order_for(self, watcher: _Watcher, order: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(game for game in order if watcher.watches(self._boards[game].number))

    def _write(self, room: Room, now: int) -> None:
        alarms = _alarms_of(room, now)
        number = room.state.created.board
        known = self._boards.get(room.id)
        self._has_new_order |= known is None or known.alarms != alarms
        written = Raw(encode(board_of(room, alarms, now)))
        self._boards[room.id] = _Board(number, alarms, written, now)


def _alarms_of(room: Room, now: int) -> tuple[Alarm, ...]:
    return alarms(room.shown, now, room.refused, room.held_since, room.video)


def board_of(room: Room, found: tuple[Alarm, ...], now: int) -> WallBoard:
    """A game as the wall shows it; a premove is nobody's business but its owner's."""
    state = room.shown
    clock, created, outcome = state.clock, state.created, state.outcome
    white, black = state.white, state.black
    return WallBoard(
        game=room.id,
        round=created.round,
        board=created.board,
        white=white.player.name,
        black=black.player.name,
        phase=state.phase,
        fen=state.board.board_fen(),
        last=state.moves[-1].uci if state.moves else "",
        clock=ClockView(
            clock.remaining(Side.WHITE, now), clock.remaining(Side.BLACK, now), clock.running
        ),
        connected=(white.platform.on, black.platform.on),
        on_vcs=(white.vcs.on, black.vcs.on),
        offer=state.offer.side if state.offer else None,
        calls=sum(not call.answered for call in state.calls),
        refused=(room.refused[white.player.id], room.refused[black.player.id]),
        alarms=found,
        result=None
        if outcome is None
        else ResultView(
            outcome.scores,
            outcome.reason,
            outcome.article,
            end_key(outcome),
            outcome.side,
            outcome.proof,
        ),
    )
