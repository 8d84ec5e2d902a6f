"""All boards of a round for those who look on: position, clocks, result, as late as ruled (5.17).

A board is written once, however many look at it. Whoever looks on is sent what has changed on the
boards they have before them, the later the more there are, and a few at a time: no move waits.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from msgspec import Raw

from arrocco.hall.game import GameRole, view_for
from arrocco.live.game_messages import Listener, Seen
from arrocco.live.messages import BoardChange, LiveBoard, LiveBoards, encode
from arrocco.live.room import Room
from arrocco.live.server_time import Alarm, Time

PAUSE = 400
"""Milliseconds between two tellings of the same onlooker, where there are few."""
PER_MILLISECOND = 5
"""Onlookers for whom everybody waits a millisecond longer: 5,000 are told every 1.4 seconds."""
AT_ONCE = 10
"""Boards written, and onlookers told, before a move gets its turn."""
BREATH = 2
"""Milliseconds until the next of them."""
MAX_SHOWN = 64
"""Boards that one onlooker is told of; which ones follows what their window shows."""


@dataclass(eq=False, slots=True)
class _Onlooker:
    first: int
    last: int
    version: int
    due: int


@dataclass(eq=False, slots=True)
class _Board:
    seen: Seen
    version: int
    whole: Raw
    change: Raw


class PublicBoards:
    """The boards of one event's last round as spectators see them."""

    def __init__(self, event: str, rooms: Callable[[], Iterable[Room]], time: Time) -> None:
        self._event, self._rooms, self._time = event, rooms, time
        self._onlookers: dict[Listener, _Onlooker] = {}
        """The one who is told next comes first."""
        self._boards: dict[int, _Board] = {}
        """By number; the one that has changed last comes last."""
        self._changed: dict[Room, None] = {}
        self._later: list[tuple[int, int, Room]] = []
        """What happened and is not to be seen yet."""
        self._version = self._round = self._total = self._looks = 0
        self._timer: Alarm | None = None

    # --- who looks on --------------------------------------------------------------------------

    def join(self, listener: Listener, first: int, last: int) -> None:
        """Shows somebody boards from one number to another, whole at first."""
        if not self._onlookers:
            self._write_all()
        now = self._time.now()
        last = min(last, first + MAX_SHOWN - 1)
        self._onlookers.pop(listener, None)
        self._onlookers[listener] = _Onlooker(first, last, self._version, now + self._pause)
        listener.send(self._frame(first, last, None, now))
        self._set_timer(PAUSE)

    def leave(self, listener: Listener) -> None:
        self._onlookers.pop(listener, None)

    @property
    def _pause(self) -> int:
        return PAUSE + len(self._onlookers) // PER_MILLISECOND

    # --- what happens --------------------------------------------------------------------------

    def changed(self, room: Room) -> None:
        """Something has happened at a board."""
        if not self._onlookers:
            return
        rules = room.state.rules
        if rules.spectator_delay:
            self._look_at(self._time.now() + rules.spectator_delay, room)
        if not rules.spectator_delay or rules.spectator_delay_plies:
            self._changed[room] = None

    def _look_at(self, moment: int, room: Room) -> None:
        self._looks += 1  # so that two of one moment have an order
        heapq.heappush(self._later, (moment, self._looks, room))

    def begin_anew(self) -> None:
        """Another round: everybody gets its boards, when it is their turn."""
        if self._onlookers:
            self._write_all()
            for onlooker in self._onlookers.values():
                onlooker.version = -1

    def close(self) -> None:
        if self._timer is not None:
            self._timer.cancel()

    # --- telling -------------------------------------------------------------------------------

    def _set_timer(self, wait: int) -> None:
        if self._timer is None:
            self._timer = self._time.call_at(self._time.now() + wait, self._work)

    def _work(self) -> None:
        """Writes some boards and tells some onlookers; the rest after a breath."""
        self._timer = None
        if not self._onlookers:
            self._changed.clear()
            self._later.clear()
            return
        now = self._time.now()
        while self._later and self._later[0][0] <= now:
            self._changed[heapq.heappop(self._later)[2]] = None
        for room in list(self._changed)[:AT_ONCE]:
            del self._changed[room]
            self._write(room, now)
        frames: dict[tuple[int, int, int], bytes] = {}
        for _ in range(min(AT_ONCE, len(self._onlookers))):
            listener, onlooker = next(iter(self._onlookers.items()))
            if onlooker.due > now:
                break
            del self._onlookers[listener]
            self._tell(listener, onlooker, frames, now)
            onlooker.due = now + self._pause
            self._onlookers[listener] = onlooker
        if not self._onlookers:
            return
        due = next(iter(self._onlookers.values())).due
        self._set_timer(BREATH if self._changed else max(BREATH, min(due - now, PAUSE // 2)))

    def _tell(
        self,
        listener: Listener,
        onlooker: _Onlooker,
        frames: dict[tuple[int, int, int], bytes],
        now: int,
    ) -> None:
        since, onlooker.version = onlooker.version, self._version
        if since == self._version:
            return
        key = since, onlooker.first, onlooker.last
        if key not in frames:  # most of them look at the same boards
            first, last = onlooker.first, onlooker.last
            frames[key] = self._frame(first, last, None if since < 0 else since, now)
        if frames[key]:
            listener.send(frames[key])

    def _frame(self, first: int, last: int, since: int | None, now: int) -> bytes:
        """What is sent: everything, or what has changed since; nothing where nothing has."""
        if since is None:
            boards = tuple(
                self._boards[number].whole
                for number in sorted(self._boards)
                if first <= number <= last
            )
        else:
            boards = tuple(self._changes(first, last, since))
            if not boards:
                return b""
        return encode(
            LiveBoards(
                event=self._event,
                now=now,
                round=self._round,
                total=self._total,
                whole=since is None,
                boards=boards,
            )
        )

    def _changes(self, first: int, last: int, since: int) -> Iterator[Raw]:
        for number, board in reversed(self._boards.items()):
            if board.version <= since:
                return
            if first <= number <= last:
                yield board.change

    # --- writing -------------------------------------------------------------------------------

    def _write_all(self) -> None:
        now = self._time.now()
        self._boards.clear()
        self._changed.clear()
        self._later.clear()
        self._round = self._total = 0
        for room in self._rooms():
            self._write(room, now)
            self._total = max(self._total, room.state.created.board)
            self._round = room.state.created.round
            delay = room.state.rules.spectator_delay
            for frame in room.state.frames:  # what has happened and is still to be seen
                if frame.at + delay > now:
                    self._look_at(frame.at + delay, room)

    def _write(self, room: Room, now: int) -> None:
        state = room.shown
        number = state.created.board
        view = view_for(state, GameRole.SPECTATOR, now)
        known = self._boards.get(number)
        if known is not None and known.seen.shows(view, now):
            return
        change = BoardChange(
            board=number,
            at=now,
            phase=view.phase,
            fen=view.fen.partition(" ")[0],
            last=view.last,
            clock=view.clock,
            scores=None if view.result is None else view.result.scores,
        )
        whole = LiveBoard(
            **{name: getattr(change, name) for name in change.__struct_fields__},
            game=room.id,
            white=view.white.name,
            black=view.black.name,
        )
        self._version += 1
        self._boards.pop(number, None)
        self._boards[number] = _Board(
            Seen(view, now), self._version, Raw(encode(whole)), Raw(encode(change))
        )
