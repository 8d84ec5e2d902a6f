"""A guard on speed that reads no clock: calls are counted, and must not grow with the games.

Whatever is done once a game in Python would show here as calls in proportion to the games. The
ratios to a C loop and to reading bytes are measured in `benchmarks/`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from datetime import date
from types import FrameType
from typing import Any

import numpy as np

from arrocco.engine.batch import ListColumns, PeriodContext, rate_batch
from arrocco.engine.columns import apply_rule
from arrocco.engine.side_by_side import LawChoice, two_laws
from arrocco.formats.trf import read_report
from arrocco.formats.trf_columnar import read_batch
from arrocco.records.report import System
from arrocco.records.reportbatch import EntryColumns, GameColumns, ReportBatch, TournamentHead
from arrocco.records.timecontrol import parse_text
from tests.formats.trf.samples import swiss

TOURNAMENTS = 5


def calls(work: Callable[[], Any]) -> int:
    """How many functions, Python's and C's, a piece of work calls; a first run warms caches."""
    work()
    count = 0

    def see(frame: FrameType, event: str, argument: Any) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(see)
    try:
        work()
    finally:
        sys.setprofile(None)
    return count


def batch_of_size(players: int, rounds: int) -> tuple[PeriodContext, ReportBatch]:
    """Five tournaments of rated players, every round a random pairing."""
    rng = np.random.default_rng(players)
    size = TOURNAMENTS * players
    ids = np.arange(99_000_001, 99_000_001 + size)
    rating = rng.integers(1400, 2300, size)
    context = PeriodContext(
        "fide", {}, date(2024, 5, 1), date(2024, 6, 1), ListColumns(ids, rating.astype(np.int64))
    )
    day, control = date(2024, 5, 10), parse_text("90+30")
    heads = [
        TournamentHead(str(i), str(i), day, day, System.SWISS, control) for i in range(TOURNAMENTS)
    ]
    order = [
        t * players + rng.permutation(players) for t in range(TOURNAMENTS) for _ in range(rounds)
    ]
    white = np.concatenate([part[::2] for part in order]).astype(np.int32)
    black = np.concatenate([part[1::2] for part in order]).astype(np.int32)
    half = rng.integers(0, 3, len(white)).astype(np.int8)
    text = np.full(size, b"x")
    entries = EntryColumns(
        np.repeat(np.arange(TOURNAMENTS, dtype=np.int32), players),
        np.tile(np.arange(1, players + 1, dtype=np.int32), TOURNAMENTS),
        ids,
        rating.astype(np.int32),
        np.zeros(size, dtype=np.int32),
        text,
        text,
        text,
        text,
    )
    games = GameColumns(
        np.ones(len(white), dtype=np.int16),
        white,
        black,
        half,
        (2 - half).astype(np.int8),
        np.zeros(len(white), dtype=np.int8),
    )
    return context, ReportBatch(heads, entries, games)


def test_rating_a_batch_does_nothing_once_a_game() -> None:
    small, large = batch_of_size(40, 9), batch_of_size(400, 9)
    few = calls(lambda: rate_batch(*small))
    many = calls(lambda: rate_batch(*large))
    assert len(large[1].games) == 10 * len(small[1].games)
    # What still grows are rules asked once for each distinct value; ten times would be a loop.
    assert many < 2.5 * few


def test_reading_regular_reports_does_nothing_once_a_line() -> None:
    few = calls(lambda: read_batch([("a", swiss(players=40, rounds=9, seed=1))]))
    many = calls(lambda: read_batch([("a", swiss(players=240, rounds=9, seed=1))]))
    made = calls(lambda: swiss(players=240, rounds=9, seed=1))
    made_few = calls(lambda: swiss(players=40, rounds=9, seed=1))
    assert many - made <= (few - made_few) * 1.3


def test_two_laws_make_no_column_again_for_each_game() -> None:
    """The side-by-side calculator copied all rounds once for each game it explained."""
    report, _ = read_report(swiss(players=60, rounds=30, seed=1), "a")
    made = 0

    def see(frame: FrameType, event: str, argument: Any) -> None:
        nonlocal made
        made += event == "call" and frame.f_code.co_name in ("rounds", "entry_k")

    sys.setprofile(see)
    try:
        two_laws(report, LawChoice("fide"), LawChoice("uisp"), {}, reason="to count")
    finally:
        sys.setprofile(None)
    assert len(report.games) > 800
    assert made <= 4


def test_two_laws_do_work_in_proportion_to_the_report() -> None:
    small, large = (
        read_report(swiss(players=players, rounds=20, seed=1), "a")[0] for players in (60, 120)
    )
    few = calls(
        lambda: two_laws(small, LawChoice("fide"), LawChoice("uisp"), {}, reason="to count")
    )
    many = calls(
        lambda: two_laws(large, LawChoice("fide"), LawChoice("uisp"), {}, reason="to count")
    )
    assert many < 2.2 * few


def test_a_rule_is_called_once_for_each_distinct_row() -> None:
    asked = []

    def rule(one: int, other: int) -> int:
        asked.append((one, other))
        return one + other

    one = np.tile([1, 2, 3], 1000)
    other = np.tile([5, 5, 6], 1000)
    assert apply_rule(rule, one, other).tolist() == np.tile([6, 7, 9], 1000).tolist()
    assert sorted(asked) == [(1, 5), (2, 5), (3, 6)]
