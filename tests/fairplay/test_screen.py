"""12.1, 12.2 — figures that support decisions: their size, their limits, and what they find."""

from __future__ import annotations

import random
from hashlib import sha256

import msgspec
import pytest

from arrocco.fairplay.baseline import MIN_DECISIONS, Baseline, make_baseline
from arrocco.fairplay.cells import difficulty_of
from arrocco.fairplay.helper import MIN_HELPED, STATED, count_helper, rates_of
from arrocco.fairplay.power import HELP
from arrocco.fairplay.records import (
    EngineSetting,
    GameAnalysis,
    Line,
    PositionAnalysis,
    WatchedGame,
)
from arrocco.fairplay.screen import FIGURES, METHOD, Figure, Screen, screen, threshold

SETTING = EngineSetting(engine="test", nodes=1, lines=3, hash_mb=1)
RATE = {0: 0.3, 1: 0.4, 2: 0.5, 3: 0.6, 4: 0.8}
"""By difficulty: how often an invented honest player of 1500 finds the first choice."""
HELPER_RATE = 0.62
GAPS = (5, 20, 50, 100, 300)
PLIES = range(16, 80)


def position(ply: int, gap: int, rank: int) -> PositionAnalysis:
    lines = (Line("a2a3", 500), Line("b2b3", 500 - gap), Line("c2c3", 500 - gap))
    played = lines[rank - 1] if rank else Line("d2d3", 400 - gap)
    return PositionAnalysis(ply=ply, legal=20, lines=lines, played=played)


def games_of(
    seed: int,
    games: int,
    *,
    helped: float = 0.0,
    players: int = 2,
    base: str = "P",
    all_helped: bool = False,
    found: float = HELPER_RATE,
) -> list[GameAnalysis]:
    """Invented games; the first player has help in a share of the moves, or everybody has.

    What helps finds the screen's first choice at a rate of its own.
    """
    chance = random.Random(seed)
    made = []
    for number in range(games):
        pair = (f"{base}{number % players:02d}", f"{base}{(number + 1) % players:02d}")
        positions = []
        for ply in PLIES:
            gap = chance.choice(GAPS)
            may_help = all_helped or pair[ply % 2] == f"{base}00"
            helping = may_help and chance.random() < helped
            rate = max(found, RATE[difficulty_of(gap)]) if helping else RATE[difficulty_of(gap)]
            rank = 1 if chance.random() < rate else chance.choice((2, 3, 0))
            positions.append(position(ply, gap, rank))
        game = WatchedGame(
            id=str(number),
            white=pair[0],
            black=pair[1],
            white_rating=1500,
            black_rating=1500,
            time_class="blitz",
            moves=(),
        )
        made.append(GameAnalysis(game=game, setting=SETTING, positions=tuple(positions)))
    return made


@pytest.fixture(scope="module")
def baseline() -> Baseline:
    helper = count_helper(games_of(2, 200, helped=1.0, all_helped=True), ["an invented helper"])
    assert helper is not None
    return make_baseline(games_of(1, 400, players=40), SETTING, ["invented games"], helper)


def of(result: Screen, player: str) -> dict[str, float | None]:
    (found,) = (one for one in result.players if one.player == player)
    return {figure.name: figure.z for figure in found.figures}


def test_honest_players_stand_out_no_more_often_than_is_stated(baseline: Baseline) -> None:
    events = [screen(games_of(100 + n, 90, players=20), baseline) for n in range(20)]
    flagged = sum(
        any(figure.stands_out for player in event.players for figure in player.figures)
        for event in events
    )
    assert all(not player.too_few for event in events for player in event.players)
    assert flagged <= 4, "one event in twenty is stated; four have a chance below 2 %"


@pytest.mark.parametrize(
    ("share", "games"), [(0.3, 24), pytest.param(0.5, 9, marks=pytest.mark.soak), (1.0, 4)]
)
def test_the_power_that_is_printed_is_the_power_that_is_found(
    baseline: Baseline, share: float, games: int
) -> None:
    """12.1 — at every share of help, within three deviations of what is printed."""
    printed, found = [], []
    for n in range(100):
        result = screen(games_of(1000 + n, games, helped=share), baseline)
        first = first_of(result)
        printed.append(first.power[HELP.index(share)].chance)
        found.append(first.stands_out)
    expected = sum(printed)
    assert 20 < expected < 95, "neither certain nor hopeless, or the test could not fail"
    deviation = sum(chance * (1 - chance) for chance in printed) ** 0.5
    assert abs(sum(found) - expected) < 3 * deviation, (sum(found), expected)


def first_of(result: Screen) -> Figure:
    (own,) = (player for player in result.players if player.player == "P00")
    (first,) = (figure for figure in own.figures if figure.name == "first")
    return first


def test_of_a_helper_who_agrees_less_less_is_promised(baseline: Baseline) -> None:
    """The chances are those of the helper that was counted, and the report names it."""
    weak = count_helper(
        games_of(3, 200, helped=1.0, all_helped=True, found=0.42), ["a weak helper"]
    )
    other = msgspec.structs.replace(baseline, helper=weak)
    games = games_of(4, 9)
    strong_screen, weak_screen = screen(games, baseline), screen(games, other)
    assert strong_screen.helper.sources == ("an invented helper",)
    assert weak_screen.helper.sources == ("a weak helper",)
    assert weak_screen.helper.first < strong_screen.helper.first
    assert all(
        little.chance < much.chance
        for little, much in zip(
            first_of(weak_screen).power, first_of(strong_screen).power, strict=True
        )
    )


def test_without_a_counted_helper_the_stated_one_is_taken_and_named(baseline: Baseline) -> None:
    few = games_of(3, 3, helped=1.0, all_helped=True)
    assert count_helper(few, ["three games"]) is None, f"less than {MIN_HELPED} decisions"
    plain = msgspec.structs.replace(baseline, helper=None)
    told = screen(games_of(4, 9), plain).helper
    assert told == rates_of(STATED)
    assert (told.first, told.third, told.decisions) == (0.415, 0.7277, 2769)


def test_a_baseline_keeps_its_helper_and_one_of_before_has_none(baseline: Baseline) -> None:
    data = msgspec.json.encode(baseline)
    assert msgspec.json.decode(data, type=Baseline) == baseline
    before = msgspec.json.decode(data)
    del before["helper"]
    assert msgspec.convert(before, Baseline).helper is None
    before["helper"] = {"sources": [], "cells": []}
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(before, Baseline)


def test_more_help_is_found_more_often(baseline: Baseline) -> None:
    result = screen(games_of(5, 9), baseline)
    for player in result.players:
        for figure in player.figures:
            chances = [power.chance for power in figure.power]
            assert chances == sorted(chances)
            assert all(power.low <= power.chance <= power.high for power in figure.power)
            assert figure.low <= figure.seen <= figure.high


def test_too_few_decisions_say_nothing(baseline: Baseline) -> None:
    result = screen(games_of(6, 3, helped=1.0), baseline)
    for player in result.players:
        assert player.decisions < MIN_DECISIONS
        assert player.too_few
        assert not any(figure.stands_out or figure.power for figure in player.figures)


def test_a_player_without_rating_or_band_is_compared_with_nobody(baseline: Baseline) -> None:
    games = [
        GameAnalysis(
            game=WatchedGame(
                id="1",
                white="A",
                black="B",
                white_rating=None,
                black_rating=2800,
                time_class="blitz",
                moves=(),
            ),
            setting=SETTING,
            positions=tuple(position(ply, 20, 1) for ply in PLIES),
        )
    ]
    result = screen(games, baseline)
    assert of(result, "A") == of(result, "B") == dict.fromkeys(FIGURES)


def test_the_more_figures_the_higher_the_bar() -> None:
    assert threshold(1) == pytest.approx(1.645, abs=0.001)
    assert threshold(180) == pytest.approx(3.45, abs=0.01)


def test_of_another_engine_nothing_is_expected_and_it_is_named_as_such(
    baseline: Baseline,
) -> None:
    other = EngineSetting(engine="test", nodes=2, lines=3, hash_mb=1)
    helped = games_of(7, 12, helped=1.0)
    games = [
        GameAnalysis(game=made.game, setting=other, positions=made.positions) for made in helped
    ]
    same, told = screen(helped, baseline), screen(games, baseline)
    assert (same.comparable, told.comparable) == (True, False)
    assert any(figure.stands_out for player in same.players for figure in player.figures)
    for player in told.players:
        for figure in player.figures:
            assert (figure.expected, figure.z, figure.power) == (None, None, ())
            assert not figure.stands_out
    assert told.baseline == ("invented games",)


def test_whoever_changes_a_figure_changes_the_number_of_the_method(baseline: Baseline) -> None:
    """A report of before is not recomputed by another method without anybody seeing it."""
    told = screen(games_of(11, 12, helped=0.5), baseline)
    digest = sha256(msgspec.json.encode(told.players)).hexdigest()
    assert (METHOD, digest[:16]) == (3, "3b3b00f9476871c0")
