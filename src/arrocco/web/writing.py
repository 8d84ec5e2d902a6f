"""Numbers, days and moments as each language writes them on a page."""

from __future__ import annotations

import re
from datetime import date, datetime

from babel.dates import format_date, format_datetime
from babel.numbers import format_decimal

from arrocco.units import decimal, points, signed
from arrocco.words import Language, number

_LOCALES: dict[Language, str] = {"en": "en_GB", "it": "it_IT"}
_MINUS = re.compile(r"(?<![\w.–-])-(?=\d)")
NOTHING = "–"
"""What stands where there is no value."""


def day(language: Language, value: date | None) -> str:
    """A day in words: ``1 May 2024``, ``1 mag 2024``."""
    return format_date(value, "d MMM y", locale=_LOCALES[language]) if value else NOTHING


def days(language: Language, first: date, last: date) -> str:
    """The days from one to another; a single day is said once."""
    if first == last:
        return day(language, first)
    return f"{day(language, first)} – {day(language, last)}"


def long_day(language: Language, value: date) -> str:
    """A day with the whole name of its month: ``1 May 2024``, ``1 maggio 2024``."""
    return format_date(value, "d MMMM y", locale=_LOCALES[language])


def month(language: Language, value: date) -> str:
    """A month in words: ``May 2024``, ``maggio 2024``."""
    return format_date(value, "MMMM y", locale=_LOCALES[language])


def short_month(language: Language, value: date) -> str:
    """A month for small places: ``May 2024``, ``mag 2024``."""
    return format_date(value, "MMM y", locale=_LOCALES[language])


def moment(language: Language, value: datetime | None) -> str:
    """A moment, which the office keeps in UTC: ``1 May 2024, 14:05 UTC``."""
    if value is None:
        return NOTHING
    return f"{format_datetime(value, 'd MMM y, HH:mm', locale=_LOCALES[language])} UTC"


def count(language: Language, value: int | None) -> str:
    """A whole number with its thousands parted: ``1,900,000``, ``1.900.000``."""
    return (
        NOTHING if value is None else true_minus(format_decimal(value, locale=_LOCALES[language]))
    )


def rating(value: int | None) -> str:
    """A rating as printed on a list; the unrated have a dash."""
    return NOTHING if value is None else str(value)


def hundredths(language: Language, value: int) -> str:
    """Hundredths as a decimal: -250 is ``−2.50``, ``−2,50`` in Italian."""
    return true_minus(number(language, decimal(value)))


def change(language: Language, value: int) -> str:
    """A change in hundredths with its sign: ``+2.50``."""
    return true_minus(number(language, signed(value)))


def change_points(value: int) -> str:
    """A change in whole points with its sign: ``+12``, ``−3``, ``0``."""
    return true_minus(f"{value:+d}" if value else "0")


def score(language: Language, half_points: int) -> str:
    """Half points as a decimal: 9 is ``4.5``, ``4,5`` in Italian."""
    return number(language, points(half_points))


def true_minus(text: str) -> str:
    """A text whose numbers have a true minus sign; hyphens within words stay."""
    return _MINUS.sub("−", text)
