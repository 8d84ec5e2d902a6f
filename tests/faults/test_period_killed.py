"""Whenever `arrocco period rate` is killed, there is no list or the whole list, never a part."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from random import Random

import pytest

from arrocco.dates import Month
from arrocco.demo.generate import federation
from arrocco.demo.generate.folder import write_federation
from arrocco.store.list_folder import ListFolder

CHILD = Path(__file__).with_name("killed_child.py")
NAME = "2024-06-01"
SAMPLE, SOAK = 8, 200


@dataclass(frozen=True)
class Reference:
    """What a run that nobody disturbs writes, how long it takes and how many moments it has."""

    folder: Path
    files: dict[str, bytes]
    seconds: float
    moments: int


def environment() -> dict[str, str]:
    return {**os.environ, "ARROCCO_LANG": "en", "PYTHONPATH": os.pathsep.join(sys.path)}


def arguments(folder: Path, out: Path, workers: int) -> list[str]:
    return [
        *"period rate --law fide --period 2024-05 --lists".split(),
        str(folder / "lists"),
        "--reports",
        str(folder / "reports.parquet"),
        "--reports",
        str(folder / "reports"),
        "--out",
        str(out),
        "--games",
        "--format",
        "csv",
        "--workers",
        str(workers),
    ]


def start(moment: int, folder: Path, out: Path, workers: int = 1) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, str(CHILD), str(moment), str(out), *arguments(folder, out, workers)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(),
        start_new_session=True,
    )


def kill(process: subprocess.Popen[str]) -> None:
    """Kills a process of ours and the helpers it has started, at once."""
    with suppress(ProcessLookupError):  # it may have come to its end meanwhile
        os.killpg(process.pid, signal.SIGKILL)
    process.communicate()


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.fixture(scope="module")
def reference(tmp_path_factory: pytest.TempPathFactory) -> Reference:
    folder = tmp_path_factory.mktemp("month")
    made = federation(400, 7, period=Month(2024, 5))
    # Other tournaments in each form: the same in both would be counted once and refused.
    write_federation(made, folder, 1500, forms="trf")
    write_federation(made, folder, 1100, forms="parquet")
    out = folder / "out"
    began = time.monotonic()
    process = start(0, folder, out)
    _, said = process.communicate()
    assert process.returncode == 0, said
    seconds = time.monotonic() - began
    return Reference(folder, files(out / NAME), seconds, int(said.split()[-1]))


def check_nothing_or_all(reference: Reference, out: Path) -> bool:
    """Whether there is a list; if so it is whole. Whatever else is there does not count."""
    lists = ListFolder(out, "standard")
    for path in out.iterdir() if out.is_dir() else ():
        is_leftover = path.name.startswith(".") and path.name.endswith(".part")
        assert path.name == NAME or is_leftover, path.name
    if not (out / NAME).exists():
        assert lists.days() == []
        return False
    assert files(out / NAME) == reference.files
    assert lists.days() == [date(2024, 6, 1)]
    return True


def check_next_run(reference: Reference, out: Path, is_there: bool) -> None:
    """The same command again makes the list, or says that it is there."""
    process = start(0, reference.folder, out)
    _, said = process.communicate()
    assert (process.returncode != 0) == is_there, said
    assert check_nothing_or_all(reference, out)


def killed_after(reference: Reference, out: Path, seconds: float, workers: int) -> bool:
    process = start(0, reference.folder, out, workers)
    with suppress(subprocess.TimeoutExpired):
        process.wait(seconds)
    kill(process)
    return check_nothing_or_all(reference, out)


def killed_at(reference: Reference, out: Path, moment: int) -> bool:
    process = start(moment, reference.folder, out)
    process.communicate()
    assert process.returncode == -signal.SIGKILL, moment
    return check_nothing_or_all(reference, out)


def test_a_run_has_many_moments_and_leaves_nothing_but_the_list(reference: Reference) -> None:
    assert reference.moments > 15
    assert {path.name for path in (reference.folder / "out").iterdir()} == {NAME}
    assert {"list.parquet", "state.parquet", "pools.parquet"} <= set(reference.files)


def test_killed_at_any_time(reference: Reference, tmp_path: Path) -> None:
    rng = Random(11)
    for number in range(SAMPLE // 2):
        seconds = reference.seconds * rng.uniform(0.3, 1.1)
        killed_after(reference, tmp_path / str(number), seconds, workers=1 + number % 2)


def test_killed_at_the_last_moments(reference: Reference, tmp_path: Path) -> None:
    """Just before the list gets its name, there is none; just after, it is whole."""
    found = {
        moment: killed_at(reference, tmp_path / str(moment), moment)
        for moment in (reference.moments // 2, *range(reference.moments - 2, reference.moments + 1))
    }
    assert not found[reference.moments // 2]
    assert found[reference.moments], "the folder is renamed before its parent is synced"
    check_next_run(reference, tmp_path / str(reference.moments // 2), is_there=False)
    check_next_run(reference, tmp_path / str(reference.moments), is_there=True)


@pytest.mark.soak
@pytest.mark.parametrize("part", range(4))
def test_killed_at_every_moment_and_at_any_time(
    part: int, reference: Reference, tmp_path: Path
) -> None:
    for moment in range(1 + part, reference.moments + 1, 4):
        killed_at(reference, tmp_path / f"moment-{moment}", moment)
    rng = Random(part)
    for number in range(SOAK // 4):
        out = tmp_path / str(number)
        seconds = reference.seconds * rng.uniform(0, 1.3)
        is_there = killed_after(reference, out, seconds, workers=1 + number % 3)
        if number % 10 == 0:
            check_next_run(reference, out, is_there)
