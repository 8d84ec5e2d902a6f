"""The two sides of a game."""

from __future__ import annotations

from enum import StrEnum


class Side(StrEnum):
    """One of the two players of a game."""

    WHITE = "white"
    BLACK = "black"

    @property
    def other(self) -> Side:
        return Side.BLACK if self is Side.WHITE else Side.WHITE
