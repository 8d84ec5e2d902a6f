"""What players of a strength do at a pace: counts by rating band, time class and difficulty.

A baseline is a table of counts, so that two can be added up and anybody can see what a figure
rests on. How much more honest players differ from one another than chance alone would have them
differ (the overdispersion) is measured from the same games, over each player's whole event, never
assumed: see `spread`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from msgspec import Struct

from arrocco.fairplay.cells import (
    MIN_IN_CELL,
    Cell,
    Expected,
    cell_of,
    difficulty_of,
    expected_in,
)
from arrocco.fairplay.decisions import NAMELESS, decisions_of
from arrocco.fairplay.helper import Helper
from arrocco.fairplay.move_times import expected_median
from arrocco.fairplay.records import Decision, EngineSetting, GameAnalysis
from arrocco.fairplay.spread import Between, SideSum, Spread, measure

BAND = 200
MIN_DECISIONS = 120
"""Of a player in one event: below, a figure says nothing."""


class Baseline(Struct, frozen=True, kw_only=True):
    """The table, what it was made with, and from what."""

    setting: EngineSetting
    sources: tuple[str, ...]
    """The files it was made from, as their maker describes them."""
    games: int
    cells: dict[str, Cell]
    """By ``<time class>/<band>/<difficulty>``."""
    spread: dict[str, Spread]
    """By time class."""
    helper: Helper | None = None
    """What the moves of a helper look like here; without it a stated one is taken."""

    def decisions_at(self, time_class: str) -> int:
        """How many decisions of a pace were counted."""
        of_pace = f"{time_class}/"
        return sum(cell.decisions for key, cell in self.cells.items() if key.startswith(of_pace))


def band_of(rating: int) -> int:
    """The lowest rating of a band."""
    return rating // BAND * BAND


def key_of(time_class: str, rating: int, gap: int) -> str:
    return f"{time_class}/{band_of(rating)}/{difficulty_of(gap)}"


class _Side(NamedTuple):
    rating: int
    decisions: list[Decision]


def make_baseline(
    analyses: Iterable[GameAnalysis],
    setting: EngineSetting,
    sources: Sequence[str],
    helper: Helper | None = None,
) -> Baseline:
    """Counts the decisions of rated players in games taken to be honest."""
    cells: dict[str, Cell] = {}
    events: dict[str, dict[tuple[str, str], list[_Side]]] = {}
    games = 0
    for analysis in analyses:
        games += 1
        game = analysis.game
        for white in (True, False):
            rating, player = game.rating(white=white), game.player(white=white)
            if rating is None:
                continue
            side = _Side(rating, decisions_of(analysis, white=white))
            _count(cells, game.time_class, side)
            if side.decisions and player not in NAMELESS:
                players = events.setdefault(game.time_class, {})
                players.setdefault((game.event, player), []).append(side)
    first = Baseline(setting=setting, sources=tuple(sources), games=games, cells=cells, spread={})
    spread = {
        name: _spread(first, name, list(players.values()))
        for name, players in sorted(events.items())
    }
    return Baseline(
        setting=setting,
        sources=tuple(sources),
        games=games,
        cells=dict(sorted(cells.items())),
        spread=spread,
        helper=helper,
    )


def _count(cells: dict[str, Cell], time_class: str, side: _Side) -> None:
    for decision in side.decisions:
        key = key_of(time_class, side.rating, decision.gap)
        cells[key] = cells.get(key, Cell()).plus(cell_of(decision))


def _spread(baseline: Baseline, time_class: str, players: Sequence[Sequence[_Side]]) -> Spread:
    """How players differ; each is held against the counts of all others.

    So is everybody on a screen, of whom a baseline knows nothing: what it does not know well, its
    few players of a band, is measured with the rest.
    """
    gathered: dict[str, list[list[SideSum]]] = {"first": [], "third": [], "loss": []}
    for sides in players:
        own: dict[str, Cell] = {}
        for side in sides:
            _count(own, time_class, side)
        for figure, told in gathered.items():
            sums = [
                side_sum
                for side in sides
                if (side_sum := _side_sum(baseline, figure, time_class, side, own)) is not None
            ]
            if sums:
                told.append(sums)
    measured = {figure: measure(told) for figure, told in gathered.items()}
    return Spread(
        players=min(len(told) for told in gathered.values()),
        between=Between(**{figure: each.between for figure, each in measured.items()}),
        **{figure: each.within for figure, each in measured.items()},
    )


def _side_sum(
    baseline: Baseline, figure: str, time_class: str, side: _Side, own: Mapping[str, Cell]
) -> SideSum | None:
    each = expected_of_each(baseline, figure, time_class, side.rating, side.decisions, own)
    variance = sum(expected.variance for expected in each or ())
    if each is None or variance <= 0:
        return None
    mean = sum(expected.mean for expected in each)
    return SideSum(observed_of(figure, side.decisions) - mean, variance, len(side.decisions))


def observed_of(figure: str, decisions: Sequence[Decision]) -> float:
    """The sum of a figure over decisions."""
    cells = [cell_of(decision) for decision in decisions]
    return float(sum(getattr(cell, figure) for cell in cells))


def expected_of_each(
    baseline: Baseline,
    figure: str,
    time_class: str,
    rating: int,
    decisions: Sequence[Decision],
    without: Mapping[str, Cell] | None = None,
) -> list[Expected] | None:
    """What a figure would be for this rating at each of these decisions, leaving counts out.

    `None` where the baseline knows nobody of that strength and pace.
    """
    known: dict[int, Expected] = {}
    expecteds = []
    for decision in decisions:
        difficulty = difficulty_of(decision.gap)
        if difficulty not in known:
            cell = _cell(baseline, time_class, rating, difficulty, without or {})
            if cell is None:
                return None
            known[difficulty] = expected_in(cell, figure)
        expecteds.append(known[difficulty])
    return expecteds


def expected_time(
    baseline: Baseline, time_class: str, rating: int, decisions: Sequence[Decision]
) -> float | None:
    """The median time in seconds of this rating and pace over decisions as difficult as these."""
    met = Counter(difficulty_of(decision.gap) for decision in decisions)
    parts: list[tuple[int, tuple[int, ...]]] = []
    for difficulty, number in sorted(met.items()):
        cell = _cell(baseline, time_class, rating, difficulty, {})
        if cell is None:
            return None
        parts.append((number, cell.times))
    return expected_median(parts) if parts else None


def _cell(
    baseline: Baseline, time_class: str, rating: int, difficulty: int, without: Mapping[str, Cell]
) -> Cell | None:
    """The counts of a band; where there are few, with those of the bands beside it."""
    middle = band_of(rating)
    total = Cell()
    for width in range(3):
        for band in sorted({middle - width * BAND, middle + width * BAND}):
            key = f"{time_class}/{band}/{difficulty}"
            counted = baseline.cells.get(key, Cell()).minus(without.get(key, Cell()))
            total = total.plus(counted)
        if total.decisions >= MIN_IN_CELL:
            return total
    return None
