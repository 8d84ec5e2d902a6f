"""Passwords: kept as Argon2 hashes; the time taken does not tell whether an account exists."""

from __future__ import annotations

from functools import cache
from threading import BoundedSemaphore

from argon2 import PasswordHasher
from argon2.exceptions import Argon2Error, InvalidHashError

from arrocco.errors import Inconsistent

SHORTEST, LONGEST = 12, 1000
_HASHER = PasswordHasher()
_AT_ONCE = BoundedSemaphore(4)
"""Hashes worked out at once: each takes 64 MB, and anybody may ask for one by logging in."""


def check(password: str) -> None:
    """Raises `Inconsistent` for a password that is too short or too long."""
    if not SHORTEST <= len(password) <= LONGEST:
        raise Inconsistent.of("desk.refused.password", shortest=SHORTEST, longest=LONGEST)


def hashed(password: str) -> str:
    """What is kept of a password. Raises `Inconsistent` for one too short or too long."""
    check(password)
    with _AT_ONCE:
        return _HASHER.hash(password)


def matches(kept: str | None, password: str) -> bool:
    """Whether this is the password; without an account a hash of nothing is worked out as well."""
    try:
        with _AT_ONCE:
            found = _HASHER.verify(kept or _of_nobody(), password[: LONGEST + 1])
    except (Argon2Error, InvalidHashError):
        return False
    return found and kept is not None


def is_outdated(kept: str) -> bool:
    """Whether the hash was made with other parameters than are used now."""
    return _HASHER.check_needs_rehash(kept)


@cache
def _of_nobody() -> str:
    return _HASHER.hash("the password of nobody")
