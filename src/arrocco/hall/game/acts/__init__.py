"""The acts of an arbiter in a game, one module an act: whatever lists them is made from these.

A new act is a new module with a subclass of `ArbiterCommand` and one of `ActRecord`, and its words.
"""

from __future__ import annotations

from arrocco.hall.game.acts.base import ActRecord, ArbiterCommand
from arrocco.hall.modules import leaves_of

__all__ = ["COMMANDS", "RECORDS", "ActRecord", "ArbiterCommand"]

COMMANDS: tuple[type[ArbiterCommand], ...] = tuple(
    sorted(leaves_of(__name__, __path__, ArbiterCommand), key=lambda command: command.PLACE)
)
"""What arbiters can ask of a game, in the order of a form."""
RECORDS: tuple[type[ActRecord], ...] = leaves_of(__name__, __path__, ActRecord)
"""What the log of a game has of it."""
