"""Number, id, rating, birth and the other facts of all players at once.

A line with an unusual field is `odd`: its file is still read here, but that one line is read by the
careful reader of lines, which says what is wrong with it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from arrocco.formats.trf.players import TITLES
from arrocco.formats.trf_columnar.numbers import (
    BLANK,
    Mask,
    Words,
    is_with_zeros,
    long,
    number,
    tenths,
    whole,
    word,
)
from arrocco.formats.trf_columnar.table import Table

MAX_MISSING: Final = 100
"""The starting numbers that a file may leave out: a table of numbers is kept for each file."""

_SEXES: Final = tuple(np.uint16(word(text)) for text in (b"  ", b" m", b" w"))
_TITLES: Final = np.array(
    [word(form.format(title).encode()) for title in TITLES for form in ("{:>3} ", "{:<3} ")],
    np.uint32,
)
_OLDEST, _LATEST = 1850, 2150
"""Years of birth that are taken as they are; the careful reader judges all others."""

_MONTH_WORDS = np.full(256, 0, np.uint32)
_MONTH_WORDS[:13] = [word(f"/{month:02}/".encode()) for month in range(13)]
_DAY_WORDS = np.full(256, 0, np.uint16)
_DAY_WORDS[:32] = [word(f"{day:02}".encode()) for day in range(32)]
_LAST_DAY = np.array([0, 31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31], np.uint32)


@dataclass
class People:
    """The facts of players, one row a line of the table; what is not known is 0.

    Points that are not given are `NO_POINTS`.
    """

    number: NDArray[np.int32]
    id: NDArray[np.int64]
    rating: NDArray[np.int32]
    birth: NDArray[np.int32]
    points: NDArray[np.int32]
    rank: NDArray[np.int32]
    odd: Mask


def read_people(table: Table) -> People:
    """Reads the facts; lines without a regular starting number are marked bad in the table."""
    field = table.field
    numbers, fine = whole(field["number"])
    table.bad |= ~fine | (numbers == 0)
    _check_order(table, numbers)
    ids, odd = long(field["id_high"], field["id_middle"], field["id_low"])
    odd = ~odd
    rating, fine = whole(field["rating"])
    odd |= ~fine
    rank, fine = whole(field["rank"])
    odd |= ~fine
    points, fine = tenths(field["points"])
    odd |= ~fine
    birth, fine = _birth(field["year"], field["month"], field["day"])
    odd |= ~fine
    odd |= ~_is_usual_sex(field["sex"])
    odd |= ~_is_usual_title(field["title"])
    return People(
        numbers.astype(np.int32),
        ids,
        rating.astype(np.int32),
        birth,
        points,
        rank.astype(np.int32),
        odd,
    )


def _check_order(table: Table, numbers: Words) -> None:
    """Starting numbers rise within a file, so that lines and numbers have the same order."""
    rising = np.ones(table.lines, np.bool_)
    rising[1:] = numbers[1:] > numbers[:-1]
    rising[table.first[:-1]] = True
    table.bad |= ~rising
    last = table.first[1:] - 1
    sparse = numbers[last] > np.diff(table.first) + MAX_MISSING
    if sparse.any():
        table.bad[last[sparse]] = True


def _birth(years: Words, months: Words, days: Any) -> tuple[NDArray[np.int32], Mask]:
    """Births as yyyymmdd, with zeros for a day that is not known, and where they are regular."""
    year = number(years)
    month = ((months >> np.uint32(8)) & np.uint32(15)) * np.uint32(10)
    month += (months >> np.uint32(16)) & np.uint32(15)
    day = (
        (days & np.uint16(15)) * np.uint16(10) + ((days >> np.uint16(8)) & np.uint16(15))
    ).astype(np.uint32)
    fine = (
        (_MONTH_WORDS.take(month) == months)
        & (_DAY_WORDS.take(day) == days)
        & is_with_zeros(years, year)
    )
    fine &= (year >= _OLDEST) & (year <= _LATEST)
    in_month = (day > 0) & (day <= _LAST_DAY.take(month, mode="clip"))
    leap = (year % 4 == 0) & ((year % 100 != 0) | (year % 400 == 0))
    in_month &= (month != 2) | (day != 29) | leap
    fine &= in_month | ((month == 0) & (day == 0))
    births = (year * np.uint32(10_000) + month * np.uint32(100) + day).astype(np.int32)
    if not fine.all():
        births[~fine] = 0
        fine |= (years == BLANK) & (months == BLANK) & (days == _SEXES[0])
    return births, fine


def _is_usual_sex(sexes: Any) -> Mask:
    mask: Mask = (sexes == _SEXES[0]) | (sexes == _SEXES[1]) | (sexes == _SEXES[2])
    return mask


def _is_usual_title(titles: Words) -> Mask:
    usual: Mask = titles == BLANK
    others = np.flatnonzero(~usual)
    usual[others] = np.isin(titles[others], _TITLES)
    return usual
