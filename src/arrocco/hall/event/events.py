"""What has happened to an event, one record for each thing; together in order they are its log.

An event of the log is a fact: it holds what came of it, so that a log tells its event without being
decided again. `by` is the account of whoever did it, empty where the hall itself did.
"""

from __future__ import annotations

from datetime import date, datetime
from typing import Annotated, Literal

from msgspec import Meta, Struct

from arrocco.hall.event.records import (
    Arbiter,
    Boards,
    EntryId,
    Pair,
    Person,
    Positive,
    Result,
    Sanction,
)
from arrocco.hall.event.rules import Rules
from arrocco.report import ByeKind

Moment = Annotated[datetime, Meta(tz=True)]
"""A moment with its offset: its day is the day where the event is held."""


def _tag(name: str) -> str:
    """The name of a class as it stands in a log: ``RoundPaired`` is ``round_paired``."""
    return "".join(f"_{c.lower()}" if c.isupper() else c for c in name).removeprefix("_")


class Event(
    Struct, frozen=True, kw_only=True, tag_field="type", tag=_tag, forbid_unknown_fields=True
):
    """Something that happened to an event of the hall, at a moment of the server's time."""

    at: Moment
    by: str
    v: Literal[1] = 1
    """The version of the log's format that this record is written in."""


class Created(Event, frozen=True, kw_only=True):
    """The event exists; it begins and ends on these days."""

    event: str
    name: str
    site: str = ""
    federation: str = ""
    start: date
    end: date
    organisers: tuple[str, ...]


class RulesSet(Event, frozen=True, kw_only=True):
    """The rules of the competition, as they are announced."""

    rules: Rules


# --- arbiters -------------------------------------------------------------------------------------


class ArbiterAppointed(Event, frozen=True, kw_only=True):
    """Somebody is an arbiter of the event; a new chief arbiter takes the old one's place."""

    arbiter: Arbiter


class ArbiterDismissed(Event, frozen=True, kw_only=True):
    account: str


class ZoneAssigned(Event, frozen=True, kw_only=True):
    """6.3 — an assistant watches some boards, or all."""

    account: str
    zone: Pair | None = None


# --- entries --------------------------------------------------------------------------------------


class Entered(Event, frozen=True, kw_only=True):
    """A player takes part, from `first_round` on."""

    entry: EntryId
    person: Person
    first_round: Positive = 1


class PersonCorrected(Event, frozen=True, kw_only=True):
    entry: EntryId
    person: Person


class CheckedIn(Event, frozen=True, kw_only=True):
    """A player is there, again where they had withdrawn."""

    entry: EntryId


class Withdrawn(Event, frozen=True, kw_only=True):
    """A player leaves the event."""

    entry: EntryId
    reason: str = ""


class ByeRequested(Event, frozen=True, kw_only=True):
    """A player will not play a round."""

    entry: EntryId
    round: Positive
    kind: ByeKind


class ByeCancelled(Event, frozen=True, kw_only=True):
    entry: EntryId
    round: Positive


class PairForbidden(Event, frozen=True, kw_only=True):
    """Two players are not to meet; `one` is the lower entry."""

    one: EntryId
    other: EntryId
    reason: str


class PairAllowed(Event, frozen=True, kw_only=True):
    one: EntryId
    other: EntryId


# --- rounds ---------------------------------------------------------------------------------------


class RoundPaired(Event, frozen=True, kw_only=True):
    """The pairing of a round is published.

    `order` holds all entries by starting number, as they are numbered from now on; `byes` those
    without an opponent.
    """

    round: Positive
    order: tuple[EntryId, ...]
    boards: Boards
    byes: dict[EntryId, ByeKind]
    starts: Moment | None = None
    by_hand: bool = False
    reason: str = ""


class PairingWithdrawn(Event, frozen=True, kw_only=True):
    """A published pairing is taken back before the round begins."""

    round: Positive
    reason: str


class SampleDrawn(Event, frozen=True, kw_only=True):
    """9.1 — the players of a round who are watched, drawn by lot from `seed`."""

    round: Positive
    seed: str
    entries: tuple[EntryId, ...]


class RoundOpened(Event, frozen=True, kw_only=True):
    """All games of a round begin."""

    round: Positive


class RoundDelayed(Event, frozen=True, kw_only=True):
    """A round begins at another time than was said."""

    round: Positive
    starts: Moment
    reason: str


class RoundClosed(Event, frozen=True, kw_only=True):
    """All results of a round are there."""

    round: Positive


class ResultTaken(Event, frozen=True, kw_only=True):
    """A game has ended, as the board, the clock or its arbiter decided; by `article`."""

    round: Positive
    board: Positive
    result: Result
    game: str = ""
    article: str = ""


class ResultTakenBack(Event, frozen=True, kw_only=True):
    """A game goes on or begins anew (6.8, 11.2): no result until it ends, and `white` has White."""

    round: Positive
    board: Positive
    white: EntryId
    game: str = ""


class ResultCorrected(Event, frozen=True, kw_only=True):
    """A result was wrong; this is what the game came to."""

    round: Positive
    board: Positive
    result: Result
    article: str
    reason: str


class Sanctioned(Event, frozen=True, kw_only=True):
    """A sanction is imposed."""

    sanction: Sanction


class SanctionLifted(Event, frozen=True, kw_only=True):
    """A sanction no longer holds: a complaint or an appeal was upheld, or it was a mistake."""

    number: Positive
    reason: str


class Said(Event, frozen=True, kw_only=True):
    """5.2 — a line of the chat between a player and the arbiters, by either of them."""

    entry: EntryId
    text: str


# --- the end --------------------------------------------------------------------------------------


class Closed(Event, frozen=True, kw_only=True):
    """No more rounds are played; `reason` tells why fewer than announced."""

    reason: str = ""


class Validated(Event, frozen=True, kw_only=True):
    """The chief arbiter validates the standings: from now on they can be appealed (12.9)."""


AnyEvent = (
    Created | RulesSet
    | ArbiterAppointed | ArbiterDismissed | ZoneAssigned
    | Entered | PersonCorrected | CheckedIn | Withdrawn | ByeRequested | ByeCancelled
    | PairForbidden | PairAllowed
    | RoundPaired | PairingWithdrawn | SampleDrawn | RoundOpened | RoundDelayed | RoundClosed
    | ResultTaken | ResultTakenBack | ResultCorrected | Sanctioned | SanctionLifted | Said
    | Closed | Validated
)  # fmt: skip
"""Every kind of record. A kind that changes its shape gets a new version, and the old one stays."""
