"""When the interpreter looks for garbage: not in the middle of a round.

A full collection looks at every object of every game, and all boards wait for it. Games are values
without cycles, so nearly all of their memory comes back without it. It is done when no clock runs.
"""

from __future__ import annotations

import gc

_YOUNG, _MIDDLE = 50_000, 1_000_000
"""New objects before the new ones are looked at. Fewer at a time would be worse: each look takes
ten milliseconds at least, for whatever the boards have replaced since the last one."""
_NEVER = 1_000_000
"""Middle collections before a full one: more than a day of play has."""


def collect_seldom() -> None:
    """Leaves full collections to `collect_now`; what is there already is not looked at again."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(_YOUNG, _MIDDLE, _NEVER)


def collect_as_usual() -> None:
    """What the interpreter does by itself."""
    gc.unfreeze()
    gc.set_threshold(700, 10, 10)


def collect_now() -> None:
    """A full collection, at a moment when nobody waits."""
    gc.collect()
