"""What each audience sees of an event, as one record to be sent: never more than they may."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from arrocco.hall.event.acts.chat import objection_to_chat
from arrocco.hall.event.acts.closing import appeals_until, complaints_until
from arrocco.hall.event.field import in_order
from arrocco.hall.event.games import game_id
from arrocco.hall.event.records import Arbiter, EventRole, Pair, Person, Result, Sanction
from arrocco.hall.event.rules import Rules
from arrocco.hall.event.standings import Standing, standings
from arrocco.hall.event.state import Board, Entry, Phase, Round, State
from arrocco.laws.classes import TimeClass
from arrocco.laws.hall import Laws
from arrocco.records.report import ByeKind


class EntryView(Struct, frozen=True):
    """5.4 — a player as everybody sees them: no account, no number of a federation, no birth."""

    entry: int
    number: int
    name: str
    title: str
    rating: int | None
    federation: str
    withdrawn: bool
    excluded: bool
    """Whether the player has no place in the standings; why is for themselves and the arbiters."""


class BoardView(Struct, frozen=True):
    """A board by entries; `result` is `None` while it is played, or not to be seen yet."""

    white: int
    black: int
    game: str
    result: Result | None


class RoundView(Struct, frozen=True):
    """A round as published."""

    number: int
    phase: Phase
    starts: datetime | None
    boards: tuple[BoardView, ...]
    byes: dict[int, ByeKind]


class PublicView(Struct, frozen=True, kw_only=True, tag_field="role", tag="public"):
    """What anybody sees: the announcement, the players, the pairings, results and standings."""

    event: str
    name: str
    site: str
    federation: str
    start: date
    end: date
    rules: Rules | None
    time_class: TimeClass | None
    announced_rounds: int
    chief_arbiter: str
    arbiters: tuple[str, ...]
    entries: tuple[EntryView, ...]
    rounds: tuple[RoundView, ...]
    standings: tuple[Standing, ...]
    closed: bool
    validated: bool


class PlayerView(PublicView, frozen=True, kw_only=True, tag="player"):
    """5.17 — the same without delay, and what concerns oneself."""

    entry: int
    person: Person
    checked_in: bool
    byes: dict[int, ByeKind]
    """Those asked for, by round."""
    sanctions: tuple[Sanction, ...]
    lifted: tuple[int, ...]
    may_chat: bool
    board: int | None
    """The board of the last round that is paired."""
    watched: bool
    """9.1 — whether one is to be in the video conference."""
    complaints_until: datetime | None
    appeals_until: datetime | None


class OfficialView(PublicView, frozen=True, kw_only=True, tag="official"):
    """Everything, for the organiser and the arbiters."""

    number: int
    """The number of the next record: what a client has seen up to."""
    you: EventRole
    zone: Pair | None
    officials: tuple[Arbiter, ...]
    people: tuple[Entry, ...]
    paired: tuple[Round, ...]
    """The rounds with all that results have come to, and who is watched."""
    forbidden: tuple[tuple[Pair, str], ...]
    sanctions: tuple[Sanction, ...]
    lifted: tuple[int, ...]
    complaints_until: datetime | None
    appeals_until: datetime | None


def view_for(state: State, account: str, now: datetime, laws: Laws | None = None) -> PublicView:
    """What somebody may see at a moment; an account that is nobody's sees what the public does."""
    role = state.role(account)
    if role in (EventRole.CHIEF, EventRole.ORGANISER, EventRole.ASSISTANT):
        return _for_official(state, account, role, laws or state.laws)
    entry = state.entry_of(account)
    if entry is not None:
        return _for_player(state, entry, laws or state.laws)
    return PublicView(**_common(as_seen(state, now), laws or state.laws))


def as_seen(state: State, now: datetime) -> State:
    """The state without results that spectators, who see games later, do not know yet."""
    if state.rules is None or not state.rules.spectators.delay:
        return state
    seen_until = now - state.rules.spectators.delay

    def seen(board: Board) -> Board:
        return replace(board, settled=tuple(one for one in board.settled if one.at <= seen_until))

    rounds = tuple(
        replace(round_, boards=tuple(seen(board) for board in round_.boards))
        for round_ in state.rounds
    )
    return replace(state, rounds=rounds)


def _for_player(state: State, entry: Entry, laws: Laws) -> PlayerView:
    own = tuple(sanction for sanction in state.sanctions if sanction.entry == entry.id)
    last = state.last_round
    full = state.rules is not None and state.rules.supervision.value == "full"
    return PlayerView(
        **_common(state, laws),
        entry=entry.id,
        person=entry.person,
        checked_in=entry.checked_in,
        byes=entry.byes,
        sanctions=own,
        lifted=tuple(one.number for one in own if one.number in state.lifted),
        may_chat=objection_to_chat(state, entry.id) is None,
        board=None if last is None else last.board_of(entry.id),
        watched=full or (last is not None and entry.id in last.sample),
        complaints_until=complaints_until(state, laws),
        appeals_until=appeals_until(state, laws),
    )


def _for_official(state: State, account: str, role: EventRole, laws: Laws) -> OfficialView:
    arbiter = state.arbiter(account)
    return OfficialView(
        **_common(state, laws),
        number=state.number,
        you=role,
        zone=None if arbiter is None else arbiter.zone,
        officials=state.arbiters,
        people=state.entries,
        paired=state.rounds,
        forbidden=tuple(state.forbidden.items()),
        sanctions=state.sanctions,
        lifted=tuple(sorted(state.lifted)),
        complaints_until=complaints_until(state, laws),
        appeals_until=appeals_until(state, laws),
    )


# --- parts ----------------------------------------------------------------------------------------


def _common(state: State, laws: Laws) -> dict[str, Any]:
    created, rules, chief = state.created, state.rules, state.chief
    return {
        "event": created.event,
        "name": created.name,
        "site": created.site,
        "federation": created.federation,
        "start": created.start,
        "end": created.end,
        "rules": rules,
        "time_class": None if rules is None else rules.time_class(laws.rio),
        "announced_rounds": state.announced_rounds,
        "chief_arbiter": "" if chief is None else chief.name,
        "arbiters": tuple(arbiter.name for arbiter in state.arbiters if not arbiter.chief),
        "entries": _entries(state),
        "rounds": tuple(_round(state, round_) for round_ in state.rounds),
        "standings": () if rules is None else tuple(standings(state, laws)),
        "closed": state.closed is not None,
        "validated": state.validated is not None,
    }


def _entries(state: State) -> tuple[EntryView, ...]:
    if state.rules is None:
        return ()
    return tuple(
        _entry(state, state.entries[entry - 1], number)
        for number, entry in enumerate(in_order(state), start=1)
    )


def _entry(state: State, entry: Entry, number: int) -> EntryView:
    person = entry.person
    return EntryView(
        entry=entry.id,
        number=number,
        name=person.full_name,
        title=person.title,
        rating=person.rating,
        federation=person.federation,
        withdrawn=entry.withdrawn,
        excluded=state.is_out_of_standings(entry.id),
    )


def _round(state: State, round_: Round) -> RoundView:
    boards = tuple(
        BoardView(board.white, board.black, game_id(state, round_.number, number), board.result)
        for number, board in enumerate(round_.boards, start=1)
    )
    return RoundView(round_.number, round_.phase, round_.starts, boards, round_.byes)
