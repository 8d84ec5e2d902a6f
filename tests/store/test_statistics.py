"""Statistics over lists as they are on the disk, and over an invented federation."""

from __future__ import annotations

import os
from datetime import date
from itertools import pairwise
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

from arrocco.dates import Month
from arrocco.demo.generate import federation
from arrocco.demo.generate.folder import write_federation
from arrocco.errors import Refusal
from arrocco.formats.lists import read_list
from arrocco.formats.report_parquet import write_batches
from arrocco.records.reportbatch import batch_of
from arrocco.runs.period import PeriodJob, rate_job
from arrocco.store.calculations import GAMES, PLAYERS
from arrocco.store.statistics import (
    ListPlace,
    Watched,
    list_places,
    read_calculations,
    read_figures,
    watch,
)
from arrocco.store.statistics_rows import TABLES, tables_of
from tests.cli.tournaments import player_id, report, write_list


@pytest.fixture(scope="module")
def office(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An invented federation with three lists, and the one that this program makes of a month."""
    folder = tmp_path_factory.mktemp("office")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda _: None)
        write_federation(federation(600, 3, period=Month(2024, 5)), folder, 2000, forms="parquet")
        lists = folder / "lists"
        rate_job(
            PeriodJob(
                "fide",
                Month(2024, 5),
                lists,
                (folder / "reports.parquet",),
                lists,
                games=True,
                workers=1,
            )
        )
    return folder


@pytest.fixture(scope="module")
def watched(office: Path) -> list[Watched]:
    return list(watch([office / "lists"], "standard"))


class TestOverAFederation:
    def test_lists_come_in_order_and_only_the_first_has_none_before(
        self, watched: list[Watched]
    ) -> None:
        days = [one.on for one in watched]
        assert days == sorted(days)
        assert len(days) == 4
        assert [one.flow is None for one in watched] == [True, False, False, False]
        assert [one.calculations is None for one in watched] == [True, True, True, False]

    def test_columns_are_those_of_the_list_read_whole(self, office: Path) -> None:
        for place in list_places([office / "lists"], "standard"):
            found = read_figures(place, "standard")
            listed, _ = read_list(place.path, "standard")
            assert np.array_equal(found.id, listed.id)
            assert np.array_equal(found.rating, listed.rating)
            assert np.array_equal(found.k, listed.k)
            assert np.array_equal(found.games, listed.games)
            assert found.inactive.tolist() == ["i" in flag for flag in listed.flag]
            names = [found.federations[code] for code in found.federation]
            assert names == listed.federation.tolist()

    def test_points_balance_from_list_to_list(self, watched: list[Watched]) -> None:
        for one, two in pairwise(watched):
            found = two.flow
            assert found is not None
            assert found.before == one.statistics.rated.total
            assert found.after == two.statistics.rated.total
            leaving = found.delisted.points + found.gone.points
            assert found.after == (
                found.before + found.common.change + found.entering.points - leaving
            )

    def test_changes_of_the_calculations_are_those_of_the_common_set(
        self, office: Path, watched: list[Watched]
    ) -> None:
        """Two roads to one number: the stored changes, and the lists before and after."""
        table = pq.read_table(office / "lists" / "2024-06-01" / PLAYERS)
        rows = table.to_pylist()
        stayed = [row for row in rows if row["rating"] and row["new_rating"]]
        found = watched[-1].flow
        assert found is not None
        assert sum(row["change"] for row in stayed) == found.common.change
        first = sum(row["new_rating"] for row in rows if not row["rating"])
        assert first == found.entering.points
        delisted = [row["rating"] for row in rows if row["delisted"]]
        assert (len(delisted), sum(delisted)) == (found.delisted.count, found.delisted.points)

    def test_calculations_are_those_stored(self, office: Path, watched: list[Watched]) -> None:
        rows = pq.read_table(office / "lists" / "2024-06-01" / PLAYERS).to_pylist()
        found = watched[-1].calculations
        assert found is not None
        played = [row for row in rows if row["rating"] and row["games"]]
        assert found.played == len(played) == sum(line.players for line in found.coefficients)
        assert found.games.total == sum(row["games"] for row in played)
        assert found.limited == sum(row["k_applied"] < row["k"] for row in played) > 0
        assert found.first_ratings.count == sum(bool(row["first_published"]) for row in rows) > 0

    def test_scores_are_those_of_the_games(self, office: Path, watched: list[Watched]) -> None:
        rows = pq.read_table(office / "lists" / "2024-06-01" / GAMES).to_pylist()
        counted = [row for row in rows if row["exclusion"] == 0]
        scores = watched[-1].scores
        assert scores is not None
        assert sum(band.sides for band in scores.bands()) == len(counted)
        near = [row for row in counted if 50 <= abs(row["difference"]) < 100]
        band = next(band for band in scores.bands() if band.low == 50)
        assert band.sides == len(near)
        half = sum(
            row["half_points"] if row["difference"] > 0 else 2 - row["half_points"] for row in near
        )
        assert band.half_points == half

    def test_games_may_stay_unread(self, office: Path) -> None:
        (one,) = watch([office / "lists" / "2024-06-01"], games=False)
        assert one.scores is None
        assert one.calculations is not None

    def test_tables_have_the_same_cells_in_every_row(self, watched: list[Watched]) -> None:
        tables = tables_of(watched)
        assert tuple(tables) == TABLES
        for name, rows in tables.items():
            assert rows, name
            assert len({tuple(row) for row in rows}) == 1, name


def test_k_of_tournaments(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """UISP: a blitz and a standard tournament of the same two players."""
    monkeypatch.setattr(os, "fsync", lambda _: None)
    lists = tmp_path / "lists"
    lists.mkdir()
    write_list(lists, [(player_id(1), 1500), (player_id(2), 1600)], "2024-04-01.csv")
    made = [
        report([1500, 1600], [(1, 1, 2, "1"), (2, 2, 1, "1")], control=control, name=control)
        for control in ("3'+2\"", "90'+30\"")
    ]
    write_batches(tmp_path / "r.parquet", [batch_of(made)])
    rated = rate_job(
        PeriodJob("uisp", Month(2024, 4), lists, (tmp_path / "r.parquet",), lists, workers=1)
    )
    found = read_calculations(rated.folder)
    assert found is not None
    assert [(line.k, line.players, line.games) for line in found.coefficients] == [
        (30, 2, 4),
        (10, 2, 4),
    ]


class TestPlaces:
    def test_a_list_named_twice_is_one(self, office: Path) -> None:
        lists = office / "lists"
        places = list_places([lists, lists / "2024-06-01", lists / "2024-05-01.parquet"], "")
        assert len(places) == 4
        assert places[-1].folder == lists / "2024-06-01"
        assert places[0].folder is None

    def test_other_formats_are_read(self, tmp_path: Path) -> None:
        for day, rating in (("2024-05-01", 1500), ("2024-06-01", 1510)):
            write_list(tmp_path, [(player_id(1), rating, 20)], f"{day}.csv")
        one, two = watch([tmp_path], "standard")
        assert one.statistics.k == ((20, 1),)
        assert two.flow is not None
        assert two.flow.common.mean_change == 1000

    def test_rows_out_of_order_are_put_in_order(self, tmp_path: Path, office: Path) -> None:
        path = office / "lists" / "2024-05-01.parquet"
        table = pq.read_table(path)
        other = tmp_path / "2024-05-01.parquet"
        pq.write_table(table.take(list(range(table.num_rows))[::-1]), other)
        day = date(2024, 5, 1)
        one = read_figures(ListPlace(path, day), "standard")
        two = read_figures(ListPlace(other, day), "standard")
        assert np.array_equal(one.rating, two.rating)
        assert [one.federations[i] for i in one.federation] == [
            two.federations[i] for i in two.federation
        ]

    def test_what_is_refused(self, tmp_path: Path) -> None:
        (tmp_path / "empty").mkdir()
        with pytest.raises(Refusal, match="no lists"):
            list_places([tmp_path / "empty"], "")
        write_list(tmp_path, [(player_id(1), 1500)], "spring.csv")
        with pytest.raises(Refusal, match="date of this list is missing"):
            list(watch([tmp_path / "spring.csv"], "standard"))
        for folder in ("a", "b"):
            (tmp_path / folder).mkdir()
            write_list(tmp_path / folder, [(player_id(1), 1500)], "2024-05-01.csv")
        with pytest.raises(Refusal, match="not later"):
            list(watch([tmp_path / "a", tmp_path / "b"], "standard"))

    @pytest.mark.parametrize("name", [PLAYERS, GAMES])
    def test_broken_calculations_are_refused_with_words(
        self, office: Path, tmp_path: Path, name: str
    ) -> None:
        folder = tmp_path / "2024-06-01"
        folder.mkdir()
        for file in (office / "lists" / "2024-06-01").iterdir():
            (folder / file.name).write_bytes(file.read_bytes())
        (folder / name).write_bytes(b"half a file")
        with pytest.raises(Refusal, match="cannot be read"):
            list(watch([folder]))
