"""E-mail addresses: what is taken for one."""

from __future__ import annotations

from arrocco.errors import Inconsistent

MAX_EMAIL = 254


def check_email(email: str) -> None:
    """Raises `Inconsistent` for what is no e-mail address; whether it exists only a mail tells."""
    address = email.strip()
    before, at, behind = address.partition("@")
    plain = address.isprintable() and " " not in address and len(address) <= MAX_EMAIL
    if not (plain and before and at and "." in behind.strip(".")):
        raise Inconsistent.of("desk.refused.email", email=address[:80])
