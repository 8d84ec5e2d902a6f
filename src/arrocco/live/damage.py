"""What of a hall is damaged: it stands still and is shown, while all else is played."""

from __future__ import annotations

import logging
import sqlite3
from pathlib import Path

from arrocco.errors import Refusal
from arrocco.hall import event as ev
from arrocco.hall.event.games import game_id
from arrocco.live.sqlite_log import SqliteLog

log = logging.getLogger(__name__)


class HallDamaged(Refusal):
    """The hall's file cannot be opened: the office works without its hall."""

    http_status = 503


class DamagedLogs:
    """The logs that could not be read, by stream, with the reason."""

    def __init__(self) -> None:
        self._found: dict[str, Exception] = {}

    def note(self, stream: str, error: Exception) -> None:
        """Remembers a log that cannot be read, and tells whoever runs the server, once."""
        if stream not in self._found:
            is_told = isinstance(error, Refusal)
            log.error(
                "the log %s is damaged: %s", stream, error, exc_info=None if is_told else error
            )
        self._found[stream] = error

    def __contains__(self, stream: str) -> bool:
        return stream in self._found

    def boards(self, state: ev.State) -> tuple[int, ...]:
        """The boards of the last round of an event whose games cannot go on."""
        last = state.last_round
        if last is None:
            return ()
        return tuple(
            number
            for number in range(1, len(last.boards) + 1)
            if f"game:{game_id(state, last.number, number)}" in self._found
        )


def open_file(path: Path) -> SqliteLog:
    """The logs of a file. Raises `HallDamaged` for one that is no whole database any more."""
    try:
        return SqliteLog(path)
    except sqlite3.OperationalError:  # it is locked, or the disk is full
        raise
    except sqlite3.DatabaseError as error:
        log.error("the hall cannot be opened: %s is damaged: %s", path, error)
        raise HallDamaged.of("hall_live.hall_damaged") from error
