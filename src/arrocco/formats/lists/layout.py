"""Where the columns of a FIDE text list stand: measured on its header line, then checked.

Five layouts are known: combined with online titles (162 characters), combined (158), one kind of
rating with online titles (136, the month in place of the rating's name) and without them (132,
about 2012 to 2016), and the layout of 2011 (74). A column starts where its heading starts and ends
where the next one does.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date

from arrocco.errors import Malformed
from arrocco.formats.lists.registry import KINDS

MONTHS = ("JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC")
_MONTH = rf"(?:{'|'.join(MONTHS)})\d\d"


@dataclass(frozen=True)
class Column:
    """A column from `start` (included) to `end` (excluded), both counted from 0."""

    start: int
    end: int

    @property
    def width(self) -> int:
        return self.end - self.start


@dataclass(frozen=True)
class Layout:
    """The columns of a list by name; those of ratings by kind, as ``rapid_games``.

    A list of one kind has the kind ``""`` here: its heading does not say which one it is.
    """

    name: str
    columns: dict[str, Column]
    kinds: tuple[str, ...]
    on: date | None

    @property
    def width(self) -> int:
        return self.columns["flag"].end

    @property
    def shortest(self) -> int:
        """A line must at least reach into the last rating column; the rest may be cut blanks."""
        last = max(
            column.start
            for name, column in self.columns.items()
            if name.endswith(("games", "_k")) or name == "k"
        )
        return last + 1

    def name_of(self, kind: str, what: str) -> str:
        """The name of a rating column: a list of one kind has no kind in it."""
        return what if self.kinds == ("",) else f"{kind}_{what}"

    def column_of(self, kind: str, what: str) -> Column | None:
        return self.columns.get(self.name_of(kind, what))

    @property
    def is_usual(self) -> bool:
        """Whether every column stands where the format says."""
        return [column.start for column in self.columns.values()] == _USUAL_STARTS[self.name]

    @property
    def is_legacy(self) -> bool:
        """The layout of 2011: titles of one or two letters, no sex, no K."""
        return "sex" not in self.columns


def _heading(*names: tuple[str, str]) -> re.Pattern[str]:
    return re.compile("".join(f"(?P<{name}>{text} *)" for name, text in names), re.IGNORECASE)


def _ratings(kind: str, letter: str) -> list[tuple[str, str]]:
    return [
        (f"{kind}_rating", f"{letter}Rtng"),
        (f"{kind}_games", f"{letter}Gm"),
        (f"{kind}_k", f"{letter}K"),
    ]


_PERSON = [
    ("id", "ID Number"),
    ("name", "Name"),
    ("federation", "Fed"),
    ("sex", "Sex"),
    ("title", "Tit"),
    ("w_title", "WTit"),
    ("o_title", "OTit"),
]
_FOA = [("foa_title", "FOA")]
_ALL_RATINGS = [*_ratings("standard", "S"), *_ratings("rapid", "R"), *_ratings("blitz", "B")]
_ONE_RATING = [("rating", _MONTH), ("games", "Gms"), ("k", "K")]
_REST = [("birth", "B-day"), ("flag", "Flag")]
_2011 = [
    ("id", "ID number"),
    ("name", "Name"),
    ("title", "Titl"),
    ("federation", "Fed"),
    ("rating", _MONTH),
    ("games", "Games"),
    ("birth", "Born"),
    ("flag", "Flag"),
]

_HEADINGS = (
    ("combined with FOA", KINDS, _heading(*_PERSON, *_FOA, *_ALL_RATINGS, *_REST)),
    ("combined", KINDS, _heading(*_PERSON, *_ALL_RATINGS, *_REST)),
    ("single type", ("",), _heading(*_PERSON, *_FOA, *_ONE_RATING, *_REST)),
    ("single type without FOA", ("",), _heading(*_PERSON, *_ONE_RATING, *_REST)),
    ("2011", ("",), _heading(*_2011)),
)

# fmt: off
_USUAL_STARTS = {
    "combined with FOA": [
        0, 15, 76, 80, 84, 89, 94, 109, 113, 119, 123, 126, 132, 136, 139, 145, 149, 152, 158
    ],
    "combined": [0, 15, 76, 80, 84, 89, 94, 109, 115, 119, 122, 128, 132, 135, 141, 145, 148, 154],
    "single type": [0, 15, 76, 80, 84, 89, 94, 109, 113, 119, 123, 126, 132],
    "single type without FOA": [0, 15, 76, 80, 84, 89, 94, 109, 115, 119, 122, 128],
    "2011": [0, 10, 44, 48, 53, 59, 64, 70],
}
# fmt: on

_NARROWEST = {
    "id": 8,
    "name": 20,
    "federation": 3,
    "sex": 1,
    "title": 2,
    "w_title": 3,
    "o_title": 3,
    "foa_title": 3,
    "rating": 4,
    "games": 2,
    "k": 2,
    "birth": 4,
    "flag": 2,
}


def from_heading(line: str, file: str) -> Layout:
    """Measures the columns on the heading. Raises `Malformed` when it is none of the known ones."""
    for name, kinds, pattern in _HEADINGS:
        match = pattern.fullmatch(line.rstrip())
        if match:
            columns = {field: Column(*match.span(field)) for field in match.groupdict()}
            flag = columns["flag"]
            columns["flag"] = Column(flag.start, flag.start + 4)
            _check(columns, file)
            month = match["rating"].strip() if "rating" in columns else ""
            return Layout(name, columns, kinds, _first_day(month) if month else None)
    raise Malformed.of("lists.refused.heading_unknown", file=file)


def _check(columns: dict[str, Column], file: str) -> None:
    """A column too narrow for what it holds means a heading whose blanks were lost."""
    for name, column in columns.items():
        if column.width < _NARROWEST[name.rpartition("_")[2] if name not in _NARROWEST else name]:
            raise Malformed.of(
                "lists.refused.column_width",
                file=file,
                column=column.start + 1,
                name=name,
                width=column.width,
            )


def _first_day(month: str) -> date:
    year = int(month[3:])
    return date(2000 + year if year < 70 else 1900 + year, MONTHS.index(month[:3].upper()) + 1, 1)
