"""Dates as reports write them: the format's own ``YYYY/MM/DD`` and the forms real files show.

A form other than the format's is understood only where it can be read in one way; where day and
month could be exchanged the reader says which order it assumed.
"""

from __future__ import annotations

import re
from datetime import date
from enum import Enum
from functools import lru_cache

from arrocco.records.report import Birth


class Form(Enum):
    """How a date was written."""

    BLANK = "blank"
    REGULAR = "regular"
    OTHER = "other"
    ASSUMED = "assumed"
    """Day and month could be exchanged: the day was taken to come first."""
    WRONG = "wrong"


_MONTHS = {
    name: month
    for names in (
        "jan feb mar apr may jun jul aug sep oct nov dec",
        "gen feb mar apr mag giu lug ago set ott nov dic",
    )
    for month, name in enumerate(names.split(), start=1)
}
"""English and Italian months by their first three letters."""

_TOKEN = re.compile(r"\d+|[^\W\d_]+")
_PIVOT = 70
"""Two digits of a year: 70 to 99 are 1970 to 1999, 00 to 69 are 2000 to 2069."""

_OLDEST, _LATEST = 1800, 2199


def read_day(text: str) -> tuple[date | None, Form]:
    """The day a tournament record gives, and how it was written."""
    text = text.strip()
    if not text:
        return None, Form.BLANK
    if _is_regular(text):
        day = _date(int(text[:4]), int(text[5:7]), int(text[8:]))
        return day, Form.REGULAR if day else Form.WRONG
    parts, form = _year_month_day(text)
    day = _date(*parts) if parts else None
    return day, form if day else Form.WRONG


def read_round_day(text: str) -> tuple[date | None, Form]:
    """The day of one round: ``YY/MM/DD``, or a full date where the file writes one."""
    text = text.strip()
    if not text:
        return None, Form.BLANK
    tokens = _TOKEN.findall(text)
    if [len(token) for token in tokens] != [2, 2, 2] or not all(map(_is_digits, tokens)):
        return read_day(text) if len(text) > 8 else (None, Form.WRONG)
    year, month, day = map(int, tokens)
    day_read = _date(year + (1900 if year >= _PIVOT else 2000), month, day)
    regular = text[2] == "/" and text[5] == "/"
    return day_read, (Form.REGULAR if regular else Form.OTHER) if day_read else Form.WRONG


@lru_cache(maxsize=4096)
def read_birth(text: str) -> tuple[Birth | None, Form]:
    """A birth date; the year alone where month or day is blank or zero."""
    text = text.strip()
    tokens = _TOKEN.findall(text)
    if not tokens:
        # "    .  .  " says nothing, anything else without a digit or letter is no date
        return None, Form.BLANK if not text.strip("./- ") else Form.WRONG
    if all(_is_digits(token) and not int(token) for token in tokens):
        return None, Form.BLANK
    if len(tokens[0]) == 4 and _is_digits(tokens[0]) and not any(map(_is_nonzero, tokens[1:])):
        year = int(tokens[0])
        form = Form.REGULAR if text[4:] == "/00/00" else Form.OTHER
        known = _OLDEST <= year <= _LATEST and len(tokens) <= 3
        return (Birth(year), form) if known else (None, Form.WRONG)
    day, form = read_day(text)
    if day is None:
        return _year_and_month(tokens)
    return Birth(day.year, day.month, day.day), form


def _year_and_month(tokens: list[str]) -> tuple[Birth | None, Form]:
    """``1987/05/00``: the month is known, the day is not; only the year is kept."""
    if len(tokens) in (2, 3) and all(map(_is_digits, tokens)) and len(tokens[0]) == 4:
        year, month = int(tokens[0]), int(tokens[1])
        day = int(tokens[2]) if len(tokens) == 3 else 0
        if _OLDEST <= year <= _LATEST and 1 <= month <= 12 and day == 0:
            return Birth(year), Form.OTHER
    return None, Form.WRONG


def _year_month_day(text: str) -> tuple[tuple[int, int, int] | None, Form]:
    """The parts of a date written in another form than ``YYYY/MM/DD``."""
    tokens = _TOKEN.findall(text)
    if len(tokens) == 1 and len(tokens[0]) == 8 and _is_digits(tokens[0]):
        (digits,) = tokens
        return (int(digits[:4]), int(digits[4:6]), int(digits[6:])), Form.OTHER
    if len(tokens) != 3:
        return None, Form.WRONG
    named = [_MONTHS.get(token[:3].lower()) for token in tokens]
    if any(named):
        return _with_month_name(tokens, named)
    if not all(map(_is_digits, tokens)):
        return None, Form.WRONG
    first, second, third = map(int, tokens)
    if len(tokens[0]) == 4:
        return (first, second, third), Form.OTHER
    if len(tokens[2]) != 4:
        # two digits for the year: 28.07.05 may be 1928, 2005 or 2028
        return None, Form.WRONG
    if second > 12:
        return (third, first, second), Form.OTHER
    if first <= 12 and first != second and "." not in text:
        return (third, second, first), Form.ASSUMED
    return (third, second, first), Form.OTHER


def _with_month_name(
    tokens: list[str], named: list[int | None]
) -> tuple[tuple[int, int, int] | None, Form]:
    """``May 29, 2020`` and ``29 May 2020``."""
    numbers = [token for token in tokens if _is_digits(token)]
    months = [month for month in named if month]
    if len(numbers) != 2 or len(months) != 1:
        return None, Form.WRONG
    first, second = numbers
    if len(second) == 4 and len(first) <= 2:
        return (int(second), months[0], int(first)), Form.OTHER
    if len(first) == 4 and len(second) <= 2:
        return (int(first), months[0], int(second)), Form.OTHER
    return None, Form.WRONG


def _is_regular(text: str) -> bool:
    return (
        len(text) == 10
        and text[4] == text[7] == "/"
        and text.isascii()
        and (text[:4] + text[5:7] + text[8:]).isdigit()
    )


def _is_digits(token: str) -> bool:
    return token.isascii() and token.isdigit()


def _is_nonzero(token: str) -> bool:
    return not _is_digits(token) or int(token) != 0


def _date(year: int, month: int, day: int) -> date | None:
    if not _OLDEST <= year <= _LATEST:
        return None
    try:
        return date(year, month, day)
    except ValueError:
        return None
