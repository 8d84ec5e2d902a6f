"""7 and 9.1 — lists, their closing days, the pool of first results, activity."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from arrocco.laws.fide.standard_2024 import Fide2024
from arrocco.laws.rating import Tranche

LAW = Fide2024()
LEAP_YEAR = [date(2024, 1, 1) + timedelta(days=n) for n in range(366)]


def first_of(year: int, month: int) -> date:
    """The first of a month counted on over the end of the year: month 14 is next February."""
    return date(year + (month - 1) // 12, (month - 1) % 12 + 1, 1)


class TestLists:
    def test_a_list_is_in_force_for_its_month(self) -> None:
        for day in LEAP_YEAR:
            assert LAW.list_in_force(day) == date(2024, day.month, 1)

    def test_lists_follow_each_other_over_the_year(self) -> None:
        assert LAW.next_list(date(2024, 12, 1)) == date(2025, 1, 1)
        assert LAW.previous_list(date(2024, 1, 1)) == date(2023, 12, 1)
        for month in range(1, 13):
            here = date(2024, month, 1)
            assert LAW.previous_list(LAW.next_list(here)) == here


class TestClosingDate:
    @pytest.mark.parametrize(
        ("list_date", "closes", "official_closes"),
        [
            (date(2024, 4, 1), date(2024, 3, 29), date(2024, 3, 31)),
            (date(2024, 3, 1), date(2024, 2, 27), date(2024, 2, 29)),
            (date(2025, 3, 1), date(2025, 2, 26), date(2025, 2, 28)),
            (date(2024, 5, 1), date(2024, 4, 28), date(2024, 4, 30)),
            (date(2025, 1, 1), date(2024, 12, 29), date(2024, 12, 31)),
        ],
    )
    def test_three_days_before_the_list_or_one_for_official_events(
        self, list_date: date, closes: date, official_closes: date
    ) -> None:
        assert LAW.closing_date(list_date) == closes
        assert LAW.closing_date(list_date, official=True) == official_closes

    @pytest.mark.parametrize(
        ("end", "first_list", "official"),
        [
            (date(2024, 3, 29), date(2024, 4, 1), date(2024, 4, 1)),
            (date(2024, 3, 30), date(2024, 5, 1), date(2024, 4, 1)),
            (date(2024, 3, 31), date(2024, 5, 1), date(2024, 4, 1)),
            (date(2024, 4, 1), date(2024, 5, 1), date(2024, 5, 1)),
            (date(2024, 2, 27), date(2024, 3, 1), date(2024, 3, 1)),
            (date(2024, 2, 28), date(2024, 4, 1), date(2024, 3, 1)),
            (date(2024, 12, 29), date(2025, 1, 1), date(2025, 1, 1)),
            (date(2024, 12, 30), date(2025, 2, 1), date(2025, 1, 1)),
        ],
    )
    def test_the_first_list_a_tournament_can_be_on(
        self, end: date, first_list: date, official: date
    ) -> None:
        assert LAW.first_list(end) == first_list
        assert LAW.first_list(end, official=True) == official

    def test_every_day_of_a_leap_year(self) -> None:
        days_in_month = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        for day in LEAP_YEAR:
            last_day_in_time = days_in_month[day.month - 1] - 2
            months_on = 1 if day.day <= last_day_in_time else 2
            assert LAW.first_list(day) == first_of(2024, day.month + months_on), day
            assert LAW.first_list(day, official=True) == first_of(2024, day.month + 1), day


class TestLastList:
    """9.1: the third list after the end."""

    @pytest.mark.parametrize(
        ("end", "last_list"),
        [
            (date(2024, 3, 10), date(2024, 6, 1)),
            (date(2024, 3, 1), date(2024, 6, 1)),  # the list of that very day is not after it
            (date(2024, 2, 29), date(2024, 5, 1)),
            (date(2024, 3, 31), date(2024, 6, 1)),
            (date(2024, 10, 1), date(2025, 1, 1)),
            (date(2024, 12, 31), date(2025, 3, 1)),
        ],
    )
    def test_is_the_third_dated_after_the_end(self, end: date, last_list: date) -> None:
        assert LAW.last_list(end) == last_list

    def test_every_day_of_a_leap_year(self) -> None:
        lists = [first_of(2024, month) for month in range(1, 20)]
        for day in LEAP_YEAR:
            assert LAW.last_list(day) == [on for on in lists if on > day][2], day

    def test_never_comes_before_the_first_list(self) -> None:
        assert all(LAW.first_list(day) < LAW.last_list(day) for day in LEAP_YEAR)


class TestPool:
    """7.1.4."""

    @pytest.mark.parametrize(
        ("list_date", "starts"),
        [
            (date(2024, 5, 1), date(2022, 4, 1)),
            (date(2024, 1, 1), date(2021, 12, 1)),
            (date(2026, 3, 1), date(2024, 2, 1)),
        ],
    )
    def test_holds_26_monthly_lists_this_one_included(self, list_date: date, starts: date) -> None:
        assert LAW.pool_starts(list_date) == starts
        lists = [starts]
        while lists[-1] < list_date:
            lists.append(LAW.next_list(lists[-1]))
        assert len(lists) == 26


class TestInactivity:
    """7.2.2."""

    @pytest.mark.parametrize(
        ("last_rated", "is_inactive"),
        [
            (date(2025, 5, 1), False),  # on this very list
            (date(2024, 7, 1), False),  # 10 months
            (date(2024, 6, 1), False),  # 11 months: the first of the twelve lists
            (date(2024, 5, 1), True),  # 12 months
            (date(2023, 1, 1), True),
            (None, True),
        ],
    )
    def test_begins_after_twelve_lists_without_a_game(
        self, last_rated: date | None, is_inactive: bool
    ) -> None:
        assert LAW.is_inactive(last_rated, date(2025, 5, 1)) is is_inactive

    def test_ends_with_one_rated_game(self) -> None:
        assert LAW.is_inactive(date(2020, 1, 1), date(2025, 5, 1))
        assert not LAW.is_inactive(date(2025, 6, 1), date(2025, 6, 1))


def tranche(list_date: date, games: int = 2, opponent: int = 1600, half_points: int = 2) -> Tranche:
    month = list_date.year * 12 + list_date.month - 1
    return Tranche(month, f"{list_date:%Y-%m}", games, games * opponent, half_points)


class TestPooledResults:
    """7.1.4: what is pooled, in the two ways to read it."""

    NOW = date(2024, 5, 1)
    RESET = Fide2024(unrated_pool="reset")

    def test_results_of_26_months_stay_together(self) -> None:
        pool = [tranche(date(2022, 4, 1)), tranche(date(2023, 1, 1)), tranche(self.NOW)]
        assert LAW.pooled_tranches(pool, self.NOW) == pool
        assert self.RESET.pooled_tranches(pool, self.NOW) == pool

    def test_a_27th_month_slides_out(self) -> None:
        old, later, now = (tranche(date(2022, 3, 1)), tranche(date(2022, 4, 1)), tranche(self.NOW))
        assert LAW.pooled_tranches([old, later, now], self.NOW) == [later, now]

    def test_or_lets_everything_begin_again(self) -> None:
        old, later, now = (tranche(date(2022, 3, 1)), tranche(date(2022, 4, 1)), tranche(self.NOW))
        assert self.RESET.pooled_tranches([old, later, now], self.NOW, fresh=1) == [now]

    def test_all_pooled_results_make_one_rating_not_an_average(self) -> None:
        pool = [tranche(self.NOW, 2, 1700, 4), tranche(self.NOW, 3, 1900, 1)]
        assert LAW.pooled_initial_rating(pool) == LAW.initial_rating(5, 2 * 1700 + 3 * 1900, 5)
