"""What waits for somebody in the hall, for the inbox: a board, calls, the next round, the end."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from anyio import to_thread

from arrocco.desk.inbox import InboxItem
from arrocco.errors import Refusal
from arrocco.hall.event.games import game_id
from arrocco.hall.event.records import EventRole
from arrocco.hall.event.starts import next_start
from arrocco.hall.event.state import Entry, Phase, State
from arrocco.live.index import CLOSED, OPEN
from arrocco.live.reader import HallReader
from arrocco.live.server_time import as_datetime
from arrocco.office.roles import Role
from arrocco.store.sql import hall_events
from arrocco.web.pages.hall_common import hall_of
from arrocco.web.pages.hall_faces import can_be_proposed
from arrocco.web.pages.life_waiting import event_item, waiting_in_life
from arrocco.web.view import View

MAX_EVENTS = 20
"""Open events that are looked at, those that start last first."""
MAX_CLOSED = 10
"""Closed events that are looked at: complaints, validation and announcement come after the end."""
MAX_BOARDS = 60
"""Boards of an event that are looked at for calls; the wall has them all."""
_ARBITERS = (EventRole.CHIEF, EventRole.ASSISTANT)


async def waiting_in_hall(view: View) -> list[InboxItem]:
    """What waits for the asker in events that go on; nothing where there is no hall."""
    account = view.asker.account
    if account is None:
        return []
    items: list[InboxItem] = []
    for name in await to_thread.run_sync(_events, view):
        with suppress(Refusal):  # a log that cannot be read is told of on the pages of the hall
            items.extend(await _in_event(view, name, str(account)))
    return items


async def _in_event(view: View, name: str, account: str) -> list[InboxItem]:
    hall = hall_of(view)
    event = await hall.find_event(name)
    if event is None:
        return []
    now = as_datetime(hall.time.now())
    items = await to_thread.run_sync(waiting_in_life, view, event.state, account, now)
    if event.state.closed is not None:
        return items
    entry = event.state.entry_of(account)
    if entry is not None and not entry.withdrawn:
        items.extend(_of_player(event.state, entry))
    if any(role in event.state.roles(account) for role in _ARBITERS):
        items.extend(await _of_arbiter(hall, event.state))
    return items


def _events(view: View) -> list[str]:
    """The events that go on, and for those who work here the last ones that are over."""
    with view.office.desk.database.reading() as connection:
        _, events = hall_events.search(connection, status=(OPEN,), limit=MAX_EVENTS)
        if view.asker.role is not Role.PLAYER:
            events += hall_events.search(connection, status=(CLOSED,), limit=MAX_CLOSED)[1]
    return [event.id for event in events]


def _of_player(state: State, entry: Entry) -> Iterator[InboxItem]:
    """Their board while its game is not over, or else when their next round starts."""
    last, name = state.last_round, state.created.event
    number = None if last is None else last.board_of(entry.id)
    if last is not None and number is not None and last.boards[number - 1].result is None:
        if last.phase is Phase.OPEN:
            path = f"/hall/game/{game_id(state, last.number, number)}"
            yield event_item(state, "own_game", path, since=last.opened)
        else:
            yield event_item(state, "own_pairing", f"/hall/{name}", until=last.starts)
        return
    start = next_start(state)
    if start is not None and not start.is_held:
        yield event_item(state, "own_round", f"/hall/{name}", until=start.moment)


async def _of_arbiter(hall: HallReader, state: State) -> list[InboxItem]:
    """A round at play, calls and requests that nobody has answered, a round that can be paired."""
    last, items = state.last_round, []
    if last is not None and last.phase is Phase.OPEN:
        playing = sum(board.result is None for board in last.boards)
        path = f"/hall/{state.created.event}/wall"
        if playing:
            items.append(event_item(state, "at_play", path, count=playing, since=last.opened))
    moments = await _unanswered(hall, state)
    if moments:
        since = as_datetime(min(moments))
        path = f"/hall/{state.created.event}/wall"
        items.append(event_item(state, "calls", path, count=len(moments), since=since))
    if last is not None and can_be_proposed(state) and next_start(state) is None:
        path = f"/hall/{state.created.event}"
        items.append(event_item(state, "to_pair", path, since=last.closed))
    return items


async def _unanswered(hall: HallReader, state: State) -> list[int]:
    """Since when each call or request of the running round waits."""
    last = state.last_round
    if last is None or last.phase is not Phase.OPEN:
        return []
    moments: list[int] = []
    for number, board in enumerate(last.boards[:MAX_BOARDS], start=1):
        if board.result is not None:
            continue
        game = await hall.find_game(game_id(state, last.number, number))
        if game is not None:
            moments.extend(call.at for call in game.state.calls if not call.answered)
            moments.extend(request.at for request in game.state.requests if request.granted is None)
    return moments
