"""Pairings by themselves: Swiss fields down to the smallest, and the circle of round robins."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import numpy as np
import pytest

from arrocco.demo.generate.draws import Ints, Part, stream
from arrocco.demo.generate.robin import schedule
from arrocco.demo.generate.swiss import Units, Unpaired, pair_all


class Games:
    """Remembers who met; the lower number always wins."""

    def __init__(self, players: int) -> None:
        self.players = players
        self.met: list[tuple[int, int, int]] = []

    def play(self, round_: int, white: Ints, black: Ints) -> Ints:
        pairs = zip(white.tolist(), black.tolist(), strict=True)
        self.met += [(round_, one, other) for one, other in pairs]
        score = np.zeros(self.players, dtype=np.int64)
        score[np.minimum(white, black)] = 2
        return score


def swiss(sizes: list[int], rounds: int) -> tuple[Games, list[Unpaired]]:
    players = sum(sizes)
    tournament = np.repeat(np.arange(len(sizes)), sizes)
    nobody = np.zeros((players, rounds), dtype=np.bool_)
    units = Units(tournament, np.full(players, rounds), nobody, nobody.astype(np.int8))
    games = Games(players)
    return games, pair_all(stream(1, Part.BATCH), units, games.play, bye_score=2)


@pytest.mark.parametrize("size", [8, 9, 16, 33])
def test_everybody_plays_or_has_the_bye_and_no_two_meet_twice(size: int) -> None:
    games, unpaired = swiss([size], rounds=3)
    assert len(games.met) == 3 * (size // 2)
    assert len({frozenset(pair[1:]) for pair in games.met}) == len(games.met)
    assert [left.is_allocated for left in unpaired] == [True] * (3 * (size % 2))
    byes = [unit for left in unpaired for unit in left.unit.tolist()]
    assert len(set(byes)) == len(byes)


def test_the_first_round_folds_the_field_and_the_second_pairs_winners() -> None:
    games, _ = swiss([8], rounds=2)
    first = {frozenset(pair[1:]) for pair in games.met if pair[0] == 1}
    assert first == {frozenset((n, n + 4)) for n in range(4)}
    second = {frozenset(pair[1:]) for pair in games.met if pair[0] == 2}
    assert second == {frozenset(pair) for pair in ((0, 2), (1, 3), (4, 6), (5, 7))}


def test_tournaments_side_by_side_do_not_mix() -> None:
    games, _ = swiss([9, 12, 8], rounds=3)
    field = np.repeat([0, 1, 2], [9, 12, 8])
    assert all(field[one] == field[other] for _, one, other in games.met)


def test_a_field_too_small_for_its_rounds_leaves_players_out_rather_than_repeat() -> None:
    games, unpaired = swiss([4], rounds=6)
    assert len({frozenset(pair[1:]) for pair in games.met}) == len(games.met) <= 6
    out = sum(len(left.unit) for left in unpaired if not left.is_allocated)
    assert out == 4 * 6 - 2 * len(games.met)


def test_colours_are_even_or_one_apart_after_an_even_field_has_played() -> None:
    games, _ = swiss([64], rounds=6)
    balance: Counter[int] = Counter()
    for _, white, black in games.met:
        balance[white] += 1
        balance[black] -= 1
    assert max(map(abs, balance.values())) <= 2


@pytest.mark.parametrize("size", range(2, 15))
@pytest.mark.parametrize("cycles", [1, 2])
def test_a_round_robin_brings_all_together_once_a_cycle(size: int, cycles: int) -> None:
    rounds = cycles * (size - 1 + size % 2)
    games = schedule(np.array([size]), np.array([rounds]))
    met = Counter(
        frozenset(pair) for pair in zip(games.white.tolist(), games.black.tolist(), strict=True)
    )
    assert met == dict.fromkeys(map(frozenset, combinations(range(size), 2)), cycles)
    busy = Counter(
        (round_, player)
        for column in (games.white, games.black)
        for round_, player in zip(games.round.tolist(), column.tolist(), strict=True)
    )
    assert set(busy.values()) == {1}
    free = set(zip(games.free_round.tolist(), games.free_player.tolist(), strict=True))
    assert not free & set(busy)
    assert len(free) + len(busy) == size * rounds


def test_schedules_of_several_tournaments_stand_one_after_the_other() -> None:
    games = schedule(np.array([4, 2, 5]), np.array([3, 6, 5]))
    assert np.bincount(games.tournament).tolist() == [6, 6, 10]
    match = games.tournament == 1
    assert games.white[match].tolist() in ([0, 1] * 3, [1, 0] * 3)
