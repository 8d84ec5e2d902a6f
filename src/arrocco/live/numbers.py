"""A running hall in numbers, taken on its own event loop: what the site asks of it and shows."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Protocol

from msgspec import Struct

from arrocco import __version__
from arrocco.live.process_numbers import ProcessNumbers
from arrocco.live.tally import Spread

if TYPE_CHECKING:
    from arrocco.live.hall import Hall
    from arrocco.live.time_watch import TimeWatch


class HallNumbers(Struct, frozen=True, kw_only=True):
    """A hall at one moment. It can be sent from one process to another."""

    version: str
    process: ProcessNumbers | None
    """`None` where the hall is in the process that asks."""
    events: int
    games: dict[str, int]
    """Games in memory by phase."""
    sockets: int
    moves: int
    commits: int
    records: int
    failed_writes: int
    journal_queue: int
    room_queue: int
    """Commands that wait in all rooms."""
    longest_room_queue: int
    thinking_queue: int
    commit_seconds: Spread
    flag_lateness: Spread


class HallLink(Protocol):
    """How the site reaches its hall, in this process or in another."""

    async def numbers(self) -> HallNumbers:
        """The hall as it stands. Raises where it does not answer."""
        ...


class LocalHall:
    """A hall in this very process."""

    def __init__(self, hall: Hall) -> None:
        self._hall = hall

    async def numbers(self) -> HallNumbers:
        return hall_numbers(self._hall)


def hall_numbers(hall: Hall, watch: TimeWatch | None = None) -> HallNumbers:
    """Counts a hall; to be called on its loop. `watch` is that of a process of its own."""
    journal, services = hall.journal, hall.services
    waiting = [room.queued for room in hall.rooms.values()]
    return HallNumbers(
        version=__version__,
        process=None if watch is None else watch.numbers(),
        events=len(hall.events),
        games=dict(Counter(room.state.phase.value for room in hall.rooms.values())),
        sockets=hall.sockets,
        moves=services.tally.moves,
        commits=journal.commits,
        records=journal.written,
        failed_writes=journal.failed,
        journal_queue=journal.queued,
        room_queue=sum(waiting),
        longest_room_queue=max(waiting, default=0),
        thinking_queue=services.thinking.queued,
        commit_seconds=journal.commit_seconds,
        flag_lateness=services.tally.flags,
    )
