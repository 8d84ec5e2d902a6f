"""The parts of the Spark runner that can be shown without Spark."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arrocco.errors import Refusal
from arrocco.runs import spark_session
from arrocco.runs.period import rate_job
from arrocco.runs.spark import stretches
from arrocco.runs.spark_session import gist, java_version, require_spark
from arrocco.runs.spark_tasks import _whole
from tests.runs.months import job_of


def fake_java(home: Path, said: str, status: int = 0) -> Path:
    java = home / "bin" / "java"
    java.parent.mkdir(parents=True)
    java.write_text(f"#!/bin/sh\necho '{said}' >&2\nexit {status}\n")
    java.chmod(0o755)
    return home


@pytest.mark.parametrize(
    ("said", "status", "version"),
    [
        ('openjdk version "17.0.15" 2025-04-15', 0, 17),
        ('openjdk version "21" 2023-09-19', 0, 21),
        ('java version "1.8.0_402"', 0, 8),
        ("the operation couldn't be completed", 1, None),
        ('openjdk version "17.0.15"', 1, None),
    ],
)
def test_the_version_of_java_is_what_it_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, said: str, status: int, version: int | None
) -> None:
    said = said.replace("'", "")
    monkeypatch.setenv("JAVA_HOME", str(fake_java(tmp_path, said, status)))
    assert java_version() == version


def test_without_java_spark_is_refused_with_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "nowhere"))
    with pytest.raises(Refusal, match="needs Java 17 or newer; Java was not found") as refusal:
        require_spark()
    assert "JAVA_HOME" in refusal.value.advice
    monkeypatch.delenv("JAVA_HOME")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(Refusal, match="Java was not found"):
        require_spark()


def test_an_old_java_is_refused_with_its_version(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JAVA_HOME", str(fake_java(tmp_path, 'openjdk version "11.0.2"')))
    with pytest.raises(Refusal, match="this is version 11"):
        require_spark()


def test_without_spark_the_job_is_refused_before_anything_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spark_session, "find_spec", lambda _: None)
    job = job_of(tmp_path / "nowhere", tmp_path / "out")
    job.runner = "spark"
    with pytest.raises(Refusal, match="Spark is not installed") as refusal:
        rate_job(job)
    assert 'pip install "arrocco[spark]"' in refusal.value.advice
    assert list(tmp_path.iterdir()) == []


@given(
    st.lists(st.tuples(st.integers(0, 50), st.integers(0, 3)), max_size=40),
    st.integers(1, 120),
)
def test_stretches_cover_everything_in_order_and_stay_in_one_place(
    rows: list[tuple[int, int]], limit: int
) -> None:
    rows.sort(key=lambda row: row[1])
    sizes, places = [size for size, _ in rows], [place for _, place in rows]
    found = list(stretches(sizes, limit, places))
    assert [row for stretch in found for row in stretch] == list(range(len(rows)))
    for stretch in found:
        assert len({places[row] for row in stretch}) == 1
        assert sum(sizes[row] for row in stretch[:-1]) < limit
    for stretch in found[:-1]:
        ends_the_place = places[stretch[-1]] != places[stretch[-1] + 1]
        assert ends_the_place or sum(sizes[row] for row in stretch) >= limit


def test_what_a_task_writes_is_there_whole_or_not_at_all(tmp_path: Path) -> None:
    target = tmp_path / "part"
    with pytest.raises(MemoryError):
        cut_off(target)
    assert list(tmp_path.iterdir()) == []
    with _whole(target) as folder:
        folder.mkdir()
        (folder / "rows").write_text("first")
        assert not target.exists()
    assert (target / "rows").read_text() == "first"


def cut_off(target: Path) -> None:
    with _whole(target) as folder:
        folder.mkdir()
        (folder / "rows").write_text("some")
        raise MemoryError


def test_a_task_that_runs_twice_leaves_what_the_first_one_wrote(tmp_path: Path) -> None:
    target = tmp_path / "part"
    for words in ("first", "second"):
        with _whole(target) as folder:
            folder.mkdir()
            (folder / "rows").write_text(words)
    assert (target / "rows").read_text() == "first"
    assert list(tmp_path.iterdir()) == [target]


def test_of_a_traceback_the_error_is_told() -> None:
    words = (
        "[PYTHON_EXCEPTION] An exception was thrown: Traceback (most recent call last):\n"
        '  File "worker.py", line 1, in task\n    task()\nMemoryError: no more\n SQLSTATE: 38000\n'
    )
    assert gist(words) == "MemoryError: no more"
    assert gist("Could not parse Master URL\nat some place") == "Could not parse Master URL"
    assert gist("") == ""
