"""Rating lists as the commands are given them: which file it is, and what it holds in a line."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from arrocco.cli.output import Output
from arrocco.errors import Inconsistent
from arrocco.findings import Finding

if TYPE_CHECKING:
    from arrocco.records.ratinglist import RatingList


def list_file(path: Path) -> Path:
    """The file of a list: itself, or the one in the folder that `period rate` has written."""
    if not path.is_dir():
        return path
    from arrocco.store.list_folder import LIST

    if not (path / LIST).is_file():
        raise Inconsistent.of("list.no_list", folder=path)
    return path / LIST


def read(path: Path, kind: str | None) -> tuple[RatingList, list[Finding]]:
    """One list from a file or a list folder."""
    from arrocco.formats.lists import read_list

    return read_list(list_file(path), kind)


def head_record(listed: RatingList) -> dict[str, Any]:
    """What a list is: its file, kind and day, and how many are on it."""
    return {
        "file": listed.source,
        "kind": listed.system,
        "on": listed.on,
        "players": len(listed),
        "rated": int((listed.rating > 0).sum()),
    }


def head_line(out: Output, key: str, listed: RatingList) -> str:
    """The same as a sentence."""
    record = head_record(listed)
    return out.say(key, **record | {"on": record["on"] or "-", "kind": record["kind"] or "-"})
