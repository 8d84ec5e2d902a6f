"""Which games the file of a player has: all of them in the event, and the last ones before it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from arrocco.errors import Refusal, Unavailable
from arrocco.hall import event as ev
from arrocco.hall.event.own_data import own_boards
from arrocco.hall.event.records import Person
from arrocco.hall.event.state import State as EventState
from arrocco.hall.game import State, apply, fold
from arrocco.hall.game.events import Event, Moved
from arrocco.hall.game.log import decode
from arrocco.live.log_reader import LogReader
from arrocco.store.sql import hall_events
from arrocco.store.sql.database import Database
from arrocco.store.sql.player_files import FileGame
from arrocco.watch.games import PREFIX, is_over, plies_to_watch

MAX_PAST = 30
"""Earlier games: the last ones, those of about three events."""
MAX_EVENTS = 300
"""Earlier events that are looked through for them, the last ones first."""


def games_of_file(
    database: Database, logs: LogReader, event: EventState, entry: int, late: int
) -> tuple[FileGame, ...]:
    """The games of a player, as their logs are now: earlier ones first, each event in its order."""
    gathered = event.entry(entry)
    if gathered is None:
        return ()
    own = list(_games(logs, event, entry, late, is_past=False))
    past: list[FileGame] = []
    for before in _events_before(database, event):
        state, number = _taken_part(logs, before, gathered.person)
        if state is not None:
            past = [*_games(logs, state, number, late, is_past=True), *past]
        if len(past) >= MAX_PAST:
            break
    return (*past[-MAX_PAST:], *own)


class FrozenGame(NamedTuple):
    """A game as its log was when a file was asked for; `ended` where it was over."""

    state: State
    ended: int | None


def frozen_game(logs: LogReader, game: FileGame) -> FrozenGame | None:
    """Reads what a file means of a game's log; `None` where that cannot be read."""
    lines = logs.read(f"{PREFIX}{game.game}")[: game.records]
    try:
        events = [decode(line) for line in lines]
        return FrozenGame(fold(events), _ended(events) if game.is_over else None)
    except Unavailable:
        raise
    except Refusal:  # a damaged log is the hall's to tell of
        return None


def _ended(events: Sequence[Event]) -> int:
    """When a game ended: what arbiters wrote into its log later is not play."""
    played = max((n for n, event in enumerate(events) if isinstance(event, Moved)), default=0)
    state = fold(events[: played + 1])
    for event in events[played + 1 :]:
        state = apply(state, event)
        if is_over(state):
            return event.at
    return events[-1].at


def _games(
    logs: LogReader, event: EventState, entry: int, late: int, *, is_past: bool
) -> Iterator[FileGame]:
    gathered = event.entry(entry)
    account = "" if gathered is None else gathered.person.account
    for board in own_boards(event, entry):
        lines = logs.read(f"{PREFIX}{board['game']}")
        try:
            state = fold([decode(line) for line in lines]) if lines else None
        except Unavailable:
            raise
        except Refusal:
            continue
        if state is None or (is_past and not is_over(state)):
            continue
        plies = plies_to_watch(state, late)
        if plies:
            yield FileGame(
                game=board["game"],
                event=event.created.event,
                account=account,
                records=len(lines),
                plies=plies,
                is_over=is_over(state),
                is_past=is_past,
            )


def _events_before(database: Database, event: EventState) -> list[str]:
    """Events that were announced before this one and began no later, the last ones first."""
    with database.reading() as connection:
        own = hall_events.get(connection, event.created.event)
        _, gathered = hall_events.search(connection, to_day=event.created.start, limit=MAX_EVENTS)
    if own is None:
        return []
    return [
        other.id
        for other in gathered
        if other.id != own.id and (other.start, other.created_at) < (own.start, own.created_at)
    ]


def _taken_part(logs: LogReader, event: str, person: Person) -> tuple[EventState | None, int]:
    """An event and the number of a person's entry in it; `None` for one without them."""
    lines = logs.read(f"event:{event}")
    # Most events are none of theirs: a look at the bytes spares them being folded.
    marks = [f'"{person.account}"'.encode()]
    marks += [] if person.id is None else [str(person.id).encode()]
    if not any(mark in line for line in lines for mark in marks):
        return None, 0
    try:
        state = ev.fold([ev.decode(line) for line in lines])
    except Unavailable:
        raise
    except Refusal:
        return None, 0
    for entry in state.entries:
        is_same = person.id is not None and entry.person.id == person.id
        if is_same or (person.account and entry.person.account == person.account):
            return state, entry.id
    return None, 0
