"""9.1, 10 — what a player shows in the video conference, as facts; the hall decides what follows.

The video server tells what it sees, the hall refuses moves (9.1f), and nobody is sanctioned by
either: that is for the arbiter.
"""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct


class Problem(StrEnum):
    """What is missing in what a player sends."""

    LOST = "lost"
    """Nothing comes any more: the connection, the page or the browser is gone."""
    NO_CAMERA = "no_camera"
    BLACK = "black"
    """The camera sends pictures on which nothing can be seen (10.1)."""
    FROZEN = "frozen"
    """The camera sends the same picture again and again."""
    NO_MICROPHONE = "no_microphone"
    SILENT = "silent"
    """The microphone sends nothing at all, not even the noise of a quiet room (10.2)."""
    NO_SCREEN = "no_screen"
    NO_ROOM = "no_room"
    """The second camera that the event asks for is not there, or sends no pictures (10.3)."""
    ROOM_BLACK = "room_black"
    ROOM_FROZEN = "room_frozen"
    PART_OF_SCREEN = "part_of_screen"
    """A window or a tab is shared and not the whole screen (8.1)."""
    SECOND_MONITOR = "second_monitor"
    UNFOCUSED = "unfocused"
    """Another window than the board's has the keyboard (8.3)."""

    @property
    def article(self) -> str:
        """The article that asks for what is missing."""
        return _ARTICLES[self]


_ARTICLES = {
    Problem.LOST: "7.9",
    Problem.NO_CAMERA: "9.1a",
    Problem.BLACK: "10.1",
    Problem.FROZEN: "9.1a",
    Problem.NO_MICROPHONE: "9.1b",
    Problem.SILENT: "10.2",
    Problem.NO_SCREEN: "9.1c",
    Problem.NO_ROOM: "10.3",
    Problem.ROOM_BLACK: "10.3",
    Problem.ROOM_FROZEN: "10.3",
    Problem.PART_OF_SCREEN: "8.1",
    Problem.SECOND_MONITOR: "8.1",
    Problem.UNFOCUSED: "8.3",
}

OFF = frozenset(
    {
        Problem.LOST,
        Problem.NO_CAMERA,
        Problem.BLACK,
        Problem.FROZEN,
        Problem.NO_MICROPHONE,
        Problem.SILENT,
        Problem.NO_SCREEN,
    }
)
"""9.1 a-c, 9.1f — without these a player is not in the video conference; the others are seen by
the arbiter and stop nothing."""


OF_ROOM = frozenset({Problem.NO_ROOM, Problem.ROOM_BLACK, Problem.ROOM_FROZEN})
"""10.3 — the second camera: 9.1 does not ask for it, so no move waits for it."""


class PlayerPresence(Struct, frozen=True, kw_only=True):
    """A player in the video conference at a moment; `since` when it became so, in milliseconds."""

    event: str
    account: str
    since: int
    problems: tuple[Problem, ...] = ()
    is_resting: bool = False
    """5.14 — the player has finished and has switched the camera off."""
    is_beginning: bool = False
    """9.1 — the player has joined, and nothing has come of them yet."""

    @property
    def is_on(self) -> bool:
        """9.1f — joining alone is not enough: pictures and sound have come, and come still."""
        is_seen = not (self.is_resting or self.is_beginning)
        return is_seen and not OFF.intersection(self.problems)


class RecordingHead(Struct, frozen=True, kw_only=True):
    """The last slice of a recording that is on the disk: all before it follows from its hash."""

    recording: str
    slices: int
    hash: str
    bytes: int


class HeadsKept(Struct, frozen=True, kw_only=True):
    """A record of the stream of an event's recordings: their last slices at a moment."""

    at: int
    heads: tuple[RecordingHead, ...]
