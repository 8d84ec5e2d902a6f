"""How often the soak kills: office and hall together a thousand times, in parts."""

from __future__ import annotations

import os
from pathlib import Path

KILLS = 500
"""Of each: an office and a hall."""
PARTS = 20
PER_PART = KILLS // PARTS


def note(kind: str, part: int, kills: int, acknowledged: int) -> None:
    """Adds a line to the file that ``ARROCCO_KILLS_LOG`` names: a part that lost nothing."""
    name = os.environ.get("ARROCCO_KILLS_LOG", "")
    if name:
        with Path(name).open("a") as log:
            log.write(f"{kind} {part}: {kills} kills, {acknowledged} acknowledged, 0 lost\n")
