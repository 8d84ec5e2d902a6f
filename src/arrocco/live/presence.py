"""Who is in the video conference, as its server tells; what follows at the boards (9.1f).

What is missing shows on the wall at once. Once it has been missing for the event's grace the game's
log says so, and moves wait; back, and play goes on. Where the video server itself is gone nobody is
blamed: no move waits for it.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from msgspec.structs import replace

from arrocco.hall.event.rules import Supervision
from arrocco.hall.event.state import Entry, State
from arrocco.hall.event.state import Phase as RoundPhase
from arrocco.hall.game import Phase
from arrocco.hall.game import commands as c
from arrocco.hall.game.records import Channel
from arrocco.hall.presence import PlayerPresence, Problem
from arrocco.live.event_room import EventRoom
from arrocco.live.room import Room
from arrocco.live.server_time import Alarm, Time

log = logging.getLogger(__name__)

AWAY_AFTER = 4_000
"""Milliseconds without a word after which the video server is gone; it speaks every second."""
BACK_WITHIN = 15_000
"""Milliseconds that players have to come back to a video server that was gone."""

Key = tuple[str, str]


SWITCHED_OFF = (Problem.NO_CAMERA, Problem.NO_MICROPHONE)
"""What is missing of who has switched everything off while a game of theirs is on."""


@dataclass(eq=False)
class _Known:
    """What was told of a player last."""

    told: PlayerPresence
    alarm: Alarm | None = None
    not_before: int = 0
    """Until when a fault of the server has to be made up for."""
    noticed: set[str] = field(default_factory=set)
    """The boards that know that the player is off: a mark by the arbiter stands there."""


class Presence:
    """All players in video conferences, by event and account."""

    def __init__(
        self,
        time: Time,
        events: Callable[[str], EventRoom | None],
        rooms_of: Callable[[EventRoom], Iterable[Room]],
        note_joined: Callable[[EventRoom, int], None] | None = None,
    ) -> None:
        """`note_joined` has it entered in an event's log that a player has come (9.1d)."""
        self._time, self._events, self._rooms_of = time, events, rooms_of
        self._note_joined = note_joined
        self._known: dict[Key, _Known] = {}
        self._boards: dict[str, dict[str, list[Room]]] | None = None
        """By event and account, while something is told of many players: see `_looked_up`."""
        self._watch: Alarm | None = None
        self._heard_at = 0
        self._back_at = 0
        self.is_away = False
        """Whether there was a video server and is none now."""

    def take(self, players: list[PlayerPresence]) -> list[Key]:
        """The video server tells who is there; the answer is who need not be (5.14)."""
        with self._looked_up():
            return self._take(players)

    def _take(self, players: list[PlayerPresence]) -> list[Key]:
        now = self._time.now()
        self._heard_at = now
        told = {(player.event, player.account): player for player in players}
        if self.is_away:
            self._come_back(now)
        if now >= self._back_at:
            for key in tuple(self._known):
                if key not in told:
                    self._vanished(key, now)
        for key, player in told.items():
            self._take_one(key, player, now)
        if self._known and self._watch is None:
            self._watch = self._time.call_at(now + AWAY_AFTER, self._look)
        return [key for key in told if not self._is_needed(key)]

    def told(self, event: str, account: str) -> PlayerPresence | None:
        """What the video server told last of somebody."""
        known = self._known.get((event, account))
        return None if known is None or self.is_away else known.told

    def leave(self) -> None:
        """The video server says that it can see nobody now, by a fault of its own."""
        self._heard_at = self._time.now()
        if self._known and not self.is_away:
            self._go_away()

    def board_opened(self, room: Room, event: EventRoom) -> None:
        """A game has come into the hall: who is in the conference already is so in it."""
        if self.is_away:
            return
        for side_account in (room.state.white.player.id, room.state.black.player.id):
            known = self._known.get((event.id, side_account))
            if known is not None:
                self._apply(room, known)

    def close(self) -> None:
        for known in self._known.values():
            if known.alarm is not None:
                known.alarm.cancel()
        if self._watch is not None:
            self._watch.cancel()

    # --- one player ----------------------------------------------------------------------------

    def _take_one(self, key: Key, player: PlayerPresence, now: int) -> None:
        known = self._known.setdefault(key, _Known(player))
        known.told = player
        self._look_for_joined(key, player)
        for room in self._boards_of(key):
            self._apply(room, known)

    def _vanished(self, key: Key, now: int) -> None:
        """Nothing is told of a player any more: the video server was started again, or need not."""
        known = self._known[key]
        if not self._is_needed(key):
            self._forget(key)
        elif Problem.LOST not in known.told.problems:
            self._call_off(known)
            known.not_before = now + BACK_WITHIN
            known.told = replace(known.told, problems=(Problem.LOST,), since=now)
            for room in self._boards_of(key):
                self._apply(room, known)

    def _look_for_joined(self, key: Key, player: PlayerPresence) -> None:
        """9.1d — who is connected has come, whatever may still be missing of them."""
        event = self._events(key[0])
        if event is None or self._note_joined is None:
            return
        entry = event.state.entry_of(key[1])
        is_there = not player.is_resting and Problem.LOST not in player.problems
        if entry is not None and is_there and entry.id not in event.state.joined:
            self._note_joined(event, entry.id)

    def _apply(self, room: Room, known: _Known) -> None:
        """Brings a board to what was told: at once where somebody is back, else after the grace."""
        told, state, account = known.told, room.state, known.told.account
        if state.phase is Phase.ENDED:
            room.see(account, told.problems, told.since)
            self._call_off(known)
            return
        if not state.is_supervised:  # said by a hall that was started again since
            room.ask(c.SetSupervision(by="", on=True))
        # 9.1f, 5.14 — only who has finished may switch the camera off.
        problems = SWITCHED_OFF if told.is_resting else told.problems
        room.see(account, problems, told.since)
        seat = state.seat(state.side_of_player(account))
        has_focus = Problem.UNFOCUSED not in told.problems
        if seat.focus.on is not has_focus:
            room.ask(c.SetFocus(by=account, on=has_focus))
        if told.is_on:
            self._call_off(known)
            known.noticed.clear()
            if not seat.vcs.on:
                room.ask(c.Connect(by=account, channel=Channel.VCS))
        elif not seat.vcs.on:
            known.noticed.add(room.id)
        elif known.alarm is None and room.id not in known.noticed:
            due = told.since + room.policy.vcs_grace
            self._set_alarm(known, max(due, self._back_at, known.not_before))

    def _set_alarm(self, known: _Known, due: int) -> None:
        key = (known.told.event, known.told.account)
        known.alarm = self._time.call_at(due, lambda: self._grace_is_over(key))

    def _grace_is_over(self, key: Key) -> None:
        known = self._known.get(key)
        if known is None:
            return
        known.alarm = None
        if known.told.is_on or self.is_away:
            return
        for room in self._boards_of(key):
            if room.state.phase is not Phase.ENDED:
                known.noticed.add(room.id)
                room.ask(c.Disconnect(by=key[1], channel=Channel.VCS))

    def _forget(self, key: Key) -> None:
        self._call_off(self._known.pop(key))
        for room in self._boards_of(key):
            room.see(key[1], (), 0)

    @staticmethod
    def _call_off(known: _Known) -> None:
        if known.alarm is not None:
            known.alarm.cancel()
            known.alarm = None

    @contextmanager
    def _looked_up(self) -> Iterator[None]:
        """Looks once where everybody plays: moves wait while this goes on, so what it takes must
        not grow with players times boards."""
        before, self._boards = self._boards, self._boards or {}
        try:
            yield
        finally:
            self._boards = before

    def _boards_of(self, key: Key) -> Sequence[Room]:
        event, account = key
        if self._boards is None:
            return self._boards_in(event).get(account, [])
        if event not in self._boards:
            self._boards[event] = self._boards_in(event)
        return self._boards[event].get(account, [])

    def _boards_in(self, name: str) -> dict[str, list[Room]]:
        """The boards of an event's last round, by the accounts of their players."""
        event, boards = self._events(name), dict[str, list[Room]]()
        for room in () if event is None else self._rooms_of(event):
            for seat in (room.state.white, room.state.black):
                boards.setdefault(seat.player.id, []).append(room)
        return boards

    def _is_needed(self, key: Key) -> bool:
        """5.14 — who has finished their game may switch everything off; until when, 12.3 says."""
        event = self._events(key[0])
        if event is None or event.state.closed is not None:
            return False
        last, entry = event.state.last_round, event.state.entry_of(key[1])
        if entry is None:
            return False
        if last is None or last.phase is RoundPhase.PAIRED:
            return True
        if any(room.state.phase is not Phase.ENDED for room in self._boards_of(key)):
            return True
        return last.phase is RoundPhase.CLOSED and _stays_between_rounds(event.state, entry)

    # --- the video server itself ---------------------------------------------------------------

    def _look(self) -> None:
        self._watch = None
        now = self._time.now()
        due = self._heard_at + AWAY_AFTER
        if now < due:
            self._watch = self._time.call_at(due, self._look)
            return
        if not self.is_away:
            self._go_away()

    def _go_away(self) -> None:
        log.warning("the video server is gone: no move waits for it")
        self.is_away = True
        self._set_supervision(on=False)

    def _come_back(self, now: int) -> None:
        log.info("the video server is back")
        self.is_away, self._back_at = False, now + BACK_WITHIN
        self._set_supervision(on=True)
        for known in self._known.values():  # who does not come back in time is missing then
            self._call_off(known)
            known.told = replace(known.told, problems=(Problem.LOST,), since=now)
            self._set_alarm(known, self._back_at)

    def _set_supervision(self, *, on: bool) -> None:
        """9.1f — only at boards whose players this server has watched."""
        with self._looked_up():
            rooms = {room for key in self._known for room in self._boards_of(key)}
        for room in rooms:
            if room.state.phase is not Phase.ENDED:
                room.ask(c.SetSupervision(by="", on=on))


def _stays_between_rounds(state: State, entry: Entry) -> bool:
    """9.1d, 12.3 — whether somebody has to be there before the next round is paired."""
    rules = state.rules
    is_over = len(state.rounds) >= state.announced_rounds
    if rules is None or rules.may_rest_between_rounds or is_over or entry.withdrawn:
        return False
    return rules.supervision is Supervision.FULL and not state.is_expelled(entry.id)
