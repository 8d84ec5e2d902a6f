"""Invented tournaments and lists, one for each regulation: nobody in them exists."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path

SUFFIXES = (".trf", ".csv")


@dataclass(frozen=True)
class Demo:
    """One bundled tournament: what to rate, and which players to explain."""

    key: str
    report: str
    law: str
    list: str
    players: tuple[str, ...]
    entry_lists: Mapping[str, str] = field(default_factory=dict)
    online: bool = False

    def command(self) -> str:
        """The command that does the same with the written files."""
        parts = [f"arrocco report rate {self.report} --law {self.law} --list {self.list}"]
        parts += [f"--entry-list {kind}={file}" for kind, file in self.entry_lists.items()]
        return " ".join(parts + (["--online"] if self.online else []))


DEMOS = (
    Demo(
        "fide_2024", "fide-open-2024.trf", "fide", "fide-list-2024-05.csv", ("99000001", "99000039")
    ),
    Demo("fide_2011", "fide-round-robin-2011.trf", "fide", "fide-list-2011-09.csv", ("99000049",)),
    Demo(
        "rio",
        "rio-blitz-2025.trf",
        "rio",
        "rio-blitz-list-2025-05.csv",
        ("99000024",),
        {"fide-blitz": "fide-blitz-list-2025-05.csv"},
        online=True,
    ),
    Demo(
        "uisp",
        "uisp-event-2025.trf",
        "uisp",
        "uisp-list-2025-01.csv",
        ("99000008",),
        {"fide": "fide-list-2024-05.csv"},
    ),
)


@contextmanager
def bundled_files() -> Iterator[Path]:
    """The bundled files as a folder, also where the package is not a folder itself."""
    with resources.as_file(resources.files(__name__)) as folder:
        yield folder
