"""Rating lists as Parquet."""

from __future__ import annotations

import io
from collections.abc import Sequence
from datetime import date
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from arrocco.errors import Malformed, Refusal
from arrocco.findings import Finding
from arrocco.formats.lists import list_parquet
from arrocco.formats.lists.notes import Notes
from arrocco.records.ratinglist import RatingList
from tests.formats.lists.samples import invented, keys, make_list, place


def read(data: bytes, only: Sequence[int] | None = None) -> tuple[RatingList, list[Finding]]:
    notes = Notes("list.parquet")
    found = list_parquet.read(io.BytesIO(data), "list.parquet", ["standard"], notes, only)[
        "standard"
    ]
    return found, notes.findings()


def written(rating_list: RatingList) -> bytes:
    stream = io.BytesIO()
    list_parquet.write(rating_list, stream, Notes("list"))
    return stream.getvalue()


def table(**columns: Any) -> bytes:
    good = {"id": [99000001], "name": ["Someone"], "rating": [1500]}
    stream = io.BytesIO()
    pq.write_table(pa.table({**good, **columns}), stream)
    return stream.getvalue()


def test_kind_and_day_are_in_the_metadata() -> None:
    rating_list = make_list([{"id": 99000001}], system="rio_rapid", on=date(2026, 10, 1))
    data = written(rating_list)
    assert list_parquet.told_in(io.BytesIO(data), "x") == ("rio_rapid", date(2026, 10, 1))
    assert read(data)[0].on == date(2026, 10, 1)


def test_list_without_kind_and_day() -> None:
    assert list_parquet.told_in(io.BytesIO(written(make_list([]))), "x") == ("", None)


def test_unknown_is_null_for_other_readers() -> None:
    data = written(make_list([{"id": 99000001, "name": "Nobody"}]))
    row = pq.read_table(io.BytesIO(data)).to_pylist()[0]
    assert row["id"] == 99000001
    assert [row[name] for name in ("rating", "games", "k", "birth")] == [None] * 4


def test_schema_is_as_documented() -> None:
    schema = pq.read_schema(io.BytesIO(written(invented(3)["standard"])))
    assert {name: str(schema.field(name).type) for name in schema.names} == {
        "id": "int64",
        **dict.fromkeys(("name", "federation", "sex", "title", "flag"), "string"),
        **dict.fromkeys(("rating", "games", "k", "birth"), "int32"),
        **dict.fromkeys(("w_title", "o_title", "foa_title"), "string"),
    }


def test_same_list_same_bytes() -> None:
    assert written(invented(500)["rapid"]) == written(invented(500)["rapid"])


def test_only_some_players() -> None:
    whole = invented(300)["standard"]
    found, findings = read(written(whole), only=[int(whole.id[7]), 1])
    assert [found.at(0)] == [whole.at(7)]
    assert findings == []


def test_columns_of_other_types_are_taken_where_they_fit() -> None:
    data = table(
        id=pa.array([99000001], pa.uint32()),
        name=pa.array(["Someone"], pa.large_string()),
        title=pa.array(["GM"]).dictionary_encode(),
    )
    found, findings = read(data)
    assert (found.id.tolist(), found.name.tolist(), found.title.tolist()) == (
        [99000001],
        ["Someone"],
        ["GM"],
    )
    assert findings == []


@pytest.mark.parametrize(
    ("columns", "key"),
    [
        ({"id": [0]}, "no_id"),
        ({"id": [None]}, "no_id"),
        ({"id": [-5]}, "bad_id"),
        ({"rating": [-1]}, "negative_rating"),
        ({"rating": [1 << 40]}, "bad_rating"),
        ({"name": ["A\nB"]}, "control_character"),
    ],
)
def test_defect_leaves_the_row_out(columns: dict[str, Any], key: str) -> None:
    found, findings = read(table(**columns))
    assert len(found) == 0
    assert keys(findings) == [f"lists.{key}", "lists.left_out"]
    assert place(findings[0]) == (1, None)


@pytest.mark.parametrize(
    ("columns", "key"),
    [
        ({"k": [-7]}, "bad_k"),
        ({"games": [1 << 40]}, "bad_games"),
        ({"birth": [19870231]}, "bad_birth"),
        ({"birth": [87]}, "bad_birth"),
        ({"birth": [-1]}, "bad_birth"),
    ],
)
def test_lesser_field_is_taken_as_unknown(columns: dict[str, Any], key: str) -> None:
    found, findings = read(table(**columns))
    assert found.rating.tolist() == [1500]
    assert keys(findings) == [f"lists.{key}"]


@pytest.mark.parametrize(
    "data",
    [
        b"PAR1",
        b"PAR1" + b"\x00" * 100 + b"PAR1",
        written(make_list([{"id": 99000001}]))[:-20],
        table(id=["x"]),
        table(rating=[[1]]),
        table(rating=[1500.5]),
        table(id=[99000001, 99000001], name=["a", "b"], rating=[1, 2]),
    ],
)
def test_what_is_no_list_is_refused(data: bytes) -> None:
    with pytest.raises(Malformed) as refused:
        read(data)
    assert refused.value.advice


def test_missing_columns_are_refused() -> None:
    stream = io.BytesIO()
    pq.write_table(pa.table({"id": [1], "elo": [1500]}), stream)
    with pytest.raises(Malformed, match="name"):
        read(stream.getvalue())


@pytest.mark.parametrize("column", ["name", "federation"])
def test_a_text_that_is_not_utf_8_is_refused(column: str) -> None:
    ends, letters = pa.py_buffer(b"\0\0\0\0\2\0\0\0"), pa.py_buffer(b"\xff\xfe")
    with pytest.raises(Malformed) as refused:
        read(table(**{column: pa.StringArray.from_buffers(1, ends, letters)}))
    assert refused.value.key == "lists.refused.not_parquet"


def test_damaged_metadata_are_refused() -> None:
    stream = io.BytesIO()
    columns = pa.table({"id": [1], "name": ["x"], "rating": [1]})
    pq.write_table(columns.replace_schema_metadata({"arrocco.on": "soon"}), stream)
    with pytest.raises(Malformed, match="metadata"):
        list_parquet.told_in(io.BytesIO(stream.getvalue()), "x")


def test_too_many_rows_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(list_parquet, "_MAX_ROWS", 10)
    with pytest.raises(Refusal, match="11 rows"):
        read(written(invented(11)["standard"]))


@pytest.mark.parametrize("seed", range(40))
def test_damaged_bytes_never_break_the_reader(seed: int) -> None:
    import random

    chance = random.Random(seed)
    data = bytearray(written(invented(50)["standard"]))
    for _ in range(5):
        data[chance.randrange(len(data))] = chance.randrange(256)
    try:
        read(bytes(data))
    except Refusal as refused:
        assert refused.advice  # noqa: PT017 - some damage goes unseen, so nothing must be raised
