"""The chains of the hall's logs: each record is sealed to the one written before it.

An event has one chain over its own log, those of its games and their receipts, in the order they
were written; games without an event share one. A record that is changed, taken out or put in
somewhere else does not fit its hash or its neighbours any more.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import StrEnum
from functools import lru_cache
from hashlib import sha256
from typing import Any, NamedTuple

from arrocco.errors import Inconsistent

FIRST_HASH = "0" * 64
"""What the first record of a chain is sealed to."""
ALONE = "alone."
"""The chain of games that belong to no event; the names of these games begin so."""

_GAME = re.compile(r"(.+)-\d+-\d+", re.ASCII)
RECORDINGS = "recordings"
"""What the video server has recorded of an event: the last slices, now and then."""
EVENT_RECEIPTS = "event_receipts"
"""Receipts of events like ``cup-2025-11``, which could be a game of ``cup``."""


class Head(NamedTuple):
    """The last record of a chain."""

    link: int = 0
    """How many records the chain has had."""
    hash: str = FIRST_HASH


class Sealed(NamedTuple):
    """A record in its place: in its stream by `number`, in its chain by `link`."""

    stream: str
    number: int
    body: str
    chain: str
    link: int
    previous: str
    hash: str

    @property
    def is_whole(self) -> bool:
        """Whether the record is what its hash was made of."""
        stream, number, body, chain, link, previous, sealed = self
        return seal_of(previous, chain, link, stream, number, body) == sealed


def as_read(row: Sequence[Any]) -> Sealed:
    """A row as a record; what is of another kind than its column is damage for its hash to tell."""
    stream, number, body, chain, link, previous, digest = row
    if type(number) is int and type(link) is int:
        return Sealed(str(stream), number, str(body), str(chain), link, str(previous), str(digest))
    kept = number if type(number) is int else -1
    return Sealed(str(stream), kept, str(body), str(chain), 0, str(previous), "")


def seal_of(previous: str, chain: str, link: int, stream: str, number: int, body: str) -> str:
    """The hash that seals a record in its place."""
    text = f"{previous}\n{chain}\n{link}\n{stream}\n{number}\n{body}"
    # What was damaged may be no text any more; then it has another hash, and that is all.
    return sha256(text.encode("utf-8", "surrogateescape")).hexdigest()


def seal(
    records: Iterable[tuple[str, int, str]], head_of: Callable[[str], Head | None]
) -> tuple[list[Sealed], dict[str, Head]]:
    """Records, each a stream, its number and its body, sealed; and where their chains end then.

    `head_of` tells where they end before; `None` is a chain that has not begun.
    """
    heads: dict[str, Head] = {}
    sealed: list[Sealed] = []

    def known(chain: str) -> Head:
        return heads.get(chain) or head_of(chain) or Head()

    for stream, number, body in records:
        chain = chain_of(stream, known)
        link, previous = known(chain)
        link += 1
        digest = seal_of(previous, chain, link, stream, number, body)
        sealed.append(Sealed(stream, number, body, chain, link, previous, digest))
        heads[chain] = Head(link, digest)
    return sealed, heads


def chain_of(stream: str, head_of: Callable[[str], Head] | None = None) -> str:
    """The chain a stream belongs to.

    ``receipts:cup-5-2`` are those of a game, unless there is an event of that name.
    """
    chain, event = _chains(stream)
    return event if event and head_of is not None and head_of(event).link else chain


@lru_cache(maxsize=4096)
def _chains(stream: str) -> tuple[str, str]:
    """The chain of a stream, and the event that it may belong to instead."""
    kind, _, name = stream.partition(":")
    if name.startswith(ALONE):
        return ALONE, ""
    game = None if kind in ("event", EVENT_RECEIPTS, RECORDINGS) else _GAME.fullmatch(name)
    if game is None:
        return name or stream, ""
    return game[1], name if kind == "receipts" else ""


def receipts_of_event(name: str) -> str:
    """The stream of the receipts of an event: its own also where its name looks like a game's."""
    return f"{EVENT_RECEIPTS if _GAME.fullmatch(name) else 'receipts'}:{name}"


def recordings_of_event(name: str) -> str:
    """The stream of what was recorded of an event."""
    return f"{RECORDINGS}:{name}"


class Damage(StrEnum):
    """What can be wrong with a record."""

    REWRITTEN = "rewritten"
    MISSING = "missing"
    OUT_OF_ORDER = "out_of_order"
    UNREADABLE = "unreadable"


class Fault(NamedTuple):
    """Records of a stream, from the first to the last number, that are not as they were written."""

    damage: Damage
    first: int
    last: int


def faults(records: Iterable[Sealed], last_written: int | None) -> Iterator[Fault]:
    """What is wrong with the records of one stream, given in the order of their numbers."""
    expected, link = 0, 0
    for record in records:
        if record.number > expected:
            yield Fault(Damage.MISSING, expected, record.number - 1)
        if not record.is_whole:
            yield Fault(Damage.REWRITTEN, record.number, record.number)
        elif record.link <= link:
            yield Fault(Damage.OUT_OF_ORDER, record.number, record.number)
        else:
            link = record.link
        expected = record.number + 1
    if last_written is not None and last_written >= expected:
        yield Fault(Damage.MISSING, expected, last_written)


DAMAGED = frozenset(f"hall_live.damaged.{damage.value}" for damage in Damage)
"""The keys of refusals to go on from a damaged log."""


class DamagedLog(Inconsistent):
    """The log of a game or an event is not as it was written: nobody may go on from it."""

    http_status = 503


def refuse_damaged(stream: str, records: Iterable[Sealed], last_written: int | None) -> None:
    """Raises `DamagedLog` where a stream is not as it was written, naming the first such record."""
    fault = next(faults(records, last_written), None)
    if fault is not None:
        raise damaged(stream, fault)


def damaged(stream: str, fault: Fault) -> DamagedLog:
    key = f"hall_live.damaged.{fault.damage.value}"
    return DamagedLog.of(key, stream=stream, first=fault.first, last=fault.last)
