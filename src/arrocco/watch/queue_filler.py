"""What there is to analyse: looks at the hall's logs and enters games into the queue."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime, timedelta

from arrocco.errors import Refusal, Unavailable
from arrocco.hall import event as ev
from arrocco.live.index import CLOSED, OPEN
from arrocco.live.log_reader import LogReader
from arrocco.store.sql import hall_events, watched_games
from arrocco.store.sql.database import Database
from arrocco.store.sql.watched_games import QueuedGame
from arrocco.watch.games import game_state, games_of, is_over, plies_to_watch
from arrocco.watch.settings import WatchSettings

MAX_QUEUED = 5000
"""Games that wait at once: more are entered when these are done."""
LOOK_BACK = timedelta(days=30)
"""Events that were over before the watch began are analysed if they ended since then."""
LOOK_BACK_FOR_PRIZES = timedelta(days=400)
"""12.6 — those whose prizes wait for it, if they started since then."""
_AT_ONCE = 200


class QueueFiller:
    """Enters games of events under way, and of those that have just ended, as they grow."""

    def __init__(
        self,
        database: Database,
        logs: LogReader,
        settings: WatchSettings,
        now: Callable[[], datetime],
    ) -> None:
        self._database, self._logs, self._settings, self._now = database, logs, settings, now
        self._seen: dict[str, int] = {}
        self._complete: set[str] = set()
        """Of which nothing is to be entered any more."""
        self._waiting: set[str] = set()
        """Closed events that began long ago and are looked at all the same."""

    def fill(self) -> int:
        """Looks once; how many games were entered or have grown."""
        with self._database.reading() as connection:
            if watched_games.count_waiting(connection) >= MAX_QUEUED:
                return 0
        return sum(self._fill_event(event, status) for event, status in self._events())

    def _events(self) -> list[tuple[str, str]]:
        furthest = (self._now() - LOOK_BACK_FOR_PRIZES).date()
        starts: dict[str, date] = {}
        with self._database.reading() as connection:
            events: list[tuple[str, str]] = []
            for status, first in ((OPEN, None), (CLOSED, furthest)):
                offset, total = 0, 1
                while offset < total:
                    total, page = hall_events.search(
                        connection, status=(status,), from_day=first, offset=offset, limit=_AT_ONCE
                    )
                    events += [(event.id, status) for event in page]
                    starts |= {event.id: event.start for event in page}
                    offset += _AT_ONCE
        return [
            (event, status)
            for event, status in events
            if event not in self._complete and (status == OPEN or self._waits(event, starts[event]))
        ]

    def _waits(self, event: str, start: date) -> bool:
        """Whether a closed event is of late, or has prizes that wait for it."""
        since = self._now() - LOOK_BACK
        if start >= since.date() or event in self._waiting:
            return True
        try:
            state = ev.fold([ev.decode(line) for line in self._logs.read(f"event:{event}")])
        except Unavailable:
            raise
        except Refusal:  # a damaged log is the hall's to tell of
            self._complete.add(event)
            return False
        ended_lately = state.closed is not None and state.closed >= since
        is_waiting = ended_lately or state.prizes is not None
        (self._waiting if is_waiting else self._complete).add(event)
        return is_waiting

    def _fill_event(self, event: str, status: str) -> int:
        grown = []
        settled = status == CLOSED
        for game, number in games_of(self._logs, event).items():
            if self._seen.get(game) == number:
                continue
            state = game_state(self._logs, game)
            if state is None or (not state.ply and not is_over(state)):
                continue
            self._seen[game] = number
            grown.append(
                QueuedGame(
                    game=game,
                    nodes=self._settings.nodes,
                    event=event,
                    is_over=is_over(state),
                    plies=plies_to_watch(state, self._settings.late),
                )
            )
        if grown:
            self._put(event, grown)
        elif settled:  # nothing of a closed event grows any more
            self._complete.add(event)
        return len(grown)

    def _put(self, event: str, grown: list[QueuedGame]) -> None:
        with self._database.writing() as connection:
            known = watched_games.extents(connection, event, self._settings.nodes)
            for queued in grown:
                if known.get(queued.game) != (queued.plies, queued.is_over):
                    watched_games.put(connection, queued)
