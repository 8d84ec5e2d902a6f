"""What can be asked of an event, one module an act or a family: all lists are made from these."""

from __future__ import annotations

from arrocco.hall.event.acts.base import ActRecord, Command
from arrocco.hall.modules import leaves_of

__all__ = ["COMMANDS", "RECORDS", "ActRecord", "Command"]

COMMANDS: tuple[type[Command], ...] = leaves_of(__name__, __path__, Command)
"""Everything that can be asked of an event that exists."""
RECORDS: tuple[type[ActRecord], ...] = leaves_of(__name__, __path__, ActRecord)
"""Everything that its log has besides its creation."""
