"""A voice that goes from browser to browser, both ways: only offer and answer come by here."""

from __future__ import annotations

from arrocco.video.messages import IceServer, Silenced, Spoken, Talking
from arrocco.video.session import Session
from arrocco.video.stream import Peer, SliceRefused
from arrocco.video.webrtc import media_of


class PeerVoice:
    """An arbiter and a player who talk with each other; nothing of it is kept."""

    def __init__(
        self, session: Session, speaker: Peer, number: int, offer: str, ice: tuple[IceServer, ...]
    ) -> None:
        self.number = number
        self._entry, self._speaker, self._hearer = session.entry, speaker, session.peer
        self._is_taken = self._is_closed = False
        if self._hearer is not None:
            self._hearer.tell(Spoken(voice=number, offer=offer, ice=ice, is_both_ways=True))

    def hear(self, answer: str) -> None:
        """Once: whoever answers again is not the page that was asked."""
        if self._is_taken or self._is_closed or media_of(answer) != ["audio"]:
            raise SliceRefused.of("video.not_offered")
        self._is_taken = True
        self._speaker.tell(Talking(entry=self._entry, on=True, answer=answer))

    def close(self) -> None:
        if self._is_closed:
            return
        self._is_closed = True
        self._speaker.tell(Talking(entry=self._entry, on=False))
        if self._hearer is not None:
            self._hearer.tell(Silenced(voice=self.number))
