"""Whose office the invented one is: a federation's name, crest, colour and contact."""

from __future__ import annotations

from io import BytesIO

from arrocco.desk import Office
from arrocco.office.roles import Asker

ACCENT = "#1f4e79"
_GOLD, _WHITE = "#d8b45a", "#fdfbf4"
_SIDE = 256


def show_face(office: Office, root: Asker) -> None:
    """Gives the office what its pages, letters and mails are headed with."""
    office.settings.change(
        root,
        name_en="Chess Federation of Arcadia",
        name_it="Federazione Scacchistica d'Arcadia",
        accent=ACCENT,
        contact_email="office@demo.example",
        contact="Via della Torre 64",
        website="https://arcadia.example",
    )
    office.settings.set_crest(root, crest())


def crest() -> bytes:
    """A shield: a rook on a field of squares."""
    from PIL import Image, ImageDraw

    shield = [(20, 12), (236, 12), (236, 132), (128, 246), (20, 132)]
    squares = Image.new("RGBA", (_SIDE, _SIDE), ACCENT)
    draw = ImageDraw.Draw(squares)
    for at in range(0, _SIDE, 64):
        for row in range(0, _SIDE, 64):
            if (at + row) // 64 % 2:
                draw.rectangle((at, row, at + 63, row + 63), fill=_GOLD)
    mask = Image.new("L", (_SIDE, _SIDE))
    ImageDraw.Draw(mask).polygon(shield, fill=255)
    picture = Image.new("RGBA", (_SIDE, _SIDE))
    picture.paste(squares, mask=mask)
    draw = ImageDraw.Draw(picture)
    for box in (
        (84, 44, 106, 80),
        (117, 44, 139, 80),
        (150, 44, 172, 80),
        (84, 70, 172, 96),
        (96, 96, 160, 150),
        (80, 150, 176, 172),
    ):
        draw.rectangle(box, fill=_WHITE, outline=ACCENT, width=3)
    draw.line([*shield, shield[0]], fill=ACCENT, width=8)
    written = BytesIO()
    picture.save(written, "PNG")
    return written.getvalue()
