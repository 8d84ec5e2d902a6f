"""Report files by columns: all lines of a batch are laid out at once in one table of bytes.

The files are the same, byte for byte, as `formats.trf.writer` makes of the same reports one by one.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from arrocco.demo.generate.batch import GeneratedBatch
from arrocco.demo.generate.defects import spoiled
from arrocco.demo.generate.rounds import BYE_CODES
from arrocco.formats.trf import systems
from arrocco.records.report import System
from arrocco.records.reportbatch import TournamentHead

Table = NDArray[np.uint8]

_BLANK: Final = ord(" ")
_NAME, _NAME_WIDTH = 14, 33
_AFTER_NAME: Final = _NAME + _NAME_WIDTH
_ROUNDS: Final = 89
_CELL: Final = 10
_FILLER: Final = b"\0"
"""Bytes of the table that stand for nothing: they are taken out before the lines are written."""

_RESULTS: Final = np.frombuffer(b"0=1-?+LDW", dtype=np.uint8).reshape(3, 3)
"""The code of a result by kind of game and half points; there is no draw by forfeit."""
_NO_GAME: Final = np.frombuffer(b"  0000 - Z", dtype=np.uint8)
_BYES: Final = np.frombuffer(BYE_CODES.encode(), dtype=np.uint8)
_LINE_END: Final = np.frombuffer(b"\r\n", dtype=np.uint8)


def _right(width: int) -> Table:
    """All numbers of so many digits, to the right of their columns; 0 is blank."""
    texts = [f"{number or '':>{width}}" for number in range(10**width)]
    return np.frombuffer("".join(texts).encode(), dtype=np.uint8).reshape(-1, width)


_FOUR: Final = _right(4)
_TWO_ZEROS: Final = np.frombuffer(
    "".join(f"{number:02d}" for number in range(100)).encode(), dtype=np.uint8
).reshape(-1, 2)


def write_trf(batch: GeneratedBatch, folder: Path) -> None:
    """Writes every report of a batch into a folder, under its own name."""
    for name, data in trf_files(batch):
        (folder / name).write_bytes(data)


def trf_files(batch: GeneratedBatch) -> Iterator[tuple[str, bytes]]:
    """The report files of a batch: names and contents."""
    lines, ends = _player_lines(batch)
    offsets = batch.entry_offsets()
    rated = np.add.reduceat(batch.entries.rating > 0, offsets[:-1], dtype=np.int64).tolist()
    begin = 0
    for index, head in enumerate(batch.tournaments):
        end = int(ends[offsets[index + 1] - 1])
        players = int(offsets[index + 1] - offsets[index])
        header = _header(batch, index, head, players, rated[index])
        data = header.encode() + lines[begin:end]
        begin = end
        defect = batch.defects.get(index)
        yield head.key, data if defect is None else spoiled(data, defect)


def _header(
    batch: GeneratedBatch, index: int, head: TournamentHead, players: int, rated: int
) -> str:
    """The records of the tournament."""
    records = [
        f"012 {head.name}",
        f"022 {head.city}",
        f"032 {head.federation}",
        f"042 {head.start:%Y/%m/%d}",
        f"052 {head.end:%Y/%m/%d}",
        f"062 {players}",
        f"072 {rated}",
        f"092 {systems.WORDS[head.system]}",
        f"102 {batch.arbiters[index]}",
        f"122 {head.control}",
    ]
    if head.round_dates:
        days = "  ".join(f"{day:%y/%m/%d}" for day in head.round_dates if day)
        records.append("132".ljust(_ROUNDS + 2) + days)
    if batch.versions[index] == "trf26":
        records.append(f"142 {head.rounds}")
        if head.system in systems.CODES:
            records.append(f"192 {systems.CODES[System(head.system)]}")
        if head.control is not None:
            records.append(f"222 {head.control.code}")
    return "".join(f"{record}\r\n" for record in records)


def _player_lines(batch: GeneratedBatch) -> tuple[bytes, NDArray[np.int64]]:
    """The lines of all players, and where each ends."""
    entries = batch.entries
    size = len(entries)
    rounds = np.array([head.rounds for head in batch.tournaments])[entries.tournament]
    name = _rows(entries.name)
    # A letter of several bytes takes one column: such lines are longer, the others are filled up.
    more = ((name & 0xC0) == 0x80).sum(axis=1)
    most = int(more.max(initial=0))
    base = _ROUNDS + most
    cells = _cells(batch, rounds)
    lines: Table = np.full((size, base + cells.shape[1]), _BLANK, dtype=np.uint8)
    lines[:, :3] = np.frombuffer(b"001", dtype=np.uint8)
    lines[:, 4:8] = _FOUR[entries.number]
    lines[:, 9] = _rows(entries.sex)[:, 0]
    lines[:, 10:13] = _rows(np.char.rjust(entries.title, 3))
    _put(lines, _NAME, name)
    for extra in range(most):
        lines[more <= extra, _AFTER_NAME + extra] = 0
    _put_person(lines[:, most:], batch)
    lines[:, base:] = cells
    ends = np.cumsum(_ROUNDS + more + _CELL * rounds + len(_LINE_END))
    return lines.tobytes().translate(None, _FILLER), ends


def _put_person(lines: Table, batch: GeneratedBatch) -> None:
    """What follows the name, in the columns of a line whose name has no long letters."""
    entries = batch.entries
    lines[:, 48:52] = _FOUR[entries.rating]
    _put(lines, 53, _rows(entries.federation))
    for power in range(11):
        unit = 10**power
        digit = ord("0") + entries.id // unit % 10
        lines[:, 67 - power] = np.where(entries.id >= unit, digit, _BLANK)
    known = entries.birth > 0
    birth = entries.birth[known]
    lines[known, 69:73] = _FOUR[birth // 10_000]
    lines[known, 74:76] = _TWO_ZEROS[birth // 100 % 100]
    lines[known, 77:79] = _TWO_ZEROS[birth % 100]
    for column in (73, 76):
        lines[known, column] = ord("/")
    whole, tenth = np.divmod(batch.points, 10)
    lines[:, 80:82] = _FOUR[whole][:, 2:]
    lines[whole == 0, 81] = ord("0")
    lines[:, 82] = ord(".")
    lines[:, 83] = ord("0") + tenth
    lines[:, 85:89] = _FOUR[batch.rank]


def _cells(batch: GeneratedBatch, rounds: Any) -> Table:
    """The rounds of all lines and their ends; after the end of a line there are fillers."""
    games, byes, number = batch.games, batch.byes, batch.entries.number
    size, most = len(rounds), int(rounds.max(initial=0))
    cells: Table = np.zeros((size, most + 1, _CELL), dtype=np.uint8)
    cells[:, :most] = _NO_GAME
    cells[np.arange(most + 1) >= rounds[:, None]] = 0
    index = games.round - 1
    for own, other, colour, half in (
        (games.white, games.black, b"w", games.white_half),
        (games.black, games.white, b"b", games.black_half),
    ):
        cell: Table = np.full((len(own), _CELL), _BLANK, dtype=np.uint8)
        cell[:, 2:6] = _FOUR[number[other]]
        cell[:, 7] = colour[0]
        cell[:, 9] = _RESULTS[games.kind, half]
        cells[own, index] = cell
    cells[byes.entry, byes.round - 1, 9] = _BYES[byes.code]
    cells[np.arange(size), rounds, : len(_LINE_END)] = _LINE_END
    return cells.reshape(size, -1)


def _rows(texts: NDArray[np.bytes_]) -> Table:
    return np.ascontiguousarray(texts).view(np.uint8).reshape(len(texts), texts.itemsize)


def _put(lines: Table, column: int, texts: Table) -> None:
    """Texts from a column on, blanks behind them."""
    lines[:, column : column + texts.shape[1]] = np.where(texts == 0, _BLANK, texts)
