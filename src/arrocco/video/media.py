"""The interface of the engines that carry pictures and sound: segments, and Janus.

An engine takes what players send, shows it to arbiters and keeps it in recordings. Who may, who is
there and what is missing is not its business: it tells the conference what has come.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from arrocco.hall.presence import RecordingHead
from arrocco.video.messages import IceServer
from arrocco.video.recordings import Recordings
from arrocco.video.session import Session
from arrocco.video.stream import LiveStream, LiveTrial, LiveVoice, Peer


class Hears(Protocol):
    """What an engine tells: the conference is one."""

    now: Callable[[], int]

    def recorded(self, event: str, head: RecordingHead) -> None:
        """A recording has grown."""
        ...

    def kept_no_more(self, session: Session) -> None:
        """Nothing more is kept of a stream of a player."""
        ...

    def went_away(self) -> None:
        """The engine has stopped, by a fault of the server."""
        ...

    def came_back(self) -> None:
        """It is there again, and knows of no stream."""
        ...


class Media(Protocol):
    """An engine."""

    name: str
    recordings: Recordings

    @property
    def is_up(self) -> bool:
        """Whether it can take streams now; nobody is blamed while it cannot."""
        ...

    def attach(self, hears: Hears) -> None:
        """Says whom to tell."""
        ...

    async def start(self) -> None: ...

    async def stop(self) -> None:
        """Ends, with every recording complete."""
        ...

    def ice_servers(self, account: str) -> tuple[IceServer, ...]:
        """What a browser needs to reach it."""
        ...

    def begin(self, session: Session, kind: str, offer: str) -> LiveStream:
        """A stream of a player begins. Raises `SliceRefused`, `OSError`."""
        ...

    def answer(self, viewer: Peer, entry: int, kind: str, answer: str) -> None:
        """A page answers what it was offered. Raises `SliceRefused`."""
        ...

    def reach(self, peer: Peer, offer: str) -> LiveTrial:
        """A page tries to reach it, without pictures. Raises `SliceRefused`."""
        ...

    def talk(self, session: Session, speaker: Peer, offer: str) -> LiveVoice:
        """An arbiter talks to a player. Raises `SliceRefused`."""
        ...
