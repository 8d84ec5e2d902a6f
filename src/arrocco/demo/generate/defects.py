"""Mistakes as reports have them, on purpose and at a known rate: to try what finds them.

Some are in the facts and stand in every form of a report; some only a file can have.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from arrocco.demo.generate.draws import Rng, below, chance

if TYPE_CHECKING:
    from arrocco.records.reportbatch import EntryColumns, ReportBatch

IN_FACTS: Final = ("id_wrong", "id_repeated", "rating_differs")
IN_FILES: Final = (
    "result_not_mirrored",
    "points_differ",
    "start_missing",
    "line_shifted",
    "file_cut",
)
KINDS: Final = IN_FACTS + IN_FILES

_NAME, _POINTS = 14, 80
_POINTS_TO_RESULT = 18


def spoil(rng: Rng, batch: ReportBatch, share: int) -> dict[int, str]:
    """Gives some reports of a batch (a share in parts of 10,000) one defect each, by index."""
    chosen = np.flatnonzero(chance(rng, len(batch.tournaments), share)).tolist()
    offsets = batch.entry_offsets().tolist()
    defects: dict[int, str] = {}
    for index, number in zip(chosen, below(rng, len(KINDS), len(chosen)).tolist(), strict=True):
        kind = KINDS[number]
        if kind in IN_FILES or _spoil_facts(batch.entries, offsets[index : index + 2], kind):
            defects[index] = kind
    return defects


def _spoil_facts(entries: EntryColumns, span: list[int], kind: str) -> bool:
    """Changes the facts of one report; False where it has nobody to change."""
    rows = np.arange(*span)
    rows = rows[(entries.id[rows] > 0) & (entries.rating[rows] > 0)]
    if len(rows) < 2:
        return False
    if kind == "id_wrong":
        entries.id[rows[0]] += 5_000_000_000  # a digit too many: nobody has it
    elif kind == "id_repeated":
        entries.id[rows[1]] = entries.id[rows[0]]
    else:
        entries.rating[rows[0]] += 17
    return True


def spoiled(data: bytes, kind: str) -> bytes:
    """A report file with a defect that only files can have; others are left as they are."""
    lines = data.splitlines(keepends=True)
    players = [index for index, line in enumerate(lines) if line.startswith(b"001")]
    first, last = players[0], players[-1]
    match kind:
        case "result_not_mirrored":
            index = next(i for i in players if _result_column(lines[i]))
            lines[index] = _replaced(lines[index], _result_column(lines[index]), b"1")
        case "points_differ":
            lines[first] = _replaced(lines[first], _points_column(lines[first]), b"99.5")
        case "start_missing":
            lines = [line for line in lines if not line.startswith(b"042")]
        case "line_shifted":
            lines[first] = lines[first][:_NAME] + b" " + lines[first][_NAME:]
        case "file_cut":
            lines[last] = lines[last][: len(lines[last]) // 2]
    return b"".join(lines)


def _points_column(line: bytes) -> int:
    """Where the points begin: a name with long letters moves them."""
    return _POINTS + len(line) - len(line.decode())


def _result_column(line: bytes) -> int:
    """Where the result of the first game not won on a line stands; 0 if it has none."""
    first = _points_column(line) + _POINTS_TO_RESULT
    return next((i for i in range(first, len(line), 10) if line[i] in b"=0"), 0)


def _replaced(line: bytes, column: int, text: bytes) -> bytes:
    return line[:column] + text + line[column + len(text) :]
