"""12.1 — the power that is printed says how well it is known, and that is what is found."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from math import exp, log, sqrt
from statistics import fmean

import pytest
from msgspec.structs import astuple, replace

from arrocco.fairplay.baseline import Baseline, make_baseline
from arrocco.fairplay.cells import difficulty_of
from arrocco.fairplay.helper import STATED, count_helper
from arrocco.fairplay.power import HELP, Counted, power_of
from arrocco.fairplay.records import Decision, GameAnalysis, WatchedGame
from arrocco.fairplay.screen import screen
from arrocco.fairplay.spread import Dispersion, Known
from tests.fairplay.test_screen import GAPS, RATE, SETTING, position

PLIES = range(16, 40)
"""A dozen decisions each, as in the games of `benchmarks/limited_games.py`."""
LEANING, OF_HELPED = 0.1, 0.25
"""How players differ, alone and with help."""
OFFICES, PLANTED = 12, 80

Rate = Callable[[int, int], float]


def games(seed: int, players: int, rounds: int, rate: Rate, name: str) -> list[GameAnalysis]:
    """Everybody plays all rounds; `rate` is of a player at a gap."""
    chance = random.Random(f"{name}{seed}")
    made = []
    for number in range(rounds):
        order = list(range(players))
        chance.shuffle(order)
        for white, black in zip(order[::2], order[1::2], strict=True):
            positions = []
            for ply in PLIES:
                gap = chance.choice(GAPS)
                is_first = chance.random() < rate((white, black)[ply % 2], gap)
                positions.append(position(ply, gap, 1 if is_first else chance.choice((2, 3, 0))))
            game = WatchedGame(
                id=f"{number}-{white}",
                white=f"{name}{white:03d}",
                black=f"{name}{black:03d}",
                white_rating=1500,
                black_rating=1500,
                time_class="rapid",
                moves=(),
                event=name,
            )
            made.append(GameAnalysis(game=game, setting=SETTING, positions=tuple(positions)))
    return made


def leaning(rate: float, by: float) -> float:
    return 1 / (1 + exp(-log(rate / (1 - rate)) - by))


def who_differ(seed: int, players: int, share: float, helps: float = 0.72) -> Rate:
    """Players of whose moves a share is a helper's, who finds the first choice so often."""
    chance = random.Random(seed)
    own = [chance.gauss(0, LEANING) for _ in range(players)]
    helped = [chance.gauss(0, OF_HELPED) for _ in range(players)]

    def rate(player: int, gap: int) -> float:
        usual = RATE[difficulty_of(gap)]
        with_help = leaning(max(helps, usual), helped[player])
        return (1 - share) * leaning(usual, own[player]) + share * with_help

    return rate


def made(seed: int, players: int, of_helper: int, helps: float = 0.72) -> Baseline:
    """Of a small baseline and a few games of a helper, as an office can have."""
    with_help = games(seed, of_helper, 10, who_differ(seed + 1, of_helper, 1.0, helps), "H")
    helper = count_helper(with_help, ["invented"])
    assert helper is not None
    honest = games(seed, players, 8, who_differ(seed + 2, players, 0.0), "B")
    return make_baseline(honest, SETTING, ["invented"], helper)


def lot(share: float) -> float:
    return 1.96 * sqrt(max(share * (1 - share), 1 / PLANTED) / PLANTED)


@pytest.mark.parametrize(
    ("share", "helps", "rounds"),
    [
        pytest.param(0.3, 0.95, 30, marks=pytest.mark.soak),
        (0.5, 0.88, 16),
        (1.0, 0.72, 12),
    ],
)
def test_the_power_that_is_found_lies_in_the_interval_that_is_printed(
    share: float, helps: float, rounds: int
) -> None:
    """Offices with a small baseline and a dozen who have help, each counted anew.

    What an office prints rests on what it counted: with the lot of the planted players alone the
    found would lie elsewhere far more often than one time in twenty.
    """
    inside, alone, widths = 0, 0, []
    for office in range(OFFICES):
        seed = 1000 * office
        baseline = made(seed, 40, 12, helps)
        planted = games(
            seed + 7, PLANTED, rounds, who_differ(seed + 10, PLANTED, share, helps), "P"
        )
        figures = [player.figures[0] for player in screen(planted, baseline).players]
        assert {figure.name for figure in figures} == {"first"}
        printed = [figure.power[HELP.index(share)] for figure in figures]
        found = fmean(figure.stands_out for figure in figures)
        chance, low, high = (fmean(column) for column in zip(*map(astuple, printed), strict=True))
        assert low <= chance <= high
        inside += low - lot(low) <= found <= high + lot(high)
        alone += abs(found - chance) <= lot(chance)
        widths.append(high - low)
    assert inside >= OFFICES - 1, (inside, alone, widths)
    assert alone <= OFFICES - 2, "or what is not known of the counts would not be seen at all"
    assert fmean(widths) < 0.5, "or the intervals would say nothing"


def test_the_more_games_are_counted_the_closer_the_interval() -> None:
    few, many = made(5, 40, 12), made(5, 160, 60)
    planted = games(6, 10, 12, who_differ(6, 10, 1.0), "P")

    def widths(baseline: Baseline) -> list[float]:
        figures = [each for player in screen(planted, baseline).players for each in player.figures]
        return [power.high - power.low for figure in figures for power in figure.power]

    assert fmean(widths(many)) < 0.7 * fmean(widths(few))


def test_who_has_help_differ_and_that_is_measured_where_they_have_names() -> None:
    helper = made(9, 40, 40).helper
    assert helper is not None
    assert helper.spread is not None
    assert helper.spread.players == 40
    assert helper.spread.between is not None
    assert helper.spread.between.first > 0
    nameless = count_helper(renamed(games(9, 12, 10, who_differ(9, 12, 1.0), "H")), ["invented"])
    assert nameless is not None
    assert nameless.spread is None


def test_a_helper_whose_spread_is_not_known_differs_as_honest_players_do() -> None:
    """The stated helper is such a one, and whatever a baseline of before has."""
    assert STATED.spread is None
    decisions = [Decision(game="1", ply=20, rank=1, loss=0, gap=gap, spent=None) for gap in GAPS]
    each = [STATED.expected("first", decision) for decision in decisions]
    honest = Counted(each, Dispersion(1.1, 2.0), Known(3.1, 40, 90.0))
    helped = STATED.counted("first", decisions, honest)
    assert (helped.spread, helped.known) == (honest.spread, honest.known)
    (sure, *_) = power_of(
        honest, helped._replace(known=Known(1.0, 0, 1.0)), 1.0, less_is_better=False
    )
    (doubt, *_) = power_of(honest, helped, 1.0, less_is_better=False)
    assert doubt.high - doubt.low > sure.high - sure.low


def renamed(analyses: Sequence[GameAnalysis]) -> list[GameAnalysis]:
    return [
        GameAnalysis(
            game=replace(one.game, white="?", black="?"),
            setting=one.setting,
            positions=one.positions,
        )
        for one in analyses
    ]
