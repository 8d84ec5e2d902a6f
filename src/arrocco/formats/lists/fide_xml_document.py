"""The document of a FIDE XML list: its start checked here, its players in blocks or elements.

The start is read here, not by a parser: a document type is refused before anything could declare
an entity, and so are encodings that could hide one. A parser only ever sees players inside a root
element that was opened for it, where no declaration is allowed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Any, BinaryIO

from lxml import etree

from arrocco.errors import Malformed, Refusal
from arrocco.formats.lists.row import decoded

ELEMENTS = {
    "fideid": "id",
    "name": "name",
    "country": "federation",
    "sex": "sex",
    "title": "title",
    "w_title": "w_title",
    "o_title": "o_title",
    "foa_title": "foa_title",
    "rating": "standard_rating",
    "games": "standard_games",
    "k": "standard_k",
    "rapid_rating": "rapid_rating",
    "rapid_games": "rapid_games",
    "rapid_k": "rapid_k",
    "blitz_rating": "blitz_rating",
    "blitz_games": "blitz_games",
    "blitz_k": "blitz_k",
    "birthday": "birth",
    "flag": "flag",
}
"""The elements of a player and the columns they become."""

ENCODINGS = {
    "utf-8": "utf-8",
    "us-ascii": "utf-8",
    "ascii": "utf-8",
    "iso-8859-1": "iso-8859-1",
    "latin-1": "iso-8859-1",
    "windows-1252": "windows-1252",
}
_BLOCK = 1 << 19
_LONGEST_PLAYER = 1 << 20
_LONGEST_START = 1 << 16
_ROOT = b"<playerslist>"
_PLAYER_END = b"</player>"
_DECLARATION = re.compile(rb"""<\?xml(?:\s[^>]*?encoding\s*=\s*["']([\w.-]+)["'])?[^>]*?\?>""")
_BESIDES = re.compile(rb"(?:\s|<!--(?:[^-]|-[^-])*+-->|<\?(?!xml)[^>]*\?>)*+")
_ROOT_START = re.compile(rb"<playerslist(?:\s[^<>]*[^<>/]|\s*)>")
_TAIL = re.compile(rb"\s*</playerslist\s*>" + _BESIDES.pattern)


@dataclass(frozen=True)
class XmlPlayer:
    """An element under the root: its tag, the tags and texts within it, and its line.

    A text is `None` where it is not plain.
    """

    tag: str
    cells: list[tuple[str, str | None]]
    line: int


class Document:
    """A list being read: first `blocks`, and `rest` from a block that is not plain."""

    def __init__(self, stream: BinaryIO, file: str) -> None:
        self._stream = stream
        self.file = file
        start = stream.read(_LONGEST_START)
        at = self._check_start(start)
        self._line = 1 + start.count(b"\n", 0, at)
        self._pending = start[at:]
        while _PLAYER_END not in self._pending and len(self._pending) < _LONGEST_PLAYER:
            more = stream.read(_LONGEST_START)
            self._pending += more
            if not more:
                break
        self.first_player, _, _ = self._pending.partition(_PLAYER_END)

    def _check_start(self, start: bytes) -> int:
        """Reads up to the end of the root's start tag and gives its place."""
        if start[:2] in (b"\xff\xfe", b"\xfe\xff") or b"\x00" in start[:64]:
            raise Malformed.of("lists.refused.xml_utf_16", file=self.file)
        self.encoding = "utf-8"
        at = 3 if start.startswith(b"\xef\xbb\xbf") else 0
        declaration = _DECLARATION.match(start, at)
        if declaration:
            name = (declaration[1] or b"utf-8").decode("ascii").lower()
            if name not in ENCODINGS:
                raise Refusal.of("lists.refused.xml_encoding", file=self.file, encoding=name)
            self.encoding = ENCODINGS[name]
            at = declaration.end()
        besides = _BESIDES.match(start, at)
        at = besides.end() if besides else at
        if start[at : at + 9].upper() == b"<!DOCTYPE":
            raise Refusal.of("lists.refused.xml_document_type", file=self.file)
        root = _ROOT_START.match(start, at)
        if root is None:
            raise Malformed.of("lists.refused.xml_root", file=self.file)
        return root.end()

    def blocks(self) -> Iterator[tuple[bytes, int]]:
        """Whole players, many at a time, with the line on which they start."""
        while True:
            data = self._stream.read(_BLOCK)
            block = self._pending + data
            cut = block.rfind(_PLAYER_END)
            cut = 0 if cut < 0 else cut + len(_PLAYER_END)
            self._pending = block[cut:]
            if len(self._pending) > _LONGEST_PLAYER:
                line = self._line + block.count(b"\n", 0, cut)
                raise Malformed.of("lists.refused.xml_endless_player", file=self.file, line=line)
            if cut:
                block = block[:cut]
                line = self._line
                self._line += block.count(b"\n")
                yield block, line
            if not data:
                break
        if b"</playerslist" not in self._pending:
            raise Malformed.of("lists.refused.xml_ends_early", file=self.file, line=self._line)
        if _TAIL.fullmatch(self._pending) is None:
            # Something follows the last player: a parser must say whether it may.
            block, self._pending = self._pending, b""
            yield block, self._line

    def fragment(self, block: bytes, line: int) -> list[XmlPlayer] | None:
        """The players of a block, or `None` when the block alone is not well-formed."""
        parser = etree.XMLParser(**self._hardened(block))
        try:
            root = etree.fromstring(_ROOT + block + b"</playerslist>", parser)
        except etree.XMLSyntaxError:
            return None
        return [_player(element, line) for element in root if isinstance(element.tag, str)]

    def rest(self, block: bytes, line: int) -> Iterator[XmlPlayer]:
        """The players from a block to the end of the document, which are then used up.

        Raises `Malformed` where the document is not well-formed.
        """
        parser = etree.XMLPullParser(("end",), **self._hardened(block))
        chunks = chain([_ROOT, block, self._pending], iter(lambda: self._stream.read(_BLOCK), b""))
        self._pending = b"</playerslist>"
        idle = 0
        try:
            for chunk in chunks:
                parser.feed(chunk)
                idle += len(chunk)
                events: Any = parser.read_events()
                for _, element in events:
                    above = element.getparent()
                    if above is None or above.getparent() is not None:
                        continue
                    idle = 0
                    yield _player(element, line)
                    element.clear()
                    while element.getprevious() is not None:
                        del above[0]
                if idle > _LONGEST_PLAYER + _BLOCK:
                    raise Malformed.of("lists.refused.xml_endless", file=self.file)
            parser.close()
        except etree.XMLSyntaxError as error:
            at = line - 1 + (error.lineno or 1)
            raise Malformed.of(
                "lists.refused.xml_not_well_formed", file=self.file, line=at, reason=error.msg
            ) from None

    def is_decoded(self, block: bytes) -> bool:
        """Whether a block is in the encoding of the document."""
        return self.encoding != "utf-8" or decoded(block)[1]

    def _hardened(self, block: bytes) -> dict[str, Any]:
        """No entities, no document type, no network, no huge trees."""
        encoding = self.encoding if self.is_decoded(block) else "iso-8859-1"
        return {
            "resolve_entities": False,
            "load_dtd": False,
            "dtd_validation": False,
            "attribute_defaults": False,
            "no_network": True,
            "huge_tree": False,
            "recover": False,
            "encoding": encoding,
        }


def tidy(text: str) -> str:
    """A text without blanks around it, its line breaks as blanks."""
    return re.sub(r"[\t\r\n]+", " ", text).strip()


def _player(element: Any, line: int) -> XmlPlayer:
    """What an element under the root holds; texts with markup inside are no texts."""
    cells = [
        (child.tag, None if len(child) else tidy(child.text or ""))
        for child in element
        if isinstance(child.tag, str)
    ]
    return XmlPlayer(element.tag, cells, line - 1 + (element.sourceline or 1))
