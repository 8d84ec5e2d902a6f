"""The columns of one line: text, numbers and points, with the exact column of what is wrong."""

from __future__ import annotations

from arrocco.formats.trf.seen import Seen

DIGITS = frozenset("0123456789")
_MAX_DIGITS = 8


class Fields:
    """One line of a record, read by 1-based inclusive columns as the format counts them.

    What cannot be read is reported to `seen` and comes back as `None`: a field is never guessed.
    """

    __slots__ = ("line", "seen", "tag", "text")

    def __init__(self, text: str, line: int, seen: Seen) -> None:
        self.text = text
        self.line = line
        self.seen = seen
        self.tag = text[:3]

    def word(self, first: int, last: int) -> str:
        """The text of the columns without the blanks around it."""
        return self.text[first - 1 : last].strip()

    def rest(self) -> str:
        """The text from column 5, or from column 4 where the file leaves no blank there."""
        if self.text[3:4].strip():
            self.seen.add("column_not_blank", self.line, 4, record=self.tag)
            return self.text[3:].strip()
        return self.text[4:].strip()

    def number(self, first: int, last: int, key: str = "field_not_a_number") -> int | None:
        """A whole number, `None` where blank; a number that runs on outside is not taken."""
        if self._overflows(first, last):
            return None
        word = self.word(first, last)
        if not word:
            return None
        number = whole(word)
        if number is None:
            self.wrong(first, last, key)
        return number

    def tenths(self, first: int, last: int, key: str = "field_not_a_number") -> int | None:
        """Points in tenths, `None` where blank: ``4.5`` is 45; ``4,5`` and ``4½`` with a note."""
        if self._overflows(first, last):
            return None
        word = self.word(first, last)
        if not word:
            return None
        points = tenths(word)
        if points is None:
            self.wrong(first, last, key)
        elif "," in word or "½" in word:
            self.seen.add("points_form", self.line, first, text=word)
        return points

    def numbers(self, first: int, width: int, step: int) -> tuple[int, ...]:
        """Numbers repeated to the end of the line, 0 where a place is blank or wrong."""
        length = len(self.text.rstrip())
        return tuple(
            self.number(column, column + width - 1) or 0
            for column in range(first, length + 1, step)
        )

    def wrong(self, first: int, last: int, key: str) -> None:
        """Reports the columns as not readable."""
        self.seen.add(
            key,
            self.line,
            first,
            record=self.tag,
            first=first,
            last=last,
            text=self.text[first - 1 : last].strip(),
        )

    def _overflows(self, first: int, last: int) -> bool:
        """Whether a digit stands right before or after the columns: then they are cut wrongly."""
        text = self.text
        if text[first - 2 : first - 1] in DIGITS:
            column = first - 1
        elif text[last : last + 1] in DIGITS:
            column = last + 1
        else:
            return False
        self.seen.add(
            "number_overflows", self.line, column, record=self.tag, first=first, last=last
        )
        return True


def whole(word: str) -> int | None:
    """A whole number of plain digits."""
    return int(word) if word.isascii() and word.isdigit() else None


def tenths(word: str) -> int | None:
    """Points in tenths: ``11.5``, ``4``, ``.5``, ``-1.0``, ``4,5``, ``4½``; `None` if none."""
    sign = 1
    if word[:1] in ("-", "+"):
        sign = -1 if word[0] == "-" else 1
        word = word[1:]
    if word.endswith("½"):
        word = word[:-1] + ".5"
    word = word.replace(",", ".")
    digits = word.replace(".", "", 1)
    if not (digits.isascii() and digits.isdigit()) or len(digits) > _MAX_DIGITS:
        return None
    units, _, part = word.partition(".")
    part = part.rstrip("0")
    if len(part) > 1:
        return None
    return sign * (int(units or "0") * 10 + int(part or "0"))


def show_tenths(points: int) -> str:
    """Writes tenths as the format does: 45 is ``4.5``."""
    sign = "-" if points < 0 else ""
    units, part = divmod(abs(points), 10)
    return f"{sign}{units}.{part}"
