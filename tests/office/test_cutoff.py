"""On which list a report falls under each law, and the lists to come."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arrocco.dates import Month
from arrocco.errors import Illegal, NoLawInForce
from arrocco.laws.publications import Publications
from arrocco.laws.systems import SYSTEMS, RatingSystem
from arrocco.office.cutoff import (
    ClosesBy,
    NoList,
    calendar,
    last_day_to_send,
    list_for,
    require_closed,
    still_open,
)
from arrocco.words import LANGUAGES, say

FIDE, RAPID, UISP, RIO = (SYSTEMS[key] for key in ("fide", "fide-rapid", "uisp", "rio-blitz"))
FIDE_2024 = FIDE.edition_on(date(2026, 1, 1))
FIDE_2010 = FIDE.edition_on(date(2012, 1, 1))
DAYS = st.dates(date(2025, 5, 1), date(2030, 12, 31))


# --- FIDE 2024 ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("end", "official", "expected"),
    [
        (date(2026, 3, 28), False, date(2026, 4, 1)),
        (date(2026, 3, 29), False, date(2026, 4, 1)),
        (date(2026, 3, 30), False, date(2026, 5, 1)),
        (date(2026, 3, 30), True, date(2026, 4, 1)),
        (date(2026, 3, 31), True, date(2026, 4, 1)),
    ],
)
def test_FIDE_2024_7_1_3_three_days_before_official_until_the_last(
    end: date, official: bool, expected: date
) -> None:
    assert list_for(FIDE_2024, FIDE, end, end, official) == expected


def test_FIDE_2024_9_1_the_third_list_is_the_last() -> None:
    end, third = date(2026, 3, 10), date(2026, 6, 1)
    assert list_for(FIDE_2024, FIDE, end, date(2026, 5, 31)) == third
    assert list_for(FIDE_2024, FIDE, end, third) is NoList.TOO_LATE
    for language in LANGUAGES:
        assert say(language, NoList.TOO_LATE.key)


@pytest.mark.parametrize(
    ("days", "official", "in_time"),
    [(0, False, 1), (1, False, 31), (2, False, 30), (3, False, 29), (7, False, 29), (7, True, 31)],
)
def test_FIDE_2024_7_1_3_until_when_reports_are_taken_is_for_the_office_to_say(
    days: int, official: bool, in_time: int
) -> None:
    """But never before the last day on which a tournament of the list can end."""
    end, april = date(2026, 3, 20), date(2026, 4, 1)
    last = april if in_time == 1 else date(2026, 3, in_time)
    assert last_day_to_send(FIDE_2024, april, days, official=official) == last
    later = last + timedelta(days=1)
    for day, expected in ((last, april), (later, date(2026, 5, 1))):
        assert list_for(FIDE_2024, FIDE, end, day, official, report_days=days) == expected
    (found,) = calendar(FIDE, date(2026, 3, 2), [date(2026, 3, 1)], 1, days)
    assert (found.official_send_by if official else found.send_by) == last


def test_FIDE_2024_7_1_3_the_office_moves_no_closing_day() -> None:
    """A tournament that ends after it is not of this list, whenever its report is taken."""
    end = date(2026, 3, 30)
    for days in range(8):
        assert list_for(FIDE_2024, FIDE, end, end, report_days=days) == date(2026, 5, 1)
        assert list_for(FIDE_2024, FIDE, end, end, True, report_days=days) == date(2026, 4, 1)


def test_the_days_of_the_office_are_those_of_fide_lists_alone() -> None:
    uisp, rio = (system.edition_on(date(2026, 1, 1)) for system in (UISP, RIO))
    for law, day in ((uisp, date(2026, 4, 1)), (rio, date(2026, 4, 1))):
        assert last_day_to_send(law, day, 7) == last_day_to_send(law, day)


def test_FIDE_2024_a_list_that_is_out_takes_nothing_more() -> None:
    end, received = date(2026, 3, 10), date(2026, 3, 20)
    assert list_for(FIDE_2024, FIDE, end, received) == date(2026, 4, 1)
    found = list_for(FIDE_2024, FIDE, end, received, latest=date(2026, 4, 1))
    assert found == date(2026, 5, 1)
    assert list_for(FIDE_2024, FIDE, end, received, latest=date(2026, 6, 1)) is NoList.TOO_LATE


def test_rapid_6_1_3_closes_as_standard_does() -> None:
    law = RAPID.edition_on(date(2026, 1, 1))
    assert list_for(law, RAPID, date(2026, 3, 29), date(2026, 3, 29)) == date(2026, 4, 1)
    assert list_for(law, RAPID, date(2026, 3, 30), date(2026, 3, 30)) == date(2026, 5, 1)


@given(DAYS, st.integers(0, 120), st.booleans())
def test_FIDE_2024_every_list_is_after_receipt_and_within_three(
    end: date, waited: int, official: bool
) -> None:
    received = end + timedelta(days=waited)
    found = list_for(FIDE_2024, FIDE, end, received, official)
    if isinstance(found, NoList):
        assert received >= Month.of(end).plus(3).first_day
        return
    assert found > received
    assert found.day == 1
    assert 1 <= Month.of(found).minus(Month.of(end)) <= 3
    assert FIDE_2024.list_refusal(end, found, official=official) is None


# --- FIDE 2010 ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("end", "official", "expected"),
    [
        (date(2012, 2, 23), False, date(2012, 3, 1)),
        (date(2012, 2, 24), False, date(2012, 5, 1)),
        (date(2012, 2, 29), True, date(2012, 3, 1)),
    ],
)
def test_FIDE_2010_7_13_seven_days_before(end: date, official: bool, expected: date) -> None:
    assert list_for(FIDE_2010, FIDE, end, end, official) == expected


def test_FIDE_2010_has_no_last_list() -> None:
    found = list_for(FIDE_2010, FIDE, date(2012, 2, 1), date(2013, 2, 1))
    assert found == date(2013, 3, 1)


# --- UISP -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("received", "expected"),
    [(date(2026, 3, 22), date(2026, 4, 1)), (date(2026, 3, 23), date(2026, 7, 1))],
)
def test_UISP_I_2_received_ten_days_before_the_ranking(received: date, expected: date) -> None:
    law = UISP.edition_on(received)
    assert list_for(law, UISP, date(2026, 1, 5), received) == expected


def test_UISP_I_2_an_announced_ranking_moves_the_closing_day() -> None:
    law, end = UISP.edition_on(date(2026, 1, 1)), date(2026, 3, 1)
    announced = Publications([date(2026, 1, 4), date(2026, 4, 8)])
    assert list_for(law, UISP, end, date(2026, 3, 29), emissions=announced) == date(2026, 4, 8)
    assert list_for(law, UISP, end, date(2026, 3, 30), emissions=announced) == date(2026, 7, 1)


def test_UISP_a_ranking_that_is_out_takes_nothing_more() -> None:
    law = UISP.edition_on(date(2026, 1, 1))
    day = date(2026, 3, 1)
    assert list_for(law, UISP, day, day, latest=date(2026, 4, 1)) == date(2026, 7, 1)


def test_UISP_no_ranking_counts_a_tournament_that_has_not_ended() -> None:
    law = UISP.edition_on(date(2026, 1, 1))
    assert list_for(law, UISP, date(2026, 4, 2), date(2026, 3, 1)) == date(2026, 7, 1)


# --- RIO ------------------------------------------------------------------------------------------


def test_RIO_15_3_the_next_list_after_receipt() -> None:
    law = RIO.edition_on(date(2026, 1, 1))
    assert list_for(law, RIO, date(2026, 3, 31), date(2026, 3, 31)) == date(2026, 4, 1)
    assert list_for(law, RIO, date(2026, 3, 31), date(2026, 4, 1)) == date(2026, 5, 1)
    assert list_for(law, RIO, date(2026, 4, 1), date(2026, 3, 31)) == date(2026, 5, 1)
    quarterly = RIO.edition_on(date(2026, 1, 1), publication_interval="quarterly")
    assert list_for(quarterly, RIO, date(2026, 4, 1), date(2026, 4, 1)) == date(2026, 7, 1)


def test_RIO_15_3_lists_appear_when_they_are_published() -> None:
    law, day = RIO.edition_on(date(2026, 1, 1)), date(2026, 3, 3)
    announced = Publications([date(2026, 3, 2), date(2026, 3, 20)])
    assert list_for(law, RIO, day, day, emissions=announced) == date(2026, 3, 20)
    found = list_for(law, RIO, day, day, emissions=announced, latest=date(2026, 3, 20))
    assert found == date(2026, 4, 1)


@given(st.sampled_from(sorted(SYSTEMS)), DAYS, st.integers(0, 60), st.integers(-200, 200))
def test_no_system_puts_a_report_on_a_list_that_is_out(
    key: str, end: date, waited: int, since: int
) -> None:
    system, received = SYSTEMS[key], end + timedelta(days=waited)
    latest = received + timedelta(days=since)
    found = list_for(system.edition_on(end), system, end, received, latest=latest)
    assert isinstance(found, NoList) or found > max(end, received, latest)


# --- the calendar ---------------------------------------------------------------------------------


def test_FIDE_the_lists_to_come_with_their_closing_days() -> None:
    lists = calendar(FIDE, date(2026, 4, 15), [date(2026, 3, 1), date(2026, 4, 1)], count=2)
    first, second = lists
    assert (first.list_date, second.list_date) == (date(2026, 5, 1), date(2026, 6, 1))
    assert (first.opened_on, second.opened_on) == (date(2026, 4, 1), date(2026, 5, 1))
    assert (first.closes_by, first.article) == (ClosesBy.END, "7.1.3")
    assert (first.closes, first.official_closes) == (date(2026, 4, 28), date(2026, 4, 30))
    assert first.send_by == date(2026, 4, 30)
    assert (first.edition, first.overdue) == ("2025-10-01", False)


def test_no_list_is_skipped_one_not_made_in_time_is_overdue() -> None:
    lists = calendar(FIDE, date(2026, 6, 2), [date(2026, 4, 1)])
    assert [listed.list_date for listed in lists] == [date(2026, m, 1) for m in (5, 6, 7)]
    assert [one.overdue for one in lists] == [True, True, False]


def test_without_any_list_the_calendar_begins_today() -> None:
    (found,) = calendar(FIDE, date(2026, 6, 2), count=1)
    assert (found.opened_on, found.list_date) == (date(2026, 6, 1), date(2026, 7, 1))


def test_FIDE_2010_every_two_months_then_every_month() -> None:
    lists = calendar(FIDE, date(2012, 4, 1), [date(2012, 3, 1)], count=4)
    assert [listed.list_date for listed in lists] == [
        date(2012, 5, 1),
        date(2012, 7, 1),
        date(2012, 8, 1),
        date(2012, 9, 1),
    ]
    assert lists[0].closes == date(2012, 4, 24)
    assert lists[0].article == "7.13"


@pytest.mark.parametrize(
    ("today", "overdue", "article"),
    [
        (date(2026, 6, 30), False, ""),
        (date(2026, 7, 10), True, ""),
        (date(2026, 7, 11), True, "I.2"),
        (date(2026, 10, 2), True, "I.2"),
    ],
)
def test_UISP_I_2_a_ranking_is_late_from_the_11th_day(
    today: date, overdue: bool, article: str
) -> None:
    (ranking,) = calendar(UISP, today, [date(2026, 4, 1)], count=1)
    assert (ranking.list_date, ranking.overdue) == (date(2026, 7, 1), overdue)
    assert ranking.late_by == article
    (fide,) = calendar(FIDE, today, [date(2026, 4, 1)], count=1)
    assert fide.late_by == "", "FIDE sets no such day"


def test_UISP_closes_by_receipt_and_RIO_by_publication() -> None:
    (ranking,) = calendar(UISP, date(2026, 4, 15), [date(2026, 4, 1)], count=1)
    assert (ranking.list_date, ranking.closes_by) == (date(2026, 7, 1), ClosesBy.RECEIPT)
    assert ranking.closes == ranking.send_by == date(2026, 6, 21)
    (list_,) = calendar(RIO, date(2026, 4, 15), [date(2026, 4, 1)], count=1)
    assert (list_.list_date, list_.closes_by) == (date(2026, 5, 1), ClosesBy.PUBLICATION)
    assert (list_.closes, list_.article) == (date(2026, 4, 30), "15.3")
    for closes_by in ClosesBy:
        assert say("it", closes_by.key) != say("en", closes_by.key)


def test_outside_every_edition_there_is_no_calendar() -> None:
    with pytest.raises(NoLawInForce):
        calendar(FIDE, date(2018, 1, 1))


@given(st.sampled_from(sorted(SYSTEMS)), DAYS)
def test_a_report_sent_on_the_last_day_is_on_the_list_and_one_day_later_on_the_next(
    key: str, today: date
) -> None:
    system = SYSTEMS[key]
    (found,) = calendar(system, today, count=1)
    law = system.edition_on(found.opened_on)
    end = min(found.closes, found.send_by)
    assert last_day_to_send(law, found.list_date) == found.send_by
    assert list_for(law, system, end, found.send_by) == found.list_date
    later = list_for(law, system, end, found.send_by + timedelta(days=1))
    assert later == law.next_list(found.list_date)


# --- a period that is still open ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("system", "list_date", "last"),
    [
        (FIDE, date(2026, 5, 1), date(2026, 4, 30)),  # official competitions close last
        (UISP, date(2026, 7, 1), date(2026, 6, 21)),
        (RIO, date(2026, 5, 1), date(2026, 4, 30)),
    ],
)
def test_a_period_is_open_through_its_closing_day(
    system: RatingSystem, list_date: date, last: date
) -> None:
    law = system.edition_on(date(2026, 4, 1))
    found = still_open(law, list_date, last - timedelta(days=9))
    assert found is not None
    assert (found.closes, found.days_left) == (last, 9)
    on_the_day = still_open(law, list_date, last)
    assert on_the_day is not None
    assert on_the_day.days_left == 0
    assert still_open(law, list_date, last + timedelta(days=1)) is None


def test_a_list_comes_out_before_it_closes_only_where_that_is_confirmed() -> None:
    found = still_open(FIDE_2024, date(2026, 5, 1), date(2026, 4, 20))
    with pytest.raises(Illegal) as refused:
        require_closed(found, confirmed=False)
    assert refused.value.key == "office.period_open"
    assert "30/04/2026" in refused.value.said("it")[0]
    require_closed(found, confirmed=True)
    require_closed(None, confirmed=False)
