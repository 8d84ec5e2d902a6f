"""The rating a player begins a tournament with, where a regulation leaves nobody unrated (14.2)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol


class GivesEntryRatings(Protocol):
    """A regulation that gives every player a rating on entry."""

    def entry_rating_for(self, kind: str, held: Mapping[str, int | None]) -> tuple[int, str]:
        """The rating, and the name of the list it comes from."""
        ...


OWN_LIST = "list"
"""The source of a rating that the player has on the regulation's own list."""


def rating_to_begin_with(
    law: GivesEntryRatings, kind: str, own: int | None, held: Mapping[str, int | None]
) -> tuple[int, str]:
    """RIO 14.2, UISP I.5 — that of the own list, or the one on entry, and where it comes from.

    Lists, the hall and whoever shows what a tournament would bring ask this one function. `held`
    are the player's ratings by the names of the lists that the article looks at.
    """
    if own:
        return own, OWN_LIST
    return law.entry_rating_for(kind, held)
