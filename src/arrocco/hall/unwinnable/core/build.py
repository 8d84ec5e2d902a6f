"""Compiles the search of the analyser of unwinnable positions; run when the project is installed.

Any C compiler will do (`cc`, or what the variable `CC` says). Without one the program runs, and
what only a search could tell of a position is not known.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
LIBRARY = HERE / "search.so"
SOURCES = ("board.c", "guides.c", "tempo.c", "search.c")
OPTIONS = ("-O3", "-std=c11", "-fPIC", "-shared")


def build(library: Path = LIBRARY, *options: str) -> str:
    """Makes the library; says why not where that fails, and then leaves none behind."""
    compiler = shlex.split(os.environ.get("CC") or "cc")
    made = library.with_suffix(f".{os.getpid()}")
    command = [*compiler, *OPTIONS, *options, "-o", str(made), *(str(HERE / s) for s in SOURCES)]
    library.unlink(missing_ok=True)
    try:
        said = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError as error:
        return str(error)
    if said.returncode:
        return said.stderr
    made.replace(library)  # whole or not at all, also where two builds run at once
    return ""


if __name__ == "__main__":
    problem = build()
    if problem:
        print(f"NOTICE: {problem.strip()}", file=sys.stderr)
        print("NOTICE: without a C compiler some positions cannot be judged", file=sys.stderr)
