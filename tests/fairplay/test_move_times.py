"""12.2 — the time of moves beside that of players of the same strength, by pace and difficulty."""

from __future__ import annotations

import random
from statistics import median

import pytest
from msgspec.structs import replace

from arrocco.fairplay.baseline import Baseline, make_baseline
from arrocco.fairplay.move_times import EDGES, MIN_TIMES, added, counted, expected_median
from arrocco.fairplay.records import GameAnalysis
from arrocco.fairplay.screen import screen
from tests.fairplay.test_screen import SETTING, games_of


def thinking(games: list[GameAnalysis], mean: float) -> list[GameAnalysis]:
    """The same games with clocks: the plainer the first choice, the faster it is played."""
    chance = random.Random(3)
    timed = []
    for made in games:
        spent: list[int | None] = [None] * 16
        for position in made.positions:
            hard = 2.0 if position.gap < 80 else 1.0
            spent.append(round(1000 * hard * mean * chance.lognormvariate(0, 0.7)))
        timed.append(replace(made, game=replace(made.game, spent=tuple(spent))))
    return timed


@pytest.fixture(scope="module")
def baseline() -> Baseline:
    return make_baseline(thinking(games_of(1, 200, players=20), 6.0), SETTING, ["invented games"])


def test_the_median_expected_is_the_median_of_the_band(baseline: Baseline) -> None:
    for player in screen(thinking(games_of(5, 60), 6.0), baseline).players:
        assert player.median_time is not None
        assert player.expected_time is not None
        assert player.expected_time == pytest.approx(player.median_time.seconds, rel=0.12)
        assert player.expected_time == pytest.approx(8.4, rel=0.12)
        hard, plain = player.expected_by_difficulty[0], player.expected_by_difficulty[4]
        assert hard == pytest.approx(12.0, rel=0.12)
        assert plain == pytest.approx(6.0, rel=0.12)


def test_who_plays_evenly_fast_is_seen_beside_it_and_nothing_stands_out(
    baseline: Baseline,
) -> None:
    games = [replace(made, game=replace(made.game, spent=(2500,) * 80)) for made in games_of(5, 20)]
    for player in screen(games, baseline).players:
        seen = [each.seconds for each in player.times_by_difficulty if each is not None]
        assert seen == [2.5] * 5
        assert all(expected and expected > 5 for expected in player.expected_by_difficulty)
        assert not any(figure.stands_out for figure in player.figures)


def test_without_clocks_ratings_or_enough_of_both_no_time_is_expected(baseline: Baseline) -> None:
    untimed = screen(games_of(5, 20), baseline).players
    assert [player.expected_time for player in untimed] == [None, None]
    of_untimed = make_baseline(games_of(1, 200), SETTING, ["no clocks"])
    timed = thinking(games_of(5, 20), 6.0)
    assert [player.expected_time for player in screen(timed, of_untimed).players] == [None, None]
    unrated = [replace(made, game=replace(made.game, white_rating=None)) for made in timed[:1]]
    white, black = screen(unrated, baseline).players
    assert white.expected_time is None
    assert black.expected_time is not None


def test_each_time_is_in_its_bin_and_few_of_them_tell_nothing() -> None:
    assert counted(0) == (1,)
    assert counted(EDGES[0] - 1) == (1,)
    assert counted(EDGES[0]) == (0, 1)
    assert counted(10**7) == (0,) * len(EDGES) + (1,)
    assert added((1,), (0, 2)) == (1, 2)
    assert expected_median([(10, (MIN_TIMES - 1,))]) is None
    assert expected_median([(10, (MIN_TIMES,))]) == 0.2  # the middle of half a second
    beyond = (0,) * len(EDGES) + (MIN_TIMES,)
    assert expected_median([(10, beyond)]) is None, (
        "longer than the last edge, nobody knows by what"
    )
    assert expected_median([(9, (MIN_TIMES,)), (11, beyond)]) is None


@pytest.mark.parametrize("mean", [0.7, 2.0, 9.0, 30.0])
def test_the_bins_are_fine_enough_for_a_tenth(mean: float) -> None:
    chance = random.Random(4)
    times = [round(1000 * mean * chance.lognormvariate(0, 0.8)) for _ in range(4000)]
    whole: tuple[int, ...] = ()
    for time in times:
        whole = added(whole, counted(time))
    assert expected_median([(1, whole)]) == pytest.approx(median(times) / 1000, rel=0.1)
