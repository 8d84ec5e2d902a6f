"""Tries tests again that failed beside others, each where nothing else runs.

    python -m tools.failed_alone FILE

The file has their names, one in a line. What waits for real servers, browsers and media can be late
on a busy machine; that is told, and a few such failures are looked at once more. Whatever fails
without waiting for anything, or fails alone as well, has failed.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

REAL_TIME = tuple(
    f"tests/{folder}/"
    for folder in "browser demo faults install live operation video watch web".split()
)
"""Where tests wait for processes that have to share the machine."""
MAX_TRIED = 5
"""More than that are no accident."""


def refusal(names: Sequence[str]) -> str:
    """Why these failures stand; empty where they are looked at once more."""
    if not names:
        return "no test is named: what failed was not a test"
    if len(names) > MAX_TRIED:
        return f"{len(names)} tests failed, more than {MAX_TRIED}"
    at_once = [name for name in names if not name.startswith(REAL_TIME)]
    return f"{at_once[0]} waits for nothing" if at_once else ""


def main() -> int:
    """Tells what failed, tries it again, and gives the exit status."""
    path = Path(sys.argv[1])
    names = path.read_text("utf-8").splitlines() if path.exists() else []
    why = refusal(names)
    if why:
        print(f"Not tried again: {why}.")
        return 1
    print("FAILED BESIDE OTHER TESTS, tried again alone:", *names, sep="\n  ")
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-n", "0", *names], check=False
    ).returncode


if __name__ == "__main__":
    raise SystemExit(main())
