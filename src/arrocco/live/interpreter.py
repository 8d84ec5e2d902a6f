"""How the interpreter behaves while games are played: no board waits for it.

Garbage: a full collection looks at every object of every game, and all boards wait for it. Games
are values without cycles, so nearly all of their memory comes back without it; what has cycles are
sockets and pages that are gone. It is done when no clock runs.

Threads: one that comes back from the disk has to ask for the interpreter, and a move that is judged
meanwhile keeps it for as long as the interpreter lets it. All who wait for the disk wait for that.
"""

from __future__ import annotations

import gc
import sys

_YOUNG, _MIDDLE = 20_000, 1_000_000
"""New objects before the new ones are looked at. Moves leave next to none behind, and a few hundred
sockets that many. Each look takes ten milliseconds at least, for what the boards have replaced."""
_NEVER = 1_000_000
"""Middle collections before a full one: more than a day of play has."""
_TURN, _USUAL_TURN = 0.0005, 0.005
"""Seconds after which a thread that asks for the interpreter gets it."""


def serve_boards() -> None:
    """Leaves full collections to `collect_now`; what is there already is not looked at again."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(_YOUNG, _MIDDLE, _NEVER)
    sys.setswitchinterval(_TURN)


def as_usual() -> None:
    """What the interpreter does by itself."""
    gc.unfreeze()
    gc.set_threshold(700, 10, 10)
    sys.setswitchinterval(_USUAL_TURN)


def collect_now() -> None:
    """A full collection, at a moment when nobody waits."""
    gc.collect()
