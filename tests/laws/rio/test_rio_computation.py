"""RIO, articles 12.13 and 15: the difference, PA, K, the published rating, lists."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arrocco.errors import Illegal, NoLawInForce
from arrocco.laws.publications import Publications
from arrocco.laws.rating import PlayerFacts
from arrocco.laws.registry import edition_in_force
from arrocco.laws.rio.edition_2025 import Rio2025
from arrocco.records.timecontrol import parse_code
from arrocco.units import HalfPoints

RIO = Rio2025()
EVERYBODY = PlayerFacts(0)

WON, LOST = (HalfPoints(2), HalfPoints(0)), (HalfPoints(0), HalfPoints(2))
DRAWN = (HalfPoints(1), HalfPoints(1))


@pytest.mark.parametrize(
    ("own", "opponent", "counted", "expected"),
    [
        (1500, 1500, 0, 50),
        (1503, 1500, 3, 50),
        (1500, 1503, -3, 50),
        (1504, 1500, 4, 51),
        (1500, 1504, -4, 49),
        (2000, 1599, 401, 92),
        (2000, 1588, 412, 93),
        (2000, 1381, 619, 98),
        (2000, 1380, 620, 99),
        (2000, 1266, 734, 99),
        (2000, 1265, 735, 99),
        (2000, 1264, 735, 99),
        (2900, 999, 735, 99),
        (1264, 2000, -735, 1),
        (999, 2900, -735, 1),
    ],
)
def test_15_1_a_difference_above_735_counts_as_735(
    own: int, opponent: int, counted: int, expected: int
) -> None:
    assert RIO.counted_difference(own, opponent) == counted
    assert RIO.expected_score(RIO.counted_difference(own, opponent)) == expected


@given(st.integers(0, 4000), st.integers(0, 4000))
def test_15_4_the_last_row_of_the_table_is_never_reached(own: int, opponent: int) -> None:
    assert 1 <= RIO.expected_score(RIO.counted_difference(own, opponent)) <= 99


PA = [
    (250, 250),
    (251, 250),
    (252, 250),
    (253, 250),
    (254, 250),
    (255, 250),
    (256, 260),
    (257, 260),
    (258, 260),
    (259, 260),
    (260, 260),
    (0, 0),
    (5, 0),
    (6, 10),
    (9, 10),
    (95, 90),
    (96, 100),
    (899, 900),
    (905, 900),
    (906, 910),
]


@pytest.mark.parametrize(("total", "points"), PA)
def test_15_1_expected_points_drop_05_and_lift_06(total: int, points: int) -> None:
    assert RIO.expected_points(total) == points


def test_15_1_rounding_is_of_the_tournament_not_of_the_game() -> None:
    assert RIO.expected_points(55 + 55) == 110
    assert RIO.expected_points(55) + RIO.expected_points(55) == 100


def test_15_1_rounding_is_not_zero_sum() -> None:
    assert RIO.expected_points(55) + RIO.expected_points(45) == 90


@pytest.mark.parametrize("code", ["60", "180+2", "720+3"])
def test_15_2_k_is_20_for_bullet_blitz_and_rapid(code: str) -> None:
    assert RIO.tournament_coefficient(parse_code(code), online=True) == (20, "every_tournament")


def test_15_2_k_is_20_where_the_time_control_is_not_known() -> None:
    assert RIO.tournament_coefficient(None, online=True) == (20, "every_tournament")
    assert RIO.coefficient(EVERYBODY, date(2025, 6, 1)) == (20, "every_tournament")
    assert RIO.applied_coefficient(20, 200) == 20


@pytest.mark.parametrize("code", ["59", "1800+30", "W300-B180"])
def test_15_2_a_time_control_of_no_type_has_no_k(code: str) -> None:
    with pytest.raises(Illegal) as refusal:
        RIO.tournament_coefficient(parse_code(code), online=True)
    assert "14.3" in refusal.value.message
    assert "60 minutes" in refusal.value.advice


@pytest.mark.parametrize(
    ("rating", "variation", "published"),
    [
        (1500, 0, 1500),
        (1500, 40, 1500),
        (1500, 49, 1500),
        (1500, 50, 1501),
        (1500, 90, 1501),
        (1500, -50, 1500),
        (1500, -51, 1499),
        (1500, -60, 1499),
        (1500, -10, 1500),
        (1500, -1400, 1486),
        (999, -2000, 979),
    ],
)
def test_15_3_the_rating_is_rounded_not_the_change(
    rating: int, variation: int, published: int
) -> None:
    assert RIO.new_rating(rating, variation) == published


@given(st.integers(0, 40), st.integers(0, 4000))
def test_15_3_never_bites_because_every_variation_is_an_even_number(
    half_points: int, expected: int
) -> None:
    variation = RIO.K * (50 * half_points - RIO.expected_points(expected))
    assert variation % 200 == 0


def test_15_3_the_list_in_force_is_the_last_published() -> None:
    lists = Publications([date(2025, 9, 1), date(2025, 6, 10), date(2025, 9, 1)])
    assert list(lists) == [date(2025, 6, 10), date(2025, 9, 1)]
    assert len(lists) == 2
    assert RIO.list_published_by(date(2025, 6, 9), lists) is None
    assert RIO.list_published_by(date(2025, 6, 10), lists) == date(2025, 6, 10)
    assert RIO.list_published_by(date(2025, 8, 31), lists) == date(2025, 6, 10)
    assert RIO.list_published_by(date(2025, 9, 1), lists) == date(2025, 9, 1)
    assert RIO.list_published_by(date(2026, 9, 1), lists) == date(2025, 9, 1)


@pytest.mark.parametrize(
    ("interval", "day", "in_force", "following"),
    [
        ("monthly", date(2025, 5, 1), date(2025, 5, 1), date(2025, 6, 1)),
        ("monthly", date(2025, 5, 31), date(2025, 5, 1), date(2025, 6, 1)),
        ("monthly", date(2025, 12, 31), date(2025, 12, 1), date(2026, 1, 1)),
        ("quarterly", date(2025, 5, 31), date(2025, 4, 1), date(2025, 7, 1)),
        ("quarterly", date(2025, 12, 31), date(2025, 10, 1), date(2026, 1, 1)),
    ],
)
def test_15_3_without_publications_the_interval_is_a_reading(
    interval: str, day: date, in_force: date, following: date
) -> None:
    law = Rio2025(publication_interval=interval)
    assert law.list_in_force(day) == in_force
    assert law.next_list(day) == following


def test_publications_after_a_day() -> None:
    lists = Publications([date(2025, 6, 10), date(2025, 9, 1)])
    assert lists.after(date(2025, 6, 9)) == date(2025, 6, 10)
    assert lists.after(date(2025, 6, 10)) == date(2025, 9, 1)
    assert lists.after(date(2025, 9, 1)) is None
    assert Publications().in_force(date(2025, 9, 1)) is None


def test_15_3_update_cycle_is_a_reading() -> None:
    assert RIO.ratings_are_fixed_in_period()
    assert not Rio2025(update_cycle="tournament").ratings_are_fixed_in_period()


@pytest.mark.parametrize(
    ("reading", "decided", "entered", "rated"),
    [
        ("as_played", None, None, WON),
        ("as_played", LOST, None, WON),
        ("as_played", LOST, DRAWN, DRAWN),
        ("as_decided", None, None, WON),
        ("as_decided", LOST, None, LOST),
        ("as_decided", LOST, DRAWN, DRAWN),
    ],
)
def test_12_13_the_score_on_the_board_is_rated_unless_the_office_enters_another(
    reading: str,
    decided: tuple[HalfPoints, HalfPoints] | None,
    entered: tuple[HalfPoints, HalfPoints] | None,
    rated: tuple[HalfPoints, HalfPoints],
) -> None:
    law = Rio2025(rated_score=reading)
    assert law.rated_score(WON, decided, entered) == rated


def test_revision_01_is_in_force_from_12_april_2025() -> None:
    assert edition_in_force("rio", date(2025, 4, 12)) is Rio2025
    with pytest.raises(NoLawInForce):
        edition_in_force("rio", date(2025, 4, 11))


def test_every_guess_says_so() -> None:
    assert {reading.name: reading.basis for reading in Rio2025.READINGS} == {
        "membership": "guess",
        "fsi_printed_default": "text",
        "category_kept": "guess",
        "category_list": "text",
        "unequal_times": "guess",
        "rated_score": "guess",
        "update_cycle": "guess",
        "publication_interval": "guess",
    }


def test_every_step_has_its_article() -> None:
    steps = "difference cap expected delta sum k k_applied variation rounding entry pa"
    assert {step: RIO.article(step) for step in steps.split()} == {
        "difference": "15.1",
        "cap": "15.1",
        "expected": "15.4",
        "delta": "15.1",
        "sum": "15.1",
        "k": "15.2",
        "k_applied": "15.2",
        "variation": "15.1",
        "rounding": "15.3",
        "entry": "14.2",
        "pa": "15.1",
    }
    assert not RIO.HAS_UNRATED
    assert RIO.K_FROM_TOURNAMENT
