"""Lists as a few rows, for statistics by hand."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

import numpy as np

from arrocco.engine.statistics import ListFigures
from arrocco.records.ratinglist import UNKNOWN

Row = (
    tuple[int, int]
    | tuple[int, int, str]
    | tuple[int, int, str, int]
    | tuple[int, int, str, int, int]
)
"""Id, rating (0 none), flag, games, K."""


def figures(rows: Sequence[Row], on: date = date(2024, 5, 1)) -> ListFigures:
    full = [(*row, *("", UNKNOWN, UNKNOWN)[len(row) - 2 :]) for row in sorted(rows)]
    columns = list(zip(*full, strict=True)) or [()] * 5

    def numbers(index: int) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
        return np.array(columns[index], dtype=np.int64)

    return ListFigures(
        on=on,
        id=numbers(0),
        rating=numbers(1),
        inactive=np.array(["i" in str(flag) for flag in columns[2]], dtype=np.bool_),
        games=numbers(3),
        k=numbers(4),
        federation=np.zeros(len(full), dtype=np.int64),
        federations=("ITA",),
    )
