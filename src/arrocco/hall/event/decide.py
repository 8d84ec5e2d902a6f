"""The one door into an event: a command comes in, records or a refusal come out.

`decide` changes nothing. Whoever calls it writes the records down first and applies them then, so
that what was acknowledged is what was written.
"""

from __future__ import annotations

from datetime import datetime

import msgspec

from arrocco.hall.event.acts import Command
from arrocco.hall.event.decision import Decision, refused
from arrocco.hall.event.objections import MAX_TEXT
from arrocco.hall.event.state import State
from arrocco.laws.hall import Laws
from arrocco.moments import instant
from arrocco.words import system


def decide(state: State, command: Command, now: datetime, laws: Laws | None = None) -> Decision:
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
    if command.MAY.isdisjoint(state.roles(command.by)):
        return refused("not_yours_to_do", "6.3")
    reason = getattr(command, "reason", "")
    if len(reason) > MAX_TEXT:
        return refused("text_too_long", most=MAX_TEXT)
    return command.decide(state, now, laws or state.laws)
