"""The ledger: what counts for ratings, in order, each entry chained to the one before by its hash.

Everything a list is made of stands here or is named here by the SHA-256 of its bytes, so that any
list can be built again from the ledger and the blobs alone.

Everybody can download it, so that what is entered of a birth is the year. Entries from before that
was so have the date where it was given; they stay as they are, since each hash rests on them.
"""

from __future__ import annotations

import hashlib
from datetime import date, datetime
from typing import Literal

import msgspec
from msgspec import UNSET, Struct, UnsetType, field

from arrocco.records.report import Facts

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
    format: int | UnsetType = UNSET
    """How its files are written; lists from before there was a second way say nothing."""


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


class WaivedError(Struct, frozen=True, kw_only=True):
    """An error of a report that was let pass, by its key, and why."""

    key: str
    reason: str


class ErrorsWaived(Entry, frozen=True, kw_only=True, tag="errors_waived"):
    """Errors of a report are let pass; the report is accepted with them."""

    report: int
    errors: tuple[WaivedError, ...]


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


class DecidedResult(ResultCorrection, frozen=True, kw_only=True, tag="decided"):
    """A result by a decision on who played unfairly: both together may get less than a point."""

    article: str


class IdCorrection(Struct, frozen=True, kw_only=True, tag="id"):
    """An entry was another player."""

    entry: int
    player: int


class DateCorrection(Struct, frozen=True, kw_only=True, tag="dates"):
    start: date
    end: date


class GameExclusion(Struct, frozen=True, kw_only=True, tag="excluded"):
    """A game that was played is not rated (FIDE 2024, 5.1); its result stays as it was."""

    round: int
    white: int
    black: int
    ground: Literal["fair_play", "force_majeure"]
    article: str
    """The article of the decision, as whoever enters it gives it."""


class ReportReplacement(Struct, frozen=True, kw_only=True, tag="replaced"):
    """Another report of the same games takes the place of the one that was rated (9.1)."""

    report: int
    """The number of the report that was sent since."""
    blob: str
    file_name: str


class Annulment(Struct, frozen=True, kw_only=True, tag="annulled"):
    """The tournament is not rated after all: nothing of it counts (0.4)."""


CorrectionOf = (
    ResultCorrection
    | DecidedResult
    | IdCorrection
    | DateCorrection
    | GameExclusion
    | ReportReplacement
    | Annulment
)


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
    """``yyyy``; ``yyyy-mm-dd`` in entries from before the ledger had the year alone."""
    died: date | None = None
    category: str = ""
    """RIO: an online category obtained."""
    affiliated: str | UnsetType = UNSET
    """FIDE 2010, 7.14g: the body a player belongs to, or a dash where no longer to any."""
    from_day: date
    reason: str


class PlayerCreated(Entry, frozen=True, kw_only=True, tag="player_created"):
    """A person gets a number; lists have them once a game of theirs counts."""

    player: int
    name: str
    federation: str
    sex: str = ""
    title: str = ""
    birth: str = ""
    """``yyyy``; ``yyyy-mm-dd`` in entries from before the ledger had the year alone."""
    report: int = 0
    """The report whose entry it was made from; 0 where it was a form."""
    entry: int = 0
    reason: str


class PlayerMatched(Entry, frozen=True, kw_only=True, tag="player_matched"):
    """An entry of a report that had no number is this player; remembered for the next report."""

    report: int
    entry: int
    player: int
    name: str
    birth: str = ""
    """As in `PlayerCreated`."""


class ListAdjusted(Entry, frozen=True, kw_only=True, tag="list_adjusted"):
    """The ratings of a list are adjusted by its edition's rule, as the period after it opens."""

    system: str
    list_date: date
    reason: str


class ReadingChosen(Entry, frozen=True, kw_only=True, tag="reading_chosen"):
    """The office reads an ambiguous article this way, from a list of its law on."""

    law: str
    reading: str
    choice: str
    from_list: date
    """The first list that is made so; those before it stay as they were read."""
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
    adjustments: tuple[int, ...] | UnsetType = UNSET
    """Places of the adjustment of the opening list, where it was adjusted."""
    format: int | UnsetType = UNSET
    """How the files are written; lists from before there was a second way say nothing."""
    emitted: date | UnsetType = UNSET
    """The day it came out, where a regulation goes by it (UISP, I.2 and I.4)."""


class OfficeKey(Entry, frozen=True, kw_only=True, tag="office_key"):
    """The key that signs the heads of the ledger from here on (Ed25519, in hexadecimal digits)."""

    public: str
    replaces: str = ""
    """The key before; empty for the first one."""
    proof: str = ""
    """The signature of the key before under this one; empty where that key was lost."""
    reason: str = ""


class HeadSigned(Entry, frozen=True, kw_only=True, tag="head_signed"):
    """The head of the ledger as a list came out, signed by the office."""

    system: str
    list_date: date
    seq: int
    """The place of the list: the head was the entry there."""
    head: str
    key: str
    signature: str


AnyEntry = (
    ListImported
    | ReportAccepted
    | ErrorsWaived
    | ReportWithdrawn
    | Correction
    | PlayersMerged
    | PlayerChanged
    | ListAdjusted
    | ReadingChosen
    | ListPublished
    | OfficeKey
    | PlayerCreated
    | PlayerMatched
    | HeadSigned
)


def list_format(entry: ListImported | ListPublished) -> int:
    """How the files of a list are written."""
    return 1 if entry.format is UNSET else entry.format


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
    return chained_bytes(seq, at.isoformat(), by, encoded(entry), previous)


def chained_bytes(seq: int, at: str, by: int, entry: bytes, previous: str) -> str:
    """The same of an entry as it was encoded: whoever checks it need not know its kind."""
    head = f"{seq}\n{at}\n{by}\n{previous}\n".encode()
    return hashlib.sha256(head + entry).hexdigest()
