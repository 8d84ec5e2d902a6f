"""Statistics of lists, kept once they were counted: a list that is out never changes.

What a list comes to depends on itself and on the list before it; a file is named by the hashes of
both, so that it can be deleted at any time and never be out of date. Its first line is the SHA-256
of the rest: a damaged one is counted again.
"""

from __future__ import annotations

import hashlib
import tempfile
from pathlib import Path

import msgspec

from arrocco.engine.statistics import flow, list_statistics
from arrocco.store.statistics import (
    ListPlace,
    Watched,
    read_calculations,
    read_figures,
    read_scores,
)
from arrocco.store.statistics_rows import TABLES, Tables, tables_of

_FORM = 3
"""Of the tables; another form makes other names, and the old files are read no more."""
_UNSEALED = b"{"
"""How files of the first form begin."""


def count_list(place: ListPlace, before: ListPlace | None, kind: str = "") -> Tables:
    """The tables of one list, counted against the one before it.

    Raises `Refusal` where a list cannot be read.
    """
    listed = read_figures(place, kind)
    folder = place.folder
    return tables_of(
        [
            Watched(
                list_statistics(listed),
                None if before is None else flow(read_figures(before, kind), listed),
                None if folder is None else read_calculations(folder),
                None if folder is None else read_scores(folder),
            )
        ]
    )


def kept_name(own: str, before: str) -> str:
    """The name of a file, of the hashes of a list and of the list before it (empty for none)."""
    return hashlib.sha256(f"{_FORM} {own} {before}".encode()).hexdigest()


def read_kept(folder: Path, name: str) -> Tables | None:
    """Tables that were kept; `None` where there are none, or none that can be read."""
    try:
        data = _unsealed((folder / f"{name}.json").read_bytes())
        tables = msgspec.json.decode(data, type=Tables)
    except (OSError, ValueError):
        return None
    return tables if set(tables) == set(TABLES) else None


def is_damaged(path: Path) -> bool:
    """Whether a file of tables is not as it was written; those of an older form are not read."""
    try:
        data = path.read_bytes()
        if not data.startswith(_UNSEALED):
            _unsealed(data)
    except (OSError, ValueError):
        return True
    return False


def _unsealed(data: bytes) -> bytes:
    """The rest of a file whose first line is its hash. Raises `ValueError` where it is another."""
    digest, _, rest = data.partition(b"\n")
    if hashlib.sha256(rest).hexdigest().encode() != digest:
        raise ValueError("the hash is another")
    return rest


def keep(folder: Path, name: str, tables: Tables) -> None:
    """Keeps tables; whoever reads at the same time finds all of them or none."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=folder, suffix=".part", delete=False) as file:
        data = msgspec.json.encode(tables)
        file.write(hashlib.sha256(data).hexdigest().encode() + b"\n" + data)
    Path(file.name).replace(folder / f"{name}.json")


def joined(parts: list[Tables]) -> Tables:
    """The tables of several lists, one after the other."""
    return {name: [row for tables in parts for row in tables[name]] for name in TABLES}
