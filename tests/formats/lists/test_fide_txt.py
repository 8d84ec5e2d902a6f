"""FIDE text lists: what each layout says, and what becomes of lines that are wrong."""

from __future__ import annotations

import io
import time
from collections.abc import Sequence
from datetime import date
from pathlib import Path

import numpy as np
import pytest

from arrocco.errors import Malformed
from arrocco.findings import MAX_OF_A_KIND, Finding, Severity, count_of
from arrocco.formats.lists import fide_txt, fide_txt_write, read_list
from arrocco.formats.lists.columns import REPEATED_TEXTS, Gathering
from arrocco.formats.lists.combined import combine
from arrocco.formats.lists.fide_txt_line import LineReader
from arrocco.formats.lists.layout import from_heading
from arrocco.formats.lists.notes import Notes
from arrocco.records.ratinglist import RatingList
from arrocco.records.report import Birth
from tests.formats.lists.samples import (
    COMBINED,
    COMBINED_WITHOUT_FOA,
    OF_2011,
    SINGLE,
    SINGLE_WITHOUT_FOA,
    assert_same,
    combined_line,
    invented,
    keys,
    person,
    place,
    ratings,
    text_file,
)


def read(
    data: bytes, kind: str = "standard", only: Sequence[int] | None = None
) -> tuple[RatingList, list[Finding]]:
    notes = Notes("list.txt")
    lists = fide_txt.read(io.BytesIO(data), "list.txt", [kind], notes, only)
    return lists[kind], notes.findings()


class TestLayouts:
    def test_combined_list_has_three_ratings_for_each_player(self) -> None:
        line = combined_line(
            (2101, 9, 20),
            (1999, 0, 20),
            (1850, 31, 40),
            foa="AFM",
            title="FM",
            w_title="WFM",
            o_title="NA,FT",
            sex="F",
            birth=1990,
            flag="wi",
        )
        data = text_file(COMBINED, [line])
        for kind, figures in {
            "standard": (2101, 9, 20),
            "rapid": (1999, 0, 20),
            "blitz": (1850, 31, 40),
        }.items():
            found, findings = read(data, kind)
            player = found.at(0)
            assert (player.rating, player.games, player.k) == figures
            assert (player.id, player.name, player.federation) == (
                99000001,
                "Invented, Player",
                "XAA",
            )
            assert (player.sex, player.title, player.flag) == ("F", "FM", "wi")
            assert player.is_inactive
            assert player.birth == Birth(1990)
            assert [found.extra[name][0] for name in ("w_title", "o_title", "foa_title")] == [
                "WFM",
                "NA,FT",
                "AFM",
            ]
            assert (found.system, found.on, found.source) == (kind, None, "list.txt")
            assert findings == []

    def test_combined_list_without_online_titles(self) -> None:
        line = person() + ratings(1500, 3, 40) + ratings(1600, 2, 20) + ratings() + "1987  i   "
        assert len(line) == 158
        found, findings = read(text_file(COMBINED_WITHOUT_FOA, [line]), "rapid")
        assert (found.at(0).rating, found.at(0).games, found.at(0).k) == (1600, 2, 20)
        assert "foa_title" not in found.extra
        assert findings == []

    def test_single_type_list_is_of_its_month(self) -> None:
        line = person() + "    " + ratings(1777, 12, 20) + "2001      "
        assert len(line) == 136
        found, findings = read(text_file(SINGLE, [line]), "blitz")
        assert (found.at(0).rating, found.at(0).games, found.at(0).k) == (1777, 12, 20)
        assert (found.system, found.on) == ("blitz", date(2026, 10, 1))
        assert findings == []

    def test_single_type_list_before_online_titles(self) -> None:
        line = person(title="FM") + ratings(2303, 9, 15) + "1979  i   "
        assert len(line) == 132
        found, findings = read(text_file(SINGLE_WITHOUT_FOA, [line]), "standard")
        player = found.at(0)
        assert (player.rating, player.games, player.k) == (2303, 9, 15)
        assert (player.title, player.flag, player.birth) == ("FM", "i", Birth(1979))
        assert (found.system, found.on) == ("standard", date(2014, 2, 1))
        assert "foa_title" not in found.extra
        assert findings == []

    @pytest.mark.parametrize(
        ("old", "title"),
        [
            ("g", "GM"),
            ("wg", "WGM"),
            ("m", "IM"),
            ("wm", "WIM"),
            ("f", "FM"),
            ("wf", "WFM"),
            ("c", "CM"),
            ("wc", "WCM"),
            ("", ""),
        ],
    )
    def test_2011_list_has_old_titles_no_k_and_the_sex_in_the_flag(
        self, old: str, title: str
    ) -> None:
        line = f"{99000001:>9} {'Invented, Player':<34}{old:<4}XAA  2101  9    1990  wi"
        found, findings = read(
            text_file(OF_2011, [line, line.replace("001", "002").replace("wi", "")])
        )
        first, second = found.at(0), found.at(1)
        assert (first.title, first.sex, first.flag) == (title, "F", "wi")
        assert (second.sex, second.flag) == ("M", "")
        assert (first.rating, first.games, first.k) == (2101, 9, None)
        assert (first.federation, first.birth) == ("XAA", Birth(1990))
        assert found.on == date(2011, 3, 1)
        assert findings == []

    def test_unrated_is_0_or_blank(self) -> None:
        lines = [combined_line((0, 0, 0)), combined_line(("", "", ""), id=99000002)]
        found, findings = read(text_file(COMBINED, lines))
        assert [player.rating for player in map(found.at, (0, 1))] == [None, None]
        assert [player.games for player in map(found.at, (0, 1))] == [0, None]
        assert findings == []

    @pytest.mark.parametrize("birth", ["", "0", "0000"])
    def test_birth_can_be_unknown(self, birth: str) -> None:
        found, findings = read(text_file(COMBINED, [combined_line(birth=birth)]))
        assert found.birth.tolist() == [0]
        assert found.at(0).birth is None
        assert findings == []


class TestForms:
    """What a list may look like without being wrong."""

    LINES = (combined_line((2000, 1, 20), id=99000002), combined_line((1900, 2, 40), id=99000001))

    @pytest.mark.parametrize("end", ["\r\n", "\n", "\r"])
    def test_any_end_of_line(self, end: str) -> None:
        found, findings = read(text_file(COMBINED, self.LINES, end))
        assert found.id.tolist() == [99000001, 99000002]
        assert found.rating.tolist() == [1900, 2000]
        assert findings == []

    def test_rows_come_sorted(self) -> None:
        found, _ = read(text_file(COMBINED, self.LINES))
        assert found.id.tolist() == [99000001, 99000002]

    def test_last_line_may_lack_its_end(self) -> None:
        found, findings = read(text_file(COMBINED, self.LINES).rstrip(b"\r\n"))
        assert len(found) == 2
        assert findings == []

    def test_byte_order_mark_is_no_part_of_the_heading(self) -> None:
        found, findings = read(b"\xef\xbb\xbf" + text_file(COMBINED, self.LINES))
        assert len(found) == 2
        assert findings == []

    def test_blanks_at_the_end_of_lines_may_be_cut(self) -> None:
        lines = [line.rstrip() for line in self.LINES]
        found, findings = read(text_file(COMBINED, [*lines, combined_line(id=99000003)]))
        assert found.rating.tolist() == [1900, 2000, 0]
        assert found.at(0).birth == Birth(1987)
        assert findings == []

    def test_blank_lines_are_nothing(self) -> None:
        found, findings = read(
            text_file(COMBINED, ["", self.LINES[0], "   ", self.LINES[1], "\x1a"])
        )
        assert len(found) == 2
        assert findings == []

    def test_list_may_be_empty(self) -> None:
        found, findings = read(text_file(COMBINED, []))
        assert len(found) == 0
        assert found.name.dtype == object
        assert findings == []

    def test_columns_stand_where_the_heading_puts_them(self) -> None:
        heading = COMBINED.replace("Fed", "     Fed")
        line = combined_line((2000, 1, 20))
        found, findings = read(text_file(heading, [line[:76] + "     " + line[76:]]))
        assert found.rating.tolist() == [2000]
        assert keys(findings) == ["lists.unusual_layout"]


class TestTitlesThatRunOn:
    def line(self, o_title: str, foa: str = "") -> str:
        line = combined_line((1500, 0, 20), foa=foa)
        return line[:94] + f"{o_title:<15}" + line[94 + max(15, len(o_title)) :]

    def test_rest_in_the_next_column_is_joined(self) -> None:
        found, findings = read(text_file(COMBINED, [self.line("FST,NI,IO,NA,LSI")]))
        assert found.extra["o_title"][0] == "FST,NI,IO,NA,LSI"
        assert found.extra["foa_title"][0] == ""
        assert found.rating.tolist() == [1500]
        assert keys(findings) == ["lists.titles_run_on"]
        assert findings[0].place.line == 2

    def test_full_column_beside_an_online_title_stays_apart(self) -> None:
        found, findings = read(text_file(COMBINED, [self.line("FST,NI,IO,NA,FA", "AGM")]))
        assert found.extra["o_title"][0] == "FST,NI,IO,NA,FA"
        assert found.extra["foa_title"][0] == "AGM"
        assert findings == []


class TestDefects:
    """Each is told with line and column, the row left out; the good rows stay."""

    GOOD = combined_line((2000, 1, 20), id=99000009)

    @pytest.mark.parametrize(
        ("line", "key", "column"),
        [
            (combined_line(id=""), "no_id", 1),
            (combined_line(id="99A00001"), "bad_id", 1),
            (combined_line(id="990 00001"), "bad_id", 1),
            (combined_line(id="0"), "bad_id", 1),
            (combined_line(id="-99000001"), "bad_id", 1),
            (combined_line(("20x0", 1, 20)), "bad_rating", 114),
            (combined_line(("2 000", 1, 20)), "bad_rating", 114),
            (combined_line(("-2000", 1, 20)), "negative_rating", 114),
            (combined_line()[:149], "truncated", 150),
            (combined_line()[:20], "truncated", 21),
            ("x", "truncated", 2),
            (combined_line() + " and more", "too_long", 163),
            (combined_line(name="Invented\tPlayer"), "control_character", 16),
            (combined_line(name="Invented\x00Player"), "control_character", 16),
        ],
    )
    def test_row_is_left_out(self, line: str, key: str, column: int) -> None:
        found, findings = read(text_file(COMBINED, [self.GOOD, line]))
        assert found.id.tolist() == [99000009]
        assert keys(findings) == [f"lists.{key}", "lists.left_out"]
        assert place(findings[0]) == (3, column)
        assert findings[0].place.file == "list.txt"
        assert findings[0].severity is Severity.ERROR
        assert findings[1].details == {"count": 1}

    @pytest.mark.parametrize(
        ("line", "key", "column"),
        [
            (combined_line((1500, "x", 20)), "bad_games", 120),
            (combined_line((1500, 1, "-1")), "bad_k", 124),
            (combined_line((1500, 1, 20), birth="19x7"), "bad_birth", 153),
            (combined_line((1500, 1, 20), birth="87"), "bad_birth", 153),
            (combined_line((1500, 1, 20), birth="98765"), "bad_birth", 153),
        ],
    )
    def test_lesser_field_is_taken_as_unknown(self, line: str, key: str, column: int) -> None:
        found, findings = read(text_file(COMBINED, [line]))
        assert found.rating.tolist() == [1500]
        field = {"bad_games": found.games, "bad_k": found.k, "bad_birth": found.birth}[key]
        assert field.tolist() == [0 if key == "bad_birth" else -1]
        assert keys(findings) == [f"lists.{key}"]
        assert place(findings[0]) == (2, column)
        assert findings[0].severity is Severity.WARNING

    def test_defect_of_another_kind_of_rating_is_not_ours(self) -> None:
        found, findings = read(text_file(COMBINED, [combined_line((1500, 1, 20), ("x", 0, 0))]))
        assert found.rating.tolist() == [1500]
        assert findings == []

    def test_after_many_defects_of_a_kind_the_rest_are_counted(self) -> None:
        """Thousands of one defect do not hide the one of another kind that follows them."""
        lines = [combined_line(("x", 1, 20), id=99000001 + n) for n in range(1200)]
        other = combined_line((1500, "x", 20), id=98000009)
        found, findings = read(text_file(COMBINED, [*lines, other]))
        assert len(found) == 1
        bad = findings[:MAX_OF_A_KIND]
        assert keys(bad) == ["lists.bad_rating"] * MAX_OF_A_KIND
        assert count_of(bad) == 1200
        assert keys(findings[MAX_OF_A_KIND:]) == ["lists.bad_games", "lists.left_out"]
        assert findings[-1].details["count"] == 1200

    def test_player_on_two_lines_is_refused_with_both_lines(self) -> None:
        lines = [combined_line(id=99000001), combined_line(id=99000002), combined_line(id=99000001)]
        with pytest.raises(Malformed, match=r"player 99000001 appears on lines 2 and 4"):
            read(text_file(COMBINED, lines))

    def test_twice_by_way_of_an_odd_line_is_refused_too(self) -> None:
        lines = [combined_line(id=99000001), combined_line(id=99000001, name="È, Uno")]
        with pytest.raises(Malformed, match="lines 2 and 3"):
            read(text_file(COMBINED, lines))

    @pytest.mark.parametrize("data", [b"", b"\n", b"x" * 100_000, b"ID Number Name\n"])
    def test_what_is_no_list_is_refused(self, data: bytes) -> None:
        with pytest.raises(Malformed):
            read(data)

    def test_line_without_end_is_refused(self) -> None:
        with pytest.raises(Malformed, match="is too long"):
            read(text_file(COMBINED, []) + b"9" * (1 << 22))


class TestLettersOutsideAscii:
    NAME = "Öçvén, Ñame"

    def check(self, line: bytes, key: str, name: str = NAME) -> None:
        plain = combined_line((1999, 1, 10), id=99000002).encode()
        data = b"\r\n".join([COMBINED.encode(), line, plain, b""])
        found, findings = read(data)
        assert found.name.tolist() == [name, "Invented, Player"]
        assert found.rating.tolist() == [2000, 1999]
        assert (found.at(0).k, found.at(0).birth, found.at(0).flag) == (20, Birth(1987), "wi")
        assert keys(findings) == [f"lists.{key}"]
        assert findings[0].severity is Severity.NOTE
        assert findings[0].place.line == 2

    def line(self, name: str = NAME) -> str:
        return combined_line((2000, 1, 20), name=name, flag="wi")

    def test_utf8_in_columns_that_count_characters(self) -> None:
        self.check(self.line().encode("utf-8"), "not_ascii")

    def test_utf8_in_columns_that_count_bytes(self) -> None:
        data = self.line().encode("utf-8")
        cut = len(data) - 162
        name = data[15 : 76 + cut].rstrip().ljust(61)
        self.check(data[:15] + name + data[76 + cut :], "not_ascii")

    @pytest.mark.parametrize("cut", ["wi  ", ""])
    def test_utf8_in_characters_with_blanks_cut(self, cut: str) -> None:
        self.check((self.line().rstrip()).encode("utf-8"), "not_ascii")

    def test_latin_1(self) -> None:
        self.check(self.line().encode("latin-1"), "latin_1")


class TestSomePlayersOnly:
    def test_only_those_are_read(self, tmp_path: Path) -> None:
        path = tmp_path / "list.txt"
        lists = invented(500)
        whole = lists["rapid"]
        with path.open("wb") as stream:
            fide_txt_write.write(combine(lists), stream, Notes("list"))
        ids = [int(whole.id[3]), int(whole.id[499]), 12345]
        found, findings = read_list(path, "rapid", only=ids)
        assert found.id.tolist() == ids[:2]
        assert found.at(0) == whole.at(3)
        assert found.at(1) == whole.at(499)
        assert findings == []

    def test_defects_of_others_are_not_told_unless_their_player_is_unknown(self) -> None:
        lines = [
            combined_line((2000, 1, 20), id=99000001),
            combined_line(("x", 1, 20), id=99000002),
            combined_line(("x", 1, 20), id=""),
            combined_line(("x", 1, 20), id=99000003, name="É"),
        ]
        found, findings = read(text_file(COMBINED, lines), only=[99000001])
        assert found.id.tolist() == [99000001]
        assert keys(findings) == ["lists.no_id", "lists.left_out"]

    def test_none_asked_none_read(self) -> None:
        found, _ = read(text_file(COMBINED, [combined_line()]), only=[])
        assert len(found) == 0


def read_with_care(
    data: bytes, kinds: Sequence[str]
) -> tuple[dict[str, RatingList], list[Finding]]:
    """Reads every line by itself, as the fast reader does only with odd ones."""
    heading, *lines = data.split(b"\n")
    layout = from_heading(heading.decode("latin-1").rstrip(), "list.txt")
    notes = Notes("list.txt")
    texts = [text for text in REPEATED_TEXTS if text in layout.columns or text == "sex"]
    gathering = Gathering("list.txt", kinds, texts)
    reader = LineReader(layout, gathering.kinds, notes, None)
    for number, line in enumerate(lines, start=2):
        row = reader.read(line.removesuffix(b"\r"), number)
        if row is not None:
            gathering.add_row(row)
    return gathering.lists(layout.on), notes.findings()


def spoiled(data: bytes, seed: int, one_in: int = 40) -> bytes:
    """A list with odd lines strewn in: wrong, short, accented, moved, blank."""
    random = np.random.default_rng(seed)
    lines = data.split(b"\r\n")
    for row in random.integers(1, len(lines) - 1, len(lines) // one_in).tolist():
        line = lines[row]
        match int(random.integers(0, 12)):
            case 0:
                lines[row] = line.rstrip()
            case 1:
                lines[row] = line[: int(random.integers(0, len(line) + 1))]
            case 2:
                lines[row] = line[:15] + "Új, Név".ljust(61).encode() + line[76:]
            case 3:
                lines[row] = line[:15] + b"\xdcber".ljust(61) + line[76:]
            case 4:
                lines[row] = line[:113] + b"20x0  " + line[119:]
            case 5:
                lines[row] = b" " * 15 + line[15:]
            case 6:
                lines[row] = line[:113] + b"-1500 " + line[119:]
            case 7:
                lines[row] = line[:94] + b"FST,NI,IO,NA,LSI".ljust(19) + line[113:]
            case 8:
                lines[row] = line[:152] + b"19    " + line[158:]
            case 9:
                lines[row] = line[:15].strip().rjust(15) + line[15:]
            case 10:
                lines[row] = b""
            case _:
                lines[row] = line + b"   "
    return b"\r\n".join(lines)


def written(size: int, seed: int) -> bytes:
    stream = io.BytesIO()
    fide_txt_write.write(combine(invented(size, seed)), stream, Notes("list"))
    return stream.getvalue()


class TestBothReadersAgree:
    def check(
        self, data: bytes, kinds: Sequence[str] = ("standard", "rapid", "blitz")
    ) -> tuple[list[Finding], int]:
        notes = Notes("list.txt")
        fast = fide_txt.read(io.BytesIO(data), "list.txt", kinds, notes)
        careful, findings = read_with_care(data, kinds)
        for kind in kinds:
            assert_same(careful[kind], fast[kind])
        assert sorted(map(str, notes.findings())) == sorted(map(str, findings))
        return findings, len(fast["standard"])

    def test_on_200_000_lines_regular_and_odd(self) -> None:
        findings, size = self.check(spoiled(written(200_000, 7), 7, one_in=200), ["standard"])
        assert 199_200 < size < 199_900
        assert len(set(keys(findings))) >= 8

    @pytest.mark.parametrize("seed", range(8))
    def test_on_small_lists(self, seed: int) -> None:
        self.check(spoiled(written(400, seed), seed))

    @pytest.mark.parametrize("end", [b"\n", b"\r\n"])
    def test_when_every_line_is_regular(self, end: bytes) -> None:
        findings, size = self.check(written(400, 3).replace(b"\r\n", end))
        assert (findings, size) == ([], 400)


def test_fast_reader_is_fast() -> None:
    """A guard against losing the columnar way, with much room for a busy machine."""
    data = written(100_000, 5)
    start = time.process_time()
    found, _ = read(data)
    assert len(found) == 100_000
    assert time.process_time() - start < 1.0
