"""The ledger: what counts for ratings, in order, each entry chained to the one before by its hash.

Everything a list is made of stands here or is named here by the SHA-256 of its bytes, so that any
list can be built again from the ledger and the blobs alone.
"""

from __future__ import annotations

import hashlib
from datetime import date, datetime

import msgspec
from msgspec import Struct, field

from arrocco.report import Facts

FIRST_HASH = "0" * 64
"""What the first entry is chained to."""


class Entry(Struct, frozen=True, kw_only=True, tag_field="kind", forbid_unknown_fields=True):
    """The common root of what is entered."""


class ListImported(Entry, frozen=True, kw_only=True, tag="list_imported"):
    """A list from elsewhere: the one a system opens with, or one asked for entry ratings."""

    system: str
    list_date: date
    blob: str
    file_name: str


class ReportAccepted(Entry, frozen=True, kw_only=True, tag="report_accepted"):
    """A report is to be rated, in each system on the list the law gives it."""

    tournament: int
    report: int
    blob: str
    file_name: str
    facts: Facts
    received: date
    lists: dict[str, date]
    """The list it falls on, by system."""
    time_control: str = ""
    """The one registered, where the report gives none that can be read."""


class ReportWithdrawn(Entry, frozen=True, kw_only=True, tag="report_withdrawn"):
    """An accepted report, on no list yet, is not to be rated after all."""

    report: int
    reason: str


class ResultCorrection(Struct, frozen=True, kw_only=True, tag="result"):
    """A game came to another result; half points."""

    round: int
    white: int
    black: int
    white_half: int
    black_half: int
    played: bool = True


class IdCorrection(Struct, frozen=True, kw_only=True, tag="id"):
    """An entry was another player."""

    entry: int
    player: int


class DateCorrection(Struct, frozen=True, kw_only=True, tag="dates"):
    start: date
    end: date


CorrectionOf = ResultCorrection | IdCorrection | DateCorrection


class Correction(Entry, frozen=True, kw_only=True, tag="correction"):
    """Something in a report that was rated already was wrong; it enters the next list."""

    report: int
    changes: tuple[CorrectionOf, ...]
    reason: str


class PlayersMerged(Entry, frozen=True, kw_only=True, tag="players_merged"):
    """Two numbers are one person: `kept` stays, `left` leaves the next lists."""

    kept: int
    left: int
    reason: str


class PlayerChanged(Entry, frozen=True, kw_only=True, tag="player_changed"):
    """Particulars of a player change from a day on; an empty value leaves one as it is."""

    player: int
    name: str = ""
    federation: str = ""
    sex: str = ""
    title: str = ""
    birth: str = ""
    """``yyyy`` or ``yyyy-mm-dd``."""
    died: date | None = None
    category: str = ""
    """RIO: an online category obtained."""
    from_day: date
    reason: str


class UsedReport(Struct, frozen=True, kw_only=True):
    """A report on a list: its place in the ledger and the key of its tournament there."""

    seq: int
    key: str


class ListPublished(Entry, frozen=True, kw_only=True, tag="list_published"):
    """A list: what it was made of and the SHA-256 of every file of it."""

    system: str
    list_date: date
    opened_on: date
    edition: str
    readings: dict[str, str] = field(default_factory=dict)
    reports: tuple[UsedReport, ...] = ()
    corrections: tuple[int, ...] = ()
    """Places in the ledger of the corrections that enter with this list."""
    player_changes: tuple[int, ...] = ()
    """Places of merges and changes of particulars that enter with this list."""
    other_lists: dict[str, date] = field(default_factory=dict)
    """Lists of other systems that were asked, by system: entry ratings and standard ratings."""
    files: dict[str, str]
    """SHA-256 by file name."""


AnyEntry = (
    ListImported
    | ReportAccepted
    | ReportWithdrawn
    | Correction
    | PlayersMerged
    | PlayerChanged
    | ListPublished
)

_DECODER: msgspec.json.Decoder[AnyEntry] = msgspec.json.Decoder(AnyEntry)


class Entered(Struct, frozen=True, kw_only=True):
    """An entry in its place."""

    seq: int
    at: datetime
    by: int
    entry: AnyEntry
    previous: str
    hash: str


def encoded(entry: AnyEntry) -> bytes:
    """The bytes an entry is kept and hashed as: the same for the same entry, always."""
    return msgspec.json.encode(entry, order="deterministic")


def decoded(data: bytes | str) -> AnyEntry:
    """The entry of these bytes."""
    return _DECODER.decode(data)


def chained(seq: int, at: datetime, by: int, entry: AnyEntry, previous: str) -> str:
    """The hash that seals an entry in its place."""
    head = f"{seq}\n{at.isoformat()}\n{by}\n{previous}\n".encode()
    return hashlib.sha256(head + encoded(entry)).hexdigest()
