"""The program and the literal judge pair every round alike, down to colours and boards."""

from __future__ import annotations

from random import Random

import pytest

from tests.hall.pairing.judge import Judge
from tests.hall.pairing.random_events import Habits, play

HABITS = (
    Habits(),
    Habits(forbidden_pairs=2),
    Habits(absent=15, forfeit=10, half=50),
    Habits(absent=10, forfeit=20, half=30, forbidden_pairs=3),
    Habits(absent=5, forfeit=10, half=50, accelerated=True),
)


ACCELERATED = Habits(absent=5, forfeit=5, half=50, accelerated=True)


def compare(seed: int, most_players: int, habits: Habits | None = None) -> int:
    """How many rounds of a random event were compared."""
    rng = Random(seed)
    players = rng.randint(2, most_players)
    rounds = rng.randint(1, min(9, players + 1))
    compared = 0
    for paired in play(rng, players, rounds, habits or HABITS[seed % len(HABITS)]):
        if len(paired.field.absent) < players:
            assert paired.pairing == Judge(paired.field).pair(), (seed, compared + 1)
            compared += 1
    return compared


def test_small_events() -> None:
    assert sum(compare(seed, 7) for seed in range(160)) > 350


def test_c_04_7_small_accelerated_events() -> None:
    assert sum(compare(seed, 7, ACCELERATED) for seed in range(900, 940)) > 80


@pytest.mark.soak
@pytest.mark.parametrize("start", range(0, 1000, 250))
def test_c_04_7_two_thousand_accelerated_rounds_of_up_to_eight(start: int) -> None:
    seeds = range(90_000 + start, 90_250 + start)
    assert sum(compare(seed, 8, ACCELERATED) for seed in seeds) >= 500


@pytest.mark.soak
@pytest.mark.parametrize("start", range(0, 5000, 250))
def test_ten_thousand_rounds_of_up_to_eight(start: int) -> None:
    assert sum(compare(seed, 8) for seed in range(10_000 + start, 10_250 + start)) >= 500


@pytest.mark.soak
@pytest.mark.parametrize("start", range(0, 80, 10))
def test_events_of_ten(start: int) -> None:
    assert sum(compare(seed, 10) for seed in range(50_000 + start, 50_010 + start)) > 15
