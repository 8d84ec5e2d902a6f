"""The steps of all players of a period, as columns: why one list became the next."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from arrocco.engine.diff import Steps
from arrocco.errors import Inconsistent
from arrocco.store.calculations import PLAYERS, reason_of_k
from arrocco.store.explanation import law_of
from arrocco.store.list_folder import ADJUSTED, read_adjusted

_NUMBERS = ("rating", "games", "k", "k_applied", "variation", "change", "new_rating", "first_games")


def read_steps(folder: Path) -> Steps | None:
    """The steps stored with a list; `None` where it has none."""
    path = folder / PLAYERS
    if not path.is_file():
        return None
    try:
        table = pq.read_table(path, columns=["player", "stands_in", "k_reason", *_NUMBERS])
    except (pa.ArrowException, OSError) as error:
        what = str(error).partition("\n")[0][:200]
        raise Inconsistent.of("list.no_calculations", file=path, words=what) from None
    numbers = {
        name: table[name].fill_null(0).to_numpy().astype(np.int64) for name in ("player", *_NUMBERS)
    }
    adjusted = read_adjusted(folder / ADJUSTED)
    return Steps(
        stands_in=table["stands_in"].to_numpy(),
        k_reason=np.array([reason_of_k(name) for name in table["k_reason"].to_pylist()], object),
        law=law_of(folder),
        adjusted=adjusted.player,
        adjusted_to=adjusted.after,
        **numbers,
    )
