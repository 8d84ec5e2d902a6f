"""Names and numbers that look alike."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arrocco.engine.checks.likeness import (
    MAX_ROWS,
    differ_strongly,
    fold,
    near_ids,
    rows_by_surname,
    surname,
)
from tests.engine.checks.build import rating_list


@pytest.mark.parametrize(
    ("name", "folded"),
    [
        ("Müller-Øst, J.", "muller ost j"),
        ("D'Angelo, Niccolò", "d angelo niccolo"),
        ("ŁUKASZ", "lukasz"),
        ("Weiß", "weiss"),
        ("  ", ""),
        ("123", ""),
    ],
)
def test_names_are_folded(name: str, folded: str) -> None:
    assert fold(name) == folded


def test_a_surname_stands_before_the_comma() -> None:
    assert surname("De Rossi, Ada") == "de rossi"
    assert surname("Ada De Rossi") == "ada de rossi"


@pytest.mark.parametrize(
    ("one", "other", "differ"),
    [
        ("Mueller, Jan", "Müller, Jan", False),
        ("Verdi, Bo", "Verdi, Zoe", False),
        ("Verdi, Bo", "Bo Verdi", False),
        ("Verdi, Bo", "Rossi, Bo", True),
        ("Verdi Rossi, Bo", "Rossi, Bo", False),
        ("Verdi, Bo", "Neri, Ugo", True),
        ("", "Neri, Ugo", False),
        (", Ugo", "Neri, Ugo", False),
    ],
)
def test_names_differ_strongly_when_no_surname_is_found_again(
    one: str, other: str, differ: bool
) -> None:
    assert differ_strongly(one, other) is differ
    assert differ_strongly(other, one) is differ


@given(st.text(max_size=30), st.text(max_size=30))
def test_any_two_texts_can_be_compared_either_way(one: str, other: str) -> None:
    assert differ_strongly(one, other) is differ_strongly(other, one)
    assert not differ_strongly(one, one)


def test_numbers_one_slip_away() -> None:
    near = near_ids(123)
    assert {133, 124, 12, 13, 23, 1234, 1023, 213, 132} <= near
    assert not {123, 0, 321, 145} & near


def is_one_slip(one: str, other: str) -> bool:
    """Told apart from the outside in: what two texts share at both ends is taken away."""
    while one and other and one[0] == other[0]:
        one, other = one[1:], other[1:]
    while one and other and one[-1] == other[-1]:
        one, other = one[:-1], other[:-1]
    return max(len(one), len(other)) == 1 or (len(one) == 2 and one == other[::-1])


@pytest.mark.parametrize("player", [7, 10, 99, 123, 1023, 2110])
def test_no_number_one_slip_away_is_missed_and_no_other_is_taken(player: int) -> None:
    near = near_ids(player)
    expected = {n for n in range(1, 100_000) if is_one_slip(str(player), str(n))}
    assert expected <= near
    # A digit in front that becomes 0 leaves a shorter number.
    assert all(is_one_slip(str(player), str(n).zfill(len(str(player)))) for n in near - expected)


def test_rows_of_a_surname_are_found_in_one_pass_and_bounded() -> None:
    rows = [{"id": n + 1, "name": f"Pino, {n}"} for n in range(MAX_ROWS + 10)]
    listed = rating_list(*rows, {"id": 5000, "name": "Rovò, Z."}, {"id": 5001, "name": ""})
    found = rows_by_surname(listed, {"pino", "rovo", "salice", ""})
    assert found == {
        "pino": list(range(MAX_ROWS)),
        "rovo": [MAX_ROWS + 10],
        "salice": [],
    }
