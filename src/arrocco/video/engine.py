"""The video conference of a server: who is in it, what comes of them, who watches.

It knows no sockets and no hall: both are given to it, and so are the media that carry pictures
and sound. Nothing it does can touch a clock.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from arrocco.hall.presence import PlayerPresence, RecordingHead
from arrocco.video.media import Media
from arrocco.video.messages import Begun, MediaState, Present, Reaching, Watching
from arrocco.video.phones import Phones
from arrocco.video.session import Session, header_of
from arrocco.video.settings import MAX_STILL
from arrocco.video.space import Space
from arrocco.video.stream import (
    OF_PAGE,
    ROOM,
    STILL,
    LiveTrial,
    Part,
    Peer,
    SliceRefused,
    framed,
)
from arrocco.video.talks import Talks
from arrocco.video.watching import Reading

REPLACED = 4409
"""The code with which a socket is closed whose place another has taken, or that has none."""
_WEBP = b"RIFF"

Key = tuple[str, str]


class Follower(NamedTuple):
    """An arbiter who follows an event: `sees` tells of which entries."""

    event: str
    sees: Callable[[int], bool]


class Engine:
    """Everybody who is in a video conference, or was and should be."""

    def __init__(self, media: Media, now: Callable[[], int]) -> None:
        self.media = media
        self.now = now
        self.phones = Phones(now)
        self.talks = Talks(now)
        self.space = Space(media.recordings)
        media.attach(self)
        self.sessions: dict[Key, Session] = {}
        self._followers: dict[Peer, Follower] = {}
        self._trials: dict[Peer, LiveTrial] = {}
        self._watched: dict[Peer, set[tuple[str, int, str]]] = {}
        self._has_changed = False
        self._unanchored: dict[str, dict[str, RecordingHead]] = {}

    # --- players -------------------------------------------------------------------------------

    def join(
        self,
        event: str,
        account: str,
        entry: int,
        name: str,
        peer: Peer,
        *,
        needs_screen: bool,
        needs_room: bool = False,
    ) -> Session:
        """9.1d — a player joins, or is back; who comes over another socket leaves the first."""
        now = self.now()
        session = self.sessions.get((event, account))
        if session is None:
            session = Session(event, account, entry, name, now)
            self.sessions[event, account] = session
        if session.peer is not None and session.peer is not peer:
            session.peer.close(REPLACED)
        session.entry, session.name = entry, name
        session.join(peer, now, needs_screen=needs_screen, needs_room=needs_room)
        self._changed(session)
        return session

    def attach(self, session: Session, phone: Peer) -> str:
        """10.3 — a phone becomes the second camera, in the place of another; its way back."""
        if session.phone is not None:
            session.phone.close(REPLACED)
            session.lose_phone()
        session.phone = phone
        self._tell(session)
        return self.phones.way_back(session)

    def begin(self, session: Session, kind: str, offer: str = "") -> Begun | None:
        """A stream of a player begins, also where nothing can be kept of it. Raises `SliceRefused`.

        `None` where the media tell the page by themselves, later.
        """
        if session.sender(kind) is None or session.is_resting:
            raise SliceRefused.of("video.not_joined")
        before = session.streams.pop(kind, None)
        if before is not None:
            before.close()
        stream = session.streams[kind] = self.media.begin(session, kind, offer)
        if kind == ROOM:
            session.room.begin(self.now())
        for viewer in self._who_watches(session, kind):
            stream.watch(viewer)
        self._changed(session)
        return stream.begun

    def take(
        self, session: Session, header: bytes, data: bytes, kinds: tuple[str, ...] = OF_PAGE
    ) -> None:
        """A slice of a stream of these kinds has come.

        Raises `SliceRefused`, `Malformed`; nothing else follows from it.
        """
        read = header_of(header)
        was_kept = not session.not_recorded
        stream = session.take(read, data, self.now(), kinds)
        if stream.recording.slices:
            self.recorded(session.event, stream.recording.head)
        if was_kept and session.not_recorded:
            self._tell(session)

    def still(self, session: Session, data: bytes) -> None:
        """A still has come: the last one is shown, and none is kept."""
        if len(data) > MAX_STILL or data[:4] != _WEBP:
            raise SliceRefused.of("video.not_a_still")
        session.still = data
        for peer, follower in tuple(self._followers.items()):
            if follower.event == session.event and follower.sees(session.entry):
                peer.send(_still(session))

    def read(self, session: Session, reading: Reading) -> None:
        session.read(reading)
        self._look(session)

    def read_room(self, session: Session, reading: Reading) -> None:
        """10.3 — what the phone has measured of its own pictures."""
        session.room.read(reading)
        self._look(session)

    def rest(self, session: Session) -> None:
        """5.14 — raises `SliceRefused` where the player has to be there."""
        if session.is_needed:
            raise SliceRefused.of("video.game_on")
        session.rest()
        self._changed(session)

    def gone(self, session: Session, peer: Peer) -> None:
        """A player's socket is closed; it may have been replaced by another."""
        if session.peer is peer:
            session.lose()
            self._changed(session)
        elif session.phone is peer:
            session.lose_phone()
            self._changed(session)

    def reach(self, peer: Peer, account: str, offer: str) -> None:
        """Tries whether a page reaches the media, one trial at a time. Raises `SliceRefused`."""
        self._end_trial(peer)
        if not self.media.is_up:
            raise SliceRefused.of("video.starting")
        if offer:
            self._trials[peer] = self.media.reach(peer, offer)
        else:
            peer.tell(Reaching(media=self.media.name, ice=self.media.ice_servers(account)))

    def _end_trial(self, peer: Peer) -> None:
        trial = self._trials.pop(peer, None)
        if trial is not None:
            trial.close()

    # --- what the media tell -------------------------------------------------------------------

    def recorded(self, event: str, head: RecordingHead) -> None:
        """A recording has grown."""
        self._unanchored.setdefault(event, {})[head.recording] = head

    def kept_no_more(self, session: Session) -> None:
        """Nothing more is kept of a stream: player and arbiters are told."""
        self._tell(session)

    def went_away(self) -> None:
        """The media have stopped by a fault of the server: all streams are gone, by no player's."""
        for session in self.sessions.values():
            session.begin_anew(self.now())
            self._tell_media(session)
        self._has_changed = True

    def came_back(self) -> None:
        """The media are there: pages begin their streams anew."""
        for session in self.sessions.values():
            session.begin_anew(self.now())
            self._tell_media(session)
        self._has_changed = True

    def _tell_media(self, session: Session) -> None:
        for peer in session.peers:
            peer.tell(MediaState(is_up=self.media.is_up))

    # --- arbiters ------------------------------------------------------------------------------

    def follow(self, peer: Peer, event: str, sees: Callable[[int], bool]) -> None:
        """Shows an arbiter who is there, with their stills, from now on."""
        self._followers[peer] = Follower(event, sees)
        peer.tell(self._present(event, sees))
        for session in self._sessions_of(event):
            if session.still and sees(session.entry):
                peer.send(_still(session))

    def watch(self, peer: Peer, event: str, entry: int, kind: str) -> None:
        """Shows somebody a stream, and whatever stream takes its place."""
        self._watched.setdefault(peer, set()).add((event, entry, kind))
        session = self._session_of(event, entry)
        stream = None if session is None else session.streams.get(kind)
        peer.tell(Watching(entry=entry, kind=kind, is_there=stream is not None))
        if stream is not None:
            stream.watch(peer)

    def unwatch(self, peer: Peer, entry: int | None = None, kind: str | None = None) -> None:
        """Shows somebody a stream no more; nothing any more where it is not said which."""
        watched = self._watched.get(peer, set())
        for stream in tuple(watched):
            event, number, of_kind = stream
            if entry not in (None, number) or kind not in (None, of_kind):
                continue
            watched.discard(stream)
            session = self._session_of(event, number)
            if session is not None and of_kind in session.streams:
                session.streams[of_kind].unwatch(peer)
        if not watched:
            self._watched.pop(peer, None)

    def end_unseen(self, peer: Peer, sees: Callable[[str, int], bool]) -> None:
        """6.3 — ends what is shown to an arbiter, or said by them, of whom they watch no more."""
        watched = self._watched.get(peer, set())
        for event, entry, kind in [one for one in watched if not sees(one[0], one[1])]:
            watched.discard((event, entry, kind))
            session = self._session_of(event, entry)
            if session is not None and kind in session.streams:
                session.streams[kind].unwatch(peer)
            peer.tell(Watching(entry=entry, kind=kind, is_there=False))
        for session in self.sessions.values():
            if peer in session.voices and not sees(session.event, session.entry):
                session.voices.pop(peer).close()

    def answer(self, peer: Peer, entry: int, kind: str, answer: str) -> None:
        """A page answers what it was offered to watch."""
        self.media.answer(peer, entry, kind, answer)

    def talk(self, peer: Peer, event: str, entry: int, offer: str) -> None:
        """An arbiter talks to a player. Raises `SliceRefused` where they cannot hear it, or where
        the log has no talk with them."""
        self.talks.speak(peer, event, entry)
        session = self._session_of(event, entry)
        if session is None or session.peer is None:
            raise SliceRefused.of("video.not_there")
        voice = self.media.talk(session, peer, offer)
        before = session.voices.pop(peer, None)
        if before is not None:
            before.close()
        session.voices[peer] = voice

    def hear(self, session: Session, number: int, answer: str) -> None:
        """A player's page takes a voice."""
        for peer, voice in session.voices.items():
            if voice.number == number:
                voice.hear(answer)
                self.talks.reach(peer, session.entry)
                return
        raise SliceRefused.of("video.not_offered")

    def hush(self, peer: Peer, entry: int | None = None) -> None:
        """An arbiter talks no more to a player, or to nobody any more."""
        for session in self.sessions.values():
            if entry in (None, session.entry) and peer in session.voices:
                session.voices.pop(peer).close()
        if entry is None:
            self.talks.end(peer)

    def leave(self, peer: Peer) -> None:
        """A socket is closed."""
        self._end_trial(peer)
        self._followers.pop(peer, None)
        self.unwatch(peer)
        self.hush(peer)

    def watchers(self) -> tuple[Peer, ...]:
        return tuple({*self._followers, *self._watched})

    # --- what is told --------------------------------------------------------------------------

    def look(self) -> bool:
        """Looks at everybody; whether anything has changed since this was asked last."""
        for session in self.sessions.values():
            self._look(session)
        self.talks.end_silent(self._is_speaking)
        if self.space.look(self.now()):
            for event in {follower.event for follower in self._followers.values()}:
                self._tell_followers(event)
        has_changed, self._has_changed = self._has_changed, False
        return has_changed

    def presence(self) -> list[PlayerPresence]:
        return [session.presence for session in self.sessions.values()]

    def set_needed(self, resting: Iterable[Key]) -> None:
        """Takes who need not be there, as the hall says; who is not there either is forgotten."""
        free = set(resting)
        for key, session in tuple(self.sessions.items()):
            is_needed = key not in free
            if session.is_needed is not is_needed:
                session.is_needed = is_needed
                self._tell(session)
            if not is_needed and session.peer is None:
                self.phones.forget(session)
                if session.phone is not None:
                    session.phone.close(REPLACED)
                    session.lose_phone()
                del self.sessions[key]
                self._tell_followers(session.event)

    def take_heads(self) -> dict[str, list[RecordingHead]]:
        """What was recorded since this was asked last: the last slice of each recording."""
        heads, self._unanchored = self._unanchored, {}
        return {event: list(of_event.values()) for event, of_event in heads.items()}

    def put_back(self, heads: dict[str, list[RecordingHead]]) -> None:
        """Heads that could not be written into the hall's log: they are tried again."""
        for event, of_event in heads.items():
            known = self._unanchored.setdefault(event, {})
            for head in of_event:
                known.setdefault(head.recording, head)

    def close(self) -> None:
        for session in self.sessions.values():
            session.close_streams()
        for peer in tuple(self._trials):
            self._end_trial(peer)
        self.talks.end_all()

    # --- parts ---------------------------------------------------------------------------------

    def _look(self, session: Session) -> None:
        if session.look(self.now()):
            self._has_changed = True
            self._tell(session)

    def _changed(self, session: Session) -> None:
        session.look(self.now())
        self._has_changed = True
        self._tell(session)

    def _tell(self, session: Session) -> None:
        for peer in session.peers:
            peer.tell(session.status(self.now()))
        self._tell_followers(session.event)

    def _tell_followers(self, event: str) -> None:
        for peer, follower in tuple(self._followers.items()):
            if follower.event == event:
                peer.tell(self._present(event, follower.sees))

    def _present(self, event: str, sees: Callable[[int], bool]) -> Present:
        players = [s.shown() for s in self._sessions_of(event) if sees(s.entry)]
        players.sort(key=lambda player: player.entry)
        recordings = self.media.recordings
        return Present(
            event=event,
            now=self.now(),
            players=tuple(players),
            used=recordings.used,
            quota=recordings.settings.quota,
            free=self.space.free,
            minutes=self.space.minutes,
            media=self.media.name,
        )

    def _sessions_of(self, event: str) -> list[Session]:
        return [session for session in self.sessions.values() if session.event == event]

    def _session_of(self, event: str, entry: int) -> Session | None:
        return next(
            (session for session in self._sessions_of(event) if session.entry == entry), None
        )

    def _is_speaking(self, peer: Peer) -> bool:
        return any(peer in session.voices for session in self.sessions.values())

    def is_there(self, event: str, entry: int) -> bool:
        """Whether a player can hear somebody: their page is open."""
        session = self._session_of(event, entry)
        return session is not None and session.peer is not None

    def _who_watches(self, session: Session, kind: str) -> set[Peer]:
        wanted = (session.event, session.entry, kind)
        return {peer for peer, watched in self._watched.items() if wanted in watched}


def _still(session: Session) -> bytes:
    return framed(STILL, Part(entry=session.entry, kind="camera"), session.still)
