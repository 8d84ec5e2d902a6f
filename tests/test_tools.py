"""What the project's own tools decide."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tools.failed_alone import MAX_TRIED, REAL_TIME, refusal

ROOT = Path(__file__).parents[1]
ALONE = "tests/live/test_interpreter.py::test_a_server_waits_with_garbage_and_leaves_all_as_it_was"
SLOW = "tests/browser/test_axe.py::test_late"


@pytest.mark.parametrize(
    ("names", "stands"),
    [
        ([SLOW], False),
        ([f"{SLOW}[{n}]" for n in range(MAX_TRIED)], False),
        ([f"{SLOW}[{n}]" for n in range(MAX_TRIED + 1)], True),
        ([SLOW, "tests/engine/test_month.py::test_wrong"], True),
        ([], True),
    ],
)
def test_a_few_failures_of_what_waits_are_looked_at_once_more(
    names: list[str], stands: bool
) -> None:
    assert bool(refusal(names)) is stands


def test_what_waits_is_in_folders_that_there_are() -> None:
    assert all((ROOT / folder).is_dir() for folder in REAL_TIME)


def test_what_failed_is_named(tmp_path: Path) -> None:
    wrong = tmp_path / "test_wrong.py"
    wrong.write_text("def test_right(): pass\ndef test_wrong(): assert False\n")
    names = tmp_path / "names"
    command = [sys.executable, "-m", "pytest", "-p", "tests.conftest", str(wrong)]
    ended = subprocess.run(
        [*command, "--failed-to", str(names)], cwd=ROOT, capture_output=True, check=False
    )
    assert ended.returncode == 1, ended.stdout
    (name,) = names.read_text().splitlines()
    assert name.endswith("test_wrong.py::test_wrong")
    assert status_of(names) == 1, "it waits for nothing"


def test_what_passes_alone_has_passed_and_nothing_else_has(tmp_path: Path) -> None:
    names = tmp_path / "names"
    names.write_text(f"{ALONE}\n")
    assert status_of(names) == 0
    names.write_text(f"{ALONE}_that_is_gone\n")
    assert status_of(names) != 0


def status_of(names: Path) -> int:
    tried = [sys.executable, "-m", "tools.failed_alone", str(names)]
    return subprocess.run(tried, cwd=ROOT, capture_output=True, check=False).returncode
