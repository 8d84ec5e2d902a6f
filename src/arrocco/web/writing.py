"""Numbers, days and moments as each language writes them on a page."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date, datetime
from typing import Any

from babel.dates import format_date, format_datetime
from babel.numbers import format_decimal

from arrocco.laws.edition import UNDATED
from arrocco.units import decimal, points, signed
from arrocco.words import Language, number, say

_LOCALES: dict[Language, str] = {"en": "en_GB", "it": "it_IT"}
_MINUS = re.compile(r"(?<![\w.–-])-(?=\d)")
NOTHING = "–"
"""What stands where there is no value."""


def day(language: Language, value: date | None) -> str:
    """A day in words: ``1 May 2024``, ``1 mag 2024``."""
    return format_date(value, "d MMM y", locale=_LOCALES[language]) if value else NOTHING


def details(language: Language, given: Mapping[str, Any]) -> dict[str, Any]:
    """The details of a sentence with their days written as the rest of a page writes them."""
    return {
        name: day(language, value) if type(value) is date else value
        for name, value in given.items()
    }


def days(language: Language, first: date, last: date) -> str:
    """The days from one to another: ``16–23 Apr 2026``, ``28 May – 4 Jun 2026``.

    What both have in common, a month or a year, is said once.
    """
    if first == last:
        return day(language, first)
    if (first.year, first.month) == (last.year, last.month):
        return f"{first.day}–{day(language, last)}"
    pattern = "d MMM" if first.year == last.year else "d MMM y"
    return f"{format_date(first, pattern, locale=_LOCALES[language])} – {day(language, last)}"


def edition_day(language: Language, name: str) -> str:
    """The name of an edition as a page writes it: most have their first day for a name."""
    return (
        say(language, "law_pages.undated")
        if name == UNDATED
        else day(language, date.fromisoformat(name))
    )


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


def tenths(language: Language, points: int | None) -> str:
    """The points of an entry, in tenths, as a decimal of the language."""
    if points is None:
        return NOTHING
    whole, rest = divmod(points, 10)
    return number(language, f"{whole}.{rest}") if rest else str(whole)
