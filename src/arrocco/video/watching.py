"""What of a player is missing: the frames that were counted, and what the browser measured.

A track that is switched off sends black pictures and silence without any event, so what is looked
at is the content. Nobody is recognised.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from arrocco.hall.presence import Problem

STALE = 2_500
"""Milliseconds without a frame of camera or microphone after which there is none."""
STALE_SCREEN = 10_000
"""The same for the screen, whose picture may stand still."""
TO_BEGIN = 6_000
"""Milliseconds that a player who has just joined has for the first frames of everything."""
DARK = 8
"""A mean brightness, of 255, below which nothing can be seen (10.1)."""
FROZEN_AFTER, SILENT_AFTER = 5, 2
"""Readings, one a second, with no change at all: no real camera or microphone is without noise."""

Level = Annotated[int, Meta(ge=0, le=65_535)]


class Reading(Struct, frozen=True, kw_only=True):
    """What a browser measured in the last second."""

    light: Level = 255
    """The mean brightness of a still, of 255."""
    change: Level = 1
    """The sum of its differences from the still before."""
    level: Level = 1
    """The highest level of the sound."""
    camera: bool = True
    microphone: bool = True
    screen: bool = True
    """Whether the browser says that it has them."""
    surface: Annotated[str, Meta(max_length=20)] = ""
    """What of the screen is shared, where the browser tells."""
    extended: bool = False
    """Whether there is a second monitor, where the browser tells."""
    focused: bool = True


class WatchedRoom:
    """10.3 — what has come from the second camera, over whatever connection of the page."""

    def __init__(self) -> None:
        self.is_needed = False
        self._reading = Reading()
        self._at: int | None = None
        self._frozen = 0

    def begin(self, now: int) -> None:
        self._reading, self._at, self._frozen = Reading(), now + TO_BEGIN, 0

    def end(self) -> None:
        self._at = None

    def frames(self, video: int, now: int) -> None:
        self._at = now if video else self._at

    def stopped(self, now: int) -> None:
        if self._at is not None:
            self._at = min(self._at, now - STALE - 1)

    def read(self, reading: Reading) -> None:
        self._reading = reading
        self._frozen = 0 if reading.change else self._frozen + 1

    def problems(self, now: int) -> tuple[Problem, ...]:
        """What is missing; a camera that nobody asked for may go, but not be there and covered."""
        if self._at is None:
            return (Problem.NO_ROOM,) if self.is_needed else ()
        if now - self._at > STALE or not self._reading.camera:
            return (Problem.NO_ROOM,)
        if self._reading.light < DARK:
            return (Problem.ROOM_BLACK,)
        return (Problem.ROOM_FROZEN,) if self._frozen >= FROZEN_AFTER else ()


class Watched:
    """What has come from one player so far."""

    def __init__(self, now: int, *, needs_screen: bool, was_seen: bool = False) -> None:
        """`was_seen` for who was there before a fault of the server."""
        self.needs_screen = needs_screen
        self._awaited = set() if was_seen else {"video", "audio"}
        if needs_screen and not was_seen:
            self._awaited.add("screen")
        self.reading = Reading()
        self._camera_at = self._sound_at = self._screen_at = now + TO_BEGIN
        self._frozen = self._silent = 0

    def frames(self, kind: str, video: int, audio: int, now: int) -> None:
        """Frames of a slice have come."""
        if kind == "screen" and video:
            self._screen_at = now
            self._awaited.discard("screen")
        if kind == "camera" and video:
            self._camera_at = now
            self._awaited.discard("video")
        if kind == "camera" and audio:
            self._sound_at = now
            self._awaited.discard("audio")

    @property
    def is_beginning(self) -> bool:
        """9.1f — whether the first picture or the first sound has still to come."""
        return bool(self._awaited)

    def stopped(self, kind: str, *, is_video: bool, now: int) -> None:
        """No frame of a track has come for a while, as those see who carry it."""
        gone = now - STALE - 1
        if kind == "camera" and is_video:
            self._camera_at = min(self._camera_at, gone)
        elif kind == "camera":
            self._sound_at = min(self._sound_at, gone)

    def read(self, reading: Reading) -> None:
        """The browser has measured something."""
        self.reading = reading
        self._frozen = 0 if reading.change else self._frozen + 1
        self._silent = 0 if reading.level else self._silent + 1

    def problems(self, now: int) -> tuple[Problem, ...]:
        """What is missing at this moment."""
        reading = self.reading
        no_camera = not reading.camera or now - self._camera_at > STALE
        no_sound = not reading.microphone or now - self._sound_at > STALE
        no_screen = self.needs_screen and (
            not reading.screen or now - self._screen_at > STALE_SCREEN
        )
        shares_part = self.needs_screen and reading.surface not in ("", "monitor")
        is_dark = reading.light < DARK
        is_frozen = not is_dark and self._frozen >= FROZEN_AFTER
        problems_now = (
            (Problem.NO_CAMERA, no_camera),
            (Problem.BLACK, not no_camera and is_dark),
            (Problem.FROZEN, not no_camera and is_frozen),
            (Problem.NO_MICROPHONE, no_sound),
            (Problem.SILENT, not no_sound and self._silent >= SILENT_AFTER),
            (Problem.NO_SCREEN, no_screen),
            (Problem.PART_OF_SCREEN, not no_screen and shares_part),
            (Problem.SECOND_MONITOR, reading.extended),
            (Problem.UNFOCUSED, not reading.focused),
        )
        return tuple(problem for problem, is_so in problems_now if is_so)
