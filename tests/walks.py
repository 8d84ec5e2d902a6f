"""The walks of the architecture document, and what the program really calls on the way."""

from __future__ import annotations

import re
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

DOCUMENT = Path(__file__).parents[1] / "docs" / "architecture.md"
STEP = re.compile(r"^\d+\. `([a-z_.]+(?:[A-Z]\w*\.)?\w+)` ", re.M)
LIST, MOVE = "From a TRF line to a page", "From a click to the log, the players and the wall"


def steps(walk: str) -> list[str]:
    """The functions of a walk, by their names in the program."""
    _, _, after = DOCUMENT.read_text("utf-8").partition(f"### {walk}\n")
    return STEP.findall(re.split(r"^#{2,3} ", after, flags=re.M)[0])


@contextmanager
def called(walk: str) -> Iterator[list[str]]:
    """The functions of a walk in the order in which they are first called, in whatever thread."""
    wanted = {f"arrocco.{name}" for name in steps(walk)}
    seen: list[str] = []

    def look(frame: FrameType, event: str, _: Any) -> None:
        if event == "call":
            code = frame.f_code
            name = f"{frame.f_globals.get('__name__')}.{code.co_qualname}"
            if name in wanted and name.removeprefix("arrocco.") not in seen:
                seen.append(name.removeprefix("arrocco."))

    threading.setprofile(look)
    sys.setprofile(look)
    try:
        yield seen
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
