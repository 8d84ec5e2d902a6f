"""0.2, 0.4, 4 and 9 — notice, late registration, appeal, interim reports, the last list."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from arrocco.laws.fide.standard_2024 import Fide2024
from arrocco.laws.fide.text_2024.registration import RegistrationStatus

LAW = Fide2024()
START = date(2024, 6, 1)
IN_TIME = RegistrationStatus.IN_TIME
PRESIDENT = RegistrationStatus.LATE_NEEDS_PRESIDENT
QC = RegistrationStatus.LATE_NEEDS_QC


class TestNotice:
    @pytest.mark.parametrize(
        ("top_rating", "top_woman", "days"),
        [
            (None, None, 3),
            (2400, 2300, 3),
            (2700, None, 3),
            (2701, None, 30),
            (2600, 2500, 3),
            (2600, 2501, 30),
            (None, 2501, 30),
            (2501, None, 3),
            (2701, 2501, 30),
        ],
    )
    def test_30_days_above_2700_or_a_woman_above_2500_else_3(
        self, top_rating: int | None, top_woman: int | None, days: int
    ) -> None:
        deadline = LAW.registration_deadline(START, top_rating, top_woman)
        assert deadline == START - timedelta(days=days)

    def test_the_days_themselves(self) -> None:
        assert LAW.registration_deadline(START) == date(2024, 5, 29)
        assert LAW.registration_deadline(START, 2701) == date(2024, 5, 2)
        assert LAW.registration_deadline(date(2024, 3, 1)) == date(2024, 2, 27)  # a leap year

    @pytest.mark.parametrize(
        ("days_before", "top_rating", "top_woman", "status"),
        [
            (31, 2701, None, IN_TIME),
            (30, 2701, None, IN_TIME),
            (29, 2701, None, PRESIDENT),
            (30, None, 2501, IN_TIME),
            (29, None, 2501, PRESIDENT),
            (0, 2701, None, PRESIDENT),
            (4, 2700, 2500, IN_TIME),
            (3, 2700, 2500, IN_TIME),
            (2, 2700, 2500, QC),
            (3, None, None, IN_TIME),
            (2, None, None, QC),
            (0, None, None, QC),
            (-1, None, None, QC),
        ],
    )
    def test_who_approves_a_late_registration(
        self,
        days_before: int,
        top_rating: int | None,
        top_woman: int | None,
        status: RegistrationStatus,
    ) -> None:
        registered = START - timedelta(days=days_before)
        assert LAW.registration_status(START, registered, top_rating, top_woman) is status


def test_every_hybrid_tournament_is_approved_alone_and_sends_its_games() -> None:
    assert LAW.needs_individual_approval(hybrid=True)
    assert not LAW.needs_individual_approval(hybrid=False)
    assert LAW.needs_games_file(hybrid=True)
    assert not LAW.needs_games_file(hybrid=False)


@pytest.mark.parametrize(
    ("notified", "last_day"),
    [
        (date(2024, 5, 1), date(2024, 5, 8)),
        (date(2024, 2, 25), date(2024, 3, 3)),
        (date(2024, 12, 28), date(2025, 1, 4)),
    ],
)
def test_an_appeal_has_seven_days(notified: date, last_day: date) -> None:
    assert LAW.appeal_deadline(notified) == last_day


class TestInterimReports:
    @pytest.mark.parametrize(
        ("start", "end", "are_needed"),
        [
            (date(2024, 4, 1), date(2024, 4, 30), False),  # 30 days
            (date(2024, 4, 1), date(2024, 5, 1), True),  # 31 days
            (date(2024, 1, 1), date(2024, 1, 31), True),  # a whole long month
            (date(2024, 2, 1), date(2024, 3, 1), False),  # 30 days over a leap February
            (date(2025, 2, 1), date(2025, 3, 2), False),  # 30 days over a common one
            (date(2024, 4, 1), date(2024, 4, 1), False),
        ],
    )
    def test_only_a_tournament_of_more_than_30_days_has_them(
        self, start: date, end: date, are_needed: bool
    ) -> None:
        assert LAW.needs_interim_reports(start, end) is are_needed

    def test_a_short_tournament_is_reported_once(self) -> None:
        start, end = date(2024, 4, 20), date(2024, 5, 19)
        assert LAW.interim_reports(start, end) == [(start, end)]

    def test_a_long_one_is_cut_at_the_ends_of_months(self) -> None:
        assert LAW.interim_reports(date(2023, 12, 16), date(2024, 3, 2)) == [
            (date(2023, 12, 16), date(2023, 12, 31)),
            (date(2024, 1, 1), date(2024, 1, 31)),
            (date(2024, 2, 1), date(2024, 2, 29)),
            (date(2024, 3, 1), date(2024, 3, 2)),
        ]

    def test_a_long_one_within_a_month_is_one_report(self) -> None:
        month = (date(2024, 1, 1), date(2024, 1, 31))
        assert LAW.interim_reports(*month) == [month]

    def test_one_that_begins_on_the_last_day_of_a_month(self) -> None:
        assert LAW.interim_reports(date(2024, 4, 30), date(2024, 6, 1)) == [
            (date(2024, 4, 30), date(2024, 4, 30)),
            (date(2024, 5, 1), date(2024, 5, 31)),
            (date(2024, 6, 1), date(2024, 6, 1)),
        ]

    @pytest.mark.parametrize("days", [31, 45, 90, 200, 366])
    def test_the_stretches_cover_every_day_once(self, days: int) -> None:
        start = date(2023, 11, 7)
        end = start + timedelta(days=days - 1)
        stretches = LAW.interim_reports(start, end)
        covered = [
            first + timedelta(days=n)
            for first, last in stretches
            for n in range((last - first).days + 1)
        ]
        assert covered == [start + timedelta(days=n) for n in range(days)]
        assert all(first.month == last.month for first, last in stretches)
