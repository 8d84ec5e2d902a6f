"""The Spark runner gives the list of the local one to the bit, whatever happens to its tasks."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from arrocco.dates import Month
from arrocco.errors import Inconsistent, Malformed, Refusal
from arrocco.runs import spark
from arrocco.runs.period import PeriodJob, RatedPeriod, rate_job
from arrocco.runs.spark_session import OLDEST_JAVA, java_version, log_file
from arrocco.runs.spark_tasks import rate_piece, read_texts
from arrocco.store.calculations import ENTRIES, GAMES, PLAYERS, SUMMARY, TOURNAMENTS
from arrocco.store.list_folder import LIST, POOLS, STATE
from tests.runs.months import AWKWARD, job_of, write_month

pytestmark = pytest.mark.skipif(
    (java_version() or 0) < OLDEST_JAVA,
    reason=f"THE SPARK RUNNER IS NOT TESTED: it needs Java {OLDEST_JAVA}, found {java_version()}",
)

TO_THE_BIT = (LIST, STATE, POOLS, PLAYERS, SUMMARY)
ROWS = (ENTRIES, TOURNAMENTS)
OLD = Month(2012, 5)


@pytest.fixture(scope="module")
def month(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_month(tmp_path_factory.mktemp("month"))


@pytest.fixture(scope="module")
def local(month: Path) -> RatedPeriod:
    return rate_job(replace(job_of(month, month / "local"), games=True))


@pytest.fixture(scope="module", autouse=True)
def _no_log_left() -> Iterator[None]:
    yield
    log_file().unlink(missing_ok=True)


@pytest.fixture(autouse=True)
def many_tasks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lets even a small month have many tasks."""
    monkeypatch.setattr(spark, "FEWEST_GAMES_PER_TASK", 1)
    monkeypatch.setattr(spark, "FEWEST_BYTES_PER_TASK", 1)


def on_spark(job: PeriodJob, master: str) -> PeriodJob:
    return replace(job, runner="spark", master=master)


def assert_same(folder: Path, other: Path) -> None:
    assert sorted(path.name for path in folder.iterdir()) == sorted(
        path.name for path in other.iterdir()
    )
    for name in TO_THE_BIT:
        assert (folder / name).read_bytes() == (other / name).read_bytes(), name
    for name in ROWS:
        if (folder / name).exists():
            assert pq.read_table(folder / name).equals(pq.read_table(other / name)), name
    if (folder / GAMES).exists():  # both runners write them as they come, batch by batch
        assert in_order(folder / GAMES).equals(in_order(other / GAMES))


def in_order(games: Path) -> Any:
    columns = ("tournament", "round", "player", "opponent", "white", "half_points")
    return pq.read_table(games).sort_by([(name, "ascending") for name in columns])


def test_the_month_has_everything_to_tell_apart(month: Path, local: RatedPeriod) -> None:
    reasons = {item.reason for item in local.left_out}
    assert reasons == {"twice", "not_yet", "unreadable", "not_admitted"}
    keys = {key for item in local.left_out for key in item.keys}
    assert keys == {"check.same_games"}  # files whose games are in the Parquet as well
    tournaments = local.month.tournaments
    assert str(month / "reports" / AWKWARD) in {t.key for t in tournaments}
    assert any(t.start < local.outcome.opened_on for t in tournaments)
    assert local.summary["new"]
    assert local.summary["newcomers"]
    assert local.summary["in_pools"]
    assert local.findings


@pytest.mark.parametrize("master", [pytest.param("local[1]", marks=pytest.mark.soak), "local[3]"])
def test_the_list_is_that_of_the_local_runner_to_the_bit(
    month: Path, local: RatedPeriod, tmp_path: Path, master: str
) -> None:
    told: list[tuple[str, int, int]] = []
    job = replace(job_of(month, tmp_path), games=True)
    rated = rate_job(on_spark(job, master), lambda *stage: told.append(stage))
    assert_same(local.folder, rated.folder)
    assert rated.findings == local.findings
    assert sorted(rated.left_out, key=str) == sorted(local.left_out, key=str)
    assert max(total for stage, _, total in told if stage == "reports") > 3


def test_tournaments_go_by_the_keys_of_the_job_and_what_a_list_has_rated_is_left_out(
    month: Path, local: RatedPeriod, tmp_path: Path
) -> None:
    """9.1 — those that began before the period stand among the rows of the list before."""
    opened = local.outcome.opened_on
    late = {t.key for t in local.month.tournaments if t.start < opened}
    keys = {t.key: f"tournament:{n}" for n, t in enumerate(local.month.tournaments)}
    lists = shutil.copytree(month / "lists", tmp_path / "lists")
    (lists / "2024-05-01").mkdir()
    for name in ROWS:
        shutil.copy(local.folder / name, lists / "2024-05-01")
    job = replace(job_of(month, tmp_path / "local"), keys=keys, lists=lists, looks_back=True)
    here = rate_job(job)
    there = rate_job(on_spark(replace(job, out=tmp_path / "spark"), "local[2]"))
    assert {t.key for t in there.month.tournaments} == {
        new for old, new in keys.items() if old not in late
    }
    assert sorted(here.left_out, key=str) == sorted(there.left_out, key=str)
    found = {one.report for one in there.left_out if one.keys == ("check.rated_before",)}
    assert found == late
    assert_same(here.folder, there.folder)


def test_the_number_of_tasks_does_not_matter(
    month: Path, local: RatedPeriod, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spark, "FEWEST_GAMES_PER_TASK", 1 << 30)
    monkeypatch.setattr(spark, "MAX_GAMES_PER_TASK", 1 << 30)
    monkeypatch.setattr(spark, "FEWEST_BYTES_PER_TASK", 1 << 30)
    monkeypatch.setattr(spark, "MAX_BYTES_PER_TASK", 1 << 30)
    job = replace(job_of(month, tmp_path), games=True, memory=1)
    assert_same(local.folder, rate_job(on_spark(job, "local[1]")).folder)


def test_tasks_that_die_are_run_again_and_change_nothing(
    month: Path, local: RatedPeriod, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    deaths = tmp_path / "deaths"
    deaths.mkdir()
    monkeypatch.setattr(spark, "rate_piece", dying(rate_piece, deaths, attempts=2))
    monkeypatch.setattr(spark, "read_texts", dying(read_texts, deaths, attempts=2))
    job = replace(job_of(month, tmp_path / "out"), games=True)
    rated = rate_job(on_spark(job, "local[2,3]"))
    assert len(list(deaths.iterdir())) == 4
    assert_same(local.folder, rated.folder)


def test_a_task_that_always_dies_ends_the_run_and_leaves_nothing(
    month: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spark, "rate_piece", dying(rate_piece, tmp_path, attempts=9))
    with pytest.raises(Refusal, match="failed") as refusal:
        rate_job(on_spark(job_of(month, tmp_path / "out"), "local[2,2]"))
    log = Path(refusal.value.advice.split("its log is ")[1].split(";")[0])
    assert "exited unexpectedly" in log.read_text()
    assert list((tmp_path / "out").iterdir()) == []


def dying(task: Callable[..., Any], deaths: Path, *, attempts: int) -> Callable[..., Any]:
    """The task, but one of its kind takes its worker along: just before or after it is done."""

    def task_or_death(*arguments: Any) -> Any:
        from pyspark import TaskContext

        context = TaskContext.get()
        assert context is not None
        attempt = context.attemptNumber()
        if context.partitionId() != 1 or attempt >= attempts:
            return task(*arguments)
        (deaths / f"{task.__name__}-{attempt}").touch()
        if attempt == 0:  # what it wrote never takes its name
            setattr(Path, "rename", lambda *_: os._exit(1))  # noqa: B010 - not for a type checker
        task(*arguments)
        os._exit(1)

    return task_or_death


def test_round_robins_of_2010_are_rated_as_one_batch(tmp_path: Path) -> None:
    month = write_month(tmp_path, OLD)
    rated = rate_job(job_of(month, tmp_path / "local", OLD))
    assert rated.outcome.first_ratings.round_robins
    again = rate_job(on_spark(job_of(month, tmp_path / "spark", OLD), "local[2]"))
    assert_same(rated.folder, again.folder)


def test_a_refusal_is_the_same_as_on_the_local_runner(month: Path, tmp_path: Path) -> None:
    job = job_of(month, tmp_path / "out")
    broken = tmp_path / "broken.parquet"
    broken.write_bytes(b"PAR1 and then nothing")
    lists = tmp_path / "lists"
    lists.mkdir()
    (lists / "2024-05-01.parquet").symlink_to(month / "lists" / "2024-05-01.parquet")
    cases = (
        (replace(job, reports=(broken,)), Malformed),
        (replace(job, lists=lists), Inconsistent),
        (replace(job, reports=(tmp_path / "nowhere",)), Inconsistent),
    )
    for case, kind in cases:
        with pytest.raises(kind) as here:
            rate_job(case)
        with pytest.raises(kind) as there:
            rate_job(on_spark(case, "local[2]"))
        assert (there.value.message, there.value.advice) == (here.value.message, here.value.advice)


def test_damage_that_only_a_task_meets_is_refused_too(month: Path, tmp_path: Path) -> None:
    data = bytearray((month / "reports" / "a.parquet").read_bytes())
    middle = pq.ParquetFile(month / "reports" / "a.parquet").metadata.row_group(2)
    games = middle.column(middle.num_columns - 1)
    start = games.dictionary_page_offset or games.data_page_offset
    data[start : start + games.total_compressed_size] = b"\xff" * games.total_compressed_size
    damaged = tmp_path / "damaged.parquet"
    damaged.write_bytes(data)
    job = replace(job_of(month, tmp_path / "out"), reports=(damaged,))
    with pytest.raises(Malformed, match="not a Parquet file of reports"):
        rate_job(on_spark(job, "local[2]"))
    assert list((tmp_path / "out").iterdir()) == []


def test_a_master_that_is_none_is_refused(month: Path, tmp_path: Path) -> None:
    with pytest.raises(Refusal, match="Spark on nowhere failed: Could not parse Master URL"):
        rate_job(on_spark(job_of(month, tmp_path), "nowhere"))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.soak
def test_the_command_runs_quietly_on_several_executors(
    month: Path, local: RatedPeriod, tmp_path: Path
) -> None:
    """Executors of their own, working in folders of their own: paths given here must hold there."""
    import pyspark

    home = tmp_path / "spark"  # Spark puts the folders of executors into its home
    home.mkdir()
    for part in Path(pyspark.__file__).parent.iterdir():
        (home / part.name).symlink_to(part)
    command = [
        *(sys.executable, "-c", "from arrocco.cli.main import main; main()"),
        *("period", "rate", "--law", "fide"),
        *("--period", "2024-05", "--lists", "lists", "--reports", str(month / "reports")),
        *("--out", str(Path(os.path.relpath(tmp_path, month), "out")), "--games", "--json"),
        *("--runner", "spark", "--master", "local-cluster[2,1,1024]"),
    ]
    run = subprocess.run(
        command,
        cwd=month,
        capture_output=True,
        text=True,
        timeout=300,
        env=os.environ | {"SPARK_HOME": str(home)},
    )
    assert run.stderr == ""
    assert run.returncode == 3, "one of the reports cannot be read"
    assert json.loads(run.stdout)["games"] == local.summary["games"]
    assert_same(local.folder, tmp_path / "out" / local.folder.name)
