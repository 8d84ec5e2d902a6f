"""8.3.1, 8.3.2 and 8.3.4 — the difference that counts, what it predicts, how a change rounds."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arrocco.laws.fide.standard_2024 import Fide2024, Fide2025

BEFORE, AFTER = Fide2024(), Fide2025()
RATINGS = st.integers(1400, 2900)


class TestRuleOf400:
    @pytest.mark.parametrize(
        ("gap", "counted"), [(0, 0), (399, 399), (400, 400), (401, 400), (735, 400), (1200, 400)]
    )
    @pytest.mark.parametrize("law", [BEFORE, AFTER])
    def test_a_larger_difference_counts_as_400_both_ways(
        self, law: Fide2024, gap: int, counted: int
    ) -> None:
        assert law.counted_difference(1400 + gap, 1400) == counted
        assert law.counted_difference(1400, 1400 + gap) == -counted

    @given(RATINGS, RATINGS)
    def test_until_2025_it_holds_for_everybody(self, own: int, opponent: int) -> None:
        counted = BEFORE.counted_difference(own, opponent)
        assert abs(counted) <= 400
        assert counted == -BEFORE.counted_difference(opponent, own)
        assert BEFORE.is_capped(own)

    @pytest.mark.parametrize(
        ("difference", "expected"),
        [(399, 92), (400, 92), (401, 92), (-400, 8), (-401, 8), (391, 91), (392, 92)],
    )
    def test_what_a_cut_difference_predicts(self, difference: int, expected: int) -> None:
        counted = BEFORE.counted_difference(1400 + difference, 1400)
        assert BEFORE.expected_score(counted) == expected


class TestExemptionFrom2650:
    """From 1 October 2025 a player of 2650 or more has the full difference, whoever plays them."""

    def test_before_it_no_rating_is_exempt(self) -> None:
        assert BEFORE.counted_difference(2900, 1900) == 400

    @pytest.mark.parametrize(
        ("own", "counted"), [(2649, 400), (2650, 750), (2651, 751), (2800, 900)]
    )
    def test_it_begins_at_2650(self, own: int, counted: int) -> None:
        assert AFTER.counted_difference(own, 1900) == counted
        assert AFTER.is_capped(own) is (counted == 400)

    def test_only_the_own_rating_exempts(self) -> None:
        assert AFTER.counted_difference(2813, 2400) == 413
        assert AFTER.counted_difference(2400, 2813) == -400

    def test_an_exempt_player_has_the_whole_table(self) -> None:
        assert AFTER.expected_score(AFTER.counted_difference(2813, 2400)) == 93
        assert AFTER.expected_score(AFTER.counted_difference(2700, 1965)) == 99
        assert AFTER.expected_score(AFTER.counted_difference(2700, 1964)) == 100

    def test_an_exempt_player_counts_in_full_downwards_too(self) -> None:
        assert AFTER.counted_difference(2650, 3060) == -410


class TestRounding:
    """8.3.4: away from zero as the published figures show; upwards as another reading."""

    UP = Fide2024(half_point_rounding="up")

    @pytest.mark.parametrize(
        ("variation", "away", "up"),
        [
            (0, 0, 0),
            (49, 0, 0),
            (50, 1, 1),
            (250, 3, 3),
            (540, 5, 5),
            (-49, 0, 0),
            (-50, -1, 0),
            (-51, -1, -1),
            (-250, -3, -2),
            (-1750, -18, -17),
            (-2250, -23, -22),
            (-2251, -23, -23),
        ],
    )
    def test_a_half_in_each_reading(self, variation: int, away: int, up: int) -> None:
        assert BEFORE.rounded_change(variation) == away
        assert self.UP.rounded_change(variation) == up
        assert BEFORE.new_rating(2000, variation) == 2000 + away
        assert self.UP.new_rating(2000, variation) == 2000 + up

    @given(RATINGS, st.integers(-20_000, 20_000))
    def test_by_default_gain_and_loss_mirror_each_other(self, rating: int, variation: int) -> None:
        gained = BEFORE.new_rating(rating, variation) - rating
        assert BEFORE.new_rating(rating, -variation) == rating - gained

    def test_the_amended_edition_rounds_alike(self) -> None:
        assert AFTER.new_rating(2000, -250) == 1997
        assert Fide2025(half_point_rounding="up").new_rating(2000, -250) == 1998


def test_expected_points_of_a_tournament_are_not_rounded() -> None:
    assert BEFORE.expected_points(255) == 255
