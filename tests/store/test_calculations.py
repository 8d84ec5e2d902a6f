"""What a period leaves behind: rows that add up to what was published."""

from __future__ import annotations

import os
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest

from arrocco.engine.columns import EXCLUSION_CODE
from arrocco.laws.rating import Exclusion
from arrocco.store.calculations import (
    ENTRIES,
    ENTRY_SCHEMA,
    GAME_SCHEMA,
    GAMES,
    PLAYER_SCHEMA,
    PLAYERS,
    TOURNAMENT_SCHEMA,
    TOURNAMENTS,
    Calculations,
)
from arrocco.store.steps import read_steps
from tests.engine.streamed import Office, Streamed
from tests.judge.random_periods import random_history


@pytest.fixture(autouse=True)
def _without_waiting_for_the_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "fsync", lambda _: None)


def read(folder: Path, name: str) -> dict[str, Any]:
    table = pq.read_table(folder / name)
    return {column: table[column].to_numpy() for column in table.schema.names}


def periods(root: Path, seed: int) -> list[tuple[Path, Streamed]]:
    office = Office(root, random_history(seed), Random(seed))
    return [
        (office.lists.root / str(streamed.context.list_date), streamed)
        for streamed in office.all_periods()
    ]


@pytest.mark.parametrize("seed", [0, 1, 3, 5, 7])
def test_games_add_up_to_entries_and_entries_to_players(tmp_path: Path, seed: int) -> None:
    for folder, streamed in periods(tmp_path, seed):
        games, entries, players = (read(folder, name) for name in (GAMES, ENTRIES, PLAYERS))
        of_game = list(zip(games["player"], games["tournament"], strict=True))
        rows = zip(*entries.values(), strict=True)
        for entry in (dict(zip(entries, row, strict=True)) for row in rows):
            mine = np.array([at == (entry["player"], entry["tournament"]) for at in of_game])
            counted = mine & (games["exclusion"] == 0)
            assert counted.sum() == entry["games"]
            assert games["half_points"][counted].sum() == entry["half_points"]
            assert games["expected"][counted].sum() == entry["expected"]
            pooled = mine & np.isin(
                games["exclusion"],
                [
                    EXCLUSION_CODE[reason]
                    for reason in (
                        Exclusion.OWN_UNRATED,
                        Exclusion.FIRST_EVENT_IGNORED,
                        Exclusion.BELOW_FLOOR_IGNORED,
                    )
                ],
            )
            if entry["pool_games"] and not streamed.context.law.RATES_ROUND_ROBINS:
                assert pooled.sum() == entry["pool_games"]
                assert games["against"][pooled].sum() == entry["pool_ratings"]
        for at, player in enumerate(players["player"].tolist()):
            mine = entries["player"] == player
            assert entries["games"][mine].sum() == players["games"][at]
            assert entries["expected_points"][mine].sum() == players["expected"][at]


@pytest.mark.parametrize("seed", [0, 2, 8, 13])
def test_every_change_on_the_list_has_its_row(tmp_path: Path, seed: int) -> None:
    for folder, streamed in periods(tmp_path, seed):
        steps = read_steps(folder)
        assert steps is not None
        assert (np.diff(steps.player) > 0).all()
        before = streamed.stored.listed
        listed = streamed.listed
        changed = {
            player
            for player, rating in zip(listed.id.tolist(), listed.rating.tolist(), strict=True)
            if rating != ((row := before.row(player)) is not None and before.rating[row])
        }
        assert changed <= set(steps.player.tolist())
        for at, player in enumerate(steps.player.tolist()):
            row = listed.row(player)
            assert row is not None
            assert steps.new_rating[at] == listed.rating[row]


def test_files_have_the_columns_that_are_promised(tmp_path: Path) -> None:
    for folder, _ in periods(tmp_path, 1)[:1]:
        for name, schema in (
            (PLAYERS, PLAYER_SCHEMA),
            (ENTRIES, ENTRY_SCHEMA),
            (GAMES, GAME_SCHEMA),
            (TOURNAMENTS, TOURNAMENT_SCHEMA),
        ):
            assert pq.read_schema(folder / name).equals(schema)


def test_tournaments_are_numbered_on_from_batch_to_batch(tmp_path: Path) -> None:
    for folder, streamed in periods(tmp_path, 0):
        tournaments = read(folder, TOURNAMENTS)
        assert tournaments["tournament"].tolist() == list(range(len(streamed.month.tournaments)))
        keys = [tournament.key for tournament in streamed.month.tournaments]
        assert tournaments["key"].tolist() == keys
        assert set(read(folder, ENTRIES)["tournament"]) <= set(tournaments["tournament"])


def test_a_period_without_reports_has_empty_files(tmp_path: Path) -> None:
    with Calculations(tmp_path, games=True):
        pass
    for name in (ENTRIES, TOURNAMENTS, GAMES):
        assert pq.read_metadata(tmp_path / name).num_rows == 0


def test_without_calculations_there_are_no_steps(tmp_path: Path) -> None:
    assert read_steps(tmp_path) is None
