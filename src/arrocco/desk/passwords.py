"""Passwords: kept as Argon2 hashes; the time taken does not tell whether an account exists."""

from __future__ import annotations

import re
from functools import cache
from threading import BoundedSemaphore

from argon2 import PasswordHasher
from argon2.exceptions import Argon2Error, InvalidHashError

from arrocco.errors import Inconsistent

SHORTEST, LONGEST = 12, 1000
MIN_GUESSES = 10**7
"""A password that is found in fewer tries is too common; a throttled guess makes few a day."""
_LOOKED_AT = 60
"""Characters that are looked at: time grows with their number, and more make nothing weaker."""
_OFFICE = "arrocco"
_HASHER = PasswordHasher()
_AT_ONCE = BoundedSemaphore(4)
"""Hashes worked out at once: each takes 64 MB, and anybody may ask for one by logging in."""


def check(password: str) -> None:
    """Raises `Inconsistent` for a password that is too short or too long."""
    if not SHORTEST <= len(password) <= LONGEST:
        raise Inconsistent.of("desk.refused.password", shortest=SHORTEST, longest=LONGEST)


def check_new(password: str, *about: str) -> None:
    """Raises `Inconsistent` also for a password that many use, or that says who its owner is.

    Lists of common passwords, keyboards, dates and repetitions are tried before anything else;
    `about` is what a stranger knows of the owner: name and address.
    """
    # Its lists are large, and few processes need them.
    from zxcvbn import zxcvbn  # type: ignore[import-untyped]

    check(password)
    known = [_OFFICE, *about]
    for text in about:
        parts = re.split(r"\W+", text)
        known += [*filter(None, parts), "".join(parts), "".join(reversed(parts))]
    guesses = zxcvbn(password[:_LOOKED_AT], user_inputs=known)["guesses"]
    if guesses < MIN_GUESSES:
        raise Inconsistent.of("desk.refused.common_password")


def hashed(password: str) -> str:
    """What is kept of a password. Raises `Inconsistent` for one too short or too long."""
    check(password)
    with _AT_ONCE:
        return _HASHER.hash(password)


def matches(kept: str | None, password: str) -> bool:
    """Whether this is the password; without an account a hash of nothing is worked out as well."""
    try:
        with _AT_ONCE:
            is_right = _HASHER.verify(kept or _of_nobody(), password[: LONGEST + 1])
    except (Argon2Error, InvalidHashError):
        return False
    return is_right and kept is not None


def is_outdated(kept: str) -> bool:
    """Whether the hash was made with other parameters than are used now."""
    return _HASHER.check_needs_rehash(kept)


@cache
def _of_nobody() -> str:
    return _HASHER.hash("the password of nobody")
