"""Messages that were granted, by the number their sender gave them: none is done twice.

A move is bound to its ply and cannot be played twice in any case. All else is written down with
what it brought about, in the same transaction, so that it is known even after a crash.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable

import msgspec

from arrocco.hall.game import commands as c

MOST_KEPT = 512
"""For each game, of those that are written down."""
MOST_LATELY = 32
"""Of the others, moves above all: a client sends them again at once or never."""

_BOUND_TO_THE_POSITION = (c.Move, c.SetPremove, c.ClearPremove, c.SetAutoQueen)


class Receipt(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """Who sent which message."""

    person: str
    id: str


class Receipts:
    """What was granted in one game or event."""

    def __init__(self, lines: Iterable[bytes] = ()) -> None:
        self._kept: OrderedDict[Receipt, None] = OrderedDict()
        self._lately: OrderedDict[Receipt, None] = OrderedDict()
        self.written = 0
        for line in lines:
            self.keep(msgspec.json.decode(line, type=Receipt), is_written=True)

    def __contains__(self, receipt: Receipt) -> bool:
        return receipt in self._kept or receipt in self._lately

    def keep(self, receipt: Receipt, *, is_written: bool) -> None:
        self.written += is_written
        kept, most = (self._kept, MOST_KEPT) if is_written else (self._lately, MOST_LATELY)
        kept[receipt] = None
        if len(kept) > most:
            kept.popitem(last=False)


def is_to_be_written(command: object) -> bool:
    """Whether doing a command twice would do something else."""
    return not isinstance(command, _BOUND_TO_THE_POSITION)
