"""5.2 — in an event players write to its arbiters, and to nobody else; arbiters answer them."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from arrocco.findings import Finding, Severity
from arrocco.hall.event.acts.base import ARBITERS, ActRecord, Command
from arrocco.hall.event.changes import Changes
from arrocco.hall.event.decision import Decision, happened, objected, refused
from arrocco.hall.event.records import EntryId, EventRole
from arrocco.hall.event.rules import Chat
from arrocco.hall.event.state import ChatLine, State
from arrocco.hall.game.events import Detail
from arrocco.laws.hall import Laws

MAX_SAID = 500
"""The longest line, in characters."""


class Say(Command, frozen=True, kw_only=True):
    """5.2 — a line from a player to the arbiters; an arbiter says to which entry."""

    MAY = ARBITERS | {EventRole.PLAYER}

    text: str
    entry: EntryId | None = None

    def decide(self, state: State, now: datetime, laws: Laws) -> Decision:
        """A line of a player, or of an arbiter to a player at one of their boards (6.3)."""
        text = self.text.strip()
        if not text:
            return refused("text_needed")
        if len(text) > MAX_SAID:
            return refused("text_too_long", most=MAX_SAID)
        arbiter = state.arbiter(self.by)
        if arbiter is None:
            own = state.entry_of(self.by)
            if own is None or self.entry not in (None, own.id):
                return refused("chat_with_arbiters", "5.2")
            objection = objection_to_chat(state, own.id)
            if objection is not None:
                return objected([objection])
            return happened(Said(**self.signed(now), entry=own.id, text=text))
        if self.entry is None or state.entry(self.entry) is None:
            return refused("no_such_entry", entry=self.entry or "-")
        if not reads(state, self.by, self.entry):
            return refused("not_in_zone", "6.3", board=board_of(state, self.entry) or "-")
        return happened(Said(**self.signed(now), entry=self.entry, text=text))


class Said(ActRecord, frozen=True, kw_only=True):
    """5.2 — a line of the chat between a player and the arbiters, by either of them."""

    entry: EntryId
    text: str

    def changes(self, state: State) -> Changes:
        line = ChatLine(state.number, self.at, self.entry, self.by, self.text)
        return {"chat": (*state.chat, line)}

    def is_possible(self, state: State) -> bool:
        return state.entry(self.entry) is not None

    def details(self, state: State) -> tuple[Detail, ...]:
        return (Detail("text", state.name_of(self.entry)),)


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
    return read_by(state, account)(entry)


def read_by(state: State, account: str) -> Callable[[int], bool]:
    """The same for many players, with everything looked up once."""
    own, arbiter = state.entry_of(account), state.arbiter(account)
    if own is not None:
        number = own.id
        return lambda entry: entry == number
    if arbiter is None:
        return lambda _: False
    last = state.last_round
    boards = () if last is None else last.boards
    numbers = {player: number for number, board in enumerate(boards, 1) for player in board.players}
    return lambda entry: entry not in numbers or arbiter.watches(numbers[entry])


def board_of(state: State, entry: int) -> int | None:
    """The board of a player in the last round."""
    last = state.last_round
    return None if last is None else last.board_of(entry)
