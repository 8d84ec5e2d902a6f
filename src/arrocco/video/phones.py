"""10.3 — the codes by which a phone becomes the second camera of a player.

A code is good for one use. Whoever has come by one is given another for the way back, so that a
phone whose connection is lost comes again by itself and nobody else does with the code it showed.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import NamedTuple

from arrocco.video.session import Session
from arrocco.video.stream import SliceRefused

LASTS = 5 * 60 * 1000
"""Milliseconds in which a code that is shown can be used."""
_BYTES = 24


class Code(NamedTuple):
    """Whose second camera a code makes a phone; `until` is `None` for a way back."""

    session: Session
    until: int | None


class Phones:
    """The codes that can be used now."""

    def __init__(self, now: Callable[[], int]) -> None:
        self._now = now
        self._codes: dict[str, Code] = {}

    def invite(self, session: Session) -> str:
        """A code for a phone; one that was shown before is void."""
        self._drop(lambda code: code.session is session and code.until is not None)
        return self._add(Code(session, self._now() + LASTS))

    def use(self, token: str, event: str, account: str) -> Session:
        """Whose second camera a phone becomes; `account` is that of its browser, if it has one.

        Raises `SliceRefused`.
        """
        now = self._now()
        self._drop(lambda code: code.until is not None and code.until < now)
        code = self._codes.get(token)
        if code is None or code.session.event != event:
            raise SliceRefused.of("video.no_such_code")
        if account not in ("", code.session.account):
            raise SliceRefused.of("video.not_your_code")
        self.forget(code.session)
        return code.session

    def way_back(self, session: Session) -> str:
        """A code for the phone that has just come."""
        return self._add(Code(session, None))

    def forget(self, session: Session) -> None:
        """Makes every code of a player void."""
        self._drop(lambda code: code.session is session)

    def _add(self, code: Code) -> str:
        token = secrets.token_urlsafe(_BYTES)
        self._codes[token] = code
        return token

    def _drop(self, is_void: Callable[[Code], bool]) -> None:
        self._codes = {token: code for token, code in self._codes.items() if not is_void(code)}
