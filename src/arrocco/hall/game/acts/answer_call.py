"""11.1 — the arbiter answers a call and says whether there was a reason for it."""

from __future__ import annotations

from arrocco.hall.game.acts.base import ActRecord, ArbiterCommand, CallNumber
from arrocco.hall.game.changes import Changes, replace
from arrocco.hall.game.decision import Decision, Judge, happened, refused
from arrocco.hall.game.events import Detail, SeenBy
from arrocco.hall.game.records import Count
from arrocco.hall.game.state import State
from arrocco.laws.online.side import Side


class AnswerCall(ArbiterCommand, frozen=True, kw_only=True):
    """Answers the call of that number; `founded` tells whether there was a reason for it."""

    ARTICLES = ("11.1",)
    PLACE = 1
    KEY = "a"

    call: CallNumber
    founded: bool

    def decide(self, state: State, article: str, now: int, judge: Judge) -> Decision:
        call = next((call for call in state.calls if call.number == self.call), None)
        if call is None or call.answered:
            return refused("hall.no_such_call", article, field="call", call=self.call)
        return happened(
            CallAnswered(
                **self.signed(article, now),
                side=state.side_of_player(call.caller),
                call=self.call,
                founded=self.founded,
            )
        )


class CallAnswered(ActRecord, frozen=True, kw_only=True):
    """The arbiter answers a call, the event of number `call`, and tells if it had a reason (11.1).

    `side` is who called.
    """

    SEEN_BY = SeenBy.ITS_PLAYER

    side: Side
    call: Count
    founded: bool

    def changes(self, state: State) -> Changes:
        calls = (
            replace(call, answered=True) if call.number == self.call else call
            for call in state.calls
        )
        return {"calls": tuple(calls)}

    def details(self) -> tuple[Detail, ...]:
        return (Detail("word", "call.founded" if self.founded else "call.unfounded"),)
