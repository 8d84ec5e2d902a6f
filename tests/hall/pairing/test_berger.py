"""Berger tables: the official small ones, and what holds for all sizes."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest

from arrocco.errors import Illegal
from arrocco.hall.pairing.berger import MAX_PLAYERS, MIN_PLAYERS, rounds_of, table
from arrocco.hall.pairing.records import RoundPairing

SIZES = range(MIN_PLAYERS, MAX_PLAYERS + 1)

OFFICIAL = {
    4: "1-4 2-3 | 4-3 1-2 | 2-4 3-1",
    6: "1-6 2-5 3-4 | 6-4 5-3 1-2 | 2-6 3-1 4-5 | 6-5 1-4 2-3 | 3-6 4-2 5-1",
    8: "1-8 2-7 3-6 4-5 | 8-5 6-4 7-3 1-2 | 2-8 3-1 4-7 5-6 | 8-6 7-5 1-4 2-3 | 3-8 4-2 5-1 6-7"
    " | 8-7 1-6 2-5 3-4 | 4-8 5-3 6-2 7-1",
}


def written(rounds: list[RoundPairing]) -> str:
    return " | ".join(" ".join(f"{w}-{b}" for w, b in round_.boards) for round_ in rounds)


@pytest.mark.parametrize("players", OFFICIAL)
def test_official_tables(players: int) -> None:
    assert written(table(players)) == OFFICIAL[players]


def test_an_odd_number_plays_the_table_of_one_more_without_its_last() -> None:
    assert written(table(5)) == "2-5 3-4 | 5-3 1-2 | 3-1 4-5 | 1-4 2-3 | 4-2 5-1"
    assert [round_.bye for round_ in table(5)] == [1, 4, 2, 5, 3]


@pytest.mark.parametrize("players", SIZES)
class TestEverySize:
    def test_everybody_meets_everybody_once(self, players: int) -> None:
        met = Counter(frozenset(board) for round_ in table(players) for board in round_.boards)
        everybody = range(1, players + 1)
        assert met == Counter(frozenset(pair) for pair in combinations(everybody, 2))

    def test_everybody_plays_once_a_round(self, players: int) -> None:
        assert len(table(players)) == rounds_of(players)
        for round_ in table(players):
            named = [number for board in round_.boards for number in board]
            if round_.bye is not None:
                named.append(round_.bye)
            assert sorted(named) == list(range(1, players + 1))

    def test_colours_are_balanced(self, players: int) -> None:
        whites = Counter(white for round_ in table(players) for white, _ in round_.boards)
        blacks = Counter(black for round_ in table(players) for _, black in round_.boards)
        most = 0 if players % 2 else 1
        for number in range(1, players + 1):
            assert abs(whites[number] - blacks[number]) <= most

    def test_twice_with_both_colours_and_never_three_times_the_same(self, players: int) -> None:
        double = table(players, cycles=2)
        assert len(double) == rounds_of(players, 2) == 2 * len(table(players))
        games = Counter(board for round_ in double for board in round_.boards)
        everybody = range(1, players + 1)
        assert games == Counter((w, b) for w in everybody for b in everybody if w != b)
        colours: dict[int, str] = dict.fromkeys(everybody, "")
        for round_ in double:
            for white, black in round_.boards:
                colours[white] += "w"
                colours[black] += "b"
        for own in colours.values():
            assert "www" not in own
            assert "bbb" not in own


@pytest.mark.parametrize(("players", "cycles"), [(2, 1), (31, 1), (8, 0), (8, 3)])
def test_no_such_table(players: int, cycles: int) -> None:
    with pytest.raises(Illegal):
        table(players, cycles)
