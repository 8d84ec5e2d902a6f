"""The kernel against a C loop over the same arrays, and against general rating libraries.

The C loop is compiled here, with the machine's own compiler, and does the same sums: games, half
points and expected score of every entry. Libraries are measured through their public interface on
the same games with their own update; those not installed are named (`make bench` installs them).
"""

from __future__ import annotations

import ctypes
import subprocess
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from arrocco.engine.columns import Entries, Games
from arrocco.engine.kernel import SPAN, tables
from arrocco.engine.plain import sum_games
from arrocco.laws.fide.standard_2024 import Fide2025

GAMES = 1_000_000
PLAYERS_OF_A_TOURNAMENT = 44
LIBRARY_GAMES = 20_000

LOOP = r"""
#include <stdint.h>
void sums(int64_t games, const int32_t *white, const int32_t *black, const int8_t *white_half,
          const int8_t *black_half, const int8_t *exclusion, const int32_t *rating,
          const int16_t *capped, const int16_t *full, int32_t exempt,
          int64_t *n, int64_t *half, int64_t *expected) {
    for (int64_t i = 0; i < games; i++) {
        if (exclusion[i]) continue;
        int32_t w = white[i], b = black[i], rw = rating[w], rb = rating[b];
        if (!rw || !rb) continue;
        int32_t d = rw - rb;
        n[w]++; n[b]++;
        half[w] += white_half[i]; half[b] += black_half[i];
        expected[w] += (rw >= exempt ? full : capped)[d + 3999];
        expected[b] += (rb >= exempt ? full : capped)[3999 - d];
    }
}
"""


def arrays(order: str) -> tuple[Entries, Games]:
    """A month of games: by tournament as the engine has them, or over players in random order."""
    rng = np.random.default_rng(20240501)
    if order == "tournaments":
        size = GAMES // 198 * PLAYERS_OF_A_TOURNAMENT  # nine rounds of 22 games each
        base = np.sort(rng.integers(0, size // 44, GAMES)) * 44
        white = base + rng.integers(0, 44, GAMES)
        black = base + (white - base + rng.integers(1, 44, GAMES)) % 44
    else:
        size = 1_500_000
        white = rng.integers(0, size, GAMES)
        black = (white + rng.integers(1, size, GAMES)) % size
    rating = rng.normal(1750, 250, size).clip(1400, 2640).astype(np.int32)
    half = rng.integers(0, 3, GAMES).astype(np.int8)
    entries = Entries(np.zeros(size, dtype=np.int64), np.arange(size), rating, rating)  # type: ignore[arg-type]
    games = Games(
        np.ones(GAMES, dtype=np.int16),
        white.astype(np.int32),
        black.astype(np.int32),
        half,
        (2 - half).astype(np.int8),
        np.zeros(GAMES, dtype=np.int8),
    )
    return entries, games


def best_of(work: Callable[[], Any], runs: int = 9) -> float:
    """The least processor time of some runs, in seconds: what the machine needs undisturbed."""
    work()
    times = []
    for _ in range(runs):
        started = time.process_time()
        work()
        times.append(time.process_time() - started)
    return min(times)


def compiled(folder: Path) -> ctypes.CDLL:
    """The C loop as a library."""
    source, library = folder / "loop.c", folder / "loop.so"
    source.write_text(LOOP)
    subprocess.run(["cc", "-O2", "-shared", "-fPIC", "-o", library, source], check=True)
    return ctypes.CDLL(str(library))


def c_seconds(loop: ctypes.CDLL, entries: Entries, games: Games) -> float:
    """The C loop's time, after checking that it finds the same sums."""
    law = Fide2025()
    _, _, expected = tables(law)
    full, capped = expected[:SPAN].copy(), expected[SPAN:].copy()
    sums = [np.zeros(len(entries), dtype=np.int64) for _ in range(3)]

    def work() -> None:
        for column in sums:
            column[:] = 0
        columns = (games.white, games.black, games.white_half, games.black_half, games.exclusion)
        loop.sums(
            ctypes.c_int64(len(games)),
            *(_address(c) for c in columns),
            _address(entries.own),
            _address(capped),
            _address(full),
            ctypes.c_int32(law.FULL_DIFFERENCE_RATING),
            *(_address(c) for c in sums),
        )

    seconds = best_of(work)
    ours, _ = sum_games(law, entries, games)
    for one, other in zip((ours.games, ours.half, ours.expected), sums, strict=True):
        if not np.array_equal(one, other):
            raise AssertionError("the C loop and the kernel do not find the same sums")
    return seconds


def _address(column: Any) -> ctypes.c_void_p:
    return ctypes.c_void_p(column.ctypes.data)


# --- general rating libraries, each through its own interface ------------------------------------


def _evalica(white: list[str], black: list[str], half: list[int]) -> Callable[[], Any]:
    evalica = import_module("evalica")
    winners = [(evalica.Winner.Y, evalica.Winner.Draw, evalica.Winner.X)[result] for result in half]
    return lambda: evalica.elo(white, black, winners)


def _riix(white: list[str], black: list[str], half: list[int]) -> Callable[[], Any]:
    polars, elo = import_module("polars"), import_module("riix.models.elo")
    data = import_module("riix.utils.data_utils")
    outcome = [result / 2 for result in half]
    frame = polars.DataFrame(
        {"a": white, "b": black, "outcome": outcome, "step": list(range(len(white)))}
    )
    matches = data.MatchupDataset(frame, ["a", "b"], "outcome", time_step_col="step", verbose=False)
    return lambda: elo.Elo(competitors=matches.competitors).fit_dataset(matches)


def _openskill(white: list[str], black: list[str], half: list[int]) -> Callable[[], Any]:
    model = import_module("openskill.models").PlackettLuce()

    def work() -> None:
        players: dict[str, Any] = {}
        for one, other, result in zip(white, black, half, strict=True):
            a = players.setdefault(one, model.rating())
            b = players.setdefault(other, model.rating())
            (players[one],), (players[other],) = model.rate([[a], [b]], ranks=[2 - result, result])

    return work


def _elote(white: list[str], black: list[str], half: list[int]) -> Callable[[], Any]:
    elote = import_module("elote")

    def work() -> None:
        players: dict[str, Any] = {}
        for one, other, result in zip(white, black, half, strict=True):
            a = players.setdefault(one, elote.EloCompetitor(initial_rating=1500))
            b = players.setdefault(other, elote.EloCompetitor(initial_rating=1500))
            (a.lost_to, a.tied, a.beat)[result](b)

    return work


def _glicko2(white: list[str], black: list[str], half: list[int]) -> Callable[[], Any]:
    glicko2 = import_module("glicko2")

    def work() -> None:
        players: dict[str, Any] = {}
        for one, other, result in zip(white, black, half, strict=True):
            a = players.setdefault(one, glicko2.Player())
            b = players.setdefault(other, glicko2.Player())
            rating, deviation = b.rating, b.rd
            b.update_player([a.rating], [a.rd], [1 - result / 2])
            a.update_player([rating], [deviation], [result / 2])

    return work


LIBRARIES = {
    "evalica": _evalica,
    "riix": _riix,
    "openskill": _openskill,
    "elote": _elote,
    "glicko2": _glicko2,
}


def library_rates() -> dict[str, float | str]:
    """Games per second of each library, or why there is no figure."""
    rng = np.random.default_rng(5)
    rates: dict[str, float | str] = {}
    for name, prepare in LIBRARIES.items():
        count = GAMES if name in {"evalica", "riix"} else LIBRARY_GAMES
        players = max(100, count // 5)
        white = [f"p{i}" for i in rng.integers(0, players, count).tolist()]
        black = [f"q{i}" for i in rng.integers(0, players, count).tolist()]
        half = rng.integers(0, 3, count).tolist()
        try:
            work = prepare(white, black, half)
            started = time.process_time()
            work()
            rates[name] = count / (time.process_time() - started)
        except ImportError:
            rates[name] = "not installed"
        except Exception as error:  # a library's own failure is a result too
            rates[name] = f"failed: {type(error).__name__}: {error}"[:90]
    return rates


def run() -> list[tuple[str, str]]:
    rows: list[tuple[str, str]] = []
    law, fastest = Fide2025(), 0.0
    with TemporaryDirectory() as folder:
        loop = compiled(Path(folder))
        for order in ("tournaments", "random players"):
            entries, games = arrays(order)
            ours = best_of(lambda e=entries, g=games: sum_games(law, e, g))  # type: ignore[misc]
            theirs = c_seconds(loop, entries, games)
            rows.append((f"{order}: kernel, ns a game", f"{ours / GAMES * 1e9:.1f}"))
            rows.append((f"{order}: C loop, ns a game", f"{theirs / GAMES * 1e9:.1f}"))
            rows.append((f"{order}: kernel / C loop (at most 4)", f"{ours / theirs:.2f}"))
            fastest = fastest or GAMES / ours
    rates = library_rates()
    for name, rate in rates.items():
        shown = rate if isinstance(rate, str) else f"{rate:,.0f}"
        rows.append((f"{name}, games a second", shown))
    measured = {name: rate for name, rate in rates.items() if isinstance(rate, float)}
    rows.append(("kernel, games a second", f"{fastest:,.0f}"))
    others = [rate for name, rate in measured.items() if name != "evalica"]
    if others:
        rows.append(
            ("kernel / fastest interpreted library (at least 20)", f"{fastest / max(others):,.1f}")
        )
    if "evalica" in measured:
        rows.append(
            (
                "kernel / evalica's compiled core (at least 4)",
                f"{fastest / measured['evalica']:,.1f}",
            )
        )
    return rows
