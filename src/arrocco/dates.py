"""Half-open date intervals and calendar months; nothing here knows what day it is."""

from __future__ import annotations

from calendar import monthrange
from dataclasses import dataclass
from datetime import date, timedelta


@dataclass(frozen=True, order=True)
class Interval:
    """The days from `start` (included) to `end` (excluded); `None` leaves that side open."""

    start: date | None
    end: date | None = None

    def __post_init__(self) -> None:
        if self.start is not None and self.end is not None and self.start >= self.end:
            raise ValueError(f"an interval cannot end ({self.end}) before it starts ({self.start})")

    def __contains__(self, day: object) -> bool:
        if not isinstance(day, date):
            return False
        return (self.start is None or day >= self.start) and (self.end is None or day < self.end)

    def __str__(self) -> str:
        if self.start is None and self.end is None:
            return "every day"
        if self.start is None:
            return f"until {self.end}"
        return f"from {self.start}" + (f" until {self.end}" if self.end else "")


@dataclass(frozen=True, order=True)
class Month:
    """A calendar month, written ``2024-05``."""

    year: int
    month: int

    def __post_init__(self) -> None:
        if not 1 <= self.month <= 12 or not 1 <= self.year <= 9998:
            raise ValueError(f"{self.year}-{self.month} is not a month")

    @classmethod
    def of(cls, day: date) -> Month:
        """The month a day lies in."""
        return cls(day.year, day.month)

    @classmethod
    def parse(cls, text: str) -> Month:
        """Reads ``2024-05``. Raises `ValueError` for anything else."""
        year, dash, month = text.partition("-")
        if not (dash and len(year) == 4 and len(month) == 2 and (year + month).isdigit()):
            raise ValueError(f"{text!r} is not a month; write it as 2024-05")
        return cls(int(year), int(month))

    def plus(self, months: int) -> Month:
        """The month so many months later (earlier when negative)."""
        year, month = divmod(self.year * 12 + self.month - 1 + months, 12)
        return Month(year, month + 1)

    def minus(self, other: Month) -> int:
        """How many months lie between the two: 2024-05 minus 2024-03 is 2."""
        return (self.year - other.year) * 12 + self.month - other.month

    @property
    def first_day(self) -> date:
        return date(self.year, self.month, 1)

    @property
    def last_day(self) -> date:
        return date(self.year, self.month, monthrange(self.year, self.month)[1])

    def __str__(self) -> str:
        return f"{self.year:04d}-{self.month:02d}"


def month_before(day: date) -> date:
    """The same day of the month before; the last one where that month is shorter."""
    previous = Month.of(day).plus(-1)
    return min(
        date(previous.year, previous.month, min(day.day, previous.last_day.day)), previous.last_day
    )


def birthday(birth: date, age: int) -> date:
    """The day a person born on `birth` turns `age`; 29 February becomes 1 March in common years."""
    try:
        return birth.replace(year=birth.year + age)
    except ValueError:
        return date(birth.year + age, 3, 1)


def days_before(day: date, days: int) -> date:
    return day - timedelta(days=days)


def parse_day(text: str) -> date:
    """Reads an ISO day, ``2024-05-01``. Raises `ValueError` with what to write."""
    try:
        return date.fromisoformat(text.strip())
    except ValueError:
        raise ValueError(f"{text!r} is not a day; write it as 2024-05-01") from None
