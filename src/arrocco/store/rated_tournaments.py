"""What a list says of the tournaments that it has rated: their days, and who scored what."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from arrocco.errors import Inconsistent
from arrocco.store.calculations import ENTRIES, TOURNAMENTS
from arrocco.words import system

_SCORE = ("games", "half_points", "pool_games", "pool_half_points")


@dataclass(frozen=True)
class RatedTournament:
    """A tournament on a list."""

    key: str
    name: str
    start: date
    end: date
    scores: dict[int, tuple[int, ...]]
    """By player: games and half points, and those towards a first rating."""


def rated_tournaments(folder: Path, since: date) -> list[RatedTournament]:
    """The tournaments on the list in a folder that ended on a day or later.

    A list that comes from elsewhere tells of none.
    """
    if not (folder / TOURNAMENTS).is_file() or not (folder / ENTRIES).is_file():
        return []
    try:
        names = ["tournament", "key", "name", "start", "end"]
        heads = pq.read_table(folder / TOURNAMENTS, columns=names)
        heads = heads.filter(pc.greater_equal(heads["end"], since))
        if not len(heads):
            return []
        wanted = [("tournament", "in", heads["tournament"].to_pylist())]
        columns = ["tournament", "player", *_SCORE]
        entries = pq.read_table(folder / ENTRIES, columns=columns, filters=wanted)
    except (pa.ArrowException, OSError, KeyError) as error:
        raise Inconsistent.of(
            "store.refused.unreadable", file=folder, reason=system(error), day=folder.name
        ) from None
    scores: dict[int, dict[int, tuple[int, ...]]] = defaultdict(dict)
    for tournament, player, *score in zip(
        *(entries[name].to_pylist() for name in columns), strict=True
    ):
        if any(score):
            scores[tournament][player] = tuple(score)
    return [
        RatedTournament(key, name, start, end, scores[tournament])
        for tournament, key, name, start, end in zip(
            *(heads[name].to_pylist() for name in names), strict=True
        )
    ]
