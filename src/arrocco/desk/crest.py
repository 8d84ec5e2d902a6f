"""The crest of an office: a picture from outside, bounded, decoded and written anew."""

from __future__ import annotations

from io import BytesIO

from arrocco.errors import Malformed

MAX_BYTES = 1 << 20
MAX_SIDE = 2048
"""Pixels of a side of what is taken: decoding more would take too long for a page."""
KEPT_SIDE = 512
_FORMATS = ("PNG", "JPEG", "WEBP")


def clean_crest(data: bytes) -> bytes:
    """A PNG of the picture alone: nothing of the file that was sent is kept.

    Raises `Malformed` for what is no PNG, JPEG or WebP, or is too large. SVG is refused: it can
    carry scripts and addresses.
    """
    from PIL import Image, UnidentifiedImageError  # few processes ever need it

    if len(data) > MAX_BYTES:
        raise Malformed.of("settings.refused.crest_bytes", most=MAX_BYTES // 1024)
    try:
        with Image.open(BytesIO(data), formats=_FORMATS) as picture:
            if max(picture.size) > MAX_SIDE:  # told by the head, before anything is decoded
                raise Malformed.of("settings.refused.crest_size", most=MAX_SIDE)
            drawn = picture.convert("RGBA")
    except (UnidentifiedImageError, OSError, ValueError, SyntaxError, EOFError):
        raise Malformed.of("settings.refused.crest") from None
    drawn.thumbnail((KEPT_SIDE, KEPT_SIDE))
    written = BytesIO()
    plain = Image.new("RGBA", drawn.size)  # without the texts and profiles of the other
    plain.paste(drawn)
    plain.save(written, "PNG")
    return written.getvalue()
