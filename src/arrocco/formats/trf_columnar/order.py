"""From the order of the table to the order of files: rows are moved once, into their last place."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from arrocco.formats.trf_columnar import codes as c
from arrocco.formats.trf_columnar.rounds import Games
from arrocco.records.reportbatch import EntryColumns, GameColumns, ReportBatch

Places = NDArray[np.int64]


def ranges(starts: Places, lengths: Places) -> Places:
    """The numbers of all ranges, one after the other."""
    ends = np.cumsum(lengths)
    places: Places = np.arange(ends[-1] if len(ends) else 0, dtype=np.int64)
    places += np.repeat(starts - (ends - lengths), lengths)
    return places


class Order:
    """The files that are taken, in their order, and where their lines go.

    `rows` are the lines of the table in that order, `moves` is how far the lines of each file go.
    """

    def __init__(self, first: Places, files: Places) -> None:
        self.first = first
        self.files = files
        self.lengths = first[files + 1] - first[files]
        self.rows = ranges(first[files], self.lengths)
        ends = np.cumsum(self.lengths)
        self.moves = (ends - self.lengths - first[files]).astype(np.int32)

    def file_of_row(self) -> NDArray[np.int32]:
        return np.repeat(np.arange(len(self.files), dtype=np.int32), self.lengths)


def game_columns(games: Games, order: Order) -> GameColumns:
    """The games of the files taken: by file, then by round, then in the order of lines."""
    rounds = len(games.rounds)
    # where the games of each file begin in each round, all rounds laid end to end
    offsets = np.cumsum([0, *(len(round_.lower) for round_ in games.rounds)])
    begins = np.array(
        [
            np.searchsorted(round_.lower, order.first) + offset
            for round_, offset in zip(games.rounds, offsets, strict=False)
        ],
        np.int64,
    ).reshape(rounds, -1)
    starts = begins[:, order.files].T.ravel()
    lengths = begins[:, order.files + 1].T.ravel() - starts
    taken = ranges(starts, lengths)
    lower = _laid([round_.lower for round_ in games.rounds]).take(taken)
    higher = _laid([round_.higher for round_ in games.rounds]).take(taken)
    pair = _laid([round_.pair for round_ in games.rounds]).take(taken)
    # the lines of a file stay together, so that all of them move by the same way
    by = np.repeat(np.repeat(order.moves, rounds), lengths)
    lower, higher = lower + by, higher + by
    white = np.where(pair & np.uint8(c.LOWER_IS_WHITE), lower, higher)
    numbers = np.tile(np.arange(1, rounds + 1, dtype=np.int16), len(order.files))
    return GameColumns(
        round=np.repeat(numbers, lengths),
        white=white,
        black=lower + higher - white,
        white_half=(pair >> np.uint8(c.WHITE_SHIFT) & np.uint8(3)).view(np.int8),
        black_half=(pair >> np.uint8(c.BLACK_SHIFT) & np.uint8(3)).view(np.int8),
        kind=(pair >> np.uint8(c.KIND_SHIFT) & np.uint8(3)).view(np.int8),
    )


def _laid(parts: list[Any]) -> Any:
    return np.concatenate(parts)


def reordered(batch: ReportBatch, order: list[int]) -> ReportBatch:
    """The tournaments of a batch in another order; findings and refused files stay as they are."""
    files = np.array(order, np.int64)
    entries = Order(batch.entry_offsets(), files)
    begins = batch.game_offsets()
    games = ranges(begins[files], begins[files + 1] - begins[files])
    columns = {name: column[entries.rows] for name, column in vars(batch.entries).items()}
    columns["tournament"] = entries.file_of_row()
    played = {name: column[games] for name, column in vars(batch.games).items()}
    by = np.repeat(entries.moves, begins[files + 1] - begins[files])
    played["white"] = played["white"] + by
    played["black"] = played["black"] + by
    return ReportBatch(
        [batch.tournaments[file] for file in order],
        EntryColumns(**columns),
        GameColumns(**played),
        batch.findings,
        batch.refused,
    )
