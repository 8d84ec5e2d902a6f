"""The embedded engine: slices over the site's own HTTPS, recorded and shown as they come.

Only voices go another way, from browser to browser: a talk cannot wait for slices of a second.
"""

from __future__ import annotations

import itertools

from arrocco.video.media import Hears
from arrocco.video.messages import IceServer
from arrocco.video.peer_voice import PeerVoice
from arrocco.video.recordings import Recordings
from arrocco.video.session import Session
from arrocco.video.stream import LiveStream, LiveTrial, LiveVoice, Peer, SliceRefused, Stream
from arrocco.video.webrtc import IceSettings, media_of


class Segments:
    """Slices of a second; nothing has to be installed."""

    name = "segments"
    is_up = True

    def __init__(self, recordings: Recordings, ice: IceSettings | None = None) -> None:
        self.recordings = recordings
        self._ice = ice or IceSettings()
        self._voices = itertools.count(1)

    def attach(self, hears: Hears) -> None:
        """Everything comes by way of the conference, so there is nothing to tell it."""

    async def start(self) -> None:
        """There is nothing to start."""

    async def stop(self) -> None:
        """There is nothing to stop."""

    def ice_servers(self, account: str) -> tuple[IceServer, ...]:
        return self._ice.for_account(account)

    def begin(self, session: Session, kind: str, offer: str) -> LiveStream:
        recording = self.recordings.begin(session.event, session.entry, kind)
        return Stream(recording, session.entry, kind)

    def answer(self, viewer: Peer, entry: int, kind: str, answer: str) -> None:
        raise SliceRefused.of("video.not_a_message")

    def reach(self, peer: Peer, offer: str) -> LiveTrial:
        """Who has this socket reaches it: there is nothing to try."""
        raise SliceRefused.of("video.not_an_offer")

    def talk(self, session: Session, speaker: Peer, offer: str) -> LiveVoice:
        if media_of(offer) != ["audio"]:
            raise SliceRefused.of("video.not_an_offer")
        ice = self.ice_servers(session.account)
        return PeerVoice(session, speaker, next(self._voices), offer, ice)
