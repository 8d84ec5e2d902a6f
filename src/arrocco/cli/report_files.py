"""Writes the results of a command: all of them, each whole, or none."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from contextlib import ExitStack
from pathlib import Path

from arrocco.errors import Illegal
from arrocco.formats.atomic import replacing


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


def write_all(files: Mapping[Path, bytes]) -> None:
    """Writes all files beside their places first; only then each takes its place."""
    with ExitStack() as stack:
        opened = [(stack.enter_context(replacing(path)), data) for path, data in files.items()]
        for file, data in opened:
            file.write(data)
