"""With what games are watched: engine, nodes, processes, and how late, from the environment."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from msgspec import Struct

from arrocco.errors import Malformed
from arrocco.fairplay.engine import NoEngine, find_engine

ENGINE = "ARROCCO_ENGINE"
NODES = "ARROCCO_ENGINE_NODES"
FILE_NODES = "ARROCCO_ENGINE_FILE_NODES"
PROCESSES = "ARROCCO_ENGINE_PROCESSES"
LATE = "ARROCCO_ENGINE_LATE"
BASELINE = "ARROCCO_BASELINE"
OFF = "off"
_LIMITS = {
    NODES: (1_000, 10_000_000),
    FILE_NODES: (1_000, 10_000_000),
    PROCESSES: (1, 64),
    LATE: (2, 100),
}


class WatchSettings(Struct, frozen=True, kw_only=True):
    """How games are watched; without an engine they are not."""

    engine: str = ""
    """The path of the engine; empty where there is none."""
    nodes: int = 10_000
    """Positions the engine looks at for each move."""
    file_nodes: int = 400_000
    """The same in the file of a player that somebody asks for."""
    processes: int = 1
    late: int = 10
    """Moves of each side by which a running game is ahead of what is analysed of it."""
    baseline: str = ""
    """The file that figures are compared with; empty where there is none."""

    @property
    def is_on(self) -> bool:
        return bool(self.engine)


def watch_settings_from(environment: dict[str, str] | None = None) -> WatchSettings:
    """What the environment states. Raises `Malformed` for what makes no sense, `NoEngine` where
    an engine is named and not there."""
    given = dict(os.environ) if environment is None else environment
    default = WatchSettings()
    return WatchSettings(
        engine=_engine(given.get(ENGINE, "").strip()),
        nodes=_number(given, NODES, default.nodes),
        file_nodes=_number(given, FILE_NODES, default.file_nodes),
        processes=_number(given, PROCESSES, default.processes),
        late=_number(given, LATE, default.late),
        baseline=given.get(BASELINE, "").strip(),
    )


def _engine(named: str) -> str:
    if named.lower() == OFF:
        return ""
    if named:
        path = shutil.which(named) or (named if Path(named).is_file() else None)
        if path is None:
            raise NoEngine.of("watch.no_such_engine", name=ENGINE, given=named)
        return path
    try:
        return find_engine()
    except NoEngine:
        return ""


def _number(given: dict[str, str], name: str, default: int) -> int:
    text = given.get(name, "").strip()
    if not text:
        return default
    low, high = _LIMITS[name]
    if not (text.isascii() and text.isdecimal() and len(text) < 10 and low <= int(text) <= high):
        raise Malformed.of("watch.setting", name=name, given=text, low=low, high=high)
    return int(text)
