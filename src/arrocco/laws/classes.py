"""The classes of time control that lists are kept for.

What counts is a player's time for 60 moves. Each regulation draws its own lines (FIDE rapid and
blitz 1.1, RIO 14.3); UISP II.2 takes FIDE's.
"""

from __future__ import annotations

from enum import StrEnum


class TimeClass(StrEnum):
    """How fast a game is, from the fastest to the slowest."""

    BULLET = "bullet"
    """Only RIO has a list of it."""
    BLITZ = "blitz"
    RAPID = "rapid"
    STANDARD = "standard"
