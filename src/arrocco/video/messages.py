"""What goes over the socket of the video conference besides slices and stills."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from arrocco.hall.event.acts.talks import MAX_LISTENERS, Note
from arrocco.hall.event.talk import TalkReason
from arrocco.video.watching import Reading

EventName = Annotated[str, Meta(max_length=64)]
Entry = Annotated[int, Meta(ge=1)]
Kind = Annotated[str, Meta(pattern="^(camera|screen|room)$")]
Description = Annotated[str, Meta(max_length=16_384)]
"""What WebRTC calls a session description: an offer, or the answer to one."""


def _tag(name: str) -> str:
    return name.lower()


class Asked(Struct, frozen=True, kw_only=True, tag_field="type", tag=_tag):
    """What a page asks."""


class Join(Asked, frozen=True, kw_only=True):
    """9.1d — a player joins the video conference of an event."""

    event: EventName


class Invite(Asked, frozen=True, kw_only=True):
    """10.3 — a player asks for the code by which a phone becomes their second camera."""


class Attach(Asked, frozen=True, kw_only=True):
    """10.3 — a phone shows the code and becomes the second camera."""

    event: EventName
    token: Annotated[str, Meta(max_length=64)]


class Begin(Asked, frozen=True, kw_only=True):
    """A stream begins, or begins anew; `offer` is for media that go over WebRTC."""

    kind: Kind
    offer: Description = ""


class Read(Asked, frozen=True, kw_only=True):
    """What the browser has measured."""

    reading: Reading


class Rest(Asked, frozen=True, kw_only=True):
    """5.14, 12.3 — a player who has finished switches everything off."""


class Reach(Asked, frozen=True, kw_only=True):
    """9.1 — a player tries before the event whether the media are reached: first how, with an
    `offer` the trial itself."""

    event: EventName
    offer: Description = ""


class Follow(Asked, frozen=True, kw_only=True):
    """An arbiter follows who is there, with stills."""

    event: EventName


class Watch(Asked, frozen=True, kw_only=True):
    """An arbiter watches a stream."""

    event: EventName
    entry: Entry
    kind: Kind


class Answer(Asked, frozen=True, kw_only=True):
    """An arbiter's page answers the offer of a stream that it asked to watch."""

    entry: Entry
    kind: Kind
    answer: Description


class Converse(Asked, frozen=True, kw_only=True):
    """An arbiter begins to talk with players, and says why: first of all the event's log has it."""

    event: EventName
    entries: Annotated[tuple[Entry, ...], Meta(min_length=1, max_length=MAX_LISTENERS)]
    why: TalkReason
    note: Note = ""


class Talk(Asked, frozen=True, kw_only=True):
    """The voice of a talk for one of its players."""

    event: EventName
    entry: Entry
    offer: Description


class Hush(Asked, frozen=True, kw_only=True):
    """An arbiter talks to a player no more, or to none of them."""

    entry: Entry | None = None


class Hear(Asked, frozen=True, kw_only=True):
    """A player's page answers the offer of a voice."""

    voice: Entry
    answer: Description


class Unwatch(Asked, frozen=True, kw_only=True):
    """An arbiter watches a stream no more, or nothing any more."""

    entry: Entry | None = None
    kind: Kind | None = None


AnyAsked = (
    Join
    | Invite
    | Attach
    | Begin
    | Read
    | Rest
    | Reach
    | Follow
    | Watch
    | Answer
    | Unwatch
    | Converse
    | Talk
    | Hush
    | Hear
)
read_asked = msgspec.json.Decoder(AnyAsked).decode


class Told(Struct, frozen=True, kw_only=True, tag_field="type", tag=_tag):
    """What the server says."""


class IceServer(Struct, frozen=True, kw_only=True):
    """Where a browser finds its own address, or a relay."""

    urls: str
    username: str = ""
    credential: str = ""


class Joined(Told, frozen=True, kw_only=True):
    """The player has joined; `screen` is whether the event asks for it, `grace` in ms."""

    entry: int
    screen: bool
    grace: int
    media: str = "segments"
    """Which engine carries the streams."""
    ice: tuple[IceServer, ...] = ()


class Invited(Told, frozen=True, kw_only=True):
    """The address for a phone, as text and as a QR code (SVG), and for how many minutes."""

    address: str
    picture: str
    minutes: int


class Attached(Told, frozen=True, kw_only=True):
    """The phone is the second camera; `token` is for the way back, if the connection is lost."""

    token: str
    media: str = "segments"
    ice: tuple[IceServer, ...] = ()


class Begun(Told, frozen=True, kw_only=True):
    """A stream can begin: what its slices are to be called and chained to, or the answer to its
    offer."""

    kind: str
    recording: str
    before: str
    answer: str = ""


class Reaching(Told, frozen=True, kw_only=True):
    """A trial of the connection: how the media are reached, the answer to an offer, or that it has
    come about."""

    media: str = ""
    ice: tuple[IceServer, ...] = ()
    answer: str = ""
    has_come: bool = False


class Offered(Told, frozen=True, kw_only=True):
    """A stream that was asked for can be had over WebRTC."""

    entry: int
    kind: str
    offer: str
    ice: tuple[IceServer, ...] = ()


class Conversing(Told, frozen=True, kw_only=True):
    """The log has the talk: now voices can go to these players."""

    entries: tuple[int, ...]
    ice: tuple[IceServer, ...] = ()


class Talking(Told, frozen=True, kw_only=True):
    """An arbiter's voice goes to a player, by this answer to its offer, or does so no more."""

    entry: int
    on: bool
    answer: str = ""


class Spoken(Told, frozen=True, kw_only=True):
    """An arbiter talks to the player of this page."""

    voice: int
    offer: str
    ice: tuple[IceServer, ...] = ()
    is_both_ways: bool = False
    """Whether the player's own voice goes the same way; else the arbiter hears their stream."""


class Silenced(Told, frozen=True, kw_only=True):
    """That voice has ended."""

    voice: int


class MediaState(Told, frozen=True, kw_only=True):
    """The media have stopped by a fault of the server, or are back: then streams begin anew."""

    is_up: bool


class Tried(Told, frozen=True, kw_only=True):
    """A trial has come, and is not kept: for the check of the bandwidth."""

    bytes: int


class Refused(Told, frozen=True, kw_only=True):
    """Something is not taken, and why."""

    key: str
    text: str
    do: str


class Status(Told, frozen=True, kw_only=True):
    """How a player's own presence stands."""

    on: bool
    problems: tuple[str, ...]
    since: int
    now: int
    needed: bool
    """Whether the player has to be there: not once their game is over."""
    recorded: bool
    room: bool = False
    """10.3 — whether there is a second camera."""


class PlayerShown(Struct, frozen=True, kw_only=True):
    """A player as the arbiters see them."""

    entry: int
    name: str
    on: bool
    problems: tuple[str, ...]
    since: int
    joined: int
    resting: bool
    kinds: tuple[str, ...]
    not_recorded: str = ""
    """Why nothing is kept, where it is not."""


class Present(Told, frozen=True, kw_only=True):
    """Who is there."""

    event: str
    now: int
    players: tuple[PlayerShown, ...]
    used: int
    quota: int
    """Bytes."""
    free: int
    """Bytes that can still be recorded: the disk may have less room than the quota."""
    minutes: int | None = None
    """For how long, at the pace of the last minutes; `None` where that is not known."""
    media: str = "segments"
    """Which engine carries the streams."""


class Watching(Told, frozen=True, kw_only=True):
    """A stream is shown from here on; `is_there` is false where there is none."""

    entry: int
    kind: str
    is_there: bool
