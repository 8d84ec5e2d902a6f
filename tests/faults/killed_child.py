"""Runs the program and kills itself at a given moment, or counts the moments there are.

Usage: killed_child.py MOMENT FOLDER ARGS... A moment is a file of the folder being opened, made,
renamed or removed; at the MOMENT-th the process ends itself as a power cut would. MOMENT 0 counts
them and prints the number on standard error.
"""

from __future__ import annotations

import os
import signal
import sys
from typing import Any

WATCHED = {"open", "os.mkdir", "os.rename", "os.remove", "os.rmdir"}


def watch(moment: int, folder: str) -> list[int]:
    """Counts the moments, and ends the process at one of them."""
    seen = [0]

    def hook(event: str, args: tuple[Any, ...]) -> None:
        if event in WATCHED and str(args[0]).startswith(folder):
            seen[0] += 1
            if seen[0] == moment:
                os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(hook)
    return seen


if __name__ == "__main__":
    _, moment, folder, *args = sys.argv
    seen = watch(int(moment), folder)
    sys.argv = ["arrocco", *args]
    from arrocco.cli.main import program

    status = program(prog_name="arrocco", standalone_mode=False)
    print(seen[0], file=sys.stderr)
    sys.exit(status or 0)
