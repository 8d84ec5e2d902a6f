"""11.6 — the clocks stand still, and run again."""

from __future__ import annotations

from arrocco.hall.game.acts.base import ActRecord, ArbiterCommand
from arrocco.hall.game.changes import Changes, change_seats, replace
from arrocco.hall.game.decision import Decision, Judge, happened, refused
from arrocco.hall.game.events import Detail, SeenBy
from arrocco.hall.game.records import Count
from arrocco.hall.game.state import Phase, Seat, State


class Pause(ArbiterCommand, frozen=True, kw_only=True):
    """Stops the clocks of a game that must be interrupted."""

    ARTICLES = ("11.6",)
    PLACE = 2
    KEY = "p"
    PHASES = (Phase.RUNNING,)
    REASON_MAY_FOLLOW = True

    def decide(self, state: State, article: str, now: int, judge: Judge) -> Decision:
        if state.phase is not Phase.RUNNING:
            return _not_in_phase(state)
        clock = state.clock.pause(now)
        return happened(
            Paused(**self.signed(article, now), stopped=now, white=clock.white, black=clock.black)
        )


class Paused(ActRecord, frozen=True, kw_only=True):
    """The clocks stand still (11.6), from `stopped` on, with what they show."""

    SEEN_BY = SeenBy.PLAYERS

    stopped: Count
    white: Count
    black: Count

    def changes(self, state: State) -> Changes:
        clock = replace(state.clock, white=self.white, black=self.black, since=None)
        return {"phase": Phase.PAUSED, "stopped": self.stopped, "clock": clock}

    def details(self) -> tuple[Detail, ...]:
        clocks = Detail("clocks", (self.white, self.black))
        if self.stopped >= self.at:
            return (clocks,)
        return Detail("stood", (self.stopped, self.at)), clocks


class Resume(ArbiterCommand, frozen=True, kw_only=True):
    """Lets the clocks run again."""

    ARTICLES = ("11.6", "6.8")
    PLACE = 3
    KEY = "r"
    PHASES = (Phase.PAUSED,)

    def decide(self, state: State, article: str, now: int, judge: Judge) -> Decision:
        if state.phase is not Phase.PAUSED:
            return _not_in_phase(state)
        return happened(Resumed(**self.signed(article, now)))


class Resumed(ActRecord, frozen=True, kw_only=True):
    """The clocks run again (11.6)."""

    SEEN_BY = SeenBy.PLAYERS

    def changes(self, state: State) -> Changes:
        """The time of a pause is nobody's: whatever ran before it has as long to run after it."""
        stopped = self.at if state.stopped is None else state.stopped
        limit = state.rules.reconnection_limit

        def awaited(seat: Seat) -> Seat:
            if seat.platform.on or seat.joined is None or limit is None:
                return seat
            if seat.reconnect_by is None:
                return replace(seat, reconnect_by=self.at + limit)
            return replace(seat, reconnect_by=seat.reconnect_by + self.at - stopped)

        changes = change_seats(state, awaited)
        if state.tolerance_ends is not None:
            changes["tolerance_ends"] = state.tolerance_ends + self.at - stopped
        if state.flagged is None and not _waits_for_white(state):
            changes["clock"] = state.clock.resume(self.at)
        return {**changes, "phase": Phase.RUNNING, "stopped": None}


def paused_by_server(
    state: State, since: int, at: int, reason: str, article: str = "11.6"
) -> Paused:
    """11.6 — the pause with which the server itself stops the clocks; `reason` is a key."""
    clock = state.clock.pause(since)
    return Paused(
        at=at,
        by="",
        reason=reason,
        article=article,
        stopped=since,
        white=clock.white,
        black=clock.black,
    )


def _not_in_phase(state: State) -> Decision:
    """Why the clocks can neither be paused nor resumed as asked."""
    keys = {
        Phase.WAITING: "hall.not_started",
        Phase.RUNNING: "hall.not_paused",
        Phase.PAUSED: "hall.already_paused",
        Phase.ENDED: "hall.game_over",
    }
    return refused(keys[state.phase], "11.6")


def _waits_for_white(state: State) -> bool:
    """1.3.5 — whether nobody's time runs because White has not come and the rules say so."""
    loses_time = state.rules.white_loses_time_while_absent
    return not loses_time and not state.moves and state.white.joined is None
