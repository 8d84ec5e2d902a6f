"""What the store explains is what the computation in memory explains."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import fields, replace
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from arrocco.engine.explain import EventRow, GameRow, PlayerRows, rows_of_player, steps_under
from arrocco.store.explanation import Explanation, explain_player
from tests.engine.judged import Answer, rate
from tests.engine.streamed import Office
from tests.judge.random_periods import random_history

SEEDS, PARTS = 28, 2


@pytest.fixture(autouse=True)
def _without_waiting_for_the_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "fsync", lambda _: None)


def in_memory(answer: Answer, player: int) -> PlayerRows:
    """The rows of the computation in memory, players named by their ids, events in their order."""
    period = answer.period
    (row,) = np.flatnonzero(period.players.id == player).tolist()
    found = rows_of_player(period, row)
    ids = period.players.id.tolist()
    events = sorted(
        found.events, key=lambda e: (e.tournament.start, e.tournament.end, e.tournament.key)
    )
    return replace(
        found,
        row=player,
        events=tuple(
            replace(e, games=tuple(replace(g, opponent=ids[g.opponent]) for g in e.games))
            for e in events
        ),
    )


def figures(value: Any) -> Any:
    """Rows as plain figures; of a tournament what identifies it."""
    if isinstance(value, EventRow):
        plain = {f.name: figures(getattr(value, f.name)) for f in fields(value)}
        t = value.tournament
        return plain | {
            "tournament": (t.key, t.law.edition, t.start, t.end, t.system, t.control, t.k)
        }
    if isinstance(value, PlayerRows | GameRow):
        return {f.name: figures(getattr(value, f.name)) for f in fields(value)}
    return tuple(map(figures, value)) if type(value) is tuple else value


def without_reasons(rows: PlayerRows) -> PlayerRows:
    """The reasons of the first rating are compared beside it: the store keeps them once."""
    if rows.first_rating is None:
        return rows
    rating = rows.first_rating.rating._replace(reasons=())
    return replace(rows, first_rating=replace(rows.first_rating, rating=rating))


def disagreement(found: Explanation, expected: PlayerRows) -> str:
    stored, computed = figures(without_reasons(found.rows)), figures(without_reasons(expected))
    if not found.counts:  # K and its reason are of no interest where nothing counted
        for side in (stored, computed):
            side |= {"k": 0, "k_applied": 0, "k_reason": ""}
            # A standard rating that stood in for nothing leaves no step behind.
            side["rating"] = side["new_rating"]
            side["events"] = tuple(e | {"k": 0} for e in side["events"])
    return "; ".join(parted("", stored, computed))


def parted(where: str, stored: Any, computed: Any) -> Iterator[str]:
    """Where two trees of figures part."""
    if isinstance(stored, dict):
        for name in stored:
            yield from parted(f"{where}.{name}", stored[name], computed[name])
    elif type(stored) is tuple and len(stored) == len(computed):
        for at, (one, other) in enumerate(zip(stored, computed, strict=True)):
            yield from parted(f"{where}[{at}]", one, other)
    elif stored != computed:
        yield f"{where}: stored {stored}, computed {computed}"


@pytest.mark.parametrize("part", range(PARTS))
def test_stored_rows_are_the_rows_of_the_computation(part: int, tmp_path: Path) -> None:
    explained = with_first_rating = with_round_robin = ignored = uncounted = 0
    for seed in range(part, SEEDS, PARTS):
        history, rng = random_history(seed), Random(seed)
        office = Office(tmp_path / str(seed), history, rng)
        for index, streamed in enumerate(office.all_periods()):
            answer = rate(history, index)
            folder = office.lists.root / streamed.context.list_date.isoformat()
            for player in rng.sample(streamed.listed.id.tolist(), 4):
                found, expected = explain_player(folder, player), in_memory(answer, player)
                if not expected.events and not found.counts:
                    continue
                told = disagreement(found, expected)
                where = f"seed {seed} ({history.law}) period {index} player {player}"
                assert not told, f"{where}: {told}"
                if found.counts:
                    assert steps_under(found.law, found.rows) == steps_under(found.law, expected)
                explained += 1
                with_first_rating += found.rows.first_rating is not None
                with_round_robin += any(f.round_robin for f in found.facts)
                ignored += any(f.ignored for f in found.facts)
                uncounted += not found.counts
    assert explained > 100
    assert with_first_rating > 3
    assert with_round_robin
    assert ignored
    assert uncounted
