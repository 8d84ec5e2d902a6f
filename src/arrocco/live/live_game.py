"""One game in memory: its state, who looks on, and its log; what is written has happened."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from arrocco.hall.game import (
    GameRole,
    Phase,
    State,
    apply,
    clocks_held,
    fold,
)
from arrocco.hall.game import commands as c
from arrocco.hall.game import events as e
from arrocco.hall.game.held import HELD_AFTER
from arrocco.hall.game.log import decode
from arrocco.hall.game.records import Reason
from arrocco.hall.presence import Problem
from arrocco.laws.hall import laws_held_under
from arrocco.laws.online.side import Side
from arrocco.live.audiences import Audiences, close
from arrocco.live.game_messages import Listener
from arrocco.live.outcome import (
    Write,
)
from arrocco.live.receipts import Receipts
from arrocco.live.services import Policy, Services
from arrocco.live.takeover import TakingOver
from arrocco.live.video_alarms import SeenMissing, VideoFacts
from arrocco.live.wakeup import Wakeup

log = logging.getLogger(__name__)

_BY_FLAG = (Reason.TIME, Reason.TIME_WITHOUT_MATE)


class LiveGame:
    """A game with its audiences; what is asked of it, and when, is for a subclass."""

    def __init__(
        self,
        events: Sequence[e.Event],
        services: Services,
        receipts: Receipts | None = None,
        policy: Policy = Policy(),  # noqa: B008 (it is a value)
    ) -> None:
        self.state: State
        created = events[0]
        assert isinstance(created, e.Created)
        self.id = created.game
        self.stream = f"game:{created.game}"
        self.services = services
        self.policy = policy
        self.law = policy.law or laws_held_under(created.day).online
        self.refused: Counter[str] = Counter()
        """How many messages of each player were refused."""
        self.seen: dict[str, SeenMissing] = {}
        """9.1 — what is missing of each player in the video conference."""
        self.on_change: Callable[[Any, tuple[e.Event, ...]], None] | None = None
        """Called with the room, and what has happened in it."""
        self._audiences = Audiences(policy.name_of, policy.with_analysis)
        self._receipts = receipts or Receipts()
        self._wakeup = Wakeup(services, lambda: self.state, self._ring)
        self.held_since: int | None = None
        """11.6 — since when the server holds the clocks; `None` while it does not."""
        self._is_in_doubt = False
        self._taking_over: TakingOver | None = None
        self._read(events)

    def _ring(self) -> None:
        """Something is due, or may be."""
        raise NotImplementedError

    def _come_or_go(self, command: c.Connect | c.Disconnect) -> None:
        """A player's first socket is open, or the last one is closed."""
        raise NotImplementedError

    # --- being there ---------------------------------------------------------------------------

    def join(self, listener: Listener, person: str, role: GameRole) -> None:
        """Lets somebody in and shows them the game; a player's first socket connects them."""
        state, audiences = self.state, self._audiences
        if not audiences.holds(listener, state, role):
            self.leave(listener)
        side = role.side
        is_first = side is not None and not audiences.is_there(state.seat(side).player.id)
        now, shown, held = self.services.time.now(), self.shown, self.held_since
        audiences.join(listener, person, shown, role, now, held)
        self._wakeup.set(now)  # a game read from its log may have something to show later
        if is_first:
            self._come_or_go(c.Connect(by=person))

    def leave(self, listener: Listener) -> None:
        """Somebody is gone; with the last socket of a player, so is the player."""
        for player in self._audiences.remove(listener):
            self._come_or_go(c.Disconnect(by=player))

    def listeners_of(self, player: str) -> set[Listener]:
        """The sockets over which a player sits at the board."""
        return self._audiences.listeners_of(player)

    def side_of(self, person: str) -> Side | None:
        return self.state.side_of(person)

    def remove_arbiters(self, may_stay: Callable[[str], bool]) -> None:
        """Shows the game no longer to arbiters who are not its arbiters any more."""
        self._audiences.remove_arbiters(may_stay, self.id)

    def count_refused(self, person: str) -> None:
        """A message of a player was refused; the arbiter sees how many were."""
        side = self.state.side_of(person)
        if side is not None:
            self.refused[self.state.seat(side).player.id] += 1
            if self.on_change is not None:
                self.on_change(self, ())

    def see(self, player: str, problems: tuple[Problem, ...], since: int) -> None:
        """9.1 — the video server tells what is missing of a player; the arbiter sees it."""
        seen = SeenMissing(problems, since) if problems else None
        if self.seen.get(player) == seen:
            return
        if seen is None:
            del self.seen[player]
        else:
            self.seen[player] = seen
        if self.on_change is not None:
            self.on_change(self, ())

    @property
    def video(self) -> VideoFacts:
        """What there is to see of its players besides the board."""
        policy = self.policy
        return VideoFacts(self.law, self.seen, policy.cards, policy.red_card_from)

    # --- what happens --------------------------------------------------------------------------

    async def _happen(self, write: Write, at: int) -> None:
        """Writes events, then lets them be so; what they come of had arrived at that moment."""
        if write.records:
            await self._write(write, at)
        self._commit(write, at)

    async def _write(self, write: Write, at: int) -> None:
        self.services.waits.begin(self, at)
        try:
            await self.services.journal.write(write.records)
        finally:
            self.services.waits.end(self)

    def _commit(self, write: Write, at: int) -> None:
        """What was written has happened; `at` is since when it was waited for."""
        events = write.events
        if write.receipt is not None:
            self._receipts.keep(write.receipt, is_written=write.writes_receipt)
        if events:
            for event in events:
                self._take(event)
            self._look_how_late(at)
            self._wakeup.set(self.services.time.now())
            if self._taking_over is not None:
                self._taking_over.look(self.state)
            try:
                self._notify(events)
            except Exception:  # it is written, so it has happened, whoever could not be told
                log.exception("telling of game %s", self.id, extra={"game": self.id})

    def _notify(self, events: tuple[e.Event, ...]) -> None:
        self._audiences.notify(self.shown, events, self.services.time.now(), self.held_since)
        if any(isinstance(event, e.Act) for event in events):
            for listener in self._audiences.no_longer_players(self.state):
                self.leave(listener)
                close(listener, self.id)
            self._look_who_is_there()  # a game that was over may be on again (6.8)
        if self.on_change is not None:
            self.on_change(self, events)

    # --- state ---------------------------------------------------------------------------------

    def _read(self, events: Sequence[e.Event]) -> None:
        """Takes a whole log: the state, and how much each audience was told."""
        self.state = fold(events)
        self._audiences.begin(events)

    def _take(self, event: e.Event) -> None:
        if type(event) is e.Moved:
            self.services.tally.moves += 1
        elif type(event) is e.Ended and event.reason in _BY_FLAG:
            late = self.services.time.now() - event.at
            self.services.tally.flags.add(late / 1000)
        self._audiences.count(event, self.state.white.player.id, self.state.black.player.id)
        self.state = apply(self.state, event)

    async def _read_again(self) -> None:
        lines = await self.services.journal.read(self.stream)
        receipts = await self.services.journal.read(f"receipts:{self.id}")
        known, events = self.state.number, [decode(line) for line in lines]
        self._read(events)
        self._receipts = Receipts(receipts)
        self._is_in_doubt = False
        if events[known:]:  # a database that went away had written it after all
            self._notify(tuple(events[known:]))
        self._look_who_is_there()

    def _look_who_is_there(self) -> None:
        """Writes down who has come or gone while that was not written down."""
        for side in Side:
            seat = self.state.seat(side)
            is_there = self._audiences.is_there(seat.player.id)
            if is_there is not seat.platform.on:
                kind = c.Connect if is_there else c.Disconnect
                self._come_or_go(kind(by=seat.player.id))

    # --- the server's own faults ---------------------------------------------------------------

    @property
    def shown(self) -> State:
        """The game as it is to be shown: its clocks stand while the server holds them."""
        held = self.held_since
        return self.state if held is None else clocks_held(self.state, held)

    def hold(self, since: int) -> None:
        """11.6 — the server keeps this game waiting: its clocks stand from that moment on."""
        if self.held_since is not None or self.state.phase is not Phase.RUNNING:
            return
        self.held_since = since
        self._audiences.show(self.shown, self.services.time.now(), since)
        if self.on_change is not None:
            self.on_change(self, ())

    def _look_how_late(self, since: int) -> None:
        """Holds the clocks where something was written later than it may be."""
        if self.state.phase is not Phase.RUNNING:
            self.held_since = None
        elif self.held_since is None and self.services.time.now() - since >= HELD_AFTER:
            self.held_since = since
