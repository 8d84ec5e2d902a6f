"""What a spreadsheet would compute is text; what is read back is what was written."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from click.testing import CliRunner

import arrocco
from arrocco.cli.main import program
from arrocco.formats.csv_cells import defused, escaped, restored
from arrocco.formats.lists import read_list, write_list
from tests.formats.lists.samples import make_list
from tests.formats.trf.samples import cell, player, report


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


FORMULAS = ("=HYPERLINK(A1)", "+A1", "-A1", "@SUM(A1)")


def rows_of(data: bytes) -> list[list[str]]:
    return list(csv.reader(io.StringIO(data.decode("utf-8"))))


def test_names_that_are_formulas_are_text_in_the_csv_of_a_rated_report(tmp_path: Path) -> None:
    pairs = ((2, "w", "1"), (1, "b", "0"), (4, "w", "="), (3, "b", "="))
    lines = [
        player(number, [cell(*pair)], name=name)
        for number, (name, pair) in enumerate(zip(FORMULAS, pairs, strict=True), start=1)
    ]
    (tmp_path / "a.trf").write_bytes(report(lines))
    write_list(
        make_list([{"id": 99000001 + n, "rating": 2000 + n} for n in range(4)]),
        tmp_path / "l.csv",
        "csv",
    )
    for option in ("--csv", "--games-csv"):
        done = CliRunner().invoke(
            program,
            [
                "report",
                "rate",
                str(tmp_path / "a.trf"),
                "--law",
                "fide",
                "--list",
                str(tmp_path / "l.csv"),
                option,
                str(tmp_path / "out.csv"),
            ],
        )
        assert done.exit_code == 0, done.output
        cells = {text for row in rows_of((tmp_path / "out.csv").read_bytes()) for text in row}
        assert {f"'{name}" for name in FORMULAS} <= cells
        assert not cells & set(FORMULAS)
        (tmp_path / "out.csv").unlink()


def test_names_that_are_formulas_are_text_in_the_csv_of_a_list_and_read_back(
    tmp_path: Path,
) -> None:
    made = make_list([{"id": 99000001 + n, "name": name} for n, name in enumerate(FORMULAS)])
    write_list(made, tmp_path / "list.csv", "csv")
    names = [row[1] for row in rows_of((tmp_path / "list.csv").read_bytes())[1:]]
    assert names == [f"'{name}" for name in FORMULAS]
    assert read_list(tmp_path / "list.csv")[0].name.tolist() == list(FORMULAS)


def test_every_table_for_spreadsheets_goes_through_here() -> None:
    """Two of the hall's had rules of their own, and one of these let `-2+A1` through."""
    package = Path(arrocco.__file__).parent
    writers = [path for path in package.rglob("*.py") if "csv.writer(" in path.read_text("utf-8")]
    assert len(writers) > 5
    for path in writers:
        if path.is_relative_to(package / "demo"):  # what it invents is read back at once
            continue
        assert "arrocco.formats.csv_cells import" in path.read_text("utf-8"), path
