"""Where the results of a command may be written."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from arrocco.errors import Illegal


def check_targets(targets: Collection[Path], inputs: Collection[Path]) -> None:
    """Refuses, before anything is computed, to write over an input or into a folder."""
    sources = {path.resolve() for path in inputs}
    seen: set[Path] = set()
    for target in targets:
        key = ""
        if target.resolve() in sources:
            key = "report.output_is_input"
        elif target.resolve() in seen:
            key = "report.output_twice"
        elif target.is_dir():
            key = "report.output_is_folder"
        if key:
            raise Illegal.of(key, file=target)
        seen.add(target.resolve())
