"""Intervals, months and birthdays, at their edges."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arrocco.dates import Interval, Month, birthday, days_before, month_before, parse_day

MONTHS = st.builds(Month, st.integers(1900, 2100), st.integers(1, 12))


class TestInterval:
    YEAR = Interval(date(2024, 1, 1), date(2025, 1, 1))

    @pytest.mark.parametrize(
        ("day", "is_in"),
        [
            (date(2023, 12, 31), False),
            (date(2024, 1, 1), True),
            (date(2024, 12, 31), True),
            (date(2025, 1, 1), False),
        ],
    )
    def test_holds_its_first_day_and_not_its_end(self, day: date, is_in: bool) -> None:
        assert (day in self.YEAR) is is_in

    def test_an_open_side_has_no_limit(self) -> None:
        assert date.max in Interval(date(2024, 1, 1))
        assert date.min in Interval(None, date(2024, 1, 1))
        assert date(2024, 1, 1) not in Interval(None, date(2024, 1, 1))
        assert date.min in Interval(None)
        assert date.max in Interval(None)

    @pytest.mark.parametrize("other", ["2024-05-01", 20240501, None])
    def test_only_days_can_be_in_it(self, other: object) -> None:
        assert other not in self.YEAR

    @pytest.mark.parametrize("end", [date(2024, 1, 1), date(2023, 12, 31)])
    def test_cannot_be_empty(self, end: date) -> None:
        with pytest.raises(ValueError, match="cannot end"):
            Interval(date(2024, 1, 1), end)

    def test_as_text(self) -> None:
        assert str(self.YEAR) == "from 2024-01-01 until 2025-01-01"
        assert str(Interval(date(2024, 1, 1))) == "from 2024-01-01"
        assert str(Interval(None, date(2024, 1, 1))) == "until 2024-01-01"
        assert str(Interval(None)) == "every day"


class TestMonth:
    def test_of_a_day(self) -> None:
        assert Month.of(date(2024, 2, 29)) == Month(2024, 2)

    def test_reads_and_writes_its_text(self) -> None:
        assert Month.parse("2024-05") == Month(2024, 5)
        assert str(Month(2024, 5)) == "2024-05"
        assert str(Month(987, 12)) == "0987-12"

    @pytest.mark.parametrize(
        "text",
        ["", "2024", "2024-5", "24-05", "2024-13", "2024-00", "2024/05", "2024-05-01", "x-y"],
    )
    def test_refuses_what_is_no_month(self, text: str) -> None:
        with pytest.raises(ValueError, match="month"):
            Month.parse(text)

    def test_first_and_last_day(self) -> None:
        assert (Month(2024, 2).first_day, Month(2024, 2).last_day) == (
            date(2024, 2, 1),
            date(2024, 2, 29),
        )
        assert Month(2023, 2).last_day == date(2023, 2, 28)
        assert Month(2024, 12).last_day == date(2024, 12, 31)

    @pytest.mark.parametrize(
        ("start", "months", "result"),
        [
            (Month(2024, 12), 1, Month(2025, 1)),
            (Month(2024, 1), -1, Month(2023, 12)),
            (Month(2024, 5), 0, Month(2024, 5)),
            (Month(2024, 5), -25, Month(2022, 4)),
            (Month(2024, 5), 24, Month(2026, 5)),
        ],
    )
    def test_months_later_and_earlier(self, start: Month, months: int, result: Month) -> None:
        assert start.plus(months) == result
        assert result.minus(start) == months

    @given(MONTHS, st.integers(-1000, 1000))
    def test_going_and_coming_back(self, month: Month, months: int) -> None:
        assert month.plus(months).plus(-months) == month
        assert month.plus(months).minus(month) == months

    @given(MONTHS)
    def test_the_next_month_begins_the_day_after(self, month: Month) -> None:
        assert month.last_day + timedelta(days=1) == month.plus(1).first_day

    def test_sorts_by_time(self) -> None:
        assert Month(2023, 12) < Month(2024, 1) < Month(2024, 2)


@pytest.mark.parametrize(
    ("day", "before"),
    [
        (date(2024, 5, 15), date(2024, 4, 15)),
        (date(2024, 3, 31), date(2024, 2, 29)),
        (date(2023, 3, 31), date(2023, 2, 28)),
        (date(2024, 3, 29), date(2024, 2, 29)),
        (date(2024, 1, 31), date(2023, 12, 31)),
        (date(2024, 7, 31), date(2024, 6, 30)),
    ],
)
def test_a_month_before_a_day(day: date, before: date) -> None:
    assert month_before(day) == before


@pytest.mark.parametrize(
    ("birth", "age", "day"),
    [
        (date(2006, 5, 1), 18, date(2024, 5, 1)),
        (date(2008, 2, 29), 18, date(2026, 3, 1)),
        (date(2008, 2, 29), 16, date(2024, 2, 29)),
        (date(2006, 2, 28), 18, date(2024, 2, 28)),
        (date(2006, 12, 31), 0, date(2006, 12, 31)),
    ],
)
def test_birthdays(birth: date, age: int, day: date) -> None:
    assert birthday(birth, age) == day


def test_days_before() -> None:
    assert days_before(date(2024, 3, 1), 1) == date(2024, 2, 29)
    assert days_before(date(2024, 3, 1), 0) == date(2024, 3, 1)


def test_a_day_is_read_with_or_without_spaces() -> None:
    assert parse_day(" 2024-02-29 ") == date(2024, 2, 29)


@pytest.mark.parametrize("text", ["", "2023-02-29", "1/3/2024", "2024-3-1", "today", "2024"])
def test_what_is_no_day_is_refused_with_what_to_write(text: str) -> None:
    with pytest.raises(ValueError, match="write it as 2024-05-01"):
        parse_day(text)
