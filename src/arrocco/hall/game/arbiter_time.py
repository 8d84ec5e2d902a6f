"""The arbiter and the clocks: pause, resume, set, add, subtract (6.5, 6.9b, 6.9c, 11.5, 11.6)."""

from __future__ import annotations

from datetime import timedelta

from arrocco.hall.acts import AddTime, Pause, Resume, SetTime, SubtractTime
from arrocco.hall.game.decision import Decision, Judge, happened, refused, signed
from arrocco.hall.game.endings import flag_fallen
from arrocco.hall.game.state import Phase, State
from arrocco.hall.log import events as e
from arrocco.laws.online.sanctions import ArbiterSanction, Terms

MOST_TIME = 100 * 3600 * 1000
"""The most time an act can give or take, in milliseconds: what no control exceeds."""


def pause(state: State, act: Pause, article: str, now: int, judge: Judge) -> Decision:
    """11.6 — the clocks stand still."""
    if state.phase is not Phase.RUNNING:
        return _not_in_phase(state)
    clock = state.clock.pause(now)
    paused = e.Paused(
        **signed(act, article, now),
        stopped=now,
        white=clock.white,
        black=clock.black,
    )
    return happened(paused)


def resume(state: State, act: Resume, article: str, now: int, judge: Judge) -> Decision:
    """11.6 — the clocks run again."""
    if state.phase is not Phase.PAUSED:
        return _not_in_phase(state)
    return happened(
        e.Resumed(
            **signed(act, article, now),
        )
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


def set_time(state: State, act: SetTime, article: str, now: int, judge: Judge) -> Decision:
    """11.5 — the right time is put on a clock."""
    objection = _objection(state, act, article, judge)
    if objection is not None:
        return objection
    return happened(
        e.TimeSet(
            **signed(act, article, now),
            side=act.side,
            left=act.time,
            before=state.clock.remaining(act.side, now),
        )
    )


def add_time(state: State, act: AddTime, article: str, now: int, judge: Judge) -> Decision:
    """6.5, 6.9b, 11.5, 11.6 — a side gets time."""
    objection = _objection(state, act, article, judge)
    if objection is not None:
        return objection
    return happened(
        e.TimeAdded(
            **signed(act, article, now),
            side=act.side,
            time=act.time,
            left=state.clock.add(act.side, act.time, now).shown(act.side),
        )
    )


def subtract_time(
    state: State, act: SubtractTime, article: str, now: int, judge: Judge
) -> Decision:
    """6.9c, 11.5 — a side loses time, at most all it has: then its flag falls (1.3.4)."""
    objection = _objection(state, act, article, judge)
    if objection is not None:
        return objection
    left = state.clock.subtract(act.side, act.time, now).shown(act.side)
    if left == 0 and state.phase is Phase.WAITING:
        return refused("hall.time_would_be_over", article)
    taken = e.TimeSubtracted(
        **signed(act, article, now),
        side=act.side,
        time=act.time,
        left=left,
    )
    if left == 0:
        return happened(taken, *flag_fallen(state, act.side, now, judge))
    return happened(taken)


def _objection(
    state: State, act: SetTime | AddTime | SubtractTime, article: str, judge: Judge
) -> Decision | None:
    if state.phase is Phase.ENDED:
        return refused("hall.game_over", article)
    if state.flagged is not None:
        return refused("hall.time_is_over", "1.3.4")
    if act.time > MOST_TIME:
        return refused("hall.time_too_long", article, hours=MOST_TIME // 3_600_000)
    # What the law asks of the sanctions on time, some time, holds for every act on it.
    terms = Terms(time=timedelta(milliseconds=max(act.time, 0)))
    if judge.law.objections_to_arbiter(ArbiterSanction.LESS_TIME, terms):
        return refused("hall.objection.no_time_given", article)
    return None
