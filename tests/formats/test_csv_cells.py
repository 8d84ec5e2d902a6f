"""What a spreadsheet would compute is text; what is read back is what was written."""

from __future__ import annotations

import pytest

from arrocco.formats.csv_cells import defused, escaped, restored


@pytest.mark.parametrize(
    "text", ["=1+1", "+A1", "-A1", "@SUM(A1)", "\t=1", "\r=1", "--5", "-", "-1e5"]
)
def test_formulas_are_defused(text: str) -> None:
    assert defused(text) == f"'{text}"


@pytest.mark.parametrize(
    "cell", ["", "Rossi, Ada", "-12", "+3.5", "-0.25", -7, 2.5, None, "'quoted", "a=b"]
)
def test_everything_else_stays(cell: object) -> None:
    assert defused(cell) == cell


def test_what_is_read_back_is_what_was_written() -> None:
    texts = ["=1", "'=1", "''=1", "'x", "x", "", "-", "'", "D'Arco", "-12"]
    written = escaped(texts)
    assert not any(cell.startswith(("=", "+", "-", "@")) for cell in written)
    assert list(restored(written)) == texts
    plain = ["Rossi", "D'Arco"]
    assert escaped(plain) is plain
    assert restored(plain) is plain
