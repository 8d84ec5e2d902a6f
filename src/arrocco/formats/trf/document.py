"""A report file line by line, without loss: what is read is written back to the same bytes.

Every line is kept as it stands, with its ending, beside the record it holds. Changing a document
means replacing a line by `Line.of(record)`, which writes the record in the format's own columns.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TypeVar

from arrocco.findings import Finding
from arrocco.formats.trf import records as r
from arrocco.formats.trf.cells import FIRST_COLUMN, WIDTH
from arrocco.formats.trf.decode import decode
from arrocco.formats.trf.encode import encode
from arrocco.formats.trf.seen import Seen, refusal

MAX_BYTES = 64 * 1024 * 1024
MAX_LINE_BYTES = 100_000
MAX_LINES = 200_000
MAX_RESULTS = 1_000_000
"""Bounds of what is read: a report of 9999 players over 100 rounds fits into all of them."""

ENDING = "\r\n"
"""The ending of lines we write: the format asks for CR, programs of today for LF."""

Kind = TypeVar("Kind", bound=r.Record)


@dataclass(slots=True)
class Line:
    """One line: its number from 1, its text without the ending, the ending, and its record."""

    number: int
    text: str
    ending: str
    record: r.Record

    @classmethod
    def of(cls, record: r.Record, number: int = 0, ending: str = ENDING) -> Line:
        """A line written from a record."""
        return cls(number, encode(record), ending, record)


@dataclass(slots=True)
class TrfDocument:
    """The lines of a report file.

    `encoding` is a codec's name: ``utf-8``, ``utf-8-sig`` (with the mark at the start), ``cp1252``
    or ``latin-1``.
    """

    source: str = ""
    encoding: str = "utf-8"
    lines: list[Line] = field(default_factory=list)

    def all(self, kind: type[Kind]) -> Iterator[tuple[Line, Kind]]:
        """The lines that hold a record of that kind, with the record."""
        for line in self.lines:
            if isinstance(line.record, kind):
                yield line, line.record

    @property
    def is_trf26(self) -> bool:
        """Whether any record is one that only TRF26 has."""
        return any(
            line.text[:3] in _TRF26_TAGS or isinstance(line.record, r.NationalRating)
            for line in self.lines
        )


_TRF26_TAGS = frozenset(
    """
        142 152 162 172 182 192 202 212 222 240 250 260 299 300 310 320 330 352 362 801 802
    """.split()
)


def read(data: bytes, source: str) -> tuple[TrfDocument, list[Finding]]:
    """Reads a file into its lines, with what is wrong within single lines.

    What concerns several lines together is seen by `to_report`. Raises `Malformed` for an empty or
    binary file and for one beyond the bounds of this module.
    """
    _check_bounds(data, source)
    seen = Seen(source)
    text, encoding = _decode(data, seen)
    pieces = _ENDINGS.split(text)
    lines: list[Line] = []
    results = 0
    for index in range(0, len(pieces), 2):
        content = pieces[index]
        ending = pieces[index + 1] if index + 1 < len(pieces) else ""
        if not content and not ending:
            break
        number = len(lines) + 1
        results += max(0, len(content) - FIRST_COLUMN + WIDTH) // WIDTH
        if results > MAX_RESULTS:
            raise refusal("too_many_results", source, number, most=MAX_RESULTS)
        lines.append(Line(number, content, ending, decode(content, number, seen)))
    _check_endings({line.ending for line in lines[:-1]}, seen)
    _check_control_characters(text, lines, seen)
    return TrfDocument(source, encoding, lines), seen.findings()


def write(document: TrfDocument) -> bytes:
    """Writes the lines of a document as they stand."""
    text = "".join([line.text + line.ending for line in document.lines])
    return text.encode(document.encoding)


_ENDINGS = re.compile(r"(\r\n|\n|\r)")
_STRETCH = re.compile(rb"[^\r\n]{1,%d}" % (MAX_LINE_BYTES + 1))


def _check_bounds(data: bytes, source: str) -> None:
    """Refuses what cannot be a report before anything is copied."""
    if len(data) > MAX_BYTES:
        raise refusal("too_large", source, bytes=len(data), most=MAX_BYTES)
    if b"\0" in data:
        raise refusal("binary", source)
    if data.count(b"\n") + data.count(b"\r") - data.count(b"\r\n") >= MAX_LINES:
        raise refusal("too_many_lines", source, most=MAX_LINES)
    for match in _STRETCH.finditer(data):
        if match.end() - match.start() > MAX_LINE_BYTES:
            start = data[: match.start()]
            line = start.count(b"\n") + start.count(b"\r") - start.count(b"\r\n") + 1
            raise refusal("line_too_long", source, line, most=MAX_LINE_BYTES)
    if not data.strip(b"\xef\xbb\xbf \t\r\n\x1a"):
        raise refusal("empty", source)


_UTF8_LETTER = re.compile(
    rb"[\xc3-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}"
)


def _decode(data: bytes, seen: Seen) -> tuple[str, str]:
    """The text of a file and its encoding: UTF-8, or else the Western one-byte code page."""
    encoding = "utf-8-sig" if data.startswith(b"\xef\xbb\xbf") else "utf-8"
    try:
        return data.decode(encoding), encoding
    except UnicodeDecodeError as error:
        position = error.start + (3 if encoding == "utf-8-sig" else 0)
    before = data[:position]
    line = len(_ENDINGS.findall(before.decode("latin-1"))) + 1
    column = position - max(before.rfind(b"\n"), before.rfind(b"\r"))
    try:
        text, encoding = data.decode("cp1252"), "cp1252"
    except UnicodeDecodeError:
        text, encoding = data.decode("latin-1"), "latin-1"
    mixed = encoding == "latin-1" or _UTF8_LETTER.search(data)
    seen.add("encoding_mixed" if mixed else "encoding_not_utf8", line, column, encoding=encoding)
    return text, encoding


def _check_endings(endings: set[str], seen: Seen) -> None:
    if len(endings) > 1:
        seen.add("line_endings_mixed")


_CONTROL = re.compile(r"[\x00-\x09\x0b\x0c\x0e-\x1f\x7f-\x9f]")


def _check_control_characters(text: str, lines: list[Line], seen: Seen) -> None:
    """A tab or another control character moves the columns after it."""
    if not _CONTROL.search(text):
        return
    for line in lines:
        match = _CONTROL.search(line.text)
        if match and line.text != "\x1a":
            code = f"{ord(match[0]):02X}"
            seen.add("control_character", line.number, match.start() + 1, code=code)
