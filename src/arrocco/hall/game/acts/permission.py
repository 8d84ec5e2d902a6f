"""What the answers to a player's requests share: consent or refusal, and its record."""

from __future__ import annotations

from typing import ClassVar

from arrocco.hall.game.acts.base import NOT_ENDED, ActRecord, ArbiterCommand
from arrocco.hall.game.changes import Changes, replace
from arrocco.hall.game.decision import Decision, Judge, happened
from arrocco.hall.game.events import Detail, SeenBy
from arrocco.hall.game.records import Permission
from arrocco.hall.game.state import Request, State
from arrocco.laws.online.side import Side


class AnswerPermission(ArbiterCommand, frozen=True, kw_only=True):
    """Allows a player something, or does not; asked for or not."""

    PHASES = NOT_ENDED
    RECORD: ClassVar[type[PermissionAnswered]]

    side: Side
    granted: bool

    def decide(self, state: State, article: str, now: int, judge: Judge) -> Decision:
        given = self.signed(article, now)
        return happened(self.RECORD(**given, side=self.side, granted=self.granted))


class PermissionAnswered(ActRecord, frozen=True, kw_only=True):
    """The arbiter's answer; withdrawn, it is as if nothing had been allowed."""

    SEEN_BY = SeenBy.ITS_PLAYER
    PERMISSION: ClassVar[Permission]

    side: Side
    granted: bool

    def changes(self, state: State) -> Changes:
        player = state.seat(self.side).player.id
        answered = (player, self.PERMISSION, None)
        requests = tuple(
            replace(request, granted=self.granted)
            if (request.player, request.permission, request.granted) == answered
            else request
            for request in state.requests
        )
        if requests == state.requests:  # nobody had asked
            given = Request(state.number, player, self.PERMISSION, self.at, "", self.granted)
            requests = (*requests, given)
        return {"requests": requests}

    def can_be_withdrawn(self, state: State, number: int) -> bool:
        return self.granted

    def changes_withdrawn(self, state: State, side: Side | None) -> Changes:
        player = None if side is None else state.seat(side).player.id
        return {
            "requests": tuple(
                replace(request, granted=False)
                if (request.player, request.permission) == (player, self.PERMISSION)
                else request
                for request in state.requests
            )
        }

    def details(self) -> tuple[Detail, ...]:
        return (Detail("word", "request.granted" if self.granted else "request.refused"),)
