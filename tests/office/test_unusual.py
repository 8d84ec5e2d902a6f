"""Unusual changes on a draft: each kind at its threshold, and one below it."""

from __future__ import annotations

from datetime import date
from typing import Any

import pyarrow as pa
import pytest

from arrocco.engine.columns import EXCLUSION_CODE
from arrocco.laws.rating import Exclusion
from arrocco.office import unusual
from arrocco.office.unusual import Kind, Tables, Unusual, unusual_changes
from arrocco.store.calculations import (
    ENTRY_SCHEMA,
    GAME_SCHEMA,
    PLAYER_SCHEMA,
    TOURNAMENT_SCHEMA,
)
from arrocco.words import LANGUAGES, say
from tests.office.build import ADA, BRUNO, CARLA

Row = dict[str, Any]


def table(schema: pa.Schema, rows: list[Row], usual: Row) -> pa.Table:
    return pa.Table.from_pylist([usual | row for row in rows], schema=schema)


def tables(
    players: list[Row] | None = None,
    entries: list[Row] | None = None,
    games: list[Row] | None = None,
    tournaments: list[Row] | None = None,
    kind: str = "standard",
) -> Tables:
    """The tables of a period; a row says what differs from the usual one."""
    step: Row = {
        "player": ADA,
        "rating": 1800,
        "stands_in": False,
        "games": 9,
        "half_points": 9,
        "expected": 450,
        "k": 20,
        "k_reason": "x",
        "k_applied": 20,
        "variation": 0,
        "change": 0,
        "new_rating": 1800,
        "delisted": False,
    }
    entry: Row = {
        "player": ADA,
        "tournament": 0,
        "shown": 1800,
        "own": 1800,
        "games": 9,
        "half_points": 9,
        "expected": 450,
        "expected_points": 450,
        "pool_games": 0,
        "pool_ratings": 0,
        "pool_half_points": 0,
    }
    event: Row = {
        "tournament": 0,
        "key": "tournament:1",
        "name": "Torneo delle Betulle",
        "start": date(2026, 3, 7),
        "end": date(2026, 3, 8),
        "edition": "x",
        "system": "swiss",
    }
    game: Row = {
        "player": ADA,
        "opponent": BRUNO,
        "tournament": 0,
        "round": 1,
        "white": True,
        "half_points": 1,
        "against": 1800,
        "difference": 0,
        "counted_difference": 0,
        "expected": 50,
        "exclusion": 0,
    }
    return Tables(
        table(PLAYER_SCHEMA, players or [], step),
        table(ENTRY_SCHEMA, entries or [], entry),
        table(TOURNAMENT_SCHEMA, [{}] if tournaments is None else tournaments, event),
        None if games is None else table(GAME_SCHEMA, games, game),
        kind,
    )


def found(given: Tables) -> list[Unusual]:
    seen = unusual_changes(given)
    for one in seen:
        for language in LANGUAGES:
            words = say(language, one.key, **one.figures)
            assert "{" not in words
            assert "None" not in words
    return seen


def test_an_ordinary_period_has_nothing_unusual() -> None:
    assert found(tables([{}], [{}], [{}])) == []


def test_an_empty_period_has_nothing_unusual() -> None:
    assert found(tables(tournaments=[], games=[])) == []


@pytest.mark.parametrize(
    ("k", "change", "is_jump"),
    [
        (20, 79, False),
        (20, 80, True),
        (20, -80, True),
        (40, 100, False),
        (0, 99, False),
        (0, 100, True),
    ],
)
def test_a_jump_is_measured_in_K(k: int, change: int, is_jump: bool) -> None:
    seen = found(tables([{"k": k, "change": change, "new_rating": 1800 + change}]))
    assert [one.kind for one in seen] == [Kind.JUMP] * is_jump
    assert all(one.players == (ADA,) for one in seen)


def test_who_loses_the_rating_does_not_jump() -> None:
    assert found(tables([{"change": -400, "new_rating": 0}])) == []


def event(gain: int, size: int, k: int = 20) -> Tables:
    """Each of so many players scores so many hundredths more than expected."""
    ids = range(ADA, ADA + size)
    return tables(
        [{"player": id_, "k_applied": k} for id_ in ids],
        [{"player": id_, "expected_points": 450 - gain, "expected": 450} for id_ in ids],
    )


@pytest.mark.parametrize(
    ("gain", "size", "expected"), [(50, 6, 1), (49, 6, 0), (-50, 6, 1), (200, 5, 0)]
)
def test_an_event_where_everyone_gains(gain: int, size: int, expected: int) -> None:
    seen = found(event(gain, size))
    assert [one.kind for one in seen] == [Kind.EVERYONE_GAINS] * expected
    if seen:
        assert seen[0].tournament == 0
        assert seen[0].figures["tournament"] == "Torneo delle Betulle"
        assert seen[0].figures["gainers"] == (6 if gain > 0 else 0)


def test_the_K_of_a_tournament_counts_where_it_has_one() -> None:
    given = event(50, 6, k=0)
    assert found(given) == []
    with_k = table(TOURNAMENT_SCHEMA, given.tournaments.to_pylist(), {}).set_column(
        8, "k", pa.array([20], pa.int32())
    )
    fresh = Tables(given.players, given.entries, with_k)
    assert [one.kind for one in found(fresh)] == [Kind.EVERYONE_GAINS]


def test_the_same_pair_many_times() -> None:
    both = [
        {"player": one, "opponent": other, "round": number}
        for number in range(1, 7)
        for one, other in ((ADA, BRUNO), (BRUNO, ADA))
    ]
    (seen,) = found(tables(games=both))
    assert (seen.kind, seen.players, seen.figures["games"]) == (Kind.SAME_PAIR, (ADA, BRUNO), 6)
    assert found(tables(games=both[:10])) == []
    unplayed = [row | {"exclusion": EXCLUSION_CODE[Exclusion.UNPLAYED]} for row in both]
    assert found(tables(games=unplayed)) == []
    assert found(tables(games=both, tournaments=[{"system": "match"}])) == []
    nameless = [row | {"player": 0} for row in both]
    assert found(tables(games=nameless)) == []


@pytest.mark.parametrize(("rating", "expected"), [(1999, 0), (2000, 1)])
def test_a_first_rating_far_above_its_opponents(rating: int, expected: int) -> None:
    step = {
        "rating": 0,
        "new_rating": rating,
        "first_games": 5,
        "first_average": 180_000,
        "first_rating": rating,
        "first_published": True,
    }
    assert [one.kind for one in found(tables([step]))] == [Kind.FIRST_RATING] * expected
    assert found(tables([step | {"first_published": False}])) == []


def test_many_games_in_few_days() -> None:
    most = unusual.MANY_GAMES["standard"]
    later = {"tournament": 1, "start": date(2026, 3, 20), "end": date(2026, 3, 21)}
    spread: list[Row] = [{"tournament": 0}, later]
    half = most // 2 + 1
    entries = [{"games": half, "expected": 0, "half_points": 0, "expected_points": 0}] * 2
    entries = [entries[0], entries[1] | {"tournament": 1}]
    assert found(tables(entries=entries, tournaments=spread)) == []
    together: list[Row] = [
        spread[0],
        {"tournament": 1, "start": date(2026, 3, 9), "end": date(2026, 3, 9)},
    ]
    (seen,) = found(tables(entries=entries, tournaments=together))
    assert (seen.kind, seen.figures["games"]) == (Kind.MANY_GAMES, 2 * half)
    assert found(tables(entries=entries, tournaments=together, kind="blitz")) == []
    # Games of an unrated player are played, too.
    pool = [entry | {"games": 0, "pool_games": half} for entry in entries]
    assert [one.kind for one in found(tables(entries=pool, tournaments=together))] == [
        Kind.MANY_GAMES
    ]


@pytest.mark.parametrize(
    ("games", "half", "expected", "is_far"),
    [(9, 18, 495, True), (9, 18, 496, False), (4, 8, 10, False), (9, 0, 890, False)],
)
def test_a_score_far_above_expectation(games: int, half: int, expected: int, is_far: bool) -> None:
    entry = {"games": games, "half_points": half, "expected": expected, "expected_points": expected}
    seen = found(tables(entries=[entry]))
    assert [one.kind for one in seen] == [Kind.FAR_ABOVE_EXPECTED] * is_far


def test_the_most_remarkable_come_first_and_not_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    steps = [
        {"player": id_, "change": change, "new_rating": 1800 + change}
        for id_, change in ((ADA, 90), (BRUNO, -200), (CARLA, 120))
    ]
    assert [one.players for one in found(tables(steps))] == [(BRUNO,), (CARLA,), (ADA,)]
    monkeypatch.setattr(unusual, "MAX_OF_A_KIND", 2)
    assert len(found(tables(steps))) == 2
