"""Every record is read from and written to the columns the format gives."""

from __future__ import annotations

from datetime import date

import pytest

from arrocco.formats.trf import records as r
from arrocco.formats.trf.cells import BLANK, Cell
from arrocco.formats.trf.decode import decode
from arrocco.formats.trf.encode import encode
from arrocco.formats.trf.seen import Seen
from arrocco.records.report import Birth
from tests.formats.trf.samples import at

NAME_OF_33 = "Alfieri dal Nome Lunghissimo, Ada"

PLAYER = at(
    {
        1: "001",
        5: "9876",
        10: "w",
        11: "WGM",
        15: NAME_OF_33,
        49: "2345",
        54: "ITA",
        58: "99000000001",
        70: "1987/05/31",
        81: "11.5",
        86: "1234",
        92: "5678 w 1",
        102: "   7 b =",
        112: "0000 - H",
        132: "  12 - -",
    }
)

CASES: list[tuple[str, r.Record]] = [
    ("012 Torneo di Prova", r.Text("012", "Torneo di Prova")),
    ("022 Borgo Inventato", r.Text("022", "Borgo Inventato")),
    ("032 ITA", r.Text("032", "ITA")),
    ("032", r.Text("032", "")),
    ("042 2024/05/01", r.Day("042", date(2024, 5, 1), "2024/05/01")),
    ("052 2024/05/09", r.Day("052", date(2024, 5, 9), "2024/05/09")),
    ("062 284", r.Count("062", 284)),
    ("072 146", r.Count("072", 146)),
    ("082 0", r.Count("082", 0)),
    ("092 Individual: Swiss-System", r.Text("092", "Individual: Swiss-System")),
    ("102 Arbitri, Ada", r.Text("102", "Arbitri, Ada")),
    ("112 Vice, Vera", r.Text("112", "Vice, Vera")),
    ("122 90'+30\"", r.Text("122", "90'+30\"")),
    (
        at({1: "132", 92: "24/05/01", 112: "24/05/03"}),
        r.RoundDates((date(2024, 5, 1), None, date(2024, 5, 3))),
    ),
    ("142 9", r.Count("142", 9)),
    ("152 B", r.InitialColour("B")),
    (
        at(
            {
                1: "162",
                6: "W",
                7: " 3.0",
                15: "D",
                16: " 1.0",
                24: "L",
                25: " 0.0",
                33: "A",
                34: " 0.5",
                42: "P",
                43: " 2.5",
                51: "X",
                52: "10.0",
            }
        ),
        r.Scoring("162", (("W", 30), ("D", 10), ("L", 0), ("A", 5), ("P", 25), ("X", 100))),
    ),
    (at({1: "172", 5: "ITA", 9: "FIDON"}), r.RankingMethod("ITA", "FIDON")),
    ("182 Programma di Prova", r.Text("182", "Programma di Prova")),
    ("192 FIDE_DUTCH_2026", r.Text("192", "FIDE_DUTCH_2026")),
    ("202 BH/C1,SB", r.Text("202", "BH/C1,SB")),
    ("212 PTS,BH", r.Text("212", "PTS,BH")),
    ("222 40/6000+30:900+30", r.Text("222", "40/6000+30:900+30")),
    ("352 WBWB", r.Text("352", "WBWB")),
    (
        at({1: "362", 5: "TW", 7: " 3.0", 14: "TD", 16: " 1.5", 23: "TL", 25: " 0.5"}),
        r.Scoring("362", (("TW", 30), ("TD", 15), ("TL", 5))),
    ),
    (
        at({1: "013", 5: "Scuola Inventata", 37: "   1", 42: "  22", 102: "9999"}),
        r.OldTeam("Scuola Inventata", (1, 22, *[0] * 11, 9999)),
    ),
    (at({1: "240", 5: "H", 7: "  3", 11: "  26", 16: "9999"}), r.Byes("H", 3, (26, 9999))),
    (
        at({1: "250", 5: " 2.0", 10: "11.5", 15: "  1", 19: "  3", 23: "   1", 28: "  90"}),
        r.Acceleration(20, 115, 1, 3, 1, 90),
    ),
    (
        at({1: "250", 10: " 1.0", 15: "  4", 19: "  6", 23: "   1", 28: "  90"}),
        r.Acceleration(None, 10, 4, 6, 1, 90),
    ),
    (
        at({1: "260", 5: "  1", 9: "  2", 13: " 125", 18: " 180", 23: " 184"}),
        r.ProhibitedPairings(1, 2, (125, 180, 184)),
    ),
    (
        at({1: "299", 5: "+", 8: " 2.0", 14: "11.5", 20: "  4", 24: "  12", 29: "  13"}),
        r.AbnormalPoints("+", 20, 115, 4, (12, 13)),
    ),
    (at({1: "299", 13: "-10.5", 24: "  12"}), r.AbnormalPoints("", None, -105, None, (12,))),
    (
        at({1: "300", 5: "  1", 9: " 16", 13: "  4", 17: " 242", 22: "   0", 27: " 243"}),
        r.LineUp(1, 16, 4, (242, 0, 243)),
    ),
    (
        at(
            {
                1: "310",
                5: "  7",
                9: "Squadra Inventata",
                42: "INVEN",
                48: "  2486",
                55: "  15.0",
                62: "1028.5",
                69: " 11",
                74: "   1",
                79: "   5",
                139: "  44",
            }
        ),
        r.Team(7, "Squadra Inventata", "INVEN", 2486, 150, 10285, 11, (1, 5, *[0] * 11, 44)),
    ),
    (
        at({1: "320", 5: " 1.0", 10: " 2.0", 19: " 50", 27: " 49"}),
        r.TeamByes(10, 20, (0, 50, 0, 49)),
    ),
    (at({1: "330", 5: "-+", 8: "  8", 12: " 27", 16: "  5"}), r.ForfeitedMatch("-+", 8, 27, 5)),
    ("801  1 INV 15 28.0  14 b =0=1 1234", r.Text("801", " 1 INV 15 28.0  14 b =0=1 1234")),
    (
        at(
            {
                1: "802",
                5: "  3",
                9: "INVEN",
                15: "  19.0",
                22: "  32.5",
                29: "FPB",
                35: " 4.0",
                42: " 16",
                46: "w",
                48: " 2.5",
                52: "f",
            }
        ),
        r.TeamResults(
            3,
            "INVEN",
            190,
            325,
            (r.TeamRound("FPB", "", 40, False), r.TeamRound("16", "w", 25, True)),
        ),
    ),
    (
        PLAYER,
        r.PlayerRecord(
            9876,
            "w",
            "WGM",
            NAME_OF_33,
            2345,
            "ITA",
            99000000001,
            Birth(1987, 5, 31),
            115,
            1234,
            (Cell(5678, "w", "1"), Cell(7, "b", "="), Cell(0, "-", "H"), BLANK, Cell(12, "-", "-")),
        ),
    ),
    (
        at(
            {
                1: "ITA",
                5: "  14",
                10: "m",
                11: " 1N",
                15: "Pedonti, Bruno",
                49: "1801",
                54: "LOM",
                58: "     123456",
                70: "1990/00/00",
            }
        ),
        r.NationalRating(
            "ITA", 14, "m", "1N", "Pedonti, Bruno", 1801, "LOM", "123456", Birth(1990)
        ),
    ),
    ("XXR 9", r.Count("XXR", 9)),
    ("XXC white1 rank", r.Text("XXC", "white1 rank")),
    ("XXZ 3 14 159", r.Ids("XXZ", (3, 14, 159))),
    ("XXS WW=3.0 BW=3.5 FPB=2.0", r.Scoring("XXS", (("WW", 30), ("BW", 35), ("FPB", 20)))),
    (
        at({1: "XXA", 5: "  12", 10: " 1.0", 15: " 1.0", 20: " 0.5"}),
        r.PlayerAcceleration(12, (10, 10, 5)),
    ),
    ("XXP 1 2 3", r.Ids("XXP", (1, 2, 3))),
    *[(f"BB{letter}  1.5", r.Scoring(f"BB{letter}", ((letter, 15),))) for letter in "WDLZFU"],
    ("### a comment", r.Comment(" a comment")),
    ("", r.Blank()),
]


@pytest.mark.parametrize(("line", "record"), CASES, ids=[line[:12] for line, _ in CASES])
def test_a_line_becomes_its_record_and_the_record_its_line(line: str, record: r.Record) -> None:
    seen = Seen("prova.trf")
    assert decode(line, 1, seen) == record
    assert seen.findings() == []
    assert encode(record) == line


@pytest.mark.parametrize(
    ("line", "key", "column"),
    [
        (at({1: "001", 5: "   1", 49: "24x5"}), "rating_not_a_number", 49),
        (at({1: "001", 5: "   1", 58: "  99A"}), "id_not_a_number", 58),
        (at({1: "001", 5: "   1", 70: "1987/13/45"}), "birth_not_understood", 70),
        (at({1: "001", 5: "   1", 81: "4.55"}), "points_not_a_number", 81),
        (at({1: "001", 5: "   1", 86: " 1st"}), "rank_not_a_number", 86),
        (at({1: "001", 5: "   x"}), "start_number_missing", 5),
        (at({1: "001", 5: "   0"}), "start_number_missing", 5),
        (at({1: "001", 15: "Pedonti, Bruno"}), "start_number_missing", 5),
        (at({1: "001", 5: "   1", 48: "2", 49: "345"}), "number_overflows", 48),
        (at({1: "001", 5: "   1", 49: "2345", 53: "6"}), "number_overflows", 53),
        (at({1: "001", 5: "   1", 92: "  x2 w 1"}), "opponent_not_a_number", 92),
        (at({1: "001", 5: "   1", 102: "   2 x 1"}), "colour_unknown", 107),
        (at({1: "001", 5: "   1", 102: "   2 w ?"}), "result_unknown", 109),
        (at({1: "001", 5: "   1", 102: "0000 - ?"}), "bye_unknown", 109),
        (at({1: "001", 5: "   1", 103: "   2 w 1"}), "round_not_aligned", 106),
        (at({1: "001", 5: "   1", 101: "   2 w 1"}), "round_not_aligned", 106),
        (at({1: "001", 5: "   1", 92: "   2 w 1", 100: "x"}), "round_not_aligned", 100),
        (at({1: "ITA", 5: "   1", 49: "2x"}), "rating_not_a_number", 49),
        ("062 many", "field_not_a_number", 5),
        ("152 X", "field_not_understood", 5),
        ("152", "field_not_understood", 5),
        (at({1: "162", 6: "Q", 7: " 1.0"}), "field_not_understood", 6),
        (at({1: "162", 6: "W", 7: " 1.0", 15: "D", 16: "half"}), "field_not_a_number", 16),
        (at({1: "240", 5: "Q", 7: "  1"}), "field_not_understood", 5),
        (at({1: "240", 5: "H", 7: "  1", 11: "  12", 16: " 1x2"}), "field_not_a_number", 16),
        (at({1: "299", 5: "?"}), "field_not_understood", 5),
        (at({1: "330", 5: "++"}), "field_not_understood", 5),
        (at({1: "132", 92: "24/13/01"}), "day_not_understood", 92),
        (at({1: "132", 5: "24/05/01"}), "field_not_understood", 4),
        (at({1: "132", 92: "24/05/01", 102: "gestern"}), "day_not_understood", 102),
        ("042 quando piove", "day_not_understood", 5),
        ("XXS WW=3 QQ=1", "field_not_understood", 10),
        ("XXP 1 due 3", "field_not_a_number", 7),
        ("BBW win", "field_not_a_number", 5),
        ("123 what is this", "unknown_record", 1),
        ("XXQ 5", "unknown_record", 1),
        ("DDD SSSS sTTT NNNN", "unknown_text", 1),
        ("ita   14", "unknown_text", 1),
        ("12345678901234", "unknown_text", 1),
        ("012Prova", "column_not_blank", 4),
        (
            at({1: "802", 5: "  3", 9: "INV", 17: "19", 22: "32.5", 28: " 14 b 2.0"}),
            "informative_not_understood",
            5,
        ),
        (
            at({1: "802", 5: "  3", 9: "INV", 29: " 16", 33: "x", 35: " 2.5"}),
            "informative_not_understood",
            5,
        ),
    ],
)
def test_a_wrong_field_is_reported_at_its_column(line: str, key: str, column: int) -> None:
    seen = Seen("prova.trf")
    decode(line, 7, seen)
    found = {finding.key: finding.place for finding in seen.findings()}
    place = found[f"trf.{key}"]
    assert (place.file, place.line, place.column) == ("prova.trf", 7, column)


def test_programs_records_are_no_federations() -> None:
    for tag in ("XXR", "XXC", "XXZ", "XXS", "XXA", "XXP", "BBW", "BBU"):
        record = decode(f"{tag}   14", 1, Seen(""))
        assert not isinstance(record, r.NationalRating)


def test_text_without_a_blank_at_column_4_is_kept_whole() -> None:
    assert decode("012Prova", 1, Seen("")) == r.Text("012", "Prova")


def test_letters_with_accents_count_as_one_column() -> None:
    line = at({1: "001", 5: "   1", 15: "Niccolò, Società", 49: "2345", 58: "   99000001"})
    record = decode(line, 1, Seen(""))
    assert isinstance(record, r.PlayerRecord)
    assert (record.name, record.rating, record.id) == ("Niccolò, Società", 2345, 99000001)


def test_a_line_padded_by_bytes_is_read_by_bytes_and_says_so() -> None:
    octets = at({1: "001", 5: "   1", 15: "x" * 18, 49: "2345", 54: "ITA", 58: "   99000001"})
    line = octets.encode().replace(b"x" * 18, "Niccolò, Società".encode()).decode()
    assert line.index("2345") == 46, "two accents move the rest by two columns"
    seen = Seen("")
    record = decode(line, 1, seen)
    assert isinstance(record, r.PlayerRecord)
    assert (record.name, record.rating, record.federation) == ("Niccolò, Società", 2345, "ITA")
    assert "trf.columns_in_bytes" in [finding.key for finding in seen.findings()]


def test_a_shifted_line_never_yields_another_rating() -> None:
    line = at({1: "001", 5: "   1", 15: "Pedonti, Bruno", 49: "2345", 58: "   99000001"})
    for shift in (-3, -2, -1, 1, 2, 3):
        moved = line[:20] + " " * shift + line[20:] if shift > 0 else line[:20] + line[20 - shift :]
        seen = Seen("")
        record = decode(moved, 1, seen)
        assert isinstance(record, r.PlayerRecord)
        assert record.rating is None
        assert [finding.key for finding in seen.findings() if finding.key == "trf.number_overflows"]
