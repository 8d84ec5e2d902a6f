"""Who says that a number on the lists is theirs, and what the office says to it."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from msgspec import Struct


class ClaimState(StrEnum):
    """What has become of a claim."""

    WAITING = "waiting"
    ACCEPTED = "accepted"
    REFUSED = "refused"
    WITHDRAWN = "withdrawn"


class ClaimOrigin(StrEnum):
    """How a claim came about."""

    ASKED = "asked"
    """Somebody asked the office."""
    CODE = "code"
    """Somebody typed the code that went to the address the office has."""
    SHARED = "shared"
    """Two accounts had the number when the office began to hold it to one."""


class Claim(Struct, frozen=True, kw_only=True):
    """A claim of a number."""

    id: int
    account: int
    player: int
    state: ClaimState
    origin: ClaimOrigin
    note: str
    made_at: datetime
    decided_by: int | None
    decided_at: datetime | None
    reason: str
