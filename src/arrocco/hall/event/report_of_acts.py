"""The arbiter's report: every act of the arbiters of an event, in its games too, in order of time.

A plain structure, for pages to print and programs to read: who, when, where, by which article, why,
what, and whether it still holds. Sentences are for whoever prints it; `what` names the kind of act.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec
from msgspec import Struct

from arrocco.hall.event.acts import ActRecord
from arrocco.hall.event.acts.officials import ArbiterAppointed
from arrocco.hall.event.acts.sanctions import Sanctioned, SanctionLifted
from arrocco.hall.event.record import Record
from arrocco.hall.event.state import State
from arrocco.hall.game import State as GameState
from arrocco.hall.game import events as g
from arrocco.hall.game.acts.withdraw import Withdrawn
from arrocco.hall.game.state import Numbered

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_OF_EVERY_RECORD = frozenset({"type", "v", "at", "by", "reason", "article", "corrects", "round"})


class Undone(Struct, frozen=True, kw_only=True):
    """Who took an act back, when and why."""

    at: datetime
    by: str
    name: str
    reason: str


class ReportedAct(Struct, frozen=True, kw_only=True):
    """One act. `by` is the account, empty where the hall itself acted; then `reason` is a key.

    `number` is that of the record in its log: of the game's where there is a `game`, else of the
    event's. `player` is whom it concerns; `details` are the act's own fields, as in the log.
    """

    at: datetime
    by: str
    name: str
    what: str
    article: str
    reason: str
    round: int | None = None
    board: int | None = None
    game: str = ""
    number: int
    player: str = ""
    details: dict[str, Any] = {}
    corrects: int | None = None
    withdrawn: Undone | None = None


def arbiters_report(
    state: State, records: Iterable[Record], games: Iterable[GameState]
) -> tuple[ReportedAct, ...]:
    """All acts of an event's arbiters, the first first.

    `records` are the event's log and `state` what it amounts to. A sanction imposed in a game is
    one act, the game's, though the event carries it out; what was withdrawn is told with its act.
    """
    records = list(records)
    # Also of those who are arbiters no more: what they did is still theirs.
    appointed = [record.arbiter for record in records if isinstance(record, ArbiterAppointed)]
    names = {arbiter.account: arbiter.name for arbiter in appointed}
    reported_acts = _of_event(state, records, names)
    for game in games:
        reported_acts += _of_game(game, names)
    # Equal moments keep their order: the event's before its games', each by its log.
    return tuple(sorted(reported_acts, key=lambda act: act.at))


# --- a game ---------------------------------------------------------------------------------------


def _of_game(game: GameState, names: dict[str, str]) -> list[ReportedAct]:
    undone = {
        act.act.corrects: _undone(_moment(act.act), act.act.by, act.act.reason, names)
        for act in game.acts
        if isinstance(act.act, Withdrawn)
    }
    people = {seat.player.id: seat.player.name for seat in (game.white, game.black)}
    return [
        _act(game, act, names, people, undone.get(act.number))
        for act in game.acts
        if not isinstance(act.act, Withdrawn)
    ]


def _act(
    game: GameState,
    one: Numbered,
    names: dict[str, str],
    people: dict[str, str],
    undone: Undone | None,
) -> ReportedAct:
    act, created = one.act, game.created
    return ReportedAct(
        at=_moment(act),
        by=act.by,
        name=names.get(act.by, ""),
        what=_tag(act),
        article=act.article,
        reason=act.reason,
        round=created.round,
        board=created.board,
        game=created.game,
        number=one.number,
        player=people.get(one.concerns, ""),
        details=_details(act),
        corrects=act.corrects,
        withdrawn=undone,
    )


def _moment(event: g.Event) -> datetime:
    return _EPOCH + timedelta(milliseconds=event.at)


# --- the event ------------------------------------------------------------------------------------


def _of_event(state: State, records: list[Record], names: dict[str, str]) -> list[ReportedAct]:
    lifted = {
        record.number: _undone(record.at, record.by, record.reason, names)
        for record in records
        if isinstance(record, SanctionLifted)
    }
    return [
        _record(state, number, one, names, lifted)
        for number, one in enumerate(records)
        if isinstance(one, ActRecord) and one.is_reported(state)
    ]


def _record(
    state: State,
    number: int,
    record: Record,
    names: dict[str, str],
    lifted: dict[int, Undone],
) -> ReportedAct:
    sanction = record.sanction if isinstance(record, Sanctioned) else None
    told: Any = record if sanction is None else sanction
    entry = state.entry(getattr(told, "entry", 0))
    return ReportedAct(
        at=record.at,
        by=record.by,
        name=names.get(record.by, ""),
        what=_tag(record),
        article=getattr(told, "article", ""),
        reason=getattr(told, "reason", ""),
        round=getattr(told, "round", None),
        board=getattr(told, "board", None),
        number=number,
        player="" if entry is None else entry.person.full_name,
        details=_details(told),
        withdrawn=None if sanction is None else lifted.get(sanction.number),
    )


# --- parts ----------------------------------------------------------------------------------------


def _undone(at: datetime, by: str, reason: str, names: dict[str, str]) -> Undone:
    return Undone(at=at, by=by, name=names.get(by, ""), reason=reason)


def _tag(record: g.Event | Record) -> str:
    """The name of a record as it stands in its log."""
    return str(record.__struct_config__.tag)


def _details(record: Any) -> dict[str, Any]:
    """The fields of an act that are its own."""
    fields: dict[str, Any] = msgspec.to_builtins(record)
    return {name: value for name, value in fields.items() if name not in _OF_EVERY_RECORD}
