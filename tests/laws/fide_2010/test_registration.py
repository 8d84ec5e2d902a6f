"""Articles 0.4, 0.5 and 4: notice, appeal, length of a tournament."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arrocco.laws.fide.standard_2010 import Fide2011
from arrocco.laws.fide.text_2024.registration import RegistrationStatus

LAW = Fide2011()


@pytest.mark.parametrize(
    ("start", "deadline"),
    [
        (date(2011, 9, 15), date(2011, 8, 15)),
        (date(2011, 7, 1), date(2011, 6, 1)),
        (date(2012, 1, 10), date(2011, 12, 10)),
        (date(2012, 3, 31), date(2012, 2, 29)),
        (date(2013, 3, 31), date(2013, 2, 28)),
        (date(2013, 3, 28), date(2013, 2, 28)),
        (date(2011, 10, 31), date(2011, 9, 30)),
        (date(2011, 12, 31), date(2011, 11, 30)),
        (date(2011, 8, 31), date(2011, 7, 31)),
    ],
)
def test_0_4_registration_closes_one_calendar_month_before_the_start(
    start: date, deadline: date
) -> None:
    assert LAW.registration_deadline(start) == deadline


def test_0_4_a_registration_is_in_time_on_the_last_day_and_needs_the_chairman_after_it() -> None:
    start = date(2012, 3, 31)
    assert LAW.registration_status(start, date(2012, 2, 29)) is RegistrationStatus.IN_TIME
    assert LAW.registration_status(start, date(2012, 3, 1)) is RegistrationStatus.LATE_NEEDS_QC


def test_0_4_top_players_change_nothing() -> None:
    start = date(2012, 5, 20)
    assert LAW.registration_deadline(start, 2800, 2650) == date(2012, 4, 20)
    assert (
        LAW.registration_status(start, date(2012, 4, 21), 2800) is RegistrationStatus.LATE_NEEDS_QC
    )


@given(st.dates(date(2011, 7, 1), date(2014, 6, 30)))
def test_0_4_a_calendar_month_is_28_to_31_days(start: date) -> None:
    notice = start - LAW.registration_deadline(start)
    assert timedelta(days=28) <= notice <= timedelta(days=31)


def test_0_4_a_month_can_be_read_as_thirty_days() -> None:
    law = Fide2011(month_of_notice="thirty_days")
    assert law.registration_deadline(date(2012, 3, 31)) == date(2012, 3, 1)


def test_0_5_an_appeal_has_seven_days() -> None:
    assert LAW.appeal_deadline(date(2011, 12, 28)) == date(2012, 1, 4)


def test_4_1_ninety_days_are_counted_with_the_first_and_the_last() -> None:
    start = date(2011, 9, 1)
    assert LAW.days_of(start, start) == 1
    assert LAW.duration_is_allowed(start, date(2011, 11, 29))
    assert not LAW.duration_is_allowed(start, date(2011, 11, 30))


def test_4_1_elapsed_days_allow_one_more() -> None:
    law = Fide2011(tournament_days="elapsed")
    start = date(2011, 9, 1)
    assert law.duration_is_allowed(start, date(2011, 11, 30))
    assert not law.duration_is_allowed(start, date(2011, 12, 1))


def test_4_11_and_4_12_leagues_and_approved_tournaments_may_last_longer() -> None:
    start, end = date(2011, 9, 1), date(2012, 5, 31)
    assert not LAW.duration_is_allowed(start, end)
    assert LAW.duration_is_allowed(start, end, league=True)
    assert LAW.duration_is_allowed(start, end, approved=True)


def test_9_the_text_sets_no_last_list_for_a_late_report() -> None:
    assert LAW.last_list(date(2011, 8, 1)) is None
