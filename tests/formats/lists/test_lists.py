"""The one door to list files: formats told by content, archives, kinds, writing."""

from __future__ import annotations

import io
import subprocess
import sys
import zipfile
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from arrocco.errors import Inconsistent, Malformed, Refusal
from arrocco.findings import Severity
from arrocco.formats import lists
from arrocco.formats.lists import source
from arrocco.records.ratinglist import UNKNOWN, RatingList
from tests.formats.lists.samples import (
    COMBINED,
    FORMATS,
    SINGLE,
    assert_same,
    births,
    combined_line,
    invented,
    keys,
    make_list,
    rows,
    text_file,
    years,
)

ON = date(2026, 10, 1)
in_folder = settings(
    # Each example writes a file anew, and waits for the disk.
    suppress_health_check=[HealthCheck.function_scoped_fixture],
    deadline=None,
    max_examples=30,
)


class TestRoundTrips:
    """What is written is what is read, in every format."""

    @pytest.mark.parametrize("format", ["csv", "parquet"])
    @in_folder
    @given(rows=rows(births))
    def test_own_formats(self, tmp_path: Path, format: str, rows: list[dict[str, Any]]) -> None:
        self.check(tmp_path, format, make_list(rows, system="rapid", on=ON))

    @pytest.mark.parametrize("format", ["fide_txt", "fide_xml"])
    @in_folder
    @given(rows=rows(years))
    def test_fide_formats_of_one_kind(
        self, tmp_path: Path, format: str, rows: list[dict[str, Any]]
    ) -> None:
        self.check(tmp_path, format, make_list(rows, system="rapid", on=ON))

    def check(self, folder: Path, format: str, rating_list: RatingList) -> None:
        path = folder / "list"
        assert lists.write_list(rating_list, path, format) == []
        found, findings = lists.read_list(path, "rapid")
        assert_same(rating_list, found)
        assert [f.key for f in findings if f.severity is Severity.ERROR] == []
        assert found.system == "rapid"
        if format in ("fide_txt", "parquet"):
            assert found.on == ON

    @pytest.mark.parametrize("format", ["fide_txt", "fide_xml"])
    @in_folder
    @given(rows=rows(years).filter(bool), data=st.data())
    def test_combined(
        self, tmp_path: Path, format: str, rows: list[dict[str, Any]], data: st.DataObject
    ) -> None:
        """A player who is not on a list comes back on it without a rating."""
        path = tmp_path / "list"
        given_rows: dict[str, list[dict[str, Any]]] = {"standard": rows}
        for kind in ("rapid", "blitz"):
            some = [row for row in rows if data.draw(st.booleans())]
            changed = [{**row, "rating": data.draw(st.integers(0, 3000))} for row in some]
            given_rows[kind] = changed
        written = {kind: make_list(some, system=kind) for kind, some in given_rows.items()}
        assert lists.write_lists(written, path, format) == []
        found, findings = lists.read_lists(path)
        assert [f.key for f in findings if f.severity is Severity.ERROR] == []
        assert_same(written["standard"], found["standard"])
        for kind, some in given_rows.items():
            by_id = {row["id"]: row for row in some}
            missing = {"rating": 0, "games": UNKNOWN, "k": UNKNOWN}
            expected = [{**row, **missing, **by_id.get(row["id"], {})} for row in rows]
            assert_same(make_list(expected, system=kind), found[kind])

    def test_birth_day_becomes_its_year_in_fide_lists(self, tmp_path: Path) -> None:
        rating_list = make_list([{"id": 99000001, "birth": 19900405}], system="standard", on=ON)
        for format in ("fide_txt", "fide_xml"):
            lists.write_list(rating_list, tmp_path / "list", format)
            assert lists.read_list(tmp_path / "list")[0].birth.tolist() == [19900000]

    @pytest.mark.parametrize("format", FORMATS)
    def test_same_list_same_bytes(self, tmp_path: Path, format: str) -> None:
        for name in ("one", "two"):
            lists.write_list(invented(300)["blitz"], tmp_path / name, format)
        assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


class TestRecognition:
    @pytest.mark.parametrize("format", FORMATS)
    def test_format_is_told_by_content_not_by_name(self, tmp_path: Path, format: str) -> None:
        whole = invented(20)["standard"]
        for name in ("list.txt", "list.xml", "list.csv", "list.parquet", "list"):
            lists.write_list(whole, tmp_path / name, format)
            assert source.Source(tmp_path / name).format.name == format
            assert_same(whole, lists.read_list(tmp_path / name, "standard")[0])

    @pytest.mark.parametrize(
        "data",
        [
            b"",
            b"hello\n",
            b"\x7fELF\x00\x00",
            b"name,points\n",
            COMBINED.encode("utf-16"),
            b"\x00" * 99,
        ],
    )
    def test_other_files_are_refused(self, tmp_path: Path, data: bytes) -> None:
        path = tmp_path / "list.txt"
        path.write_bytes(data)
        with pytest.raises(Malformed) as refused:
            lists.read_list(path)
        assert refused.value.advice

    def test_missing_file_and_folder_are_refused(self, tmp_path: Path) -> None:
        for path in (tmp_path / "none", tmp_path):
            with pytest.raises(Refusal, match="cannot be read"):
                lists.read_list(path)

    def test_empty_list_is_told(self, tmp_path: Path) -> None:
        path = tmp_path / "standard.txt"
        path.write_bytes(text_file(SINGLE, []))
        found, findings = lists.read_list(path)
        assert len(found) == 0
        assert keys(findings) == ["lists.empty"]


def test_text_lists_are_read_without_loading_the_other_formats() -> None:
    heavy = "{'lxml', 'pyarrow', 'numpy', 'chess'}"
    check = f"import sys, arrocco.formats.lists; assert not {heavy} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", check], check=True)


class TestKinds:
    def combined(self, folder: Path, format: str) -> Path:
        path = folder / "players_list"
        lists.write_lists(invented(30), path, format)
        return path

    @pytest.mark.parametrize("format", ["fide_txt", "fide_xml"])
    def test_standard_is_assumed_and_said(self, tmp_path: Path, format: str) -> None:
        found, findings = lists.read_list(self.combined(tmp_path, format))
        assert found.system == "standard"
        assert keys(findings) == ["lists.kind_assumed"]
        assert findings[0].severity is Severity.NOTE

    @pytest.mark.parametrize("format", ["fide_txt", "fide_xml"])
    @pytest.mark.parametrize("kind", ["standard", "rapid", "blitz"])
    def test_asked_kind_is_read(self, tmp_path: Path, format: str, kind: str) -> None:
        found, findings = lists.read_list(self.combined(tmp_path, format), kind)
        assert_same(invented(30)[kind], found)
        assert findings == []

    @pytest.mark.parametrize("format", ["fide_txt", "fide_xml"])
    def test_kind_that_is_not_there_is_refused(self, tmp_path: Path, format: str) -> None:
        with pytest.raises(Inconsistent, match="no uisp ratings"):
            lists.read_list(self.combined(tmp_path, format), "uisp")

    @pytest.mark.parametrize("format", ["fide_txt", "fide_xml"])
    def test_all_kinds_share_what_describes_the_person(self, tmp_path: Path, format: str) -> None:
        found, findings = lists.read_lists(self.combined(tmp_path, format))
        assert list(found) == ["standard", "rapid", "blitz"]
        assert found["rapid"].name is found["blitz"].name
        assert findings == []

    @pytest.mark.parametrize(
        ("name", "kind", "system", "told"),
        [
            ("rapid_oct26frl.txt", None, "rapid", []),
            ("list.txt", None, "standard", ["lists.kind_assumed"]),
            ("list.txt", "blitz", "blitz", []),
            ("rapid_oct26frl.txt", "blitz", "blitz", ["lists.kind_differs"]),
            ("rapid_and_blitz.txt", None, "standard", ["lists.kind_assumed"]),
            ("rapid.txt", "rio_rapid", "rio_rapid", []),
        ],
    )
    def test_list_of_one_kind_is_called_by_its_name(
        self, tmp_path: Path, name: str, kind: str | None, system: str, told: list[str]
    ) -> None:
        lists.write_list(invented(5)["rapid"], tmp_path / name, "fide_txt")
        found, findings = lists.read_list(tmp_path / name, kind)
        assert found.system == system
        assert keys(findings) == told

    def test_parquet_knows_its_kind(self, tmp_path: Path) -> None:
        path = tmp_path / "list"
        lists.write_list(invented(5)["blitz"], path, "parquet")
        assert lists.read_list(path)[0].system == "blitz"
        assert list(lists.read_lists(path)[0]) == ["blitz"]
        with pytest.raises(Inconsistent, match="no rapid ratings"):
            lists.read_list(path, "rapid")

    @pytest.mark.parametrize("format", FORMATS)
    def test_only_some_players(self, tmp_path: Path, format: str) -> None:
        whole = invented(50)["standard"]
        lists.write_list(whole, tmp_path / "standard", format)
        ids = [int(whole.id[2]), 7, int(whole.id[40])]
        found, findings = lists.read_list(tmp_path / "standard", only=ids)
        assert [found.at(0), found.at(1)] == [whole.at(2), whole.at(40)]
        assert len(found) == 2
        assert findings == []


def archive(path: Path, **members: bytes) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, data in members.items():
            packed.writestr(name.replace("__", "/"), data)
    return path


class TestArchives:
    @pytest.mark.parametrize("format", FORMATS)
    def test_list_alone_in_an_archive_is_read(self, tmp_path: Path, format: str) -> None:
        whole = invented(400)["standard"]
        lists.write_list(whole, tmp_path / "plain", format)
        path = archive(tmp_path / "list.zip", standard_list=(tmp_path / "plain").read_bytes())
        found, findings = lists.read_list(path)
        assert_same(whole, found)
        assert found.source == f"{path}!standard_list"
        assert findings == []

    def test_defects_are_placed_inside_the_archive(self, tmp_path: Path) -> None:
        path = archive(tmp_path / "l.zip", l=text_file(COMBINED, [combined_line(id="")]))
        _, findings = lists.read_list(path, "standard")
        assert findings[0].key == "lists.no_id"
        assert str(findings[0].place) == f"{path}!l:2:1"

    @pytest.mark.parametrize("members", [{}, {"a": b"1", "b": b"2"}])
    def test_not_one_file_is_refused(self, tmp_path: Path, members: dict[str, bytes]) -> None:
        with pytest.raises(Refusal, match=f"contains {len(members)} files"):
            lists.read_list(archive(tmp_path / "list.zip", **members))

    def test_a_member_without_a_name_is_read(self, tmp_path: Path) -> None:
        path = archive(tmp_path / "list.zip", liste=text_file(COMBINED, [combined_line()]))
        path.write_bytes(path.read_bytes().replace(b"liste", b"\0iste"))  # it ends at a zero
        assert len(lists.read_list(path)[0]) == 1

    def test_a_name_that_is_no_text_is_refused(self, tmp_path: Path) -> None:
        path = archive(tmp_path / "list.zip", liste=text_file(COMBINED, [combined_line()]))
        data = bytearray(path.read_bytes())
        at = data.index(b"PK\x01\x02")
        data[at + 9] |= 8  # its name is said to be in UTF-8
        data[at + 46] = 0xFF
        path.write_bytes(data)
        with pytest.raises(Malformed) as refused:
            lists.read_list(path)
        assert refused.value.key == "lists.refused.archive_damaged"

    def test_what_packers_add_does_not_count(self, tmp_path: Path) -> None:
        data = text_file(COMBINED, [combined_line()])
        path = archive(tmp_path / "list.zip", folder__=b"", folder__list=data)
        assert len(lists.read_list(path)[0]) == 1

    def test_archive_in_an_archive_is_refused(self, tmp_path: Path) -> None:
        inner = archive(tmp_path / "inner.zip", list=text_file(COMBINED, []))
        with pytest.raises(Malformed, match="not a rating list"):
            lists.read_list(archive(tmp_path / "list.zip", inner=inner.read_bytes()))

    @pytest.mark.parametrize(
        "bomb",
        [
            lambda: (
                text_file(COMBINED, []) + combined_line(id="").encode() * 0 + b"\n" * (64 << 20)
            ),
            lambda: b"<playerslist>" + b" " * (64 << 20),
            lambda: b"id,name,rating\n" + b"\n" * (64 << 20),
            lambda: b"PAR1" + b"\x00" * (64 << 20),
        ],
    )
    def test_bomb_is_refused(self, tmp_path: Path, bomb: Callable[[], bytes]) -> None:
        path = archive(tmp_path / "list.zip", list=bomb())
        assert path.stat().st_size < 100_000
        with pytest.raises(Refusal) as refused:
            lists.read_list(path)
        assert refused.value.key in (
            "lists.refused.archive_swells",
            "lists.refused.xml_endless_player",
        )

    def test_archive_that_lies_about_its_size(self, tmp_path: Path) -> None:
        path = archive(tmp_path / "list.zip", list=text_file(COMBINED, [combined_line()]) * 50)
        data = bytearray(path.read_bytes())
        at = data.rfind(b"PK\x01\x02")
        data[at + 24 : at + 28] = (9).to_bytes(4, "little")
        path.write_bytes(data)
        with pytest.raises(Refusal):
            lists.read_list(path)

    def test_damaged_archive_is_refused(self, tmp_path: Path) -> None:
        lists.write_list(invented(500)["standard"], tmp_path / "plain", "csv")
        path = archive(tmp_path / "list.zip", list=(tmp_path / "plain").read_bytes())
        data = bytearray(path.read_bytes())
        data[len(data) // 2] ^= 255
        path.write_bytes(data)
        with pytest.raises(Malformed, match="damaged"):
            lists.read_list(path)
        path.write_bytes(data[: len(data) // 2])
        with pytest.raises(Malformed, match="damaged"):
            lists.read_list(path)

    def test_locked_archive_is_refused(self, tmp_path: Path) -> None:
        path = archive(tmp_path / "list.zip", list=text_file(COMBINED, []))
        data = bytearray(path.read_bytes())
        data[data.find(b"PK\x01\x02") + 8] |= 1
        path.write_bytes(data)
        with pytest.raises(Refusal, match="password"):
            lists.read_list(path)


class TestWriting:
    def test_old_file_stays_when_writing_fails(self, tmp_path: Path) -> None:
        path = tmp_path / "list.txt"
        path.write_bytes(b"old")
        bad = make_list([{"id": 99000001, "name": "Two\nlines"}], on=ON)
        for format in ("fide_txt", "fide_xml"):
            with pytest.raises(Inconsistent, match="player 99000001: a text contains a control"):
                lists.write_list(bad, path, format)
        assert path.read_bytes() == b"old"
        assert [each.name for each in tmp_path.iterdir()] == ["list.txt"]

    def test_folder_that_is_not_there_is_refused(self, tmp_path: Path) -> None:
        with pytest.raises(Refusal, match="cannot be written"):
            lists.write_list(invented(3)["rapid"], tmp_path / "no" / "list", "csv")

    def test_unknown_format_is_refused(self, tmp_path: Path) -> None:
        with pytest.raises(Refusal, match="not a list format"):
            lists.write_list(invented(3)["rapid"], tmp_path / "list", "xls")
        with pytest.raises(Refusal, match="no combined form"):
            lists.write_lists(invented(3), tmp_path / "list", "csv")

    def test_text_list_of_one_kind_needs_its_month(self, tmp_path: Path) -> None:
        with pytest.raises(Inconsistent, match="month"):
            lists.write_list(make_list([{"id": 99000001}]), tmp_path / "list", "fide_txt")

    def test_kind_without_a_place_in_combined_lists(self, tmp_path: Path) -> None:
        for given_lists, what in (({"uisp": make_list([])}, "uisp"), ({}, "no list")):
            with pytest.raises(Inconsistent, match=what):
                lists.write_lists(given_lists, tmp_path / "list", "fide_txt")

    @pytest.mark.parametrize(
        ("column", "value"), [("rating", 10_000), ("games", 10_000), ("k", 1000), ("rating", -5)]
    )
    def test_number_without_room_is_refused(self, tmp_path: Path, column: str, value: int) -> None:
        bad = make_list([{"id": 99000001, column: value}], on=ON)
        with pytest.raises(Inconsistent, match=f"player 99000001: {column} {value}"):
            lists.write_list(bad, tmp_path / "list", "fide_txt")

    def test_text_without_room_is_cut_and_said(self, tmp_path: Path) -> None:
        rows = [
            {"id": 99000001, "name": "é" * 40, "federation": "ABCDE"},
            {"id": 99000002, "o_title": "A" * 25},
            {"id": 99000003, "o_title": "B" * 17, "foa_title": "AGM"},
            {"id": 99000004, "o_title": "C" * 17, "foa_title": "XYZ"},
        ]
        path = tmp_path / "standard"
        findings = lists.write_list(make_list(rows, on=ON), path, "fide_txt")
        assert sorted((f.details["id"], f.details["field"]) for f in findings) == [
            (99000001, "federation"),
            (99000001, "name"),
            (99000002, "o_title"),
            (99000003, "o_title"),
            (99000004, "o_title"),
        ]
        found, _ = lists.read_list(path)
        assert found.name[0] == "é" * 30
        assert found.federation[0] == "ABC"
        assert found.extra["o_title"].tolist() == ["", "A" * 19, "B" * 15, "C" * 14]
        assert found.extra["foa_title"].tolist() == ["", "", "AGM", "XYZ"]

    def test_person_comes_from_the_first_list_that_has_them(self, tmp_path: Path) -> None:
        written = {
            "blitz": make_list(
                [{"id": 99000001, "name": "Old"}, {"id": 99000003, "name": "Third"}]
            ),
            "standard": make_list([{"id": 99000001, "name": "New", "rating": 1500}]),
            "rapid": make_list([{"id": 99000002, "name": "Second", "birth": 19900000}]),
        }
        lists.write_lists(written, tmp_path / "list", "fide_txt")
        found, _ = lists.read_lists(tmp_path / "list")
        assert found["rapid"].name.tolist() == ["New", "Second", "Third"]
        assert found["standard"].rating.tolist() == [1500, 0, 0]
        assert found["blitz"].birth.tolist() == [0, 19900000, 0]

    def test_text_list_is_written_as_the_format_says(self, tmp_path: Path) -> None:
        row = {
            "id": 99000001,
            "name": "Invented, Player",
            "federation": "XAA",
            "sex": "F",
            "title": "FM",
            "w_title": "WFM",
            "o_title": "NA",
            "foa_title": "ACM",
            "rating": 2101,
            "games": 9,
            "k": 20,
            "birth": 19900405,
            "flag": "wi",
        }
        lists.write_lists({"rapid": make_list([row])}, tmp_path / "list", "fide_txt")
        line = combined_line(
            (0, "", ""),
            (2101, 9, 20),
            (0, "", ""),
            foa="ACM",
            birth=1990,
            flag="wi",
            sex="F",
            title="FM",
            w_title="WFM",
            o_title="NA",
        )
        assert (tmp_path / "list").read_bytes() == text_file(COMBINED, [line])
        lists.write_list(make_list([row], on=ON), tmp_path / "list", "fide_txt")
        assert io.BytesIO((tmp_path / "list").read_bytes()).readline() == f"{SINGLE}\r\n".encode()
