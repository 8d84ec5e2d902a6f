"""The screen of an event: for each player a few figures with their intervals, and no verdict.

The figures are not added up and have no colours. What the screen can find at all, in this event,
is computed and stands beside every result: constant help over many games, not occasional help.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from statistics import NormalDist

import msgspec
from msgspec import Struct

from arrocco.fairplay.baseline import (
    MIN_DECISIONS,
    Baseline,
    expected_of_each,
    expected_time,
    observed_of,
)
from arrocco.fairplay.cells import GAPS, difficulty_of
from arrocco.fairplay.decisions import by_player
from arrocco.fairplay.helper import STATED, HelperRates, rates_of
from arrocco.fairplay.intervals import (
    MedianTime,
    mean_interval,
    median_time,
    share_interval,
    student,
)
from arrocco.fairplay.power import Counted, Power, power_of
from arrocco.fairplay.records import Decision, EngineSetting, GameAnalysis
from arrocco.fairplay.spread import Spread, SpreadKind

FIGURES = ("first", "third", "loss")
METHOD = 3
"""Of computing figures: raised where the same analyses give other figures than before."""
MAX_LOSS = 1000.0
"""Thousandths of a point: a decision cannot lose more."""
LEVEL = 0.05
"""The chance, over all players of an event together, that an honest one stands out."""


class Figure(Struct, frozen=True, kw_only=True):
    """One figure of a player: per decision, with an interval of 95 % around what was seen."""

    name: str
    decisions: int
    seen: float
    low: float
    high: float
    expected: float | None = None
    """What players of that rating do at that pace."""
    z: float | None = None
    """Standard deviations from it, after the overdispersion of honest players."""
    stands_out: bool = False
    """Whether it lies beyond what chance gives to any one of the players of the event."""
    power: tuple[Power, ...] = ()
    """The chance to stand out with help in 30, 50 and 100 % of the moves."""


class Screened(Struct, frozen=True, kw_only=True):
    """A player of an event on the screen."""

    player: str
    rating: int | None
    games: int
    decisions: int
    too_few: bool
    figures: tuple[Figure, ...]
    median_time: MedianTime | None
    """The time of a decision, where clocks are known."""
    times_by_difficulty: tuple[MedianTime | None, ...] = ()
    """The same for each bin of difficulty: the first choice is ever plainer."""
    expected_time: float | None = None
    """The median of that rating and pace, in seconds, over decisions as difficult."""
    expected_by_difficulty: tuple[float | None, ...] = ()


class Screen(Struct, frozen=True, kw_only=True):
    """All players of an event, with what was computed and against what."""

    setting: EngineSetting
    baseline: tuple[str, ...]
    comparable: bool
    """Whether the baseline was made with the same engine and nodes."""
    threshold: float
    helper: HelperRates
    """What help is taken to look like where the power is told."""
    spread: SpreadKind | None
    """From what it is known how honest players differ; nothing where nobody is compared."""
    players: tuple[Screened, ...]


def screen(analyses: Sequence[GameAnalysis], baseline: Baseline) -> Screen:
    """Screens every player of an event, most unusual nowhere: in the order of their names.

    Counts of another engine, or of other nodes, say nothing of these games: nothing is expected.
    """
    setting = analyses[0].setting if analyses else baseline.setting
    comparable = setting == baseline.setting
    if not comparable:
        baseline = msgspec.structs.replace(baseline, cells={}, spread={})
    decisions = by_player(analyses)
    limit = _limit(len(decisions) * len(FIGURES), analyses, baseline)
    spread = _known_spread(analyses, baseline)
    return Screen(
        setting=setting,
        baseline=baseline.sources,
        comparable=comparable,
        threshold=round(limit, 3),
        helper=rates_of(baseline.helper or STATED),
        spread=None if spread is None else spread.kind,
        players=tuple(
            _screened(player, own, analyses, baseline, limit)
            for player, own in sorted(decisions.items())
        ),
    )


def screened_player(
    player: str, analyses: Sequence[GameAnalysis], baseline: Baseline, tests: int
) -> Screened:
    """One player alone, with the limit of an event in which so many figures are looked at."""
    own = by_player(analyses).get(player, [])
    return _screened(player, own, analyses, baseline, _limit(tests, analyses, baseline))


def threshold(tests: int, players: int = 0) -> float:
    """The z beyond which one of so many figures of honest players lies with a chance of 5 %.

    Where their spread was measured from some players, it is as uncertain as those are few: the
    quantile is then Student's.
    """
    z = NormalDist().inv_cdf((1 - LEVEL) ** (1 / max(1, tests)))
    return student(z, players) if players else z


def _limit(tests: int, analyses: Sequence[GameAnalysis], baseline: Baseline) -> float:
    """Of few players too little is known even for that; the report says so instead."""
    spread = _known_spread(analyses, baseline)
    is_measured = spread is not None and spread.kind is SpreadKind.PLAYERS
    return threshold(tests, spread.players if spread is not None and is_measured else 0)


def _known_spread(analyses: Sequence[GameAnalysis], baseline: Baseline) -> Spread | None:
    return baseline.spread.get(analyses[0].game.time_class) if analyses else None


def _screened(
    player: str,
    own: list[Decision],
    analyses: Sequence[GameAnalysis],
    baseline: Baseline,
    limit: float,
) -> Screened:
    games = [
        (analysis.game, analysis.game.white == player)
        for analysis in analyses
        if player in (analysis.game.white, analysis.game.black)
    ]
    ratings = [r for game, white in games if (r := game.rating(white=white)) is not None]
    rating = ratings[-1] if ratings else None
    time_class = games[0][0].time_class
    too_few = len(own) < MIN_DECISIONS
    bins = [
        [decision for decision in own if difficulty_of(decision.gap) == bin_]
        for bin_ in range(len(GAPS) + 1)
    ]
    return Screened(
        player=player,
        rating=rating,
        games=len(games),
        decisions=len(own),
        too_few=too_few,
        figures=tuple(
            _figure(name, own, baseline, time_class, rating, None if too_few else limit)
            for name in FIGURES
            if own
        ),
        median_time=median_time(decision.spent for decision in own),
        times_by_difficulty=tuple(
            median_time(decision.spent for decision in of_bin) for of_bin in bins
        ),
        expected_time=_expected_time(own, baseline, time_class, rating),
        expected_by_difficulty=tuple(
            _expected_time(of_bin, baseline, time_class, rating) for of_bin in bins
        ),
    )


def _expected_time(
    own: Sequence[Decision], baseline: Baseline, time_class: str, rating: int | None
) -> float | None:
    timed = [decision for decision in own if decision.spent is not None]
    if rating is None or not timed:
        return None
    return expected_time(baseline, time_class, rating, timed)


def _figure(
    name: str,
    own: Sequence[Decision],
    baseline: Baseline,
    time_class: str,
    rating: int | None,
    limit: float | None,
) -> Figure:
    count = len(own)
    seen = observed_of(name, own)
    low, high = _interval(name, own, seen)
    each = None if rating is None else expected_of_each(baseline, name, time_class, rating, own)
    known = baseline.spread.get(time_class)
    variance = sum(expected.variance for expected in each or ())
    if each is None or known is None or variance <= 0:
        return _rounded(Figure(name=name, decisions=count, seen=seen / count, low=low, high=high))
    mean, spread = sum(expected.mean for expected in each), known.over(name, count)
    # Less loss is better play: the direction in which a figure stands out is upwards for all.
    less_is_better = name == "loss"
    z = (mean - seen if less_is_better else seen - mean) / (sqrt(variance) * spread.deviation)
    power: tuple[Power, ...] = ()
    if limit is not None:
        honest = Counted(each, spread, known.known(name, baseline.decisions_at(time_class)))
        helped = (baseline.helper or STATED).counted(name, own, honest)
        power = power_of(honest, helped, limit, less_is_better=less_is_better)
    figure = Figure(
        name=name,
        decisions=count,
        seen=seen / count,
        low=low,
        high=high,
        expected=mean / count,
        z=z,
        stands_out=limit is not None and z > limit,
        power=power,
    )
    return _rounded(figure)


def _interval(name: str, own: Sequence[Decision], seen: float) -> tuple[float, float]:
    count = len(own)
    if name == "loss":
        squares = sum(decision.loss**2 for decision in own) / count
        return mean_interval(count, seen / count, squares, MAX_LOSS)
    return share_interval(count, seen / count)


def _rounded(figure: Figure) -> Figure:
    """As it is shown and kept: four places, so that a report is the same bytes everywhere."""
    return Figure(
        name=figure.name,
        decisions=figure.decisions,
        seen=round(figure.seen, 4),
        low=round(figure.low, 4),
        high=round(figure.high, 4),
        expected=None if figure.expected is None else round(figure.expected, 4),
        z=None if figure.z is None else round(figure.z, 3),
        stands_out=figure.stands_out,
        power=tuple(
            Power(chance=round(one.chance, 3), low=round(one.low, 3), high=round(one.high, 3))
            for one in figure.power
        ),
    )
