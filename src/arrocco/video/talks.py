"""The talks of arbiters that are under way: with whom, who could hear them, when they are over.

That a talk began is in the event's log before anybody hears it; that it is over is told from here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

from arrocco.video.stream import Peer, SliceRefused

TO_BEGIN = 30_000
"""Milliseconds in which the first voice of a talk has to come: a browser asks for a microphone."""


class TalkOver(NamedTuple):
    """What the event's log has to know; `ended` in milliseconds, `None` where nobody knows."""

    event: str
    talk: str
    ended: int | None
    reached: tuple[int, ...]


@dataclass(eq=False)
class _Talk:
    event: str
    id: str
    entries: frozenset[int]
    began: int
    has_begun: bool = False
    reached: set[int] = field(default_factory=set)


class Talks:
    """One talk of each socket at a time."""

    def __init__(self, now: Callable[[], int]) -> None:
        self._now = now
        self._open: dict[Peer, _Talk] = {}
        self._over: list[TalkOver] = []

    def begin(self, peer: Peer, event: str, talk: str, entries: tuple[int, ...]) -> None:
        """A talk that the log has; one before it is over."""
        self.end(peer)
        self._open[peer] = _Talk(event, talk, frozenset(entries), self._now())

    def speak(self, peer: Peer, event: str, entry: int) -> None:
        """A voice goes to a player. Raises `SliceRefused` where no talk with them is in the log."""
        talk = self._open.get(peer)
        if talk is None or talk.event != event or entry not in talk.entries:
            raise SliceRefused.of("video.no_open_talk")
        talk.has_begun = True

    def reach(self, peer: Peer, entry: int) -> None:
        """The page of a player takes a voice."""
        if peer in self._open:
            self._open[peer].reached.add(entry)

    def end(self, peer: Peer) -> None:
        talk = self._open.pop(peer, None)
        if talk is not None:
            reached = tuple(sorted(talk.reached))
            self._over.append(TalkOver(talk.event, talk.id, self._now(), reached))

    def end_silent(self, is_speaking: Callable[[Peer], bool]) -> None:
        """Ends talks whose last voice is gone, and those that never had one."""
        for peer, talk in tuple(self._open.items()):
            is_due = talk.has_begun or self._now() - talk.began > TO_BEGIN
            if is_due and not is_speaking(peer):
                self.end(peer)

    def end_all(self) -> None:
        for peer in tuple(self._open):
            self.end(peer)

    def take_over(self) -> list[TalkOver]:
        """What is over since this was asked last."""
        over, self._over = self._over, []
        return over

    def put_back(self, over: list[TalkOver]) -> None:
        """What could not be written: it is tried again."""
        self._over = [*over, *self._over]
