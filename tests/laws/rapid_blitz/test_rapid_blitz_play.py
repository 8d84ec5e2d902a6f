"""FIDE rapid and blitz, articles 0.2, 1 and 3: notice, classes of time, rounds per day."""

from datetime import date

import pytest

from arrocco.laws.classes import TimeClass
from arrocco.laws.fide.classes import fide_class
from arrocco.laws.fide.rapid_blitz_2024 import (
    FideBlitz2024,
    FideBlitz2024December,
    FideRapid2024,
    FideRapid2024December,
    RapidBlitz,
)
from arrocco.laws.fide.text_2024.registration import RegistrationStatus
from arrocco.laws.rating import Exclusion
from arrocco.records.timecontrol import Period, TimeControl, parse_code

RAPID, BLITZ = FideRapid2024(), FideBlitz2024()

# The seconds for 60 moves, and the list they belong to.
BORDERS = [
    (1, None),
    (180, None),
    (181, TimeClass.BLITZ),
    (600, TimeClass.BLITZ),
    (601, TimeClass.RAPID),
    (3599, TimeClass.RAPID),
    (3600, TimeClass.STANDARD),
    (7200, TimeClass.STANDARD),
]

CONTROLS = [
    ("180", None),
    ("120+1", None),
    ("180+2", TimeClass.BLITZ),
    ("300+3", TimeClass.BLITZ),
    ("600", TimeClass.BLITZ),
    ("540+1", TimeClass.BLITZ),
    ("540+2", TimeClass.RAPID),
    ("900+10", TimeClass.RAPID),
    ("1800+10", TimeClass.RAPID),
    ("2999+10", TimeClass.RAPID),
    ("3000+10", TimeClass.STANDARD),
    ("1800+30", TimeClass.STANDARD),
    ("40/5400+30:1800+30", TimeClass.STANDARD),
]


def control(seconds: int) -> TimeControl:
    side = (Period(seconds),)
    return TimeControl(side, side)


@pytest.mark.parametrize(("seconds", "kind"), BORDERS)
def test_1_1_1_and_1_1_2_every_border_lies_on_one_side(
    seconds: int, kind: TimeClass | None
) -> None:
    rapid = None if kind is TimeClass.RAPID else Exclusion.WRONG_CLASS
    blitz = None if kind is TimeClass.BLITZ else Exclusion.WRONG_CLASS
    assert fide_class(control(seconds)) is kind
    assert RAPID.excluded_by_time(control(seconds), 1500, 1500) is rapid
    assert BLITZ.excluded_by_time(control(seconds), 1500, 1500) is blitz


@pytest.mark.parametrize(("code", "kind"), CONTROLS)
def test_1_1_time_is_what_is_allotted_plus_60_increments(code: str, kind: TimeClass | None) -> None:
    assert fide_class(parse_code(code)) is kind


@pytest.mark.parametrize("own", [None, 1400, 2900])
def test_1_1_ratings_do_not_matter(own: int | None) -> None:
    assert RAPID.excluded_by_time(parse_code("900+10"), own, 2900) is None
    assert BLITZ.excluded_by_time(parse_code("180+2"), own, 2900) is None


@pytest.mark.parametrize(
    ("code", "rapid", "blitz"),
    [
        ("W900-B840", Exclusion.UNEQUAL_TIMES, Exclusion.WRONG_CLASS),
        ("W300-B240", Exclusion.WRONG_CLASS, Exclusion.UNEQUAL_TIMES),
        # the same 5 minutes for 60 moves, but not the same time
        ("W300-B240+1", Exclusion.WRONG_CLASS, Exclusion.UNEQUAL_TIMES),
        ("W900-B600", Exclusion.WRONG_CLASS, Exclusion.WRONG_CLASS),
        ("W600-B900", Exclusion.WRONG_CLASS, Exclusion.WRONG_CLASS),
        ("W3600-B3599", Exclusion.WRONG_CLASS, Exclusion.WRONG_CLASS),
        ("W300-B180", Exclusion.WRONG_CLASS, Exclusion.WRONG_CLASS),
    ],
)
def test_1_2_different_times_are_not_rated(
    code: str, rapid: Exclusion | None, blitz: Exclusion | None
) -> None:
    assert RAPID.excluded_by_time(parse_code(code), 1500, 1500) is rapid
    assert BLITZ.excluded_by_time(parse_code(code), 1500, 1500) is blitz


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        ("W900-B600", None),
        ("W600-B900", None),
        ("W300-B180", None),
        ("W3600-B3599", None),
        ("W300-B240", TimeClass.BLITZ),
        ("W900-B840", TimeClass.RAPID),
        ("W5400-B3600", TimeClass.STANDARD),
    ],
)
def test_1_1_a_control_belongs_to_a_list_only_with_both_its_sides(
    code: str, kind: TimeClass | None
) -> None:
    assert fide_class(parse_code(code)) is kind


def test_1_has_no_rule_on_the_moves_of_the_first_control() -> None:
    assert RAPID.first_control_is_valid(parse_code("10/900:300"))


@pytest.mark.parametrize(
    ("law", "rounds", "allowed"),
    [(RAPID, 15, True), (RAPID, 16, False), (BLITZ, 30, True), (BLITZ, 31, False)],
)
def test_3_1_rounds_per_day(law: RapidBlitz, rounds: int, allowed: bool) -> None:
    assert law.day_is_within_limit(parse_code("600"), rounds) is allowed


def test_3_1_long_rapid_rounds_know_no_12_hours() -> None:
    assert RAPID.day_is_within_limit(parse_code("3599"), 15)


@pytest.mark.parametrize("top", [None, 2700, 2701, 2882])
@pytest.mark.parametrize(
    ("registered", "status"),
    [
        (date(2024, 5, 7), RegistrationStatus.IN_TIME),
        (date(2024, 5, 8), RegistrationStatus.LATE_NEEDS_QC),
    ],
)
def test_0_2_notice_is_three_days_whoever_plays(
    top: int | None, registered: date, status: RegistrationStatus
) -> None:
    start = date(2024, 5, 10)
    assert RAPID.registration_deadline(start, top, 2600) == date(2024, 5, 7)
    assert RAPID.registration_status(start, registered, top, 2600) is status


def test_4_there_are_no_interim_reports() -> None:
    start, end = date(2024, 5, 1), date(2024, 8, 31)
    assert not RAPID.needs_interim_reports(start, end)
    assert RAPID.interim_reports(start, end) == [(start, end)]


@pytest.mark.parametrize(
    ("edition", "article"),
    [
        (FideRapid2024, "1.1.1"),
        (FideRapid2024December, "1.1.1"),
        (FideBlitz2024, "1.1.2"),
        (FideBlitz2024December, "1.1.2"),
    ],
)
def test_1_1_the_wrong_class_names_its_own_article(edition: type[RapidBlitz], article: str) -> None:
    assert edition().exclusion_article(Exclusion.WRONG_CLASS) == article
