"""Rounds begin all at once, may be delayed, and end with their results; 9.1 — who is watched."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from msgspec import Meta
from msgspec.structs import replace

from arrocco.hall.event.acts.base import OFFICIALS, ActRecord, Command, Reason
from arrocco.hall.event.acts.results import ResultTaken
from arrocco.hall.event.changes import Changes, change_round
from arrocco.hall.event.decision import Decision, happened, refused
from arrocco.hall.event.field import is_away, no_shows
from arrocco.hall.event.lots import drawn_by_lot
from arrocco.hall.event.possible import are_entries, is_last
from arrocco.hall.event.record import Moment
from arrocco.hall.event.records import EntryId, EventRole, Positive, Result
from arrocco.hall.event.result_rules import made
from arrocco.hall.event.rules import Supervision
from arrocco.hall.event.state import Board, Phase, Round, State, rules_of
from arrocco.hall.game.events import Detail
from arrocco.laws.hall import Laws
from arrocco.laws.online.side import Side
from arrocco.records.report import GameKind


class DrawSample(Command, frozen=True, kw_only=True):
    """Draws the players to be watched in a round (9.1) from a seed that anybody can check."""

    MAY = frozenset({EventRole.CHIEF})

    seed: Annotated[str, Meta(max_length=200)]

    def decide(self, state: State, now: datetime, laws: Laws) -> Decision:
        """9.1 — who is watched in a round, by a lot that anybody can draw again from the seed."""
        last = state.last_round
        if last is None or last.phase is not Phase.PAIRED:
            return refused("no_round_to_open")
        rules = rules_of(state)
        if rules.supervision is not Supervision.SAMPLE:
            return refused("no_sample", "9.1")
        if last.sample:
            return refused("sample_is_drawn", "9.1")
        if not self.seed.strip():
            return refused("seed_needed", "9.1")
        playing = [entry for board in last.boards for entry in board.players]
        drawn = drawn_by_lot(self.seed, str(last.number), playing, rules.sample)
        return happened(
            SampleDrawn(**self.signed(now), round=last.number, seed=self.seed, entries=drawn)
        )


class SampleDrawn(ActRecord, frozen=True, kw_only=True):
    """9.1 — the players of a round who are watched, drawn by lot from `seed`."""

    round: Positive
    seed: str
    entries: tuple[EntryId, ...]

    def changes(self, state: State) -> Changes:
        return change_round(state, self.round, sample=self.entries)

    def is_possible(self, state: State) -> bool:
        return is_last(state, self.round, Phase.PAIRED)

    def details(self, state: State) -> tuple[Detail, ...]:
        return (Detail("text", ", ".join(state.name_of(entry) for entry in self.entries)),)


class OpenRound(Command, frozen=True, kw_only=True):
    """Lets all games of a round begin together; the hall itself does at a stated start."""

    MAY = frozenset({EventRole.CHIEF, EventRole.SERVER})

    def decide(self, state: State, now: datetime, laws: Laws) -> Decision:
        """All games begin together, not before the time that was said.

        Who is known not to come, having left since the pairing or being expelled, forfeits at once.
        """
        last = state.last_round
        if last is None or last.phase is not Phase.PAIRED:
            return refused("no_round_to_open")
        if last.starts is not None and now < last.starts:
            return refused("round_not_due", round=last.number, starts=last.starts.isoformat())
        rules = rules_of(state)
        if rules.supervision is Supervision.SAMPLE and last.boards and not last.sample:
            return refused("sample_not_drawn", "9.1")
        opened = RoundOpened(**self.signed(now), round=last.number)
        return happened(opened, *_forfeits(state, last, self, now, laws))


class RoundOpened(ActRecord, frozen=True, kw_only=True):
    """All games of a round begin."""

    IS_PUBLIC = True

    round: Positive

    def changes(self, state: State) -> Changes:
        return change_round(state, self.round, phase=Phase.OPEN, opened=self.at)

    def is_possible(self, state: State) -> bool:
        return is_last(state, self.round, Phase.PAIRED)


def _forfeits(
    state: State, round_: Round, command: OpenRound, now: datetime, laws: Laws
) -> list[ResultTaken]:
    """3.1 — the boards at which somebody is known not to come."""
    result_takens = []
    for number, board in enumerate(round_.boards, start=1):
        away = [is_away(state, state.entries[entry - 1], round_.number) for entry in board.players]
        if any(away):
            result = _forfeit(state, board, away, laws)
            result_takens.append(
                ResultTaken(
                    **command.signed(now),
                    round=round_.number,
                    board=number,
                    result=result,
                    article="3.1",
                )
            )
    return result_takens


def _forfeit(state: State, board: Board, away: list[bool], laws: Laws) -> Result:
    scoring = rules_of(state).scoring
    missing = None if all(away) else Side.WHITE if away[0] else Side.BLACK
    points = laws.online.scores_of_forfeit(missing, scoring)
    return made(state, points, GameKind.FORFEIT)


class DelayRound(Command, frozen=True, kw_only=True):
    MAY = OFFICIALS

    starts: Moment
    reason: Reason

    def decide(self, state: State, now: datetime, laws: Laws) -> Decision:
        """A round begins later than was said, for everybody."""
        last = state.last_round
        if last is None or last.phase is not Phase.PAIRED:
            return refused("no_round_to_open")
        if not self.reason.strip():
            return refused("reason_needed")
        if self.starts <= now or (last.starts is not None and self.starts <= last.starts):
            return refused("not_later")
        return happened(
            RoundDelayed(
                **self.signed(now),
                round=last.number,
                starts=self.starts,
                reason=self.reason.strip(),
            )
        )


class RoundDelayed(ActRecord, frozen=True, kw_only=True):
    """A round begins at another time than was said."""

    IS_PUBLIC = True
    IS_REPORTED = True

    round: Positive
    starts: Moment
    reason: str

    def changes(self, state: State) -> Changes:
        return change_round(state, self.round, starts=self.starts)

    def is_possible(self, state: State) -> bool:
        return is_last(state, self.round, Phase.PAIRED)

    def details(self, state: State) -> tuple[Detail, ...]:
        return (Detail("moment", self.starts),)


class CloseRound(Command, frozen=True, kw_only=True):
    """Ends a round once all results are there."""

    MAY = frozenset({EventRole.CHIEF, EventRole.SERVER})

    def decide(self, state: State, now: datetime, laws: Laws) -> Decision:
        """A round is over when all its games are."""
        last = state.last_round
        if last is None or last.phase is not Phase.OPEN:
            return refused("no_round_to_close")
        missing = tuple(n for n, board in enumerate(last.boards, start=1) if board.result is None)
        if missing:
            return refused("results_missing", round=last.number, boards=missing)
        closed = RoundClosed(**self.signed(now), round=last.number)
        missed = tuple(e for e in no_shows(state, last.number) if state.entries[e - 1].checked_in)
        if not missed:
            return happened(closed)
        return happened(closed, StayedAway(**self.signed(now), round=last.number, entries=missed))


class RoundClosed(ActRecord, frozen=True, kw_only=True):
    """All results of a round are there."""

    IS_PUBLIC = True

    round: Positive

    def changes(self, state: State) -> Changes:
        return change_round(state, self.round, phase=Phase.CLOSED, closed=self.at)

    def is_possible(self, state: State) -> bool:
        return is_last(state, self.round, Phase.OPEN)


class StayedAway(ActRecord, frozen=True, kw_only=True):
    """C.04.2 — players who did not come to a round: the next one pairs them once they do."""

    IS_PUBLIC = True

    round: Positive
    entries: tuple[EntryId, ...]

    def changes(self, state: State) -> Changes:
        entries = list(state.entries)
        for entry in self.entries:
            entries[entry - 1] = replace(entries[entry - 1], checked_in=False)
        return {"entries": tuple(entries)}

    def is_possible(self, state: State) -> bool:
        return is_last(state, self.round, Phase.CLOSED) and are_entries(state, *self.entries)

    def details(self, state: State) -> tuple[Detail, ...]:
        return (Detail("text", ", ".join(state.name_of(entry) for entry in self.entries)),)
