"""Rating lists as CSV."""

from __future__ import annotations

import io
from collections.abc import Sequence

import pytest

from arrocco.errors import Malformed
from arrocco.findings import Finding
from arrocco.formats.lists import list_csv
from arrocco.formats.lists.notes import Notes
from arrocco.records.ratinglist import UNKNOWN, RatingList
from arrocco.records.report import Birth
from tests.formats.lists.samples import keys, make_list, place

HEADING = "id,name,federation,sex,birth,title,rating,k,games,flag\r\n"
ROW = '99000001,"Invented, Player",XAA,F,1990-04-05,FM,2101,20,9,wi\r\n'


def read(text: str | bytes, only: Sequence[int] | None = None) -> tuple[RatingList, list[Finding]]:
    data = text.encode() if isinstance(text, str) else text
    notes = Notes("list.csv")
    return list_csv.read(io.BytesIO(data), "list.csv", ["uisp"], notes, only)[
        "uisp"
    ], notes.findings()


def test_columns_are_read() -> None:
    found, findings = read(HEADING + ROW)
    player = found.at(0)
    assert (player.id, player.name, player.federation) == (99000001, "Invented, Player", "XAA")
    assert (player.sex, player.title, player.flag) == ("F", "FM", "wi")
    assert (player.rating, player.k, player.games) == (2101, 20, 9)
    assert player.birth == Birth(1990, 4, 5)
    assert (found.system, found.on) == ("uisp", None)
    assert findings == []


def test_empty_cells_are_unknown() -> None:
    found, findings = read(HEADING + "99000001,Nobody,,,,,,,,\r\n")
    player = found.at(0)
    assert (player.rating, player.k, player.games, player.birth) == (None, None, None, None)
    assert (found.k.tolist(), found.games.tolist()) == ([UNKNOWN], [UNKNOWN])
    assert findings == []


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("end", ["\r\n", "\n"])
def test_utf8_with_and_without_mark(mark: bytes, end: str) -> None:
    text = (HEADING + ROW.replace("Invented", "Źle")).replace("\r\n", end)
    found, findings = read(mark + text.encode())
    assert found.name[0] == "Źle, Player"
    assert findings == []


def test_latin_1_is_noted() -> None:
    found, findings = read((HEADING + ROW.replace("Invented", "Über")).encode("latin-1"))
    assert found.name[0] == "Über, Player"
    assert keys(findings) == ["lists.latin_1"]


def test_columns_are_found_by_name() -> None:
    found, findings = read("Rating,NAME,id,o_title,shoe\r\n1500,Someone,99000001,NA,43\r\n")
    assert (found.rating.tolist(), found.name.tolist()) == ([1500], ["Someone"])
    assert found.extra["o_title"].tolist() == ["NA"]
    assert found.sex.tolist() == [""]
    assert keys(findings) == ["lists.unknown_column"]
    assert findings[0].details == {"name": "shoe"}


def test_rows_come_sorted_and_blank_lines_are_nothing() -> None:
    found, findings = read(HEADING + ROW.replace("001", "002") + "\r\n" + ROW)
    assert found.id.tolist() == [99000001, 99000002]
    assert findings == []


def test_only_some_players() -> None:
    found, _ = read(HEADING + ROW.replace("001", "002") + ROW, only=[99000002])
    assert found.id.tolist() == [99000002]


@pytest.mark.parametrize(
    ("row", "key"),
    [
        (ROW.replace("99000001", ""), "no_id"),
        (ROW.replace("99000001", "x"), "bad_id"),
        (ROW.replace("2101", "21.01"), "bad_rating"),
        (ROW.replace("2101", "-1"), "negative_rating"),
        (ROW.replace(",wi", ""), "cells"),
        (ROW.replace("wi", "wi,,"), "cells"),
        (ROW.replace("Invented,", "Invented\r\n"), "control_character"),
    ],
)
def test_defect_leaves_the_row_out(row: str, key: str) -> None:
    found, findings = read(HEADING + ROW.replace("001", "002") + row + ROW.replace("001", "003"))
    assert found.id.tolist() == [99000002, 99000003]
    assert keys(findings) == [f"lists.{key}", "lists.left_out"]
    assert place(findings[0])[0] == 3


def test_lines_are_counted_over_quoted_breaks() -> None:
    two_lines = ROW.replace("Invented,", "Invented\r\n")
    _, findings = read(HEADING + two_lines + ROW.replace("2101", "x"))
    assert [place(finding)[0] for finding in findings[:2]] == [2, 4]


@pytest.mark.parametrize(
    ("row", "key"),
    [
        (ROW.replace(",20,", ",K20,"), "bad_k"),
        (ROW.replace(",9,", ",-9,"), "bad_games"),
        (ROW.replace("1990-04-05", "05/04/1990"), "bad_birth"),
        (ROW.replace("1990-04-05", "1990-02-30"), "bad_birth"),
    ],
)
def test_lesser_field_is_taken_as_unknown(row: str, key: str) -> None:
    found, findings = read(HEADING + row)
    assert found.rating.tolist() == [2101]
    assert keys(findings) == [f"lists.{key}"]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "name,rating\r\n",
        "id;name;rating\r\n1;x;1500\r\n",
        "id,name,rating,id\r\n",
        HEADING + '99000001,"Broken" quote,XAA,,,,1500,,,\r\n',
        HEADING + '99000001,"Never closed,XAA,,,,1500,,,\r\n',
        HEADING + f"99000001,{'x' * 200_000},XAA,,,,1500,,,\r\n",
        HEADING + ROW + ROW,
    ],
)
def test_what_is_no_list_is_refused(text: str) -> None:
    with pytest.raises(Malformed) as refused:
        read(text)
    assert refused.value.advice


def test_written_as_documented() -> None:
    rows = [
        {
            "id": 99000002,
            "name": 'The "Cat", Tom',
            "rating": 1500,
            "k": 20,
            "games": 0,
            "birth": 19900405,
            "sex": "M",
            "federation": "XAA",
            "flag": "i",
        },
        {"id": 99000001, "name": "Nobody", "birth": 19870000},
    ]
    stream = io.BytesIO()
    list_csv.write(make_list(rows), stream, Notes("list"))
    assert stream.getvalue().decode() == (
        HEADING + "99000001,Nobody,,,1987,,,,,\r\n"
        '99000002,"The ""Cat"", Tom",XAA,M,1990-04-05,,1500,20,0,i\r\n'
    )


def test_further_titles_are_written_when_someone_has_one() -> None:
    stream = io.BytesIO()
    list_csv.write(make_list([{"id": 99000001, "o_title": "NA"}]), stream, Notes("list"))
    assert stream.getvalue().decode().splitlines()[0].endswith(",flag,o_title")
