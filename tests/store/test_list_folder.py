"""Lists in folders: whole or not at all, read back as they were, refused when they were touched."""

from __future__ import annotations

import os
import shutil
from dataclasses import fields
from datetime import date
from pathlib import Path
from random import Random

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from arrocco.engine.players import ASSUMED_GAMES, Players, month_number
from arrocco.engine.pools import Pools
from arrocco.errors import Inconsistent
from arrocco.laws.rating import Tranche
from arrocco.store.list_folder import (
    LIST,
    POOLS,
    STATE,
    ListFolder,
    new_folder,
    read_pools,
    write_pools,
    write_state,
)
from tests.cli.tournaments import HEADING
from tests.engine.streamed import list_of, players_of, write_folder
from tests.judge.records import JPlayer

DAY = date(2024, 5, 1)


@pytest.fixture(autouse=True)
def _without_waiting_for_the_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "fsync", lambda _: None)


def some_people(seed: int = 1, count: int = 60) -> list[JPlayer]:
    rng = Random(seed)
    return [
        JPlayer(
            99_000_000 + 7 * n,
            rng.choice([None, rng.randint(1400, 2800)]),
            rng.choice([None, 10, 20, 40]),
            birth_year=rng.choice([None, 1990]),
            games_total=rng.randint(0, 5000),
            ever_2400=rng.random() < 0.2,
            ever_2300=rng.random() < 0.2,
            last_rated_month=rng.choice([None, month_number(DAY) - rng.randint(0, 30)]),
            first_event_done=rng.random() < 0.5,
            special_body=rng.random() < 0.1,
        )
        for n in range(1, count)
    ]


def some_pools() -> Pools:
    return Pools(
        {
            99_000_007: (
                Tranche(24_000, "a", 3, 5000, 2),
                Tranche(24_001, "b", 5, 9 * 10**9, 9, 7, True),
            ),
            99_000_014: (Tranche(24_001, "cè", 1, 1500, 0),),
        }
    )


def written(root: Path, day: date = DAY) -> tuple[Players, Pools]:
    people = some_people()
    players, pools = players_of(people), some_pools()
    players.decimals[:] = np.arange(len(players)) % 100 - 50
    listed = list_of(people, {p.id: p.rating for p in people}, "standard")
    listed.on = day
    write_folder(root / day.isoformat(), listed, players, pools)
    return players, pools


class TestRoundTrip:
    def test_a_list_comes_back_with_all_that_is_remembered(self, tmp_path: Path) -> None:
        players, pools = written(tmp_path)
        stored = ListFolder(tmp_path, "standard").read(DAY)
        for column in fields(Players):
            one, other = getattr(stored.players, column.name), getattr(players, column.name)
            assert one.dtype == other.dtype, column.name
            assert np.array_equal(one, other), column.name
        assert stored.pools == pools
        assert stored.listed.on == stored.on == DAY
        assert stored.has_state

    def test_ids_and_ratings_alone(self, tmp_path: Path) -> None:
        players, _ = written(tmp_path)
        columns = ListFolder(tmp_path, "standard").read_columns(DAY)
        assert np.array_equal(columns.id, players.id)
        assert np.array_equal(columns.rating, players.rating)

    def test_the_same_list_is_the_same_bytes(self, tmp_path: Path) -> None:
        for name in ("a", "b"):
            written(tmp_path / name)
        one, other = (
            {p.name: p.read_bytes() for p in (tmp_path / name / str(DAY)).iterdir()}
            for name in ("a", "b")
        )
        assert one == other
        assert set(one) == {LIST, STATE, POOLS}

    def test_pools_do_not_depend_on_the_order_they_were_put_in(self, tmp_path: Path) -> None:
        pools = some_pools()
        backwards = Pools(dict(reversed(pools.tranches.items())))
        for name, one in (("a", pools), ("b", backwards)):
            write_pools(tmp_path / name, one)
        assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
        assert read_pools(tmp_path / "a") == pools

    def test_empty_pools_and_an_empty_list(self, tmp_path: Path) -> None:
        write_folder(tmp_path / str(DAY), list_of([], {}, "standard"), players_of([]), Pools())
        stored = ListFolder(tmp_path, "standard").read(DAY)
        assert len(stored.players) == 0
        assert stored.pools == Pools()

    def test_ids_of_any_length(self, tmp_path: Path) -> None:
        people = [JPlayer(id_, 1500) for id_ in (1, 2**31 - 1, 2**31, 10**14)]
        listed = list_of(people, {p.id: p.rating for p in people}, "standard")
        write_folder(tmp_path / str(DAY), listed, players_of(people), Pools())
        stored = ListFolder(tmp_path, "standard").read(DAY)
        assert stored.players.id.tolist() == [p.id for p in people]


class TestFormat1:
    """Lists from when a list kept two flags instead of the highest rating published."""

    def rewritten(self, root: Path, players: Players) -> tuple[Path, Players]:
        """A folder in format 1, and what is read of it."""
        ratings = {
            id_: rating or None
            for id_, rating in zip(players.id.tolist(), players.rating.tolist(), strict=True)
        }
        people = [JPlayer(id_, rating) for id_, rating in ratings.items()]
        listed = list_of(people, ratings, "standard")
        write_folder(root / str(DAY), listed, players, Pools())
        write_state(root / str(DAY) / STATE, players, 1)
        return root / str(DAY) / STATE, ListFolder(root, "standard").read(DAY).players

    def people(self, *pasts: tuple[int, int]) -> Players:
        players = players_of(
            [JPlayer(n + 1, rating or None) for n, (rating, _) in enumerate(pasts)]
        )
        players.highest_published = np.array([highest for _, highest in pasts])
        return players

    def test_the_columns_are_those_of_that_format(self, tmp_path: Path) -> None:
        path, _ = self.rewritten(tmp_path, self.people((2390, 2405), (2250, 2310), (1500, 1700)))
        table = pq.read_table(path)
        assert (
            table.column_names
            == """
            id completed_games reached_2400 reached_2300 last_rated first_event affiliated
            decimals
        """.split()
        )
        assert table["reached_2400"].to_pylist() == [True, False, False]
        assert table["reached_2300"].to_pylist() == [True, True, False]

    def test_it_is_read_as_the_least_rating_that_says_the_same(self, tmp_path: Path) -> None:
        people = self.people((2390, 2405), (2250, 2310), (1500, 1700), (2450, 2600), (0, 2301))
        _, read = self.rewritten(tmp_path, people)
        assert read.highest_published.tolist() == [2400, 2300, 1500, 2450, 2300]

    def test_what_was_read_is_written_to_the_same_bytes(self, tmp_path: Path) -> None:
        path, read = self.rewritten(tmp_path, players_of(some_people()))
        write_state(tmp_path / "again", read, 1)
        assert (tmp_path / "again").read_bytes() == path.read_bytes()

    def test_the_highest_rating_goes_on_from_there(self, tmp_path: Path) -> None:
        _, read = self.rewritten(tmp_path, self.people((2390, 2405), (2250, 2310)))
        write_state(tmp_path / str(DAY) / STATE, read)
        assert ListFolder(tmp_path, "standard").read(DAY).players.highest_published.tolist() == [
            2400,
            2300,
        ]


class TestListsFromElsewhere:
    def write(self, root: Path, rows: str, name: str = f"{DAY}.csv") -> ListFolder:
        (root / name).write_text(HEADING + rows, "utf-8")
        return ListFolder(root, "standard")

    def test_what_such_a_list_lets_one_know(self, tmp_path: Path) -> None:
        rows = "1,Uno,ITA,M,1990,,2405,10,,\n2,Due,ITA,F,,,1500,,,wi\n3,Tre,ITA,M,,,,,,\n"
        stored = self.write(tmp_path, rows).read(DAY)
        players = stored.players
        assert not stored.has_state
        assert players.highest_published.tolist() == [2405, 1500, 0]
        assert players.completed_games.tolist() == [ASSUMED_GAMES, ASSUMED_GAMES, 0]
        assert players.last_rated.tolist() == [month_number(DAY), 0, 0]
        assert players.first_event.tolist() == [True, True, False]
        assert stored.pools == Pools()

    def test_a_parquet_list_out_of_order_is_put_in_order(self, tmp_path: Path) -> None:
        table = pa.table({"id": [5, 3, 9], "name": ["a", "b", "c"], "rating": [1500, None, 1700]})
        pq.write_table(table, tmp_path / f"{DAY}.parquet")
        columns = ListFolder(tmp_path, "standard").read_columns(DAY)
        assert columns.id.tolist() == [3, 5, 9]
        assert columns.rating.tolist() == [0, 1500, 1700]

    def test_findings_come_along(self, tmp_path: Path) -> None:
        stored = self.write(tmp_path, "1,Uno,ITA,M,,,1500,,,\nx,Due,ITA,M,,,1500,,,\n").read(DAY)
        assert "lists.left_out" in [finding.key for finding in stored.findings]

    def test_the_folder_comes_before_a_file_of_the_same_day(self, tmp_path: Path) -> None:
        players, _ = written(tmp_path)
        stored = self.write(tmp_path, "1,Uno,ITA,M,,,1500,,,\n").read(DAY)
        assert len(stored.players) == len(players)


class TestDays:
    def test_what_is_not_a_list_is_no_day(self, tmp_path: Path) -> None:
        written(tmp_path)
        (tmp_path / "2024-04-01.csv").write_text(HEADING)
        (tmp_path / "2024-03-01.txt").write_text("")
        (tmp_path / "2024-02-01.md").write_text("")
        (tmp_path / "2024-01-01").mkdir()
        (tmp_path / ".2024-06-01.abcdef.part").mkdir()
        (tmp_path / "notes").mkdir()
        days = ListFolder(tmp_path, "standard").days()
        assert days == [date(2024, 3, 1), date(2024, 4, 1), DAY]

    def test_a_folder_that_is_not_there_has_no_days(self, tmp_path: Path) -> None:
        assert ListFolder(tmp_path / "nowhere", "standard").days() == []

    def test_a_missing_list_names_those_there_are(self, tmp_path: Path) -> None:
        written(tmp_path)
        with pytest.raises(Inconsistent, match="2024-06-01") as refused:
            ListFolder(tmp_path, "standard").read(date(2024, 6, 1))
        assert str(DAY) in refused.value.advice


class TestDamage:
    @pytest.mark.parametrize("name", [STATE, POOLS])
    def test_a_list_without_its_state(self, tmp_path: Path, name: str) -> None:
        written(tmp_path)
        (tmp_path / str(DAY) / name).unlink()
        with pytest.raises(Inconsistent, match=name):
            ListFolder(tmp_path, "standard").read(DAY)

    @pytest.mark.parametrize("name", [STATE, POOLS])
    @pytest.mark.parametrize("content", [b"", b"PAR1", b"nothing of the kind"])
    def test_a_state_that_is_none(self, tmp_path: Path, name: str, content: bytes) -> None:
        written(tmp_path)
        (tmp_path / str(DAY) / name).write_bytes(content)
        with pytest.raises(Inconsistent, match=name):
            ListFolder(tmp_path, "standard").read(DAY)

    def test_a_list_file_that_is_none_for_an_older_list(self, tmp_path: Path) -> None:
        written(tmp_path)
        (tmp_path / str(DAY) / LIST).write_bytes(b"nothing")
        with pytest.raises(Inconsistent, match=LIST):
            ListFolder(tmp_path, "standard").read_columns(DAY)

    def test_the_state_of_another_list(self, tmp_path: Path) -> None:
        written(tmp_path)
        write_state(tmp_path / str(DAY) / STATE, players_of(some_people(count=50)))
        with pytest.raises(Inconsistent):
            ListFolder(tmp_path, "standard").read(DAY)
        people = some_people()
        people[3] = JPlayer(people[3].id + 1)
        write_state(tmp_path / str(DAY) / STATE, players_of(people))
        with pytest.raises(Inconsistent):
            ListFolder(tmp_path, "standard").read(DAY)

    @pytest.mark.parametrize("column", ["id", "last_rated", "decimals"])
    def test_a_state_without_a_column_or_with_gaps(self, tmp_path: Path, column: str) -> None:
        written(tmp_path)
        path = tmp_path / str(DAY) / STATE
        table = pq.read_table(path)
        pq.write_table(table.drop_columns([column]), path)
        with pytest.raises(Inconsistent, match=STATE):
            ListFolder(tmp_path, "standard").read(DAY)
        at = table.schema.names.index(column)
        gaps = pa.array([None, *table[column].to_pylist()[1:]], table.schema.field(at).type)
        pq.write_table(table.set_column(at, column, gaps), path)
        with pytest.raises(Inconsistent, match=STATE):
            ListFolder(tmp_path, "standard").read(DAY)

    def test_a_list_under_the_name_of_another_day(self, tmp_path: Path) -> None:
        written(tmp_path)
        shutil.move(tmp_path / str(DAY), tmp_path / "2024-06-01")
        with pytest.raises(Inconsistent, match="2024-05-01"):
            ListFolder(tmp_path, "standard").read(date(2024, 6, 1))


class TestNewFolder:
    def test_it_has_its_name_only_when_complete(self, tmp_path: Path) -> None:
        target = tmp_path / "deep" / "2024-06-01"
        with new_folder(target) as folder:
            (folder / "file").write_text("x")
            assert not target.exists()
            assert folder.parent == target.parent
        assert [p.name for p in target.iterdir()] == ["file"]
        assert [p.name for p in target.parent.iterdir()] == ["2024-06-01"]

    @pytest.mark.parametrize("error", [RuntimeError, KeyboardInterrupt])
    def test_whatever_goes_wrong_leaves_nothing(
        self, tmp_path: Path, error: type[BaseException]
    ) -> None:
        def fail() -> None:
            with new_folder(tmp_path / "2024-06-01") as folder:
                (folder / "file").write_text("x")
                raise error

        with pytest.raises(error):
            fail()
        assert list(tmp_path.iterdir()) == []

    def test_who_comes_second_is_refused_and_the_first_stays(self, tmp_path: Path) -> None:
        target = tmp_path / "2024-06-01"

        def write_both() -> None:
            with new_folder(target) as folder:
                (folder / "file").write_text("second")
                with new_folder(target) as first:
                    (first / "file").write_text("first")

        with pytest.raises(Inconsistent):
            write_both()
        assert (target / "file").read_text() == "first"
        assert [p.name for p in tmp_path.iterdir()] == ["2024-06-01"]

    def test_everything_is_on_the_disk_before_the_name(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        target = tmp_path / "2024-06-01"
        synced: list[tuple[int, bool]] = []

        def sync(handle: int) -> None:
            synced.append((os.fstat(handle).st_ino, target.exists()))

        monkeypatch.setattr(os, "fsync", sync)
        with new_folder(target) as folder:
            for name in ("a", "b"):
                (folder / name).write_text(name)
        before = {inode for inode, was_there in synced if not was_there}
        after = {inode for inode, was_there in synced if was_there}
        inodes = {path.stat().st_ino for path in (target, target / "a", target / "b")}
        assert before == inodes
        assert after == {tmp_path.stat().st_ino}
