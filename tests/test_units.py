"""Numbers become text, and results are read, in one place only."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arrocco.units import decimal, parse_score, points, signed


@pytest.mark.parametrize(
    ("hundredths", "text", "with_sign"),
    [
        (0, "0.00", "0.00"),
        (5, "0.05", "+0.05"),
        (-5, "-0.05", "-0.05"),
        (37, "0.37", "+0.37"),
        (100, "1.00", "+1.00"),
        (-99, "-0.99", "-0.99"),
        (-250, "-2.50", "-2.50"),
        (123456, "1234.56", "+1234.56"),
    ],
)
def test_hundredths_as_text(hundredths: int, text: str, with_sign: str) -> None:
    assert decimal(hundredths) == text
    assert signed(hundredths) == with_sign


@given(st.integers(-(10**9), 10**9))
def test_a_decimal_reads_back_exactly(hundredths: int) -> None:
    assert int(decimal(hundredths).replace(".", "")) == hundredths


@pytest.mark.parametrize(
    ("half_points", "text"), [(0, "0.0"), (1, "0.5"), (2, "1.0"), (9, "4.5"), (22, "11.0")]
)
def test_half_points_as_text(half_points: int, text: str) -> None:
    assert points(half_points) == text


@pytest.mark.parametrize(
    ("text", "half_points"),
    [
        ("1", 2),
        ("1.0", 2),
        ("1,0", 2),
        ("1.00", 2),
        (" 1 ", 2),
        ("0.5", 1),
        ("0,5", 1),
        (".5", 1),
        (",5", 1),
        ("0.50", 1),
        ("½", 1),
        ("1/2", 1),
        ("=", 1),
        ("0", 0),
        ("0.0", 0),
        ("0,0", 0),
        ("0.00", 0),
    ],
)
def test_the_result_of_a_game(text: str, half_points: int) -> None:
    assert parse_score(text) == half_points


@pytest.mark.parametrize("text", ["", "2", "-1", "0.25", "win", "1-0", "+", "1.5", "½½"])
def test_a_game_has_no_other_results(text: str) -> None:
    with pytest.raises(ValueError, match="write 1, 0.5 or 0".replace(".", r"\.")):
        parse_score(text)
