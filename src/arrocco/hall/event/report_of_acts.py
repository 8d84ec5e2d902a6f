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

from arrocco.hall.event import events as e
from arrocco.hall.event.state import State
from arrocco.hall.game import State as GameState
from arrocco.hall.game.state import Numbered
from arrocco.hall.log import events as g

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_OF_EVERY_RECORD = frozenset({"type", "v", "at", "by", "reason", "article", "corrects", "round"})
_IN_THE_EVENT = (
    e.PairingWithdrawn, e.RoundDelayed, e.ResultCorrected, e.Sanctioned, e.SanctionLifted,
    e.PairForbidden, e.PairAllowed, e.Withdrawn, e.Closed, e.Validated,
)  # fmt: skip
"""Records in which somebody decides something; pairings by hand besides."""


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
    state: State, records: Iterable[e.Event], games: Iterable[GameState]
) -> tuple[ReportedAct, ...]:
    """All acts of an event's arbiters, the first first.

    `records` are the event's log and `state` what it amounts to. A sanction imposed in a game is
    one act, the game's, though the event carries it out; what was withdrawn is told with its act.
    """
    records = list(records)
    # Also of those who are arbiters no more: what they did is still theirs.
    appointed = [one.arbiter for one in records if isinstance(one, e.ArbiterAppointed)]
    names = {arbiter.account: arbiter.name for arbiter in appointed}
    found = _of_event(state, records, names)
    for game in games:
        found += _of_game(game, names)
    # Equal moments keep their order: the event's before its games', each by its log.
    return tuple(sorted(found, key=lambda act: act.at))


# --- a game ---------------------------------------------------------------------------------------


def _of_game(game: GameState, names: dict[str, str]) -> list[ReportedAct]:
    undone = {
        one.act.corrects: _undone(_moment(one.act), one.act.by, one.act.reason, names)
        for one in game.acts
        if isinstance(one.act, g.Withdrawn)
    }
    people = {seat.player.id: seat.player.name for seat in (game.white, game.black)}
    return [
        _act(game, one, names, people, undone.get(one.number))
        for one in game.acts
        if not isinstance(one.act, g.Withdrawn)
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


def _of_event(state: State, records: list[e.Event], names: dict[str, str]) -> list[ReportedAct]:
    lifted = {
        one.number: _undone(one.at, one.by, one.reason, names)
        for one in records
        if isinstance(one, e.SanctionLifted)
    }
    return [
        _record(state, number, one, names, lifted)
        for number, one in enumerate(records)
        if _is_act(state, one)
    ]


def _is_act(state: State, record: e.Event) -> bool:
    """Whether a record is to be told by itself."""
    if isinstance(record, e.SanctionLifted):
        return False
    if isinstance(record, e.Sanctioned):
        return not record.sanction.game
    if isinstance(record, e.RoundPaired):
        return record.by_hand
    if isinstance(record, e.ResultTaken):
        return bool(record.by) and record.article != "3.1"  # by hand, and not by an absence
    if isinstance(record, e.Withdrawn):
        entry = state.entry(record.entry)
        return entry is None or entry.person.account != record.by
    return isinstance(record, _IN_THE_EVENT)


def _record(
    state: State,
    number: int,
    record: e.Event,
    names: dict[str, str],
    lifted: dict[int, Undone],
) -> ReportedAct:
    sanction = record.sanction if isinstance(record, e.Sanctioned) else None
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


def _tag(record: g.Event | e.Event) -> str:
    """The name of a record as it stands in its log."""
    return str(record.__struct_config__.tag)


def _details(record: Any) -> dict[str, Any]:
    """The fields of an act that are its own."""
    fields: dict[str, Any] = msgspec.to_builtins(record)
    return {name: value for name, value in fields.items() if name not in _OF_EVERY_RECORD}
