"""5.2 — in an event players write to its arbiters, and to nobody else; arbiters answer them."""

from __future__ import annotations

from datetime import datetime

from arrocco.findings import Finding, Severity
from arrocco.hall.event import commands as c
from arrocco.hall.event import events as e
from arrocco.hall.event.decision import Decision, happened, objected, refused, signed
from arrocco.hall.event.objections import Laws
from arrocco.hall.event.rules import Chat
from arrocco.hall.event.state import State

MOST_SAID = 500
"""The longest line, in characters."""


def say(state: State, command: c.Say, now: datetime, laws: Laws) -> Decision:
    """A line of a player, or of an arbiter to a player at one of their boards (6.3)."""
    text = command.text.strip()
    if not text:
        return refused("text_needed")
    if len(text) > MOST_SAID:
        return refused("text_too_long", most=MOST_SAID)
    arbiter = state.arbiter(command.by)
    if arbiter is None:
        own = state.entry_of(command.by)
        if own is None or command.entry not in (None, own.id):
            return refused("chat_with_arbiters", "5.2")
        objection = objection_to_chat(state, own.id)
        if objection is not None:
            return objected([objection])
        return happened(e.Said(**signed(command, now), entry=own.id, text=text))
    if command.entry is None or state.entry(command.entry) is None:
        return refused("no_such_entry", entry=command.entry or "-")
    if not reads(state, command.by, command.entry):
        return refused("not_in_zone", "6.3", board=board_of(state, command.entry) or "-")
    return happened(e.Said(**signed(command, now), entry=command.entry, text=text))


def objection_to_chat(state: State, entry: int) -> Finding | None:
    """5.2, 6.9k — why a player may not write, where they may not."""
    if state.rules is None or state.rules.chat is not Chat.ARBITERS:
        return Finding(Severity.ERROR, "event.chat_closed", article="5.2")
    if state.is_kept_from_chat(entry):
        return Finding(Severity.ERROR, "hall.chat_blocked", article="6.9k")
    return None


def reads(state: State, account: str, entry: int) -> bool:
    """Whether somebody sees what is said between a player and the arbiters: the player, the chief
    arbiter, and the assistants at whose boards the player sits; all of them where at none."""
    own = state.entry_of(account)
    if own is not None:
        return own.id == entry
    arbiter = state.arbiter(account)
    if arbiter is None:
        return False
    board = board_of(state, entry)
    return board is None or arbiter.watches(board)


def board_of(state: State, entry: int) -> int | None:
    """The board of a player in the last round."""
    last = state.last_round
    return None if last is None else last.board_of(entry)
