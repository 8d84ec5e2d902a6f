"""FIDE XML lists: both roads through them, and documents that mean harm."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence

import pytest

from arrocco.errors import Malformed, Refusal
from arrocco.findings import Finding
from arrocco.formats.lists import fide_xml, fide_xml_write
from arrocco.formats.lists.combined import combine
from arrocco.formats.lists.notes import Notes
from arrocco.records.ratinglist import RatingList
from arrocco.records.report import Birth
from tests.formats.lists.samples import assert_same, invented, keys

ALL = ("standard", "rapid", "blitz")
PLAYER = """<player>
<fideid>99000001</fideid>
<name>Invented, Player</name>
<country>XAA</country>
<sex>F</sex>
<title>FM</title>
<w_title>WFM</w_title>
<o_title>NA,FT</o_title>
<foa_title>AFM</foa_title>
<rating>2101</rating>
<games>9</games>
<k>20</k>
<rapid_rating>1999</rapid_rating>
<rapid_games>0</rapid_games>
<rapid_k>20</rapid_k>
<blitz_rating></blitz_rating>
<blitz_games></blitz_games>
<blitz_k></blitz_k>
<birthday>1990</birthday>
<flag>wi</flag>
</player>
"""
OTHER = PLAYER.replace("99000001", "99000002").replace("2101", "1500")
SINGLE = re.sub(r"<(rapid|blitz)_.*\n|<foa_title.*\n", "", PLAYER)


def document(*players: str) -> bytes:
    return f"<playerslist>\n{''.join(players)}</playerslist>\n".encode()


def read(
    data: bytes, kind: str = "standard", only: Sequence[int] | None = None
) -> tuple[RatingList, list[Finding]]:
    notes = Notes("list.xml")
    lists = fide_xml.read(io.BytesIO(data), "list.xml", [kind], notes, only)
    return lists[kind], notes.findings()


class TestReading:
    def test_combined_list_has_three_ratings_for_each_player(self) -> None:
        figures = {"standard": (2101, 9, 20), "rapid": (1999, 0, 20), "blitz": (None, None, None)}
        for kind, expected in figures.items():
            found, findings = read(document(PLAYER), kind)
            player = found.at(0)
            assert (player.rating, player.games, player.k) == expected
            assert (player.id, player.name, player.federation) == (
                99000001,
                "Invented, Player",
                "XAA",
            )
            assert (player.sex, player.title, player.flag) == ("F", "FM", "wi")
            assert player.birth == Birth(1990)
            assert [found.extra[name][0] for name in ("w_title", "o_title", "foa_title")] == [
                "WFM",
                "NA,FT",
                "AFM",
            ]
            assert findings == []

    def test_single_type_list_is_of_the_kind_it_is_called(self) -> None:
        assert fide_xml.kinds(io.BytesIO(document(SINGLE)), "list.xml") == ("",)
        found, findings = read(document(SINGLE), "blitz")
        assert (found.system, found.rating.tolist(), found.k.tolist()) == ("blitz", [2101], [20])
        assert findings == []

    def test_combined_list_shows_its_kinds(self) -> None:
        assert fide_xml.kinds(io.BytesIO(document(PLAYER)), "list.xml") == ALL

    def test_rows_come_sorted(self) -> None:
        found, _ = read(document(OTHER, PLAYER))
        assert found.id.tolist() == [99000001, 99000002]
        assert found.rating.tolist() == [2101, 1500]

    def test_only_some_players(self) -> None:
        found, findings = read(document(OTHER, PLAYER), only=[99000002, 5])
        assert found.id.tolist() == [99000002]
        assert findings == []

    def test_list_may_be_empty(self) -> None:
        found, findings = read(b"<playerslist></playerslist>")
        assert len(found) == 0
        assert findings == []

    def test_names_are_unescaped(self) -> None:
        name = "O&apos;Player &amp; Sons &lt;&quot;x&quot;&gt; &amp;lt;"
        found, findings = read(document(PLAYER.replace("Invented, Player", name), OTHER))
        assert found.name[0] == 'O\'Player & Sons <"x"> &lt;'
        assert findings == []

    def test_unknown_birth_and_date_of_birth(self) -> None:
        for text, number in (("", 0), ("0", 0), ("1990-04-05", 19900405)):
            found, findings = read(document(PLAYER.replace("1990", text)))
            assert found.birth.tolist() == [number]
            assert findings == []

    @pytest.mark.parametrize(
        "start",
        [
            '<?xml version="1.0"?>',
            '<?xml version="1.0" encoding="UTF-8"?>\n<!-- a list -->\n',
            '\ufeff<?xml version="1.0" encoding="utf-8" standalone="yes"?>',
            "  \n",
        ],
    )
    def test_document_may_start_in_many_ways(self, start: str) -> None:
        found, findings = read(start.encode() + document(PLAYER))
        assert len(found) == 1
        assert findings == []

    def test_declared_encoding_is_followed(self) -> None:
        text = document(PLAYER.replace("Invented", "Übel")).decode()
        data = ('<?xml version="1.0" encoding="ISO-8859-1"?>' + text).encode("latin-1")
        found, findings = read(data)
        assert found.name[0] == "Übel, Player"
        assert findings == []

    def test_latin_1_without_saying_so_is_noted(self) -> None:
        data = document(PLAYER.replace("Invented", "Übel")).decode().encode("latin-1")
        found, findings = read(data)
        assert found.name[0] == "Übel, Player"
        assert keys(findings) == ["lists.latin_1"]


class TestOddPlayers:
    """Players not in the plain shape are read all the same."""

    @pytest.mark.parametrize(
        "player",
        [
            OTHER.replace("<title>FM</title>", "<title>FM</title><!-- since 2001 -->"),
            OTHER.replace("Invented, Player", "<![CDATA[Invented, Player]]>"),
            OTHER.replace("Invented, Player", "Invented&#44; Pl&#x61;yer"),
            OTHER.replace("<player>", '<player n="1">'),
            OTHER.replace("<sex>F</sex>\n<title>FM</title>", "<title>FM</title>\n<sex>F</sex>"),
            OTHER.replace("<sex>", "<sex >"),
            OTHER.replace("Invented, Player", "\n  Invented, Player\t"),
            f"<!-- <player> </player> -->\n{OTHER}",
            f"{OTHER}<?note </player> ?>",
            OTHER.replace("\n", ""),
        ],
    )
    def test_same_rows_as_in_plain_shape(self, player: str) -> None:
        plain, _ = read(document(PLAYER, OTHER))
        found, findings = read(document(PLAYER, player))
        assert_same(plain, found)
        assert findings == []

    def test_missing_elements_are_unknown(self) -> None:
        short = "<player><fideid>99000002</fideid><name>Short</name></player>"
        for data in (document(PLAYER, short), document(short, PLAYER)):
            found, findings = read(data)
            player = found.at(1)
            assert (player.rating, player.games, player.k, player.birth) == (None, None, None, None)
            assert (player.name, player.sex) == ("Short", "")
            assert findings == []

    def test_empty_elements_may_be_closed_at_once(self) -> None:
        one = PLAYER.replace("<title>FM</title>", "<title></title>")
        two = OTHER.replace("<title>FM</title>", "<title/>")
        found, findings = read(document(one, two))
        assert found.title.tolist() == ["", ""]
        assert findings == []

    def test_unknown_elements_are_told(self) -> None:
        found, findings = read(document(PLAYER, OTHER.replace("<sex>", "<x>1</x>\n<sex>"), "<y/>"))
        assert len(found) == 2
        assert keys(findings) == ["lists.unknown_element"]
        assert findings[0].details == {"count": 2}

    @pytest.mark.parametrize(
        ("change", "key"),
        [
            (("<title>FM</title>", "<title><b>FM</b></title>"), "markup"),
            (("<title>FM</title>", "<title>FM</title><title>GM</title>"), "element_twice"),
            (("<fideid>99000002</fideid>", ""), "no_id"),
            (("99000002", "9900000x"), "bad_id"),
            (("99000002", "0"), "bad_id"),
            (("99000002", "9" * 40), "bad_id"),
            (("1500", "15OO"), "bad_rating"),
            (("1500", "99999999999"), "bad_rating"),
            (("1500", "-1500"), "negative_rating"),
            (("Invented", "Inv\x01nted"), "control_character"),
        ],
    )
    def test_defect_leaves_the_row_out(self, change: tuple[str, str], key: str) -> None:
        found, findings = read(document(PLAYER, OTHER.replace(*change)))
        assert found.id.tolist() == [99000001]
        assert keys(findings) == [f"lists.{key}", "lists.left_out"]
        assert findings[0].place.line == 2 + PLAYER.count("\n")

    @pytest.mark.parametrize(
        ("change", "key"),
        [
            (("<games>9", "<games>nine"), "bad_games"),
            (("<k>20", "<k>-20"), "bad_k"),
            (("1990", "90"), "bad_birth"),
            (("1990", "1990-02-30"), "bad_birth"),
        ],
    )
    def test_lesser_field_is_taken_as_unknown(self, change: tuple[str, str], key: str) -> None:
        found, findings = read(document(PLAYER, OTHER.replace(*change)))
        assert len(found) == 2
        assert keys(findings) == [f"lists.{key}"]

    def test_lines_are_told_where_players_differ_in_length(self) -> None:
        wrong = OTHER.replace("1500", "x")
        found, findings = read(document(PLAYER.replace("\n", "\n\n\n"), "\n\n", wrong))
        assert len(found) == 1
        assert findings[0].place.line == 2 + 3 * PLAYER.count("\n") + 2

    def test_player_twice_is_refused_with_both_lines(self) -> None:
        again = 2 + 2 * PLAYER.count("\n")
        with pytest.raises(Malformed, match=rf"99000001 appears on lines 2 and {again}"):
            read(document(PLAYER, OTHER, PLAYER))


class TestBothRoadsAgree:
    def plain(self, size: int) -> str:
        stream = io.BytesIO()
        fide_xml_write.write(combine(invented(size, 11)), stream)
        return stream.getvalue().decode()

    def read(self, text: str) -> tuple[dict[str, RatingList], list[Finding]]:
        notes = Notes("list.xml")
        return fide_xml.read(io.BytesIO(text.encode()), "list.xml", ALL, notes), notes.findings()

    @pytest.mark.parametrize(
        ("old", "new"),
        [
            ("<player>", "<player x='1'>"),  # every block is parsed on its own
            ("</player>", "</player><!-- </player> -->"),  # no block stands alone
        ],
    )
    def test_on_many_players(self, old: str, new: str) -> None:
        text = self.plain(10_000)  # several blocks
        text = text.replace("<rating>0</rating>", "<rating>none</rating>", 3)
        plain, told = self.read(text)
        parsed, told_too = self.read(text.replace(old, new))
        for kind in ALL:
            assert_same(plain[kind], parsed[kind])
        assert len(plain["standard"]) == 9_997
        assert [(f.key, f.place.line) for f in told] == [(f.key, f.place.line) for f in told_too]


TEN_EACH = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
BOMB = f'<!ENTITY l0 "lol">{TEN_EACH}'


class TestHarm:
    def refused(self, data: bytes | str, match: str) -> Refusal:
        with pytest.raises(Refusal, match=match) as refused:
            read(data.encode() if isinstance(data, str) else data)
        assert refused.value.advice
        return refused.value

    @pytest.mark.parametrize(
        "doctype",
        [
            f"<!DOCTYPE playerslist [{BOMB}]>",
            '<!DOCTYPE playerslist [<!ENTITY x SYSTEM "file:///etc/passwd">]>',
            '<!DOCTYPE playerslist SYSTEM "http://localhost:9/x.dtd">',
            '<!DOCTYPE playerslist [<!ENTITY % x SYSTEM "http://localhost:9/x.dtd"> %x;]>',
            "<!-- before --> \n<!doctype playerslist>",
        ],
    )
    def test_document_type_is_refused(self, doctype: str) -> None:
        player = PLAYER.replace("Invented", "&l9;&x;")
        text = f'<?xml version="1.0"?>\n{doctype}\n' + document(player).decode()
        self.refused(text, "document type")

    def test_entity_of_no_known_meaning_is_refused(self) -> None:
        self.refused(document(PLAYER.replace("Invented", "&l9;")), "not well-formed")

    def test_document_type_after_the_root_is_refused(self) -> None:
        self.refused(document("<!DOCTYPE x [<!ENTITY l9 'y'>]>" + PLAYER), "not well-formed")

    @pytest.mark.parametrize("encoding", ["utf-16", "utf-16-be", "utf-32"])
    def test_wide_encodings_are_refused(self, encoding: str) -> None:
        text = "<!DOCTYPE playerslist []>" + document(PLAYER).decode()
        self.refused(text.encode(encoding), "UTF-8")

    def test_encodings_that_can_hide_markup_are_refused(self) -> None:
        text = '<?xml version="1.0" encoding="UTF-7"?>+ADwAIQ-DOCTYPE'
        self.refused(text + document(PLAYER).decode(), "encoding utf-7")

    @pytest.mark.parametrize("closed", [True, False])
    def test_a_million_nested_elements(self, closed: bool) -> None:
        deep = "<a>" * 1_000_000 + ("</a>" * 1_000_000 if closed else "")
        self.refused(document(f"<player>{deep}</player>"), "is too long|not well-formed")

    def test_a_thousand_nested_elements(self) -> None:
        deep = "<a>" * 1000 + "</a>" * 1000
        self.refused(document(f"<player>{deep}</player>"), "not well-formed")

    def test_player_that_does_not_end(self) -> None:
        self.refused("<playerslist><player>" + "<name>x</name>" * 400_000, "is too long")

    def test_player_that_does_not_end_among_comments(self) -> None:
        more = "<!-- </player> --><name>x</name>" * 300_000
        self.refused("<playerslist>" + PLAYER + "<player>" + more, "is too long|not well-formed")

    @pytest.mark.parametrize(
        "cut", [20, 200, len(document(PLAYER, OTHER)) - 20, len(document(PLAYER, OTHER)) - 3]
    )
    def test_document_that_was_cut(self, cut: int) -> None:
        self.refused(document(PLAYER, OTHER)[:cut], "ends before")

    @pytest.mark.parametrize(
        "data",
        [
            document(PLAYER).replace(b"playerslist", b"list"),
            b"<playerslist/>",
            b"<html><body>not found</body></html>",
            b"<",
            b"<!--",
            b'<?xml version="1.0"?>',
        ],
    )
    def test_another_document(self, data: bytes) -> None:
        self.refused(data, "does not start with <playerslist>")

    @pytest.mark.parametrize(
        "data",
        [
            document(PLAYER.replace("</name>", "</nome>")),
            document(PLAYER, "</playerslist>", OTHER),
            document(PLAYER.replace("Invented", "Inv&#0;nted")),
            document(PLAYER.replace("Invented", "<")),
        ],
    )
    def test_document_that_is_not_well_formed(self, data: bytes) -> None:
        self.refused(data, "not well-formed")

    def test_text_after_the_end(self) -> None:
        self.refused(document(PLAYER) + b"<more/>", "not well-formed")

    def test_text_between_players_goes_through_the_parser(self) -> None:
        found, _ = read(document(PLAYER, " lost words ", OTHER))
        assert len(found) == 2
