"""Articles 0.6, 4.13 and 7: lists, their days, who is on them."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arrocco.laws.fide.standard_2010 import Fide2011, Fide2012
from arrocco.laws.fide.text_2010.lists import Activity
from arrocco.laws.rating import Tranche

LAW = Fide2011()
MONTHLY = Fide2012()
SIX_A_YEAR = Fide2012(monthly_lists="never")
DAYS = st.dates(date(2009, 7, 1), date(2014, 12, 31))


def days_of(year: int) -> list[date]:
    first = date(year, 1, 1)
    return [first + timedelta(days=n) for n in range((date(year + 1, 1, 1) - first).days)]


# --- 7.1: the calendar ----------------------------------------------------------------------------

# 7.11 as printed: the list's month and the last day of its validity.
VALIDITY = [(1, (2, 29)), (3, (4, 30)), (5, (6, 30)), (7, (8, 31)), (9, (10, 31)), (11, (12, 31))]


@pytest.mark.parametrize("year", [2011, 2012])
def test_7_11_the_list_of_every_day_of_a_year_is_the_printed_one(year: int) -> None:
    law = Fide2011(monthly_lists="never")
    for day in days_of(year):
        month = next(month for month, last in VALIDITY if (day.month, day.day) <= last)
        assert law.list_in_force(day) == date(year, month, 1), day


def test_7_1_there_are_six_lists_a_year() -> None:
    assert len({LAW.list_in_force(day) for day in days_of(2011)}) == 6


def test_7_11_lists_follow_each_other_around_the_year() -> None:
    assert LAW.next_list(date(2011, 11, 1)) == date(2012, 1, 1)
    assert LAW.previous_list(date(2012, 1, 1)) == date(2011, 11, 1)
    assert LAW.next_list(date(2011, 7, 1)) == date(2011, 9, 1)


def test_7_3_from_july_2012_the_list_of_every_day_is_that_of_its_month() -> None:
    for day in days_of(2013):
        assert MONTHLY.list_in_force(day) == day.replace(day=1)
    assert len({MONTHLY.list_in_force(day) for day in days_of(2013)}) == 12


@pytest.mark.parametrize("law", [LAW, MONTHLY])
def test_7_3_both_editions_agree_where_six_lists_a_year_become_twelve(law: Fide2011) -> None:
    assert law.list_in_force(date(2012, 6, 30)) == date(2012, 5, 1)
    assert law.next_list(date(2012, 5, 1)) == date(2012, 7, 1)
    assert law.previous_list(date(2012, 7, 1)) == date(2012, 5, 1)
    assert law.next_list(date(2012, 7, 1)) == date(2012, 8, 1)
    assert law.previous_list(date(2012, 8, 1)) == date(2012, 7, 1)
    assert (law.months_per_list(date(2012, 6, 30)), law.months_per_list(date(2012, 7, 1))) == (2, 1)


def test_7_3_read_without_monthly_lists_there_are_six_a_year_throughout() -> None:
    assert SIX_A_YEAR.next_list(date(2012, 7, 1)) == date(2012, 9, 1)
    assert SIX_A_YEAR.list_in_force(date(2013, 2, 28)) == date(2013, 1, 1)


@pytest.mark.parametrize("law", [LAW, MONTHLY, SIX_A_YEAR])
@given(day=DAYS)
def test_7_11_next_and_previous_undo_each_other(law: Fide2011, day: date) -> None:
    current = law.list_in_force(day)
    assert current <= day < law.next_list(day)
    assert law.list_in_force(current) == current
    assert law.previous_list(law.next_list(current)) == current
    assert law.next_list(law.previous_list(current)) == current


def test_7_11_a_period_is_the_validity_of_a_list() -> None:
    assert LAW.period_of(date(2011, 8, 31)) == (date(2011, 7, 1), date(2011, 9, 1))
    assert MONTHLY.period_of(date(2012, 8, 31)) == (date(2012, 8, 1), date(2012, 9, 1))


# --- 4.13 and 7.13: which list a game and a tournament meet ---------------------------------------


def test_4_13_ratings_are_those_of_the_list_at_the_start() -> None:
    start, played = date(2011, 8, 30), date(2011, 9, 3)
    assert LAW.list_for_game(start, played) == date(2011, 7, 1)


def test_4_13_by_choice_before_the_first_round_they_are_those_of_the_day_of_the_game() -> None:
    start, played = date(2011, 8, 30), date(2011, 9, 3)
    assert LAW.list_for_game(start, played, declared=date(2011, 8, 1)) == date(2011, 9, 1)
    assert LAW.list_for_game(start, played, declared=start) == date(2011, 9, 1)
    assert LAW.list_for_game(start, played, declared=date(2011, 8, 31)) == date(2011, 7, 1)


def test_7_13_tournaments_close_seven_days_before_the_list_and_official_ones_one() -> None:
    assert LAW.closing_date(date(2011, 9, 1)) == date(2011, 8, 25)
    assert LAW.closing_date(date(2012, 3, 1)) == date(2012, 2, 23)
    assert LAW.closing_date(date(2011, 9, 1), official=True) == date(2011, 8, 31)


@pytest.mark.parametrize(
    ("end", "official", "first"),
    [
        (date(2011, 8, 25), False, date(2011, 9, 1)),
        (date(2011, 8, 26), False, date(2011, 11, 1)),
        (date(2011, 8, 31), True, date(2011, 9, 1)),
        (date(2011, 9, 1), True, date(2011, 11, 1)),
        (date(2011, 12, 25), False, date(2012, 1, 1)),
        (date(2011, 12, 26), False, date(2012, 3, 1)),
        (date(2012, 6, 24), False, date(2012, 7, 1)),
        (date(2012, 6, 25), False, date(2012, 8, 1)),
        (date(2012, 7, 10), False, date(2012, 8, 1)),
    ],
)
def test_7_13_the_first_list_a_tournament_can_be_on(end: date, official: bool, first: date) -> None:
    assert LAW.first_list(end, official=official) == first


@given(end=DAYS, official=st.booleans())
def test_7_13_the_first_list_is_the_earliest_that_closes_after_the_end(
    end: date, official: bool
) -> None:
    first = LAW.first_list(end, official=official)
    assert end <= LAW.closing_date(first, official=official)
    assert end > LAW.closing_date(LAW.previous_list(first), official=official)


# --- 7.12, 7.14, 7.2: who is on a list ------------------------------------------------------------


def test_7_12_and_7_14d_a_rating_equal_to_the_floor_is_published() -> None:
    assert LAW.is_published(1200)
    assert not LAW.is_published(1199)
    assert MONTHLY.is_published(1000)
    assert not MONTHLY.is_published(999)


def test_7_12_of_the_birth_only_the_year_is_published() -> None:
    assert "birth_year" in LAW.PUBLISHED_DATA
    assert len(LAW.PUBLISHED_DATA) == 8


@pytest.mark.parametrize(
    ("games", "rating", "seven", "published"),
    [
        (9, 1200, False, True),
        (8, 2000, False, False),
        (9, 1199, False, False),
        (7, 1200, True, True),
        (6, 2000, True, False),
        (7, 1199, True, False),
    ],
)
def test_7_14_a_first_rating_needs_nine_games_or_seven_and_the_floor(
    games: int, rating: int, seven: bool, published: bool
) -> None:
    assert LAW.first_rating_is_published(games, rating, seven_suffice=seven) is published


def test_7_14a_and_7_14b_all_games_of_a_round_robin_count_elsewhere_those_against_rated() -> None:
    assert LAW.counted_games(11, 4, round_robin=True) == 11
    assert LAW.counted_games(11, 4, round_robin=False) == 4


@pytest.mark.parametrize(
    ("list_date", "earliest"),
    [
        (date(2011, 7, 1), date(2009, 9, 1)),
        (date(2012, 1, 1), date(2010, 3, 1)),
        (date(2012, 7, 1), date(2010, 9, 1)),
        (date(2012, 8, 1), date(2010, 11, 1)),
        (date(2013, 2, 1), date(2011, 5, 1)),
        (date(2014, 6, 1), date(2012, 8, 1)),
        (date(2014, 9, 1), date(2012, 10, 1)),
    ],
)
def test_7_14c_the_pool_reaches_back_over_two_years_of_periods(
    list_date: date, earliest: date
) -> None:
    assert MONTHLY.pool_starts(list_date) == earliest


@given(day=DAYS)
def test_7_14c_the_oldest_pooled_period_began_at_most_two_years_before_the_list(day: date) -> None:
    list_date = MONTHLY.list_in_force(day)
    two_years = list_date.replace(year=list_date.year - 2)
    oldest = MONTHLY.pool_starts(list_date)
    assert MONTHLY.previous_list(oldest) >= two_years
    assert MONTHLY.previous_list(MONTHLY.previous_list(oldest)) < two_years


def tranche(list_date: date, *, seven: bool = False) -> Tranche:
    month = list_date.year * 12 + list_date.month - 1
    return Tranche(month, str(list_date), 3, 6000, 3, seven_suffice=seven)


def test_7_14c_results_older_than_two_years_leave_the_pool_one_by_one() -> None:
    old, kept, new = (
        tranche(date(2009, 9, 1)),
        tranche(date(2009, 11, 1)),
        tranche(date(2011, 9, 1)),
    )
    assert LAW.pooled_tranches([old, kept, new], date(2011, 9, 1)) == [kept, new]
    assert LAW.pooled_tranches([old, kept], date(2011, 7, 1)) == [old, kept]


def test_7_14c_or_all_together_as_read() -> None:
    law = Fide2011(unrated_pool="reset")
    old, kept, new = (
        tranche(date(2009, 9, 1)),
        tranche(date(2009, 11, 1)),
        tranche(date(2011, 9, 1)),
    )
    assert law.pooled_tranches([old, kept, new], date(2011, 9, 1), fresh=1) == [new]
    assert law.pooled_tranches([kept, new], date(2011, 9, 1)) == [kept, new]


def test_7_14f_seven_games_suffice_when_all_are_from_world_team_events() -> None:
    olympiad, open_event = tranche(date(2011, 9, 1), seven=True), tranche(date(2011, 9, 1))
    assert LAW.seven_games_suffice([olympiad, olympiad])
    assert not LAW.seven_games_suffice([olympiad, open_event])


def test_7_14g_seven_games_suffice_for_players_of_the_affiliated_bodies() -> None:
    assert LAW.seven_games_suffice([tranche(date(2011, 9, 1))], affiliated=True)


def test_7_21_below_the_floor_a_player_is_struck_off() -> None:
    assert LAW.is_delisted(1199)
    assert not LAW.is_delisted(1200)
    assert not MONTHLY.is_delisted(1199)
    assert MONTHLY.is_delisted(999)


def test_7_22_titled_players_without_a_rating_have_a_list_of_their_own() -> None:
    assert LAW.is_on_list_of_titled("WIM", None)
    assert not LAW.is_on_list_of_titled("WIM", 2100)
    assert not LAW.is_on_list_of_titled("", None)


# --- 7.23 and 7.24: activity ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("list_date", "state"),
    [
        (date(2011, 7, 1), Activity.ACTIVE),
        (date(2012, 5, 1), Activity.ACTIVE),
        (date(2012, 7, 1), Activity.INACTIVE_LISTED),
        (date(2014, 6, 1), Activity.INACTIVE_LISTED),
        (date(2014, 7, 1), Activity.INACTIVE),
        (date(2020, 1, 1), Activity.INACTIVE),
    ],
)
def test_7_23_active_then_flagged_then_off_the_list(list_date: date, state: Activity) -> None:
    last_rated = date(2011, 7, 1)
    assert MONTHLY.activity(last_rated, list_date) is state
    assert MONTHLY.is_inactive(last_rated, list_date) is (state is not Activity.ACTIVE)
    assert MONTHLY.is_listed(last_rated, list_date) is (state is not Activity.INACTIVE)


def test_7_23a_six_lists_without_a_rated_game_make_a_player_inactive() -> None:
    list_date, without_games = date(2010, 1, 1), 0
    while not LAW.is_inactive(date(2010, 1, 1), list_date):
        list_date, without_games = LAW.next_list(list_date), without_games + 1
    assert without_games == 6


def test_7_23c_one_rated_game_makes_a_player_active_on_its_list() -> None:
    assert LAW.activity(date(2012, 3, 1), date(2012, 3, 1)) is Activity.ACTIVE


def test_7_23_a_player_with_no_rated_game_at_all_is_inactive() -> None:
    assert LAW.activity(None, date(2012, 3, 1)) is Activity.INACTIVE
    assert LAW.is_inactive(None, date(2012, 3, 1))
    assert not LAW.is_on_top_list(None, date(2012, 3, 1))


def test_7_24_after_twelve_months_a_player_leaves_the_top_list() -> None:
    last_rated = date(2010, 1, 1)
    assert LAW.is_on_top_list(last_rated, date(2010, 11, 1))
    assert not LAW.is_on_top_list(last_rated, date(2011, 1, 1))


def test_7_24_or_after_twelve_months_of_inactivity_as_read() -> None:
    law = Fide2011(top_list="as_inactive")
    assert law.is_on_top_list(date(2010, 1, 1), date(2011, 11, 1))
    assert not law.is_on_top_list(date(2010, 1, 1), date(2012, 1, 1))
