"""The readings of RIO and UISP that random histories do not draw, worked out by hand."""

from __future__ import annotations

from datetime import date

import pytest

from .build import event
from .judge import judge_period
from .records import JPlayer, JTournament

RIO = ("rio_blitz", "2025-04-12")


def blitz(id_: str, start: date, one: int, two: int) -> JTournament:
    """1 beats 2 twice."""
    return event(id_, start, {1: one, 2: two}, (1, "1", 2), (1, "1", 2), minutes=(3, 2))


def new_ratings(cycle: str, *tournaments: JTournament) -> list[int | None]:
    players = {1: JPlayer(1, 1500), 2: JPlayer(2, 1500)}
    found = judge_period(
        *RIO, {"rio_update_cycle": cycle}, date(2025, 7, 1), players, list(tournaments)
    )
    return [found.players[id_].new_rating for id_ in (1, 2)]


@pytest.mark.parametrize(
    ("cycle", "expected"), [("publication", [1540, 1460]), ("tournament", [1538, 1462])]
)
def test_rio_update_cycle(cycle: str, expected: list[int]) -> None:
    """Twice +20 while ratings are fixed; after +20 it is 1520 against 1480.

    D 40 expects .56, PA 1.12 is 1.1, so +18. The order is that of the ends, not of the list.
    """
    one, two = (blitz(f"t{day}", date(2025, 6, day), 1500, 1500) for day in (20, 10))
    assert new_ratings(cycle, one, two) == expected
    assert new_ratings(cycle, two, one) == expected


@pytest.mark.parametrize(("reading", "expected"), [("at_start", 1508), ("of_period", 1523)])
def test_uisp_late_tournaments(reading: str, expected: int) -> None:
    """K 15 online: 1700 against 1500 gains 7.5, 1500 against 1700 gains 22.5."""
    late = event(
        "late", date(2024, 3, 20), {1: 1700, 2: 1500}, (1, "1", 2), (1, "1", 2), online=True
    )
    players = {1: JPlayer(1, 1500), 2: JPlayer(2, 1700)}
    found = judge_period(
        "uisp", "undated", {"uisp_late_tournaments": reading}, date(2024, 7, 1), players, [late]
    )
    assert found.players[1].new_rating == expected
