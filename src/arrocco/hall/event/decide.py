"""The one door into an event: a command comes in, records or a refusal come out.

`decide` changes nothing. Whoever calls it writes the records down first and applies them then, so
that what was acknowledged is what was written.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

import msgspec

from arrocco.hall.event import (
    chat,
    closing,
    entries,
    officials,
    results,
    rounds,
    sanctions,
)
from arrocco.hall.event import (
    commands as c,
)
from arrocco.hall.event.decision import Decision, refused
from arrocco.hall.event.objections import MOST_TEXT, Laws
from arrocco.hall.event.records import Role
from arrocco.hall.event.state import State
from arrocco.laws.online.moments import instant
from arrocco.words import system

_OFFICIALS = {Role.ORGANISER, Role.CHIEF}
_EVERYBODY = set(Role) - {Role.SERVER}
_ARBITERS = {Role.CHIEF, Role.ASSISTANT}

MAY: dict[type[c.Command], set[Role]] = {
    c.SetRules: {Role.ORGANISER},
    c.AppointArbiter: _OFFICIALS,
    c.DismissArbiter: _OFFICIALS,
    c.AssignZone: {Role.CHIEF},
    c.Enter: _EVERYBODY,
    c.CorrectPerson: _OFFICIALS,
    c.CheckIn: _EVERYBODY,
    c.WithdrawEntry: _EVERYBODY,
    c.RequestBye: _EVERYBODY,
    c.CancelBye: _EVERYBODY,
    c.ForbidPair: _OFFICIALS,
    c.AllowPair: _OFFICIALS,
    c.PairRound: {Role.CHIEF},
    c.PairByHand: {Role.CHIEF},
    c.WithdrawPairing: {Role.CHIEF},
    c.DrawSample: {Role.CHIEF},
    c.OpenRound: {Role.CHIEF},
    c.DelayRound: _OFFICIALS,
    c.CloseRound: {Role.CHIEF, Role.SERVER},
    c.TakeResult: _ARBITERS | {Role.SERVER},
    c.TakeBack: {Role.SERVER},
    c.CorrectResult: {Role.CHIEF},
    c.Impose: _ARBITERS,
    c.LiftSanction: {Role.CHIEF},
    c.CarryOut: {Role.SERVER},
    c.CarryBack: {Role.SERVER},
    c.Say: _ARBITERS | {Role.PLAYER},
    c.CloseEvent: _OFFICIALS,
    c.Validate: {Role.CHIEF},
}
"""Who may ask for what. Of `_EVERYBODY` each handler asks whether it is about themselves."""

_LAWS = Laws()


def decide(state: State, command: c.Command, now: datetime, laws: Laws = _LAWS) -> Decision:
    """What comes of a command at a moment of the server's time, which has an offset.

    Raises `Illegal` for a moment without one.
    """
    instant(now)
    now = max(now, state.last_at)
    try:
        # Also what the program itself asks is kept within bounds: every record can be read back.
        msgspec.convert(msgspec.to_builtins(command), type(command))
    except (msgspec.ValidationError, ValueError, OverflowError) as error:
        return refused("not_a_command", error=system(error))
    if MAY.get(type(command), set()).isdisjoint(state.roles(command.by)):
        return refused("not_yours_to_do", "6.3")
    reason = getattr(command, "reason", "")
    if len(reason) > MOST_TEXT:
        return refused("text_too_long", most=MOST_TEXT)
    handler = _HANDLERS[type(command)]
    return handler(state, command, now, laws)


_HANDLERS: dict[type[c.Command], Callable[[State, Any, datetime, Laws], Decision]] = {
    c.SetRules: officials.set_rules,
    c.AppointArbiter: officials.appoint_arbiter,
    c.DismissArbiter: officials.dismiss_arbiter,
    c.AssignZone: officials.assign_zone,
    c.Enter: entries.enter,
    c.CorrectPerson: entries.correct_person,
    c.CheckIn: entries.check_in,
    c.WithdrawEntry: entries.withdraw_entry,
    c.RequestBye: entries.request_bye,
    c.CancelBye: entries.cancel_bye,
    c.ForbidPair: entries.forbid_pair,
    c.AllowPair: entries.allow_pair,
    c.PairRound: rounds.pair_round,
    c.PairByHand: rounds.pair_by_hand,
    c.WithdrawPairing: rounds.withdraw_pairing,
    c.DrawSample: rounds.draw_sample,
    c.OpenRound: rounds.open_round,
    c.DelayRound: rounds.delay_round,
    c.CloseRound: rounds.close_round,
    c.TakeResult: results.take_result,
    c.TakeBack: results.take_back,
    c.CorrectResult: results.correct_result,
    c.Impose: sanctions.impose,
    c.LiftSanction: sanctions.lift_sanction,
    c.CarryOut: sanctions.carry_out,
    c.CarryBack: sanctions.carry_back,
    c.Say: chat.say,
    c.CloseEvent: closing.close_event,
    c.Validate: closing.validate,
}
