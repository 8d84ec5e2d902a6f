"""Who follows an event, and what each of them was told.

Everybody counts only what they were told themselves. A number that grew with the log would tell
those who hear of results later (5.17) how many games are over by now.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from itertools import islice

from arrocco.hall.event.record import Record
from arrocco.live.game_messages import Listener
from arrocco.live.messages import EventUpdate, encode
from arrocco.live.server_time import Time

Records = tuple[Record, ...]

AT_ONCE = 10
"""Onlookers told before a move gets its turn; those of a larger crowd are told one after another,
and of everything that has happened meanwhile."""
BREATH = 2
"""Milliseconds until the next of them."""


@dataclass(slots=True)
class Follower:
    """Somebody who follows, and how many records they were told of so far."""

    account: str
    told: int = 0
    waiting: list[Record] = field(default_factory=list)
    """What they are still to be told, where there is a crowd."""


class Followers:
    """The sockets that follow one event."""

    def __init__(
        self,
        event: str,
        time: Time,
        delay_for: Callable[[str], timedelta],
        takes_part: Callable[[str], bool],
    ) -> None:
        self._event, self._time, self._delay_for = event, time, delay_for
        self._takes_part = takes_part
        self._all: dict[Listener, Follower] = {}
        self._crowd: dict[Listener, None] = {}
        """Those who wait to be told, the one who waits longest first."""
        self._is_telling = False

    def __iter__(self) -> Iterator[tuple[Listener, str]]:
        return iter([(listener, follower.account) for listener, follower in self._all.items()])

    def add(self, listener: Listener, account: str) -> int:
        """Lets somebody follow; the number of what they were told already over this socket."""
        known = self._all.get(listener)
        told = 0 if known is None else known.told
        self._all[listener] = Follower(account, told)
        self._crowd.pop(listener, None)  # what is shown now has all that they waited for
        return told

    def remove(self, listener: Listener) -> None:
        self._all.pop(listener, None)
        self._crowd.pop(listener, None)

    def notify(self, records: Records, moment: int, *, has_results: bool) -> None:
        """Tells everybody of records; of results the public hears as late as it sees moves."""
        delay = self._delay_for("") if has_results else timedelta(0)
        told = [listener for listener, account in self if not delay or not self._delay_for(account)]
        self._send(told, records, moment)
        if delay:
            later = moment + delay // timedelta(milliseconds=1)
            self._time.call_at(later, partial(self._tell_the_others, records, set(told)))

    def notify_one(self, account: str, records: Records, moment: int) -> None:
        """Tells one person alone."""
        own = [listener for listener, who in self if who == account]
        self._tell(((listener, records) for listener in own), moment)

    def _tell_the_others(self, records: Records, told: Collection[Listener]) -> None:
        """Who came meanwhile hears of it too: what they were shown then was as late."""
        others = [listener for listener in self._all if listener not in told]
        self._send(others, records, self._time.now())

    def _send(self, listeners: list[Listener], records: Records, now: int) -> None:
        """Tells who takes part at once; a crowd of onlookers takes its turns."""
        if len(listeners) > AT_ONCE:
            part = self._takes_part
            crowd = [listener for listener in listeners if not part(self._all[listener].account)]
            if len(crowd) > AT_ONCE:
                for listener in crowd:
                    self._all[listener].waiting.extend(records)
                    self._crowd[listener] = None
                waits = set(crowd)
                listeners = [listener for listener in listeners if listener not in waits]
                self._tell_crowd_after(BREATH)
        self._tell(((listener, records) for listener in listeners), now)

    def _tell_crowd_after(self, wait: int) -> None:
        if not self._is_telling:
            self._is_telling = True
            self._time.call_at(self._time.now() + wait, self._tell_crowd)

    def _tell_crowd(self) -> None:
        self._is_telling = False
        due = []
        for listener in list(islice(self._crowd, AT_ONCE)):
            del self._crowd[listener]
            follower = self._all[listener]
            due.append((listener, tuple(follower.waiting)))
            follower.waiting.clear()
        self._tell(due, self._time.now())
        if self._crowd:
            self._tell_crowd_after(BREATH)

    def _tell(self, due: Iterable[tuple[Listener, Records]], now: int) -> None:
        written: dict[tuple[int, int, int], bytes] = {}  # most are told the same as the others
        for listener, records in due:
            follower = self._all[listener]
            follower.told += len(records)
            key = follower.told, len(records), id(records[-1]) if records else 0
            if key not in written:
                written[key] = encode(
                    EventUpdate(event=self._event, number=follower.told, now=now, records=records)
                )
            listener.send(written[key])
