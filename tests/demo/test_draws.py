"""Draws: whole numbers, the same from the same seed, spread as asked."""

from __future__ import annotations

import numpy as np
import pytest

from arrocco.demo.generate.draws import (
    WHOLE,
    Part,
    Spread,
    below,
    chance,
    choose,
    order,
    ranges,
    starts,
    stream,
)


def test_a_stream_repeats_itself_and_is_unlike_every_other_stream() -> None:
    drawn = stream(7, Part.BATCH, 3).integers(0, 1 << 60, 5).tolist()
    assert stream(7, Part.BATCH, 3).integers(0, 1 << 60, 5).tolist() == drawn
    for other in (stream(8, Part.BATCH, 3), stream(7, Part.PLAN, 3), stream(7, Part.BATCH, 4)):
        assert other.integers(0, 1 << 60, 5).tolist() != drawn


def test_the_first_numbers_of_a_stream_never_change() -> None:
    """A new version that draws otherwise would make another federation of the same seed."""
    assert stream(1, Part.PLAYERS).integers(0, 1000, 6, dtype=np.int64).tolist() == [
        680,
        881,
        38,
        894,
        27,
        203,
    ]


def test_a_spread_passes_through_its_quantiles_and_is_straight_between_them() -> None:
    spread = Spread((0, 10), (5000, 20), (10_000, 120))
    places = np.array([0, 2500, 5000, 7500, 9999]) * 1000
    assert spread.at(places).tolist() == [10, 15, 20, 70, 119]


def test_a_spread_draws_as_many_below_a_quantile_as_it_says() -> None:
    drawn = Spread((0, 0), (9000, 100), (10_000, 1000)).draw(stream(1, Part.PLAN), 20_000)
    assert drawn.min() >= 0
    assert drawn.max() < 1000
    assert 17_700 < (drawn < 100).sum() < 18_300


@pytest.mark.parametrize(("share", "least", "most"), [(0, 0, 0), (WHOLE, 9000, 9000)])
def test_nothing_and_everything_are_shares_too(share: int, least: int, most: int) -> None:
    assert least <= chance(stream(1, Part.PLAN), 9000, share).sum() <= most


def test_a_bound_is_never_reached_and_every_number_below_it_comes() -> None:
    drawn = below(stream(1, Part.PLAN), np.array([1, 5] * 500))
    assert set(drawn[0::2].tolist()) == {0}
    assert set(drawn[1::2].tolist()) == {0, 1, 2, 3, 4}


def test_a_weight_of_nothing_is_never_chosen() -> None:
    chosen = choose(stream(1, Part.PLAN), 4000, [1, 0, 3])
    counts = np.bincount(chosen, minlength=3).tolist()
    assert counts[1] == 0
    assert 900 < counts[0] < 1100


def test_groups_are_counted_out_one_after_the_other() -> None:
    counts = np.array([2, 0, 3])
    assert ranges(counts).tolist() == [0, 1, 0, 1, 2]
    assert starts(counts).tolist() == [0, 2, 2, 5]
    assert ranges(np.array([], dtype=np.int64)).tolist() == []


def test_rows_are_put_in_order_by_the_first_key_first() -> None:
    first, second = np.array([1, 0, 1, 0]), np.array([2, 9, 1, 3])
    assert order((first, 2), (second, 10)).tolist() == [3, 1, 2, 0]
