"""Figures an authority printed, reproduced by the engine: per game, per event, K·sum, the limit."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from arrocco.engine.calculator import Played, calculate_initial
from arrocco.engine.columns import Entries, Games, Tournament
from arrocco.engine.explain import rows_of_player
from arrocco.engine.period import Period, rate_period
from arrocco.engine.players import unrated_players
from arrocco.engine.pools import Pools
from arrocco.laws.rating import RatingLaw
from arrocco.laws.registry import edition_in_force
from arrocco.units import decimal, parse_score

CASES = Path(__file__).parent.parent / "cases"
PERIODS = json.loads((CASES / "fide_2024_published_periods.json").read_text())["cases"]
FIRST = json.loads((CASES / "fide_2024_first_rating.json").read_text())["cases"]


def rated(case: dict[str, Any]) -> Period:
    """The player and all opponents as one period; opponents never meet each other."""
    list_date = date.fromisoformat(case["list"])
    laws: dict[type[RatingLaw], RatingLaw] = {}
    entries: list[tuple[int, int, int]] = []
    games: list[tuple[int, int, int, int]] = []
    tournaments = []
    players = 1
    for index, event in enumerate(case["events"]):
        start, end = date.fromisoformat(event["start"]), date.fromisoformat(event["end"])
        edition = edition_in_force("fide", start)
        law = laws.setdefault(edition, edition())
        tournaments.append(Tournament(f"event {index}", law, start, end))
        mine = len(entries)
        entries.append((index, 0, event["rating"]))
        for number, (opponent, _, score) in enumerate(event["games"], start=1):
            games.append((number, mine, len(entries), parse_score(score)))
            entries.append((index, players, opponent))
            players += 1
    ids = np.arange(players, dtype=np.int64)
    table = unrated_players(ids, np.zeros_like(ids))
    table.rating[0] = case["base"]
    opening = max(case["k_on_lists"])
    table.k[0] = case["k_on_lists"][min(case["k_on_lists"])] if opening else 0
    tournament, player, shown = np.array(entries, dtype=np.int64).T
    round_, white, black, half = np.array(games, dtype=np.int64).T
    period_law = edition_in_force("fide", list_date)
    return rate_period(
        laws.get(period_law) or period_law(),
        list_date,
        tournaments,
        table,
        Entries(tournament, player, shown, shown),
        Games(
            round_,
            white,
            black,
            half.astype(np.int8),
            (2 - half).astype(np.int8),
            np.zeros(len(half), dtype=np.int8),
        ),
        Pools(),
        opened_on=list_date,
    )


@pytest.mark.parametrize("case", PERIODS, ids=[case["id"] for case in PERIODS])
def test_a_published_period_reproduces_game_by_game_8_3(case: dict[str, Any]) -> None:
    rows = rows_of_player(rated(case), 0)
    for event, row in zip(case["events"], rows.events, strict=True):
        expected = event["expected"]
        assert [decimal(game.delta or 0) for game in row.games] == expected["game_changes"]
        assert row.n == expected["n"]
        assert decimal(row.half_points * 50) == expected["score"]
        assert decimal(row.delta) == expected["sum"]
        assert row.k == event["k_applied"]
        assert decimal(row.variation) == expected["variation"]
        for game, (_, printed_capped, _) in zip(row.games, event["games"], strict=True):
            # The printed rating is already cut: its difference is exactly 400.
            assert not printed_capped or abs(game.counted_difference or 0) == 400
    assert rows.n == case["expected"]["n"]
    assert decimal(rows.variation) == case["expected"]["variation"]
    assert rows.change == case["expected"]["change"]
    assert rows.new_rating == case["base"] + rows.change


def test_the_limit_of_700_makes_k_17_of_39_games_8_3_3() -> None:
    limited = [case for case in PERIODS if case["expected"]["n"] == 39]
    assert len(limited) == 1
    rows = rows_of_player(rated(limited[0]), 0)
    assert (rows.k, rows.k_applied) == (20, 17)


@pytest.mark.parametrize("case", FIRST, ids=[case["id"] for case in FIRST])
def test_a_published_first_rating_reproduces_8_2(case: dict[str, Any]) -> None:
    law = edition_in_force("fide", date.fromisoformat(case["list"]))()
    games = [Played(opponent, parse_score(score)) for opponent, score in case["games"]]
    result, reasons = calculate_initial(law, games)
    assert result.rating == case["expected"]["rating"]
    assert result.games == case["expected"]["games_on_list"]
    assert reasons == ["two_draws"]
