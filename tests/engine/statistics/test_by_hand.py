"""Small cases worked out by hand."""

from __future__ import annotations

from datetime import date
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arrocco.engine.columns import EXCLUSION_CODE
from arrocco.engine.statistics import (
    QUANTILES,
    Coefficients,
    Scores,
    calculation_statistics,
    compare_lists,
    distribution,
    flow,
    grouped_games,
    list_statistics,
    mean_hundredths,
)
from arrocco.engine.statistics.comparison import signed_quantiles
from arrocco.laws.rating import Exclusion
from tests.engine.statistics.figures import figures


def column(*values: int) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    return np.array(values, dtype=np.int64)


class TestDistribution:
    def test_of_four_players(self) -> None:
        found = distribution(column(1400, 2000, 1600, 1500))
        assert (found.count, found.total, found.mean) == (4, 6500, 162500)
        # A quarter of four is the first, a half the second; 95 % need all four.
        assert found.quantiles == ((5, 1400), (25, 1400), (50, 1500), (75, 1600), (95, 2000))
        assert found.ranks == ((1, 2000),)

    def test_ranks_count_from_the_highest(self) -> None:
        found = distribution(np.arange(1, 121, dtype=np.int64))
        assert found.ranks == ((1, 120), (10, 111), (100, 21))
        assert found.at_rank(1000) is None

    def test_of_nobody(self) -> None:
        found = distribution(column())
        assert (found.count, found.mean, found.quantiles, found.ranks) == (0, None, (), ())
        assert found.quantile(50) is None

    @pytest.mark.parametrize(
        ("total", "count", "mean"), [(1, 3, 33), (2, 3, 67), (-1, 8, -13), (1, 8, 13), (0, 5, 0)]
    )
    def test_means_are_rounded_with_a_half_away_from_zero(
        self, total: int, count: int, mean: int
    ) -> None:
        assert mean_hundredths(total, count) == mean

    @given(st.lists(st.integers(0, 3000), min_size=1, max_size=60))
    def test_a_quantile_is_the_lowest_value_that_so_many_do_not_exceed(
        self, values: list[int]
    ) -> None:
        found = distribution(np.array(values, dtype=np.int64))
        for percent in QUANTILES:
            least = min(
                value
                for value in values
                if Fraction(sum(v <= value for v in values), len(values)) >= Fraction(percent, 100)
            )
            assert found.quantile(percent) == least
        assert found.at_rank(1) == max(values)


class TestList:
    def test_active_players_apart(self) -> None:
        found = list_statistics(
            figures([(1, 2400, "i", 0, 10), (2, 1500, "w", 3, 20), (3, 1700, "", 5, 20), (4, 0)])
        )
        assert (found.players, found.rated.count, found.active.count) == (4, 3, 2)
        assert found.rated.at_rank(1) == 2400
        assert found.active.mean == 160000
        assert found.k == ((20, 2), (10, 1))
        assert (found.games.count, found.games.mean) == (2, 400)
        (italy,) = found.federations
        assert (italy.federation, italy.rated, italy.active, italy.total) == ("ITA", 3, 2, 5600)


class TestFlow:
    BEFORE = figures([(1, 1500), (2, 1600, "i"), (3, 1405), (4, 1800), (5, 0), (6, 1700)])
    AFTER = figures(
        [
            (1, 1510, "", 4),
            (2, 1600, "", 1),
            (3, 0),
            (5, 1450, "", 6),
            (6, 1700, "i", 0),
            (7, 1900, "", 9),
            (8, 0),
        ],
        date(2024, 6, 1),
    )

    def test_every_player_is_where_they_belong(self) -> None:
        found = flow(self.BEFORE, self.AFTER)
        assert (found.entering.count, found.entering.points, found.entering.mean) == (
            2,
            3350,
            167500,
        )
        assert (found.delisted.count, found.delisted.points) == (1, 1405)
        assert (found.gone.count, found.gone.points) == (1, 1800)
        assert (found.leaving.count, found.leaving.points) == (2, 3205)
        assert found.entrants_over_leavers == 0
        assert (found.became_inactive.count, found.became_active.count) == (1, 1)
        assert found.entering_spread.quantile(50) == 1450

    def test_the_common_set_tells_inflation(self) -> None:
        found = flow(self.BEFORE, self.AFTER)
        assert (found.common.count, found.common.change, found.common.mean_change) == (3, 10, 333)
        assert (found.played.count, found.played.mean_change) == (2, 500)
        assert (found.common.gained, found.common.lost) == (10, 0)

    def test_from_and_to_an_empty_list(self) -> None:
        empty = figures([])
        assert flow(empty, self.AFTER).entering.points == self.AFTER.rating.sum()
        gone = flow(self.BEFORE, empty)
        assert (gone.gone.points, gone.after, gone.common.mean_change) == (8005, 0, None)

    @given(
        *(st.dictionaries(st.integers(1, 30), st.integers(0, 2800), max_size=30) for _ in range(2))
    )
    def test_points_balance(self, before: dict[int, int], after: dict[int, int]) -> None:
        found = flow(figures(list(before.items())), figures(list(after.items())))
        assert found.common.gained + found.common.lost == found.common.change
        assert found.after == (
            found.before + found.common.change + found.entering.points - found.leaving.points
        )
        assert found.before == sum(before.values())
        assert found.common.count + found.leaving.count == sum(r > 0 for r in before.values())


class TestScores:
    def test_sides_are_turned_to_the_stronger(self) -> None:
        """1600 beats 1500 once, draws once; D of 100 expects .64 of the stronger."""
        scores = Scores()
        scores.add(
            column(100, -100, 100, -100),
            column(64, 36, 64, 36),
            column(2, 0, 1, 1),
            column(*[0] * 4),
        )
        (band,) = scores.bands()
        assert (band.low, band.high, band.sides) == (100, 149, 4)
        assert (band.expected, band.half_points) == (256, 6)
        assert (band.actual, band.surplus) == (300, 44)
        assert (band.mean_expected, band.mean_actual) == (6400, 7500)

    def test_excluded_sides_do_not_count(self) -> None:
        scores = Scores()
        code = EXCLUSION_CODE[Exclusion.OPPONENT_UNRATED]
        scores.add(column(0, 0), column(50, 0), column(1, 2), column(0, code))
        assert [band.sides for band in scores.bands()] == [1]

    def test_bands_of_fifty_and_the_last_is_open(self) -> None:
        scores = Scores()
        differences = column(0, 49, 50, -799, 800, 3000)
        zeros = np.zeros(6, dtype=np.int64)
        scores.add(differences, zeros, zeros, zeros)
        assert [(b.low, b.high, b.sides) for b in scores.bands()] == [
            (0, 49, 2),
            (50, 99, 1),
            (750, 799, 1),
            (800, None, 2),
        ]

    def test_pieces_add_up(self) -> None:
        whole, parts, part = Scores(), Scores(), Scores()
        a, b = (
            (column(10), column(51), column(2), column(0)),
            (column(-20), column(47), column(1), column(0)),
        )
        whole.add(*(np.concatenate(pair) for pair in zip(a, b, strict=True)))
        parts.add(*a)
        part.add(*b)
        parts.merge(part)
        assert parts.bands() == whole.bands()


class TestCalculations:
    def test_of_players(self) -> None:
        found = calculation_statistics(
            rating=column(1500, 1600, 0, 2450, 1700),
            games=column(30, 4, 0, 1, 0),
            k=column(40, 20, 0, 10, 20),
            k_applied=column(23, 20, 0, 10, 20),
            change=column(12, -5, 0, 0, 0),
            first_rating=column(0, 0, 1650, 0, 0),
            first_published=np.array([False, False, True, False, False]),
        )
        assert found.coefficients == (
            Coefficients(40, 1, 30, 1),
            Coefficients(20, 1, 4, 0),
            Coefficients(10, 1, 1, 0),
        )
        assert (found.played, found.limited) == (3, 1)
        assert (found.gained, found.lost) == (12, -5)
        assert (found.first_ratings.count, found.first_ratings.mean) == (1, 165000)
        assert [count for _, _, count in found.game_groups] == [1, 1, 0, 0, 0, 0, 1]

    def test_of_tournaments(self) -> None:
        none = np.zeros(1, dtype=np.int64)
        found = calculation_statistics(
            rating=column(1500),
            games=column(7),
            k=none,
            k_applied=none,
            change=none,
            first_rating=none,
            first_published=np.array([False]),
            entry_k=column(30, 20, 20),
            entry_games=column(5, 2, 0),
        )
        assert found.coefficients == (Coefficients(30, 1, 5, 0), Coefficients(20, 1, 2, 0))

    def test_nobody_is_in_two_groups_of_games(self) -> None:
        groups = grouped_games(np.arange(1, 61, dtype=np.int64))
        assert sum(count for _, _, count in groups) == 60
        assert groups[-1] == (30, None, 31)


class TestComparison:
    def test_of_two_lists(self) -> None:
        one = figures([(1, 1500), (2, 1600), (3, 1405), (4, 1800), (6, 0)])
        other = figures([(1, 1507), (2, 1600), (4, 1689), (5, 1450), (6, 0)])
        found = compare_lists(one, other, most=1)
        assert (found.both, found.different, found.total, found.mean) == (3, 2, -104, -3467)
        assert (found.only_one.count, found.only_one.points) == (1, 1405)
        assert (found.only_other.count, found.only_other.points) == (1, 1450)
        assert found.quantiles == ((5, -111), (25, -111), (50, 0), (75, 7), (95, 7))
        assert found.buckets[0] == (0, 0, 1, 0)
        assert found.buckets[2] == (6, 10, 1, 0)
        assert found.buckets[-1] == (101, None, 0, 1)
        (most,) = found.most_affected
        assert (most.id, most.one, most.other, most.difference) == (4, 1800, 1689, -111)

    def test_who_is_the_same_is_not_affected(self) -> None:
        one = figures([(1, 1500), (2, 1600)])
        found = compare_lists(one, one)
        assert (found.different, found.most_affected, found.mean) == (0, (), 0)

    def test_of_nobody(self) -> None:
        found = compare_lists(figures([]), figures([]))
        assert (found.both, found.mean, found.quantiles, found.different) == (0, None, (), 0)

    def test_quantiles_below_zero(self) -> None:
        assert signed_quantiles(column(-3, -2, -1, 5))[2] == (50, -2)
