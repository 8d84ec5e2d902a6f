"""Cells of CSV files that spreadsheets would take for formulas.

A name such as ``=1+1`` is written behind an apostrophe, which spreadsheets show as text; numbers
with a sign stay numbers. In files that are read back here an apostrophe before such a cell is
doubled, so that `restored` gives back exactly what was written.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")
_LOOKED_AT = {*FORMULA_STARTS, "'"}


def defused(cell: Any) -> Any:
    """A cell that no spreadsheet computes; numbers, and texts that are numbers, stay."""
    if isinstance(cell, str) and cell.startswith(FORMULA_STARTS) and not _is_number(cell):
        return f"'{cell}"
    return cell


def defused_row(row: Iterable[Any]) -> list[Any]:
    """A row of cells that no spreadsheet computes."""
    return [defused(cell) for cell in row]


def escaped(cells: Sequence[str]) -> Sequence[str]:
    """A column of texts that is read back with `restored`."""
    if not any(cell[:1] in _LOOKED_AT for cell in set(cells)):
        return cells
    return [f"'{cell}" if cell.lstrip("'").startswith(FORMULA_STARTS) else cell for cell in cells]


def restored(cells: Sequence[str]) -> Sequence[str]:
    """What `escaped` was given."""
    if not any(cell[:1] == "'" for cell in cells):
        return cells
    return [
        cell[1:] if cell.startswith("'") and cell.lstrip("'").startswith(FORMULA_STARTS) else cell
        for cell in cells
    ]


def _is_number(text: str) -> bool:
    digits = text[1:].replace(".", "", 1)
    return digits.isascii() and digits.isdigit()
