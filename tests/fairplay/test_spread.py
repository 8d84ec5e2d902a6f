"""12.1 — honest players differ over an event; what is stated and printed takes that in."""

from __future__ import annotations

import random
from functools import cache
from math import exp, log, sqrt

import msgspec
import pytest

from arrocco.fairplay.baseline import Baseline, make_baseline
from arrocco.fairplay.cells import difficulty_of
from arrocco.fairplay.helper import count_helper
from arrocco.fairplay.power import HELP
from arrocco.fairplay.records import GameAnalysis, WatchedGame
from arrocco.fairplay.screen import FIGURES, LEVEL, screen, threshold
from tests.fairplay.test_screen import GAPS, HELPER_RATE, PLIES, RATE, SETTING, position

LEANING = 0.25
"""The deviation of players' own leanings, as a shift of the log odds of every decision."""
ROUNDS = 9


def event_of(
    seed: int, players: int, *, helped: float = 0.0, leaning: float = LEANING, games: int = 0
) -> list[GameAnalysis]:
    """Games of players who differ; the first one may have help in a share of the moves."""
    chance = random.Random(seed)
    leanings = [chance.gauss(0, leaning) for _ in range(players)]
    made = []
    for number in range(games or players * ROUNDS // 2):
        pair = number % players, (number + 1) % players
        positions = []
        for ply in PLIES:
            player, gap = pair[ply % 2], chance.choice(GAPS)
            usual = RATE[difficulty_of(gap)]
            odds = log(usual / (1 - usual)) + leanings[player]
            rate = 1 / (1 + exp(-odds))
            if player == 0 and chance.random() < helped:
                rate = max(HELPER_RATE, usual)
            rank = 1 if chance.random() < rate else chance.choice((2, 3, 0))
            positions.append(position(ply, gap, rank))
        game = WatchedGame(
            id=f"{seed}-{number}",
            white=f"P{pair[0]:03d}",
            black=f"P{pair[1]:03d}",
            white_rating=1500,
            black_rating=1500,
            time_class="rapid",
            moves=(),
        )
        made.append(GameAnalysis(game=game, setting=SETTING, positions=tuple(positions)))
    return made


@cache
def made_baseline(leaning: float) -> Baseline:
    helper = count_helper(
        [
            GameAnalysis(game=one.game, setting=SETTING, positions=one.positions[::2])
            for number in range(40)
            for one in event_of(9000 + number, 2, helped=1.0, games=2)
            if one.game.white == "P000"
        ],
        ["an invented helper"],
    )
    assert helper is not None
    return make_baseline(event_of(1, 160, leaning=leaning), SETTING, ["invented games"], helper)


@pytest.fixture(scope="module")
def baseline() -> Baseline:
    return made_baseline(LEANING)


def test_honest_figures_have_the_deviation_and_the_share_that_are_stated(
    baseline: Baseline,
) -> None:
    """288 players the baseline never saw; it has 160, so a deviation is known to 7 in 100."""
    events = [screen(event_of(100 + number, 24), baseline) for number in range(12)]
    for name in FIGURES:
        scores = [
            figure.z
            for event in events
            for player in event.players
            for figure in player.figures
            if figure.name == name and figure.z is not None
        ]
        assert len(scores) == 288
        deviation = sqrt(sum(z**2 for z in scores) / len(scores))
        assert deviation == pytest.approx(1, abs=3 * 0.07), name
        twentieth = sum(z > threshold(1) for z in scores)
        assert twentieth <= LEVEL * 288 + 3 * sqrt(LEVEL * (1 - LEVEL) * 288), name
    flagged = sum(
        any(figure.stands_out for player in event.players for figure in player.figures)
        for event in events
    )
    assert flagged <= 3, "one event in twenty is stated; more than three have a chance below 1 %"


@pytest.mark.parametrize(
    ("share", "leaning", "games"),
    [
        pytest.param(0.3, 0.05, 30, marks=pytest.mark.soak),
        pytest.param(0.5, 0.15, 30, marks=pytest.mark.soak),
        (1.0, LEANING, 9),
    ],
)
def test_the_power_that_is_printed_is_found_where_players_differ(
    share: float, leaning: float, games: int
) -> None:
    """The more players differ the less of help is found, and that is what is printed."""
    baseline = made_baseline(leaning)
    printed, found = [], []
    for number in range(120):
        event = event_of(2000 + number, 2, helped=share, leaning=leaning, games=games)
        result = screen(event, baseline)
        (figure,) = (each for each in result.players[0].figures if each.name == "first")
        printed.append(figure.power[HELP.index(share)].chance)
        found.append(figure.stands_out)
    expected = sum(printed)
    assert 24 < expected < 114, "neither certain nor hopeless, or the test could not fail"
    deviation = sqrt(sum(chance * (1 - chance) for chance in printed))
    assert abs(sum(found) - expected) < 3 * deviation, (sum(found), expected)


def test_the_part_between_players_is_measured_over_an_event_and_chance_has_none(
    baseline: Baseline,
) -> None:
    spread = baseline.spread["rapid"]
    assert (spread.players, spread.kind) == (160, "players")
    assert spread.between is not None
    # A shift of the log odds moves a share by rate * (1 - rate) of it: about 0.22 here.
    assert spread.between.first == pytest.approx(LEANING**2 * 0.22 * 1_000_000, rel=0.35)
    assert spread.first == pytest.approx(1, abs=0.05), "games about their own player are chance"
    even = make_baseline(event_of(2, 160, leaning=0.0), SETTING, ["invented games"]).spread["rapid"]
    assert even.between is not None
    assert max(even.between.first, even.between.third, even.between.loss) < 1500
    over_event = spread.over("first", 32 * ROUNDS).deviation
    assert over_event > 1.5 > even.over("first", 32 * ROUNDS).deviation
    assert over_event > spread.over("first", 32).deviation + 0.4, "a game shows little of it"


def test_an_event_is_one_event_and_nobody_without_a_name_is_a_player() -> None:
    games = [
        GameAnalysis(
            game=msgspec.structs.replace(one.game, event=event, black=black),
            setting=SETTING,
            positions=one.positions,
        )
        for event in ("spring", "autumn")
        for one in event_of(3, 4)
        for black in (("?",) if one.game.black == "P003" else (one.game.black,))
    ]
    spread = make_baseline(games, SETTING, ["invented games"]).spread["rapid"]
    assert (spread.players, spread.kind) == (8, "few_players")


def test_a_baseline_of_before_is_read_and_named_as_such(baseline: Baseline) -> None:
    before = msgspec.json.decode(msgspec.json.encode(baseline))
    before["spread"] = {"rapid": {"players": 1440, "first": 1.2, "third": 1.1, "loss": 1.3}}
    old = msgspec.convert(before, Baseline)
    games = event_of(5, 4)
    told = screen(games, old)
    assert told.spread == "single_games"
    assert told.threshold == round(threshold(12), 3)
    now = screen(games, baseline)
    assert now.spread == "players"
    assert now.threshold == round(threshold(12, 160), 3) > told.threshold
    for one, other in zip(told.players, now.players, strict=True):
        assert abs(one.figures[0].z or 0) > abs(other.figures[0].z or 0)


def test_the_limit_is_students_where_the_spread_is_measured() -> None:
    """Tables of the distribution: one-sided 0.9995 is 3.646 with 30 and 3.460 with 60."""
    tests = log(1 - LEVEL) / log(0.9995)
    z = threshold(round(tests))
    assert z == pytest.approx(3.2905, abs=0.01)
    assert threshold(round(tests), 30) == pytest.approx(3.646, abs=0.01)
    assert threshold(round(tests), 60) == pytest.approx(3.460, abs=0.01)
