"""The cookies of the web and the token that every form carries.

The session cookie holds an opaque token that the office knows by its hash. A form's token is a
hash of that session token (of a random visit cookie before one is logged in) with a fresh salt:
nobody can make it who cannot read the cookie, it needs no secret on the server, and it never looks
the same twice, so that compressed pages give nothing away.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets

from litestar.datastructures import Cookie

_SALT_BYTES = 16


class CookieJar:
    """How cookies are named and marked; over https no other site can set them (``__Host-``)."""

    def __init__(self, *, secure: bool) -> None:
        self.secure = secure
        prefix = "__Host-" if secure else ""
        self.session = f"{prefix}arrocco_session"
        self.visit = f"{prefix}arrocco_visit"
        self.notice = f"{prefix}arrocco_notice"
        self.device = f"{prefix}arrocco_device"
        self.pending = f"{prefix}arrocco_pending"

    def made(self, key: str, value: str, *, seconds: int | None = None) -> Cookie:
        """A cookie that scripts cannot read and other sites' forms do not send."""
        return Cookie(
            key=key,
            value=value,
            path="/",
            max_age=seconds,
            httponly=True,
            secure=self.secure,
            samesite="lax",
        )

    def gone(self, key: str) -> Cookie:
        return self.made(key, "", seconds=0)


def new_visit() -> str:
    return secrets.token_urlsafe(24)


def form_token(cookie: str) -> str:
    """A token for one form, bound to the session or visit cookie."""
    salt = secrets.token_hex(_SALT_BYTES)
    return f"{salt}.{_digest(salt, cookie)}"


def form_token_fits(token: str, cookie: str) -> bool:
    """Whether a form's token was made for this cookie."""
    salt, dot, digest = token.partition(".")
    return bool(dot and cookie) and hmac.compare_digest(
        digest.encode(), _digest(salt, cookie).encode()
    )


def _digest(salt: str, cookie: str) -> str:
    return hashlib.sha256(f"arrocco form\n{salt}\n{cookie}".encode()).hexdigest()
