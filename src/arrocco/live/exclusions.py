"""Who may not enter, because another event excluded them: read from the logs of all events once.

Few events exclude anybody. A log is folded only where one of its lines names such an article.
"""

from __future__ import annotations

import asyncio
from datetime import datetime

from arrocco.errors import Refusal, Unavailable
from arrocco.findings import Finding, Severity
from arrocco.hall import event as ev
from arrocco.hall.event.exclusions import (
    ARTICLES,
    QUALIFICATION_REVOKED,
    Exclusion,
    exclusions_in,
)
from arrocco.hall.event.records import Person
from arrocco.live.journal import Journal

_NAMED = tuple(f'"{article}"'.encode() for article in sorted(ARTICLES))


def _key(exclusion: Exclusion) -> str:
    """The sentence that says why an event does not take somebody."""
    if exclusion.article == QUALIFICATION_REVOKED:
        return "qualification_revoked"
    return "excluded_for_a_time" if exclusion.until else "excluded_from_championship"


class Exclusions:
    """The exclusions of all events of a hall."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._of_event: dict[str, tuple[Exclusion, ...]] = {}
        self._lock = asyncio.Lock()

    def changed(self, event: str) -> None:
        """Something was imposed or lifted: that event is read again when somebody enters."""
        self._of_event.pop(event, None)

    async def objection(
        self, event: str, championship: str, person: Person, now: datetime
    ) -> Finding | None:
        """13.5c, 6.9j — why an event does not take somebody now; its own log knows itself."""
        async with self._lock:
            await self._read()
        for name, exclusions in self._of_event.items():
            for exclusion in exclusions:
                if (
                    name != event
                    and exclusion.concerns(person)
                    and exclusion.holds(championship, now)
                ):
                    until = (
                        "-"
                        if exclusion.until is None
                        else exclusion.until.isoformat(timespec="minutes")
                    )
                    details = {"event": exclusion.event, "until": until}
                    return Finding(
                        Severity.ERROR,
                        f"event.{_key(exclusion)}",
                        article=exclusion.article,
                        details=details,
                    )
        return None

    async def _read(self) -> None:
        for stream in await self._journal.streams("event:"):
            name = stream.removeprefix("event:")
            if name in self._of_event:
                continue
            try:
                lines = await self._journal.read(stream)
                is_named = any(word in line for line in lines for word in _NAMED)
                exclusions = exclusions_in(ev.decode(line) for line in lines) if is_named else ()
            except Unavailable:
                raise
            except Refusal:  # a damaged log was told of when it was found
                exclusions = ()
            self._of_event[name] = exclusions
