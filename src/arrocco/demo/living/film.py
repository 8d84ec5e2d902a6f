"""What the invented players' cameras and screens show: drawn faces and boards, over and over.

A picture of lossy WebP is a whole picture of VP8 in another wrapping, so a film needs no encoder.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from io import BytesIO
from random import Random
from typing import TYPE_CHECKING

from arrocco.video.webm import AUDIO, VIDEO
from arrocco.video.webm_writer import Size, block, live_head

if TYPE_CHECKING:
    from PIL.Image import Image
    from PIL.ImageDraw import ImageDraw

SIZE, STILL_SIZE, SCREEN_SIZE = Size(320, 240), Size(160, 120), Size(480, 300)
PICTURES = 2
"""A second: enough to see that somebody moves; each of them is a whole one."""
SECONDS = 4
"""How long a film is; then it begins again."""
SOUNDS = 50
"""Bits of sound a second."""
_SILENCE = bytes.fromhex("fcfffe")
"""20 ms of Opus in which nothing is heard."""
_QUALITY = 35
_FINER = 2
"""Drawn so many times as large, for smooth edges."""
_SKIN = ("#f2d3b8", "#e3b491", "#c98f68", "#9b6645", "#6f4630")
_HAIR = ("#2b2320", "#5a3a22", "#8c5a2b", "#c9a25a", "#8f8f93", "#7c2f1d")
_SHIRT = ("#1f4e79", "#7a3b3b", "#39624a", "#5b4a78", "#8a6d2f", "#33414d")
_WALL = ("#d9d3c3", "#c7d3d6", "#d8c9c4", "#cbd3be", "#cfc8d8")


@dataclass(frozen=True)
class Film:
    """Some seconds of a camera with its microphone."""

    blocks: tuple[bytes, ...]
    """What a cluster has, second by second."""
    stills: tuple[bytes, ...]
    """WebP, one for each second."""


HEAD, SCREEN_HEAD = live_head(SIZE, has_sound=True), live_head(SCREEN_SIZE, has_sound=False)
"""What every film begins with."""


def film_of(seed: int) -> Film:
    """The same seed gives the same face."""
    look = _Look(Random(seed))
    return _film([look.picture(at) for at in range(PICTURES * SECONDS)])


@cache
def dark_film() -> Film:
    """A camera that is covered."""
    from PIL import Image

    return _film([Image.new("RGB", SIZE)] * PICTURES * SECONDS)


def screen_of(seed: int) -> bytes:
    """What a cluster has of a shared screen: a board in a window, and nothing else."""
    from PIL import Image, ImageDraw

    picture = Image.new("RGB", SCREEN_SIZE, "#eef0ee")
    _draw_screen(ImageDraw.Draw(picture), Random(seed))
    return block(VIDEO, 0, _frame(_webp(picture)), is_key=True)


def _draw_screen(draw: ImageDraw, rng: Random) -> None:
    draw.rectangle((0, 0, SCREEN_SIZE.width, 18), fill="#33414d")
    men = rng.sample(range(64), 20)
    for square in range(64):
        x, y = 16 + 32 * (square % 8), 32 + 32 * (square // 8)
        is_dark = (square // 8 + square) % 2
        draw.rectangle((x, y, x + 31, y + 31), fill="#7f9a78" if is_dark else "#e9e6d2")
        if square in men:
            colour = "#fbfbf8" if men.index(square) % 2 else "#23282b"
            draw.ellipse((x + 7, y + 7, x + 24, y + 24), fill=colour, outline="#555555")
    for line in range(7):
        draw.rectangle((296, 40 + 26 * line, rng.randint(360, 460), 48 + 26 * line), fill="#b9c0c4")


def _film(pictures: list[Image]) -> Film:
    frames = [_frame(_webp(picture)) for picture in pictures]
    blocks = [_second(frames[at : at + PICTURES]) for at in range(0, PICTURES * SECONDS, PICTURES)]
    stills = [_webp(picture.resize(STILL_SIZE)) for picture in pictures[::PICTURES]]
    return Film(tuple(blocks), tuple(stills))


def _second(frames: list[bytes]) -> bytes:
    """In the order of their time, a picture before the sound of its moment."""
    written = b""
    for sound in range(SOUNDS):
        picture, is_due = divmod(sound * PICTURES, SOUNDS)
        if not is_due:
            written += block(VIDEO, 1000 * picture // PICTURES, frames[picture], is_key=True)
        written += block(AUDIO, 1000 * sound // SOUNDS, _SILENCE, is_key=True)
    return written


def _webp(picture: Image) -> bytes:
    written = BytesIO()
    picture.save(written, "WEBP", quality=_QUALITY)
    return written.getvalue()


def _frame(webp: bytes) -> bytes:
    """The picture of VP8 in a WebP: what stands in its only chunk."""
    kind, size = webp[12:16], int.from_bytes(webp[16:20], "little")
    assert kind == b"VP8 ", kind
    return webp[20 : 20 + size]


class _Look:
    """Somebody who does not exist, in front of a wall."""

    def __init__(self, rng: Random) -> None:
        self._skin, self._hair = rng.choice(_SKIN), rng.choice(_HAIR)
        self._shirt, self._wall = rng.choice(_SHIRT), rng.choice(_WALL)
        self._has_long_hair, self._has_glasses = rng.random() < 0.45, rng.random() < 0.35
        self._has_shelf = rng.random() < 0.6
        self._blinks_at = rng.randrange(PICTURES * SECONDS)
        self._width = rng.randint(44, 54)
        self._books = [(rng.choice(_SHIRT), rng.randint(16, 34)) for _ in range(9)]

    def picture(self, at: int) -> Image:
        """The head moves a little, to and fro, and blinks once in a film."""
        from PIL import Image, ImageDraw

        size = SIZE.width * _FINER, SIZE.height * _FINER
        picture = Image.new("RGB", size, self._wall)
        half = PICTURES * SECONDS // 2
        sway = abs(at - half) - half // 2
        self._draw(ImageDraw.Draw(picture), 160 + 2 * sway, 112 + at % 2, at == self._blinks_at)
        return picture.resize(SIZE)

    def _draw(self, draw: ImageDraw, x: int, y: int, is_blinking: bool) -> None:
        width, high = self._width, 62
        if self._has_shelf:
            for place, (colour, tall) in enumerate(self._books):
                left = 212 + 11 * place
                draw.rectangle(_box(left, 60 - tall, left + 9, 60), fill=colour)
            draw.rectangle(_box(206, 60, 320, 65), fill="#6d5238")
        if self._has_long_hair:
            box = _box(x - width - 10, y - high - 6, x + width + 10, y + high + 34)
            draw.rounded_rectangle(box, 50 * _FINER, fill=self._hair)
        draw.rounded_rectangle(_box(x - 92, 186, x + 92, 300), 44 * _FINER, fill=self._shirt)
        draw.rectangle(_box(x - 18, y + 40, x + 18, 196), fill=self._skin)
        draw.ellipse(_box(x - 18, 184, x + 18, 206), fill=self._skin)
        draw.ellipse(_box(x - width, y - high, x + width, y + high), fill=self._skin)
        hair = _box(x - width - 3, y - high - 5, x + width + 3, y + 24)
        draw.chord(hair, 188, 352, fill=self._hair)
        for eye in (x - 19, x + 19):
            if is_blinking:
                draw.line(_box(eye - 7, y, eye + 7, y), fill="#2a1d18", width=2 * _FINER)
            else:
                draw.ellipse(_box(eye - 7, y - 5, eye + 7, y + 5), fill="#ffffff")
                draw.ellipse(_box(eye - 3, y - 2, eye + 4, y + 5), fill="#2a1d18")
            if self._has_glasses:
                glass = _box(eye - 14, y - 12, eye + 14, y + 13)
                draw.ellipse(glass, outline="#222222", width=2 * _FINER)
        draw.arc(_box(x - 8, y + 4, x + 8, y + 20), 20, 160, fill="#7d5340", width=2 * _FINER)
        draw.arc(_box(x - 18, y + 18, x + 18, y + 40), 30, 150, fill="#8d3b36", width=3 * _FINER)


def _box(left: int, top: int, right: int, bottom: int) -> tuple[int, int, int, int]:
    return left * _FINER, top * _FINER, right * _FINER, bottom * _FINER
