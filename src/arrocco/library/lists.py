"""Rating lists in files."""

from __future__ import annotations

from os import PathLike
from pathlib import Path

from arrocco.findings import Finding
from arrocco.formats import lists
from arrocco.records.ratinglist import RatingList

__all__ = ["RatingList", "read_list", "write_list"]


def read_list(
    path: str | PathLike[str], kind: str | None = None
) -> tuple[RatingList, list[Finding]]:
    """Reads one kind of rating from a FIDE text or XML, CSV or Parquet list, zipped or not.

    The format is told from the content. What could not be taken is among the findings; raises
    `Refusal` where nothing can.
    """
    return lists.read_list(Path(path), kind)


def write_list(
    rating_list: RatingList, path: str | PathLike[str], format: str = "csv"
) -> list[Finding]:
    """Writes a list, whole or not at all; findings tell what the format had no room for."""
    return lists.write_list(rating_list, Path(path), format)
