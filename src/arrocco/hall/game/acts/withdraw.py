"""An act that should not have been holds no more; the log keeps both.

Time is put right by another act on the clocks, a declared end by going back (6.8). A score is put
back only while nothing has changed it since.
"""

from __future__ import annotations

from typing import ClassVar

from arrocco.hall.game.acts.base import (
    FOR_THE_CHIEF,
    ActNumber,
    ActRecord,
    ArbiterCommand,
    is_withdrawable,
)
from arrocco.hall.game.acts.warn import Warned
from arrocco.hall.game.changes import Changes
from arrocco.hall.game.decision import Decision, Judge, happened, refused
from arrocco.hall.game.endings import half_points
from arrocco.hall.game.events import SeenBy
from arrocco.hall.game.records import Pair
from arrocco.hall.game.state import State
from arrocco.laws.online.side import Side


class Withdraw(ArbiterCommand, frozen=True, kw_only=True):
    """Takes back the act `corrects`; its article is that act's own."""

    PLACE: ClassVar[int] = 18
    CHANGES_STANDINGS = True

    corrects: ActNumber | None = None

    def decide(self, state: State, article: str, now: int, judge: Judge) -> Decision:
        first = next((act for act in state.acts if act.number == self.corrects), None)
        if first is None or first.number in state.withdrawn:
            return refused("hall.no_such_act", article, field="corrects", act=self.corrects)
        if not is_withdrawable(state, first):
            return refused("hall.not_withdrawable", first.act.article, field="corrects")
        assert isinstance(first.act, ActRecord)
        before = first.act.scores_before()
        return happened(
            Withdrawn(
                **self.signed(first.act.article, now),
                side=state.side_of_player(first.concerns) if first.concerns else None,
                scores=before,
                half_points=None if before is None else half_points(before, state.rules.scoring),
            )
        )

    def article_in(self, game: State) -> str:
        """That of the act which is withdrawn."""
        withdrawn = game.act(self.corrects)
        return "" if withdrawn is None else withdrawn.article

    def is_for_chief(self, game: State, article: str) -> bool:
        """9.2 — who may give a yellow card may take it back."""
        is_red = article == "9.2" and not isinstance(game.act(self.corrects), Warned)
        return article in FOR_THE_CHIEF or is_red


class Withdrawn(ActRecord, frozen=True, kw_only=True):
    """An act, the event of number `corrects`, holds no more.

    `side` is whom that act concerned; a withdrawn change of points puts the scores back.
    """

    SEEN_BY = SeenBy.ITS_PLAYER

    side: Side | None = None
    scores: Pair | None = None
    half_points: Pair | None = None

    def changes(self, state: State) -> Changes:
        changes: Changes = {"withdrawn": state.withdrawn | {self.corrects}}
        act = state.act(self.corrects)
        if isinstance(act, ActRecord):
            changes |= act.changes_withdrawn(state, self.side)
        return changes
