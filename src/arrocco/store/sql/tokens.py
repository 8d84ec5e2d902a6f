"""Tokens that open sessions and invitations: the holder has them, the database only their hash."""

from __future__ import annotations

import hashlib
import secrets

_BYTES = 32


def new_token() -> str:
    """A token nobody can guess, fit for a cookie or an address."""
    return secrets.token_urlsafe(_BYTES)


def hashed(token: str) -> str:
    """What the database keeps of a token. It is long and random: no salt is needed."""
    return hashlib.sha256(token.encode()).hexdigest()
