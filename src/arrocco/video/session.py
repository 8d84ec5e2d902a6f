"""A player in the video conference: their streams, what is missing, and who follows them."""

from __future__ import annotations

import msgspec

from arrocco.hall.presence import PlayerPresence, Problem
from arrocco.video.messages import PlayerShown, Status
from arrocco.video.stream import (
    KINDS,
    OF_PAGE,
    OF_PHONE,
    ROOM,
    Header,
    LiveStream,
    LiveVoice,
    Peer,
    SliceRefused,
    Stream,
)
from arrocco.video.watching import Reading, Watched, WatchedRoom


class Session:
    """One player of one event, from joining until the end of the event."""

    def __init__(self, event: str, account: str, entry: int, name: str, now: int) -> None:
        self.event, self.account, self.entry, self.name = event, account, entry, name
        self.joined = self.since = now
        self.peer: Peer | None = None
        self.phone: Peer | None = None
        """10.3 — the socket of the second camera."""
        self.streams: dict[str, LiveStream] = {}
        self.voices: dict[Peer, LiveVoice] = {}
        """Of arbiters who talk to the player."""
        self.still = b""
        self.is_resting = False
        self.is_needed = True
        self.problems: tuple[Problem, ...] = ()
        self.is_beginning = True
        self.watched: Watched | None = None
        self.room = WatchedRoom()

    def join(self, peer: Peer, now: int, *, needs_screen: bool, needs_room: bool = False) -> None:
        """The player is here, over this socket and no other."""
        self.close_streams(OF_PAGE)
        self.peer, self.is_resting = peer, False
        self.watched = Watched(now, needs_screen=needs_screen)
        self.room.is_needed = needs_room

    def rest(self) -> None:
        """5.14 — everything is switched off, and that is no fault."""
        self.close_streams()
        self.is_resting, self.still = True, b""

    def lose(self) -> None:
        """The socket is gone."""
        self.close_streams(OF_PAGE)
        self.peer, self.still = None, b""

    def lose_phone(self) -> None:
        """The socket of the second camera is gone; nothing else is."""
        self.close_streams(OF_PHONE)
        self.phone = None

    @property
    def peers(self) -> tuple[Peer, ...]:
        """The sockets of the player: that of the page, that of the phone."""
        return tuple(peer for peer in (self.peer, self.phone) if peer is not None)

    def sender(self, kind: str) -> Peer | None:
        """The socket that sends streams of a kind."""
        return self.phone if kind == ROOM else self.peer

    def close_streams(self, kinds: tuple[str, ...] = KINDS) -> None:
        for kind in kinds:
            if kind in self.streams:
                self.streams.pop(kind).close()
        if ROOM in kinds:
            self.room.end()
        if kinds == OF_PHONE:
            return
        for voice in self.voices.values():
            voice.close()
        self.voices.clear()

    def take(self, header: Header, data: bytes, now: int, kinds: tuple[str, ...]) -> Stream:
        """Takes a slice of a stream of these kinds. Raises `SliceRefused`."""
        streams = (self.streams.get(kind) for kind in kinds)
        sliced = (stream for stream in streams if isinstance(stream, Stream))
        stream = next(
            (stream for stream in sliced if stream.recording.name == header.recording), None
        )
        if stream is None:
            raise SliceRefused.of("video.not_yours", recording=header.recording)
        frames = stream.take(header, data, now)
        self.came(stream.kind, frames.video, frames.audio, now)
        return stream

    def came(self, kind: str, video: int, audio: int, now: int) -> None:
        """Frames of a stream have come."""
        if kind == ROOM:
            self.room.frames(video, now)
        elif self.watched is not None:
            self.watched.frames(kind, video, audio, now)

    def stopped(self, kind: str, *, is_video: bool, now: int) -> None:
        """The server sees that nothing of a track comes any more."""
        if kind == ROOM:
            self.room.stopped(now)
        elif self.watched is not None:
            self.watched.stopped(kind, is_video=is_video, now=now)

    def begin_anew(self, now: int) -> None:
        """The server's own fault has ended all streams: what is missing is looked at afresh."""
        self.close_streams()
        if self.watched is not None:
            self.watched = Watched(
                now,
                needs_screen=self.watched.needs_screen,
                was_seen=not self.watched.is_beginning,
            )

    def read(self, reading: Reading) -> None:
        if self.watched is not None:
            self.watched.read(reading)

    def look(self, now: int) -> bool:
        """Looks at what is missing now; whether that is another thing than before."""
        if self.is_resting:
            problems: tuple[Problem, ...] = ()
        elif self.peer is None or self.watched is None:
            problems = (Problem.LOST,)
        else:
            problems = (*self.watched.problems(now), *self.room.problems(now))
        is_beginning = self.watched is not None and self.watched.is_beginning
        if (problems, is_beginning) == (self.problems, self.is_beginning):
            return False
        self.problems, self.is_beginning, self.since = problems, is_beginning, now
        return True

    # --- as others see it ----------------------------------------------------------------------

    @property
    def presence(self) -> PlayerPresence:
        return PlayerPresence(
            event=self.event,
            account=self.account,
            since=self.since,
            problems=self.problems,
            is_resting=self.is_resting,
            is_beginning=self.is_beginning,
        )

    @property
    def not_recorded(self) -> str:
        """Why nothing is kept of a stream, where it is not."""
        stopped = (stream.stopped for stream in self.streams.values())
        return next((why for why in stopped if why), "")

    def status(self, now: int) -> Status:
        return Status(
            on=self.presence.is_on,
            problems=tuple(map(str, self.problems)),
            since=self.since,
            now=now,
            needed=self.is_needed,
            recorded=not self.not_recorded,
            room=ROOM in self.streams,
        )

    def shown(self) -> PlayerShown:
        return PlayerShown(
            entry=self.entry,
            name=self.name,
            on=self.presence.is_on,
            problems=tuple(map(str, self.problems)),
            since=self.since,
            joined=self.joined,
            resting=self.is_resting,
            kinds=tuple(self.streams),
            not_recorded=self.not_recorded,
        )


def header_of(data: bytes) -> Header:
    """Reads what is said before a slice. Raises `SliceRefused`."""
    try:
        return msgspec.json.decode(data, type=Header)
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise SliceRefused.of("video.not_a_message") from None
