"""Headers that every answer carries: what a browser may run, frame, guess and keep."""

from __future__ import annotations

import re

from litestar.datastructures import MutableScopeHeaders
from litestar.types import Message, Scope

_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "font-src 'self'",
        "connect-src 'self'",
        "media-src 'self' blob:",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
_ALWAYS = {
    "content-security-policy": _POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
_IN_FRAME = re.compile(r"/(?:en|it)/hall(?:/|$)")
"""Pages that the video conference of this site shows in a frame, so that a new page does not end
it; no other site can."""
_FRAMED = {
    "content-security-policy": _POLICY.replace("frame-ancestors 'none'", "frame-ancestors 'self'")
    + "; frame-src 'self'",
    "x-frame-options": "SAMEORIGIN",
    "permissions-policy": "camera=(self), microphone=(self), display-capture=(self)",
}
_HTTPS = {"strict-transport-security": "max-age=31536000"}
_NOT_KEPT = "no-store"


async def add_headers(message: Message, scope: Scope) -> None:
    """Adds to an answer what it does not say itself; nothing is kept unless its handler says so."""
    if message["type"] != "http.response.start":
        return
    headers = MutableScopeHeaders.from_message(message)
    app = scope["litestar_app"]
    usual = _ALWAYS | (_HTTPS if app.state.cookies.secure else {})
    if _IN_FRAME.match(scope["path"]):
        usual = usual | _FRAMED
    for name, value in usual.items():
        headers.setdefault(name, value)
    headers.setdefault("cache-control", _NOT_KEPT)
