"""UISP, part II: the difference, PA, K by time control, the published rating."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arrocco.errors import Illegal
from arrocco.laws.fide.standard_2024 import Fide2024
from arrocco.laws.rating import PlayerFacts
from arrocco.laws.uisp.edition_undated import Uisp
from arrocco.records.timecontrol import parse_code

UISP = Uisp()


@pytest.mark.parametrize(
    ("own", "opponent", "counted", "expected"),
    [
        (1440, 1440, 0, 50),
        (1840, 1440, 400, 92),
        (1841, 1440, 400, 92),
        (2440, 1440, 400, 92),
        (1440, 1840, -400, 8),
        (1440, 1841, -400, 8),
        (1839, 1440, 399, 92),
        (1831, 1440, 391, 91),
        (1440, 1831, -391, 9),
    ],
)
def test_II_1_a_difference_above_400_counts_as_400(
    own: int, opponent: int, counted: int, expected: int
) -> None:
    assert UISP.counted_difference(own, opponent) == counted
    assert UISP.expected_score(UISP.counted_difference(own, opponent)) == expected


@given(st.integers(0, 4000), st.integers(0, 4000))
def test_II_4_the_table_is_never_left_although_it_ends_at_735(own: int, opponent: int) -> None:
    assert 8 <= UISP.expected_score(UISP.counted_difference(own, opponent)) <= 92


@pytest.mark.parametrize(
    ("total", "points"),
    [(250, 250), (251, 250), (255, 250), (256, 260), (259, 260), (260, 260), (5, 0), (6, 10)],
)
def test_II_1_expected_points_drop_05_and_lift_06(total: int, points: int) -> None:
    assert UISP.expected_points(total) == points


COEFFICIENTS = [
    # control, K over the board, K online, reason
    ("181", 10, 5, "fide_blitz"),
    ("180+2", 10, 5, "fide_blitz"),
    ("600", 10, 5, "fide_blitz"),
    ("601", 20, 10, "fide_rapid"),
    ("900+10", 20, 10, "fide_rapid"),
    ("3599", 20, 10, "fide_rapid"),
    # 30' and 10" first, although FIDE calls it rapid
    ("1800+10", 30, 15, "thirty_minutes_ten_seconds"),
    ("1799+10", 20, 10, "fide_rapid"),
    ("1800+9", 20, 10, "fide_rapid"),
    ("1800+29", 30, 15, "thirty_minutes_ten_seconds"),
    ("1800+30", 30, 15, "thirty_minutes_ten_seconds"),
    ("5400+30", 30, 15, "thirty_minutes_ten_seconds"),
    ("W2400+10-B1800+10", 30, 15, "thirty_minutes_ten_seconds"),
    # without such an increment it is FIDE's standard list, below 120 minutes not for everybody
    ("3600", 30, 15, "fide_standard_low_bands"),
    ("3300+5", 30, 15, "fide_standard_low_bands"),
    ("7199", 30, 15, "fide_standard_low_bands"),
    ("7200", 30, 15, "fide_standard"),
    ("40/5400:1800", 30, 15, "fide_standard"),
    ("W3900-B3600", 30, 15, "fide_standard_low_bands"),
    # the increment of the second period only is not an increment at every move
    ("40/1800:600+10", 20, 10, "fide_rapid"),
]


@pytest.mark.parametrize(("code", "k", "online", "reason"), COEFFICIENTS)
def test_II_2_k_by_time_control_and_half_of_it_online(
    code: str, k: int, online: int, reason: str
) -> None:
    control = parse_code(code)
    assert UISP.tournament_coefficient(control, online=False) == (k, reason)
    assert UISP.tournament_coefficient(control, online=True) == (online, f"{reason}_online")
    assert UISP.excluded_by_time(control) is None


@pytest.mark.parametrize("code", ["60", "180", "120+1", "W300-B240", "W900-B600", "W900-B840"])
@pytest.mark.parametrize("online", [False, True])
def test_II_2_what_fide_rates_on_no_list_has_no_k(code: str, online: bool) -> None:
    with pytest.raises(Illegal) as refusal:
        UISP.tournament_coefficient(parse_code(code), online=online)
    assert "II.2" in refusal.value.message
    assert "more than 3 minutes" in refusal.value.advice


def test_II_2_without_a_time_control_there_is_no_k() -> None:
    with pytest.raises(Illegal) as refusal:
        UISP.tournament_coefficient(None, online=False)
    assert refusal.value.advice == "add the time control of the tournament"


def test_II_2_players_have_no_k() -> None:
    with pytest.raises(Illegal):
        UISP.coefficient(PlayerFacts(0), date(2025, 1, 1))


@pytest.mark.parametrize(
    ("seconds", "between"), [(3599, False), (3600, True), (7199, True), (7200, False)]
)
def test_II_2_from_60_to_119_minutes_fide_leaves_strong_players_out(
    seconds: int, between: bool
) -> None:
    control = parse_code(str(seconds))
    assert UISP.is_between_bands(control) is between
    strong_is_rated = Fide2024().excluded_by_time(control, 2400, 2400) is None
    weak_is_rated = Fide2024().excluded_by_time(control, 1500, 1500) is None
    assert between is (weak_is_rated and not strong_is_rated)


ROUNDING = [
    # rating, variation, published
    (1500, 0, 1500),
    (1500, -50, 1500),  # 1499.5: the rating is rounded, FIDE 2024 would round the change to -1
    (1499, 50, 1500),
    (1500, -60, 1499),
    (1500, 40, 1500),
    (1500, 49, 1500),
    (1500, 50, 1501),
    (1500, 90, 1501),
    (1500, -150, 1499),
]


@pytest.mark.parametrize(("rating", "variation", "published"), ROUNDING)
def test_II_3_the_rating_is_rounded_half_up(rating: int, variation: int, published: int) -> None:
    assert UISP.new_rating(rating, variation) == published


def test_II_3_differs_from_fide_8_3_4_at_a_negative_half() -> None:
    assert UISP.new_rating(1500, -50) == 1500
    assert Fide2024().new_rating(1500, -50) == 1499


@pytest.mark.parametrize(
    ("reading", "index", "carried"),
    [
        ("published_integer", 149_950, 150_000),
        ("published_integer", 149_949, 149_900),
        ("carried", 149_950, 149_950),
        ("carried", 149_949, 149_949),
    ],
)
def test_II_3_decimals_are_carried_or_not(reading: str, index: int, carried: int) -> None:
    assert Uisp(decimals=reading).carried_index(index) == carried


@given(st.sampled_from([10, 20, 30]), st.integers(0, 40), st.integers(0, 4000))
def test_II_3_over_the_board_every_variation_is_whole(k: int, half: int, expected: int) -> None:
    assert k * (50 * half - UISP.expected_points(expected)) % 100 == 0


@given(st.sampled_from([5, 10, 15]), st.integers(0, 40), st.integers(0, 4000))
def test_II_3_online_every_variation_is_a_multiple_of_half(
    k: int, half: int, expected: int
) -> None:
    assert k * (50 * half - UISP.expected_points(expected)) % 50 == 0


def test_every_guess_says_so() -> None:
    assert {reading.name: reading.basis for reading in Uisp.READINGS} == {
        "without_games": "text",
        "entry_lists": "text",
        "late_tournaments": "guess",
        "fsi_printed_default": "text",
        "decimals": "guess",
    }


def test_every_step_has_its_article() -> None:
    steps = "difference cap expected delta sum k k_applied variation rounding entry pa"
    assert {step: UISP.article(step) for step in steps.split()} == {
        "difference": "II.1",
        "cap": "II.1",
        "expected": "II.4",
        "delta": "II.1",
        "sum": "II.1",
        "k": "II.2",
        "k_applied": "II.2",
        "variation": "II.1",
        "rounding": "II.3",
        "entry": "I.5",
        "pa": "II.1",
    }
    assert not UISP.HAS_UNRATED
    assert UISP.K_FROM_TOURNAMENT
