"""Messages that were granted, by the number their sender gave them: none is done twice.

A move is bound to its ply and cannot be played twice in any case. All else is written down with
what it brought about, in the same transaction, so that it is known even after a crash.
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Iterable

import msgspec

from arrocco.hall.chain import receipts_of_event
from arrocco.hall.game import commands as c
from arrocco.live.journal import Journal

MAX_KEPT = 512
"""For each game, of those that are written down."""
MAX_LATELY = 32
"""Of the others, moves above all: a client sends them again at once or never."""

_BOUND_TO_THE_POSITION = (c.Move, c.SetPremove, c.ClearPremove, c.SetAutoQueen)


class Receipt(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """Who sent which message, and what it said."""

    person: str
    id: str
    digest: str = ""
    """Of the command; empty in receipts from before there was one, and of what is bound to its
    position by itself."""

    @property
    def key(self) -> str:
        """Sender and number as one text: thousands are kept, and nobody has to look for garbage
        in a text as in a tuple. The length tells where the sender ends."""
        return f"{len(self.person)} {self.person}{self.id}"


class Receipts:
    """What was granted in one game or event."""

    def __init__(self, lines: Iterable[bytes] = (), earlier: Iterable[bytes] = ()) -> None:
        """What `lines` of the log tell; `earlier` are those of a stream that is written no more."""
        self._kept: OrderedDict[str, str] = OrderedDict()
        self._lately: OrderedDict[str, str] = OrderedDict()
        self.written = 0
        for line in earlier:
            self.keep(msgspec.json.decode(line, type=Receipt), is_written=True)
        self.written = 0
        for line in lines:
            self.keep(msgspec.json.decode(line, type=Receipt), is_written=True)

    def __contains__(self, receipt: Receipt) -> bool:
        return receipt.key in self._kept or receipt.key in self._lately

    def is_of_another(self, receipt: Receipt) -> bool:
        """Whether the number of a message stands for another one that was granted before."""
        known = self._kept.get(receipt.key) or self._lately.get(receipt.key, "")
        return bool(known and receipt.digest and known != receipt.digest)

    def keep(self, receipt: Receipt, *, is_written: bool) -> None:
        self.written += is_written
        kept, most = (self._kept, MAX_KEPT) if is_written else (self._lately, MAX_LATELY)
        kept[receipt.key] = receipt.digest
        if len(kept) > most:
            kept.popitem(last=False)


async def read_of_event(journal: Journal, name: str) -> Receipts:
    """The receipts of an event, those included that were once in the stream of a game."""
    stream, shared = receipts_of_event(name), f"receipts:{name}"
    earlier = () if stream == shared else await journal.read(shared)
    return Receipts(await journal.read(stream), earlier)


def digest_of(command: object) -> str:
    """What tells a command from another of the same number; none for what costs a player time."""
    if isinstance(command, _BOUND_TO_THE_POSITION):
        return ""
    return hashlib.blake2b(msgspec.json.encode(command), digest_size=12).hexdigest()


def is_to_be_written(command: object) -> bool:
    """Whether doing a command twice would do something else."""
    return not isinstance(command, _BOUND_TO_THE_POSITION)
