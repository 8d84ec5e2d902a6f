"""Who follows an event, and what each of them was told.

Everybody counts only what they were told themselves. A number that grew with the log would tell
those who hear of results later (5.17) how many games are over by now.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from datetime import timedelta
from functools import partial

from arrocco.hall.event import events as e
from arrocco.wiring.hall.audience import Listener
from arrocco.wiring.hall.messages import EventUpdate, encode
from arrocco.wiring.hall.server_time import Time

Records = tuple[e.Event, ...]


@dataclass(slots=True)
class Follower:
    """Somebody who follows, and how many records they were told of so far."""

    account: str
    told: int = 0


class Followers:
    """The sockets that follow one event."""

    def __init__(self, event: str, time: Time, delay_for: Callable[[str], timedelta]) -> None:
        self._event, self._time, self._delay_for = event, time, delay_for
        self._all: dict[Listener, Follower] = {}

    def __iter__(self) -> Iterator[tuple[Listener, str]]:
        return iter([(listener, one.account) for listener, one in self._all.items()])

    def add(self, listener: Listener, account: str) -> int:
        """Lets somebody follow; the number of what they were told already over this socket."""
        known = self._all.get(listener)
        told = 0 if known is None else known.told
        self._all[listener] = Follower(account, told)
        return told

    def remove(self, listener: Listener) -> None:
        self._all.pop(listener, None)

    def tell(self, records: Records, moment: int, *, has_results: bool) -> None:
        """Tells everybody of records; of results the public hears as late as it sees moves."""
        delay = self._delay_for("") if has_results else timedelta(0)
        told = [listener for listener, account in self if not delay or not self._delay_for(account)]
        self._send(told, records, moment)
        if delay:
            later = moment + delay // timedelta(milliseconds=1)
            self._time.call_at(later, partial(self._tell_the_others, records, set(told)))

    def _tell_the_others(self, records: Records, told: Collection[Listener]) -> None:
        """Who came meanwhile hears of it too: what they were shown then was as late."""
        others = [listener for listener in self._all if listener not in told]
        self._send(others, records, self._time.now())

    def _send(self, listeners: list[Listener], records: Records, now: int) -> None:
        written: dict[int, bytes] = {}  # most have been told as much as the others
        for listener in listeners:
            follower = self._all[listener]
            follower.told += len(records)
            number = follower.told
            if number not in written:
                written[number] = encode(
                    EventUpdate(event=self._event, number=number, now=now, records=records)
                )
            listener.send(written[number])
