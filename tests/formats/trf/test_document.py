"""A document is written back to the bytes it was read from, line for line."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arrocco.formats.trf import Line, TrfDocument, read, write
from arrocco.formats.trf import records as r
from arrocco.formats.trf.encode import encode
from tests.formats.trf.samples import cell, player, report, swiss
from tests.formats.trf.test_records import CASES

HAND_WRITTEN = {
    "lf": b"012 Prova\n001    1\n",
    "cr": b"012 Prova\r001    1\r",
    "crlf": b"012 Prova\r\n001    1\r\n",
    "mixed": b"012 Prova\r\n\n\r001    1\r\r\n",
    "no ending at the end": b"012 Prova\n001    1",
    "blanks at the end of lines": b"012 Prova   \n001    1      \n    \n",
    "mark at the start": b"\xef\xbb\xbf012 Prova\n001    1\n",
    "western code page": "012 Prova di città\n001    1\n".encode("cp1252"),
    "bytes no code page has": b"012 Prova \x81\x8d\n001    1\n",
    "unknown lines": b"999 what\nDDD SSSS\n  1234\n### note\n001    1\n\x1a",
    "other columns": b"012Prova\n042 1. 5. 2024\n001 1 m Rossi\n001    2    g Bianchi\n",
    "other spaces": "012 Prova\u2028due\x0btre\x85\n001    1\n".encode(),
}


@pytest.mark.parametrize("name", HAND_WRITTEN)
def test_a_file_is_written_back_to_its_bytes(name: str) -> None:
    data = HAND_WRITTEN[name]
    document, _ = read(data, "prova.trf")
    assert write(document) == data


def test_lines_count_from_one_and_keep_text_and_ending() -> None:
    document, _ = read(b"012 Prova  \r\n\n001    1", "prova.trf")
    assert [(line.number, line.text, line.ending) for line in document.lines] == [
        (1, "012 Prova  ", "\r\n"),
        (2, "", "\n"),
        (3, "001    1", ""),
    ]


def test_only_carriage_return_and_line_feed_end_a_line() -> None:
    document, _ = read("012 a\u2028b\x0cc\x85d\n001    1".encode(), "prova.trf")
    assert len(document.lines) == 2


def test_a_changed_line_is_written_in_the_formats_columns() -> None:
    data = report([player(1, [cell(2, "w", "1")]), player(2, [cell(1, "b", "0")])])
    document, _ = read(data, "prova.trf")
    line, record = next(iter(document.all(r.PlayerRecord)))
    document.lines[line.number - 1] = Line.of(replace(record, rating=2500))
    assert write(document) == data.replace(b"2399", b"2500")


def test_a_document_knows_whether_it_is_trf26() -> None:
    assert not read(swiss(), "")[0].is_trf26
    assert read(swiss(version="trf26"), "")[0].is_trf26


records = st.sampled_from([record for _, record in CASES])
endings = st.sampled_from(["\r\n", "\n", "\r"])


@st.composite
def regular_documents(draw: st.DrawFn) -> TrfDocument:
    """Documents of records of every kind in any order, with one ending."""
    ending = draw(endings)
    chosen = draw(st.lists(records, min_size=1, max_size=30))
    lines = [Line.of(record, number, ending) for number, record in enumerate(chosen, start=1)]
    encoding = draw(st.sampled_from(["utf-8", "utf-8-sig"]))
    lines.append(Line.of(r.PlayerRecord(1), len(lines) + 1, ending))
    return TrfDocument("prova.trf", encoding, lines)


@given(regular_documents())
@settings(deadline=None)
def test_a_regular_document_survives_writing_and_reading(document: TrfDocument) -> None:
    data = write(document)
    again, _ = read(data, "prova.trf")
    assert again == document
    assert write(again) == data
    assert [encode(line.record) for line in again.lines] == [line.text for line in again.lines]


@given(
    st.lists(
        st.tuples(
            st.text(st.characters(codec="utf-8", exclude_characters="\0\r\n"), max_size=120).map(
                lambda text: text.replace("\ufeff", "")
            ),
            endings,
        ),
        min_size=1,
        max_size=12,
    )
)
@settings(max_examples=50, deadline=None)
def test_any_text_is_written_back_to_its_bytes(lines: list[tuple[str, str]]) -> None:
    data = "".join(text + ending for text, ending in lines).encode() + b"001    1"
    assert write(read(data, "prova.trf")[0]) == data


@given(st.binary(max_size=300))
@settings(deadline=None)
def test_any_bytes_without_zero_are_written_back(data: bytes) -> None:
    data = data.replace(b"\0", b"") + b"\n001    1\n"
    assert write(read(data, "prova.trf")[0]) == data
