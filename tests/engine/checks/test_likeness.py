"""Names and numbers that look alike."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arrocco.engine.checks.likeness import (
    MOST_ROWS,
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


@given(st.integers(1, 10**11))
def test_being_one_slip_away_is_mutual_unless_a_zero_in_front_is_lost(player: int) -> None:
    length = len(str(player))
    for near in near_ids(player):
        if len(str(near)) >= length - 1 and abs(len(str(near)) - length) <= 1:
            assert player in near_ids(near) or str(near)[0] == "0" or "0" in str(player)


def test_rows_of_a_surname_are_found_in_one_pass_and_bounded() -> None:
    rows = [{"id": n + 1, "name": f"Pino, {n}"} for n in range(MOST_ROWS + 10)]
    listed = rating_list(*rows, {"id": 5000, "name": "Rovò, Z."}, {"id": 5001, "name": ""})
    found = rows_by_surname(listed, {"pino", "rovo", "salice", ""})
    assert found == {
        "pino": list(range(MOST_ROWS)),
        "rovo": [MOST_ROWS + 10],
        "salice": [],
    }
