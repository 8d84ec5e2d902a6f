"""The lines of a PGN file as the parser takes them: counted, and cut where they would be slow."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator

TAG = re.compile(r'\[[A-Za-z0-9][A-Za-z0-9_+#=:-]*\s+"[^\r]*"\]\s*$')
_AFTER_COMMENT = re.compile(r"(?<=\})[ \t]*(?=[^\s%;])")


class Lines(io.TextIOBase):
    """Gives a text line by line and knows the number of the last one given.

    The parser copies the rest of a line after each comment in it; a line with thousands of clocks
    would take it minutes. Movetext is therefore cut after comments: there a line break means
    nothing, unless the next character would make a remark of what follows.
    """

    def __init__(self, text: str) -> None:
        self.number = 0
        self.in_tags = False
        self.bad_tags: list[int] = []
        self._last = ""
        self._lines = self._cut(text.replace("\r\n", "\n").replace("\r", "\n"))

    def _cut(self, text: str) -> Iterator[str]:
        at = 0
        while at < len(text):
            end = text.find("\n", at) + 1 or len(text)
            self.number += 1
            line = text[at:end]
            at = end
            if "}" not in line or TAG.match(line):
                yield line
                continue
            pieces = _AFTER_COMMENT.split(line)
            for piece in pieces[:-1]:
                yield f"{piece}\n"
            yield pieces[-1]

    def readline(self, size: int | None = -1, /) -> str:  # type: ignore[override]
        """The next line, with its end; an empty text at the end."""
        if self.in_tags and self._last.startswith("[") and not TAG.match(self._last):
            self.bad_tags.append(self.number)
        self._last = next(self._lines, "")
        return self._last
