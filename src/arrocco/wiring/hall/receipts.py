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
"""For each game; a client sends again at once or never."""

_BOUND_TO_THE_POSITION = (c.Move, c.SetPremove, c.ClearPremove, c.SetAutoQueen)


class Receipt(msgspec.Struct, frozen=True, array_like=True):
    """Who sent which message."""

    person: str
    id: str


class Receipts:
    """What was granted in one game or event."""

    def __init__(self, lines: Iterable[bytes] = ()) -> None:
        self._kept: OrderedDict[Receipt, None] = OrderedDict()
        self.written = 0
        for line in lines:
            self.keep(msgspec.json.decode(line, type=Receipt), is_written=True)

    def __contains__(self, receipt: Receipt) -> bool:
        return receipt in self._kept

    def keep(self, receipt: Receipt, *, is_written: bool) -> None:
        self._kept[receipt] = None
        self.written += is_written
        if len(self._kept) > MOST_KEPT:
            self._kept.popitem(last=False)


def is_to_be_written(command: object) -> bool:
    """Whether doing a command twice would do something else."""
    return not isinstance(command, _BOUND_TO_THE_POSITION)
