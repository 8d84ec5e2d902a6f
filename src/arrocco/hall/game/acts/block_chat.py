"""6.9k — no chat for a player; the arbiter can still be called (11.1)."""

from __future__ import annotations

from arrocco.hall.game.acts.base import ActRecord, ArbiterCommand, Sanction
from arrocco.hall.game.changes import Changes, change_seat
from arrocco.hall.game.decision import Decision, Judge, happened, refused
from arrocco.hall.game.events import SeenBy
from arrocco.hall.game.state import State
from arrocco.laws.online.side import Side


class BlockChat(ArbiterCommand, frozen=True, kw_only=True):
    """Keeps a player from the chat."""

    ARTICLES = ("6.9k",)
    PLACE = 16
    CHANGES_STANDINGS = True

    side: Side

    def decide(self, state: State, article: str, now: int, judge: Judge) -> Decision:
        if state.seat(self.side).chat_blocked:
            return refused("hall.chat_already_blocked", article, field="side")
        return happened(ChatBlocked(**self.signed(article, now), side=self.side))


class ChatBlocked(ActRecord, frozen=True, kw_only=True):
    """A player may not use the chat (6.9k)."""

    SEEN_BY = SeenBy.ITS_PLAYER

    side: Side

    def changes(self, state: State) -> Changes:
        return change_seat(state, self.side, chat_blocked=True)

    def can_be_withdrawn(self, state: State, number: int) -> bool:
        return True

    def changes_withdrawn(self, state: State, side: Side | None) -> Changes:
        return {} if side is None else change_seat(state, side, chat_blocked=False)

    def sanction(self) -> Sanction:
        return Sanction(self.article)
