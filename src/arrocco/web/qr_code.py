"""QR codes, drawn on the server: no address is given to anybody else for it."""

from __future__ import annotations

from io import BytesIO


def qr_code(address: str) -> str:
    """The QR code of an address, as SVG."""
    import segno  # few pages have one

    drawn = BytesIO()
    segno.make(address, error="m").save(
        drawn, kind="svg", scale=4, xmldecl=False, svgns=True, nl=False
    )
    return drawn.getvalue().decode()
