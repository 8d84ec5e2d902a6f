"""The engine against the second implementation, on random histories that reach every rule."""

from __future__ import annotations

import pytest

from tests.engine.judged import differences, rate
from tests.judge.random_periods import random_history

SAMPLE = 210
SOAK = 20_000


def disagreements(seeds: range) -> list[str]:
    found = []
    for seed in seeds:
        history = random_history(seed)
        for index in range(len(history.periods)):
            found += [
                f"seed {seed} ({history.law} {history.edition}) period {index}: {difference}"
                for difference in differences(rate(history, index))
            ]
    return found


@pytest.mark.parametrize("part", range(6))
def test_engine_and_judge_agree_on_thousands_of_random_periods(part: int) -> None:
    size = SAMPLE // 6
    assert disagreements(range(part * size, (part + 1) * size)) == []


@pytest.mark.soak
@pytest.mark.parametrize("part", range(20))
def test_engine_and_judge_agree_on_a_long_run(part: int) -> None:
    size = SOAK // 20
    first = 1_000_000 + part * size
    assert disagreements(range(first, first + size)) == []
