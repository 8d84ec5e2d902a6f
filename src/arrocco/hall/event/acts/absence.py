"""9.1e — who stays away without a word can be excluded from the tournament or the championship."""

from __future__ import annotations

from datetime import datetime

from arrocco.hall.event.acts.base import Command, Reason
from arrocco.hall.event.acts.sanctions import Sanctioned
from arrocco.hall.event.attendance import is_late
from arrocco.hall.event.decision import Decision, happened, refused, unlawful
from arrocco.hall.event.records import ABSENCE, EntryId, EventRole, Sanction
from arrocco.hall.event.state import State
from arrocco.laws.hall import Laws
from arrocco.laws.online.sanctions import Objection, Scope
from arrocco.records.report import GameKind


class ExcludeAbsent(Command, frozen=True, kw_only=True):
    """Excludes a player who did not come and had told nobody; repeated, from the championship."""

    MAY = frozenset({EventRole.CHIEF})

    entry: EntryId
    reason: Reason
    scope: Scope = Scope.TOURNAMENT

    def decide(self, state: State, now: datetime, laws: Laws) -> Decision:
        """9.1e — only who did not come, to a game or to the conference in time, without a word."""
        entry = state.entry(self.entry)
        if entry is None:
            return refused("no_such_entry", entry=self.entry)
        if not self.reason.strip():
            return refused("reason_needed", "9.1e")
        if state.is_expelled(entry.id):
            return refused("expelled", "9.1e")
        is_missing = absences(state, entry.id) or is_late(state, entry, now, laws.online)
        if entry.withdrawn or not is_missing:
            return refused("not_absent", "9.1e", name=entry.person.full_name)
        if self.scope not in (Scope.TOURNAMENT, Scope.CHAMPIONSHIP):
            return unlawful(Objection.SCOPE_NOT_OPEN, ABSENCE)
        if self.scope is Scope.CHAMPIONSHIP and not state.championship:
            return refused("no_championship", "9.1e")
        sanction = Sanction(
            number=len(state.sanctions) + 1,
            article=ABSENCE,
            entry=entry.id,
            by=self.by,
            scope=self.scope,
            reason=self.reason.strip(),
        )
        return happened(Sanctioned(**self.signed(now), sanction=sanction))


def absences(state: State, entry: int) -> list[int]:
    """The rounds in which a player was paired and lost without playing."""
    notices = []
    for round_ in state.rounds:
        for board in round_.boards:
            result = board.result
            if entry not in board.players or result is None or result.kind is not GameKind.FORFEIT:
                continue
            own, other = result.points if entry == board.white else result.points[::-1]
            if own < other or own == other == 0:
                notices.append(round_.number)
    return notices
