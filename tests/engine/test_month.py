"""Batches and list folders come to what one period in memory and the judge come to."""

from __future__ import annotations

import os
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from tests.engine.judged import Answer, differences
from tests.engine.streamed import Office, Streamed
from tests.judge.random_periods import JHistory, random_history
from tests.judge.records import JResult


@pytest.fixture(autouse=True)
def _without_waiting_for_the_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Thousands of small files: what they hold is tried here, not whether they outlive a crash."""
    monkeypatch.setattr(os, "fsync", lambda _: None)


SAMPLE, PARTS = 168, 6
SOAK, SOAK_PARTS = 5000, 20


def disagreements(folder: Path, seeds: range) -> list[str]:
    found = []
    for seed in seeds:
        history = random_history(seed)
        office = Office(folder / str(seed), history, Random(seed))
        for index, streamed in enumerate(office.all_periods()):
            found += [
                f"seed {seed} ({history.law} {history.edition}) period {index}: {difference}"
                for difference in disagreements_of(history, office, streamed, index)
            ]
    return found


def disagreements_of(
    history: JHistory, office: Office, streamed: Streamed, index: int
) -> list[str]:
    judged = history.results[index]
    period: Any = SimpleNamespace(
        outcome=streamed.outcome, players=streamed.outcome.players, law=streamed.outcome.law
    )
    found = differences(Answer(period, {}, judged, office.laws))
    listed = set(streamed.listed.id.tolist())
    found += [
        f"player {id_} is not on the list"
        for id_, result in judged.players.items()
        if id_ not in listed and (result.new_rating is not None or result.after.pool)
    ]
    return found + list(published_otherwise(office, streamed, judged))


def published_otherwise(office: Office, streamed: Streamed, judged: JResult) -> list[str]:
    """What the list prints differently from the judge: rating, K, activity."""
    found = []
    listed = streamed.listed
    for row, id_ in enumerate(listed.id.tolist()):
        result, player = judged.players[id_], listed.at(row)
        expected: dict[str, object] = {"inactive": result.inactive}
        if office.laws.of_period.HAS_UNRATED or result.n:
            expected["rating"] = result.new_rating
        if office.laws.of_period.HAS_UNRATED:
            expected["k"] = result.k_printed
        shown = {"rating": player.rating, "k": player.k, "inactive": player.is_inactive}
        found += [
            f"player {id_} is published with {name} {shown[name]}, judge {value}"
            for name, value in expected.items()
            if shown[name] != value
        ]
    return found


@pytest.mark.parametrize("part", range(PARTS))
def test_batches_through_the_store_agree_with_the_judge(part: int, tmp_path: Path) -> None:
    assert disagreements(tmp_path, range(part, SAMPLE, PARTS)) == []


@pytest.mark.soak
@pytest.mark.parametrize("part", range(SOAK_PARTS))
def test_batches_through_the_store_agree_with_the_judge_on_a_long_run(
    part: int, tmp_path: Path
) -> None:
    assert disagreements(tmp_path, range(2_000_000 + part, 2_000_000 + SOAK, SOAK_PARTS)) == []
