"""What is kept and shown of a replay of the office's history."""

from __future__ import annotations

from datetime import date, datetime
from enum import StrEnum
from typing import Any

from msgspec import Struct, field

from arrocco.desk.draft_records import Failure
from arrocco.office.replaying import Other


class ReplayStatus(StrEnum):
    """Where a replay stands."""

    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"
    INTERRUPTED = "interrupted"
    """The program ended before the replay did."""

    @property
    def is_open(self) -> bool:
        return self in (ReplayStatus.WAITING, ReplayStatus.RUNNING)


class Asked(Struct, frozen=True, kw_only=True):
    """What somebody asked for: the lists from `first` to `last`, rated another way."""

    number: int
    system: str
    first: date
    last: date
    other: Other
    by: int
    name: str
    """Of the account that asked, as it was then."""
    at: datetime
    ledger_seq: int
    """The last entry of the ledger that the replay knows of."""


class HowFar(Struct, frozen=True, kw_only=True):
    """The period being rated, of all there are; none while the reports are gathered."""

    period: int = 0
    periods: int = 0


class LeftOutThere(Struct, frozen=True, kw_only=True):
    """A report that is on no list of the replay; the words are ``desk.left_out.<reason>``."""

    tournament: int
    name: str
    reason: str


class Found(Struct, frozen=True, kw_only=True):
    """What a replay found; `lists` are as `runs.replay_record.list_record` makes them."""

    reports: int
    lists: list[dict[str, Any]]
    left_out: tuple[LeftOutThere, ...] = ()


class Ended(Struct, frozen=True, kw_only=True):
    """How a replay ended."""

    status: ReplayStatus
    at: datetime
    seconds: int = 0
    failure: Failure | None = None
    found: Found | None = None


class Replay(Struct, frozen=True, kw_only=True):
    """A replay as it is shown."""

    asked: Asked
    status: ReplayStatus
    how_far: HowFar = field(default_factory=HowFar)
    ended: Ended | None = None

    @property
    def number(self) -> int:
        return self.asked.number

    @property
    def found(self) -> Found | None:
        return self.ended.found if self.ended else None
