"""The two conversion tables, typed a second time in another shape, row by row and edge by edge."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arrocco.laws import tables

# 8.1.2 as the last difference of each row; the expected score of the higher rated player starts at
# .50 and grows by .01 with every row, up to 1.00 above the last bound.
# fmt: off
LAST_OF_ROW = [
    3, 10, 17, 25, 32, 39, 46, 53, 61, 68,
    76, 83, 91, 98, 106, 113, 121, 129, 137, 145,
    153, 162, 170, 179, 188, 197, 206, 215, 225, 235,
    245, 256, 267, 278, 290, 302, 315, 328, 344, 357,
    374, 391, 411, 432, 456, 484, 517, 559, 619, 735,
]
# fmt: on
ROWS = [
    (50 + row, 0 if row == 0 else LAST_OF_ROW[row - 1] + 1, last)
    for row, last in enumerate(LAST_OF_ROW)
]

# 8.1.1 for p = .50, .51 ... .99, 1.00; the other half is the same with a minus sign.
# fmt: off
DIFFERENCE_FROM_HALF = [
    0, 7, 14, 21, 29, 36, 43, 50, 57, 65,
    72, 80, 87, 95, 102, 110, 117, 125, 133, 141,
    149, 158, 166, 175, 184, 193, 202, 211, 220, 230,
    240, 251, 262, 273, 284, 296, 309, 322, 336, 351,
    366, 383, 401, 422, 444, 470, 501, 538, 589, 677,
    800,
]
# fmt: on


class TestDifferenceToScore:
    """8.1.2."""

    @pytest.mark.parametrize(("high", "first", "last"), ROWS)
    def test_a_row_holds_at_both_its_edges_for_both_players(
        self, high: int, first: int, last: int
    ) -> None:
        for difference in (first, last):
            assert tables.expected_score(difference) == high
            if difference:  # with equal ratings no one is lower
                assert tables.expected_score(-difference) == 100 - high

    def test_every_difference_between_the_edges(self) -> None:
        expected = [high for high, first, last in ROWS for _ in range(first, last + 1)]
        assert [tables.expected_score(difference) for difference in range(736)] == expected

    @pytest.mark.parametrize("difference", [736, 737, 1000, 3000, 10**9])
    def test_above_735_the_score_is_certain(self, difference: int) -> None:
        assert tables.expected_score(difference) == 100
        assert tables.expected_score(-difference) == 0

    def test_up_to_three_points_either_way_is_even(self) -> None:
        assert {tables.expected_score(d) for d in range(-3, 4)} == {50}
        assert tables.expected_score(-4) == 49

    @given(st.integers(-3000, 3000))
    def test_what_one_player_expects_the_other_does_not(self, difference: int) -> None:
        assert tables.expected_score(difference) + tables.expected_score(-difference) == 100

    @given(st.integers(-3000, 3000))
    def test_a_larger_difference_never_expects_less(self, difference: int) -> None:
        assert tables.expected_score(difference) <= tables.expected_score(difference + 1)

    def test_the_printed_rows_follow_one_another_without_gap_or_overlap(self) -> None:
        rows = tables.DIFFERENCE_ROWS
        assert len(rows) == 51
        assert rows[0][0] == 0
        assert rows[-1][1] == tables.UNBOUNDED
        for (_, last, _, _), (first, _, _, _) in pairwise(rows):
            assert first == last + 1

    def test_in_every_printed_row_the_two_scores_make_one_point(self) -> None:
        assert all(high + low == 100 for _, _, high, low in tables.DIFFERENCE_ROWS)


class TestScoreToDifference:
    """8.1.1."""

    @pytest.mark.parametrize(("step", "difference"), list(enumerate(DIFFERENCE_FROM_HALF)))
    def test_every_row_and_its_mirror(self, step: int, difference: int) -> None:
        assert tables.rating_difference(50 + step) == difference
        assert tables.rating_difference(50 - step) == -difference

    def test_the_table_has_every_hundredth_and_only_grows(self) -> None:
        column = tables.SCORE_TO_DIFFERENCE
        assert len(column) == 101
        assert all(one < other for one, other in pairwise(column))

    @pytest.mark.parametrize("percent", [-1, 101, 200])
    def test_no_score_below_nothing_or_above_all(self, percent: int) -> None:
        with pytest.raises(ValueError, match=r"between 0 and 1\.00"):
            tables.rating_difference(percent)


@pytest.mark.parametrize("percent", range(101))
def test_8_1_the_tables_mirror_each_other(percent: int) -> None:
    assert tables.expected_score(tables.rating_difference(percent)) == percent
