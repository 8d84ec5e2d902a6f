"""The screen of fair play tried with games whose players are known to the last move.

    python -m benchmarks.fairplay_calibration --games FOLDER [--paces rapid] [--rounds 12]
    python -m benchmarks.fairplay_calibration --games FOLDER --public counted.pgn event.pgn...

Games are those of `limited_games` (engines of limited strength; nothing was played by a person), or
public ones of people, taken to be honest: those of the first file are counted, and each other file
is an event that is looked at.
Honest players whom the baseline never saw: how many stand out, in each band and time class, beside
the share that is stated. Planted help in 30, 50 and 100 % of the moves: how many stand out, beside
the chances that the screen prints. Work that was stopped goes on where it was.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from math import comb, sqrt
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

from arrocco.fairplay.baseline import Baseline, band_of, make_baseline
from arrocco.fairplay.engine import Analyser
from arrocco.fairplay.helper import count_helper, rates_of
from arrocco.fairplay.kept import KeptAnalyses, analyse_games
from arrocco.fairplay.pgn import watched_games
from arrocco.fairplay.power import HELP, Power
from arrocco.fairplay.records import GameAnalysis
from arrocco.fairplay.screen import FIGURES, LEVEL, Figure, Screen, screen
from benchmarks.limited_games import PACES, SHARES, Planned, plan, write_games

NODES = 10_000
ONE_IN_TWENTY = 1.645
"""The z beyond which one honest figure in twenty lies, whatever the limit of the event."""
SURE = 0.01
"""The chance below which honest players are said to stand out more often than is stated."""

Row = tuple[str, str]


class Honest(NamedTuple):
    """An honest player's figure beside the limit of the event."""

    band: int
    figure: Figure
    chance: float


def run() -> list[Row]:
    """A first look for `make bench`: too few games to say much, all of its parts."""
    with tempfile.TemporaryDirectory(prefix="fairplay-") as folder:
        return measured(Path(folder), tuple(PACES), rounds=2, events=3, nodes=2000)


def measured(
    folder: Path, paces: Sequence[str], *, rounds: int, events: int, nodes: int
) -> list[Row]:
    """`rounds` of the 60 players of the baseline, `events` rounds of all others."""
    rows: list[Row] = []
    for pace in paces:
        write_all(folder, pace, rounds, events, nodes)
        baseline, games = baseline_of(folder, pace, nodes)
        rows.append((f"{pace}: baseline", f"{games} games, spread {baseline.spread[pace]}"))
        if baseline.helper is not None:
            rows.append((f"{pace}: helper", f"{rates_of(baseline.helper)}"))
            rows.append((f"{pace}: helper", f"spread {baseline.helper.spread}"))
        honest = analyse(folder / f"honest-{pace}.pgn", pace, nodes)
        rows += _honest_rows(pace, screen(honest, baseline))
        for share in SHARES:
            planted = analyse(folder / f"planted-{share}-{pace}.pgn", pace, nodes)
            rows += _power_rows(pace, share, screen(planted, baseline))
    return rows


def of_people(counted: Path, events: Sequence[Path], pace: str, nodes: int) -> list[Row]:
    """Public games of people, who are taken to be honest: one file counted, others looked at."""
    _at_once([partial(analyse, file, pace, nodes) for file in (counted, *events)])
    games = analyse(counted, pace, nodes)
    baseline = make_baseline(games, games[0].setting, [counted.name])
    rows = [(f"{pace}: baseline", f"{len(games)} games, spread {baseline.spread[pace]}")]
    screens = [screen(analyse(file, pace, nodes), baseline) for file in events]
    return rows + _honest_rows(f"{pace}, people", *screens)


def write_all(folder: Path, pace: str, rounds: int, events: int, nodes: int) -> None:
    """Writes the games and has the engine look at them, each file in a process of its own."""
    planned = plan(pace, rounds, events)
    _at_once([partial(_write_one, folder, pace, each, nodes) for each in planned])


def _write_one(folder: Path, pace: str, planned: Planned, nodes: int) -> None:
    analyse(write_games(folder, pace, planned), pace, nodes)


def _at_once(jobs: Sequence[Callable[[], object]]) -> None:
    """Two at a time: each has engines of its own."""
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        for begun in [pool.submit(job) for job in jobs]:
            begun.result()


def analyse(file: Path, pace: str, nodes: int) -> list[GameAnalysis]:
    """Has the engine look at the games of a file; what is kept beside it is not done again."""
    kept = KeptAnalyses(file.with_suffix(".jsonl"))
    with Analyser(nodes) as analyser:
        return list(
            analyse_games(watched_games(file.read_bytes(), file.name, pace), analyser, kept)
        )


def baseline_of(folder: Path, pace: str, nodes: int) -> tuple[Baseline, int]:
    """The baseline of a pace with its helper, and how many games it rests on."""
    games = analyse(folder / f"baseline-{pace}.pgn", pace, nodes)
    helped = analyse(folder / f"helped-{pace}.pgn", pace, nodes)
    helper = count_helper(helped, ["games of benchmarks/limited_games.py"])
    sources = ["games of benchmarks/limited_games.py"]
    return make_baseline(games, games[0].setting, sources, helper), len(games)


def _honest_rows(pace: str, *screens: Screen) -> list[Row]:
    gathered = [
        Honest(
            band_of(player.rating or 0),
            figure,
            1 - (1 - LEVEL) ** (1 / (len(screened.players) * len(FIGURES))),
        )
        for screened in screens
        for player in screened.players
        if not player.too_few
        for figure in player.figures
        if figure.z is not None
    ]
    rows = [_honest(f"{pace}: honest, all bands", gathered)]
    for name in FIGURES:
        own = [each for each in gathered if each.figure.name == name]
        rows.append(_honest(f"{pace}: honest, {name}", own))
    for band in sorted({each.band for each in gathered}):
        own = [each for each in gathered if each.band == band]
        rows.append(_honest(f"{pace}: honest, {band} to {band + 199}", own))
    return rows


def _honest(title: str, gathered: Sequence[Honest]) -> Row:
    """Stated is the share of an event; beside it how far z goes, of which more can be seen."""
    if not gathered:
        return title, "nobody with enough decisions"
    scores = [each.figure.z or 0.0 for each in gathered]
    beyond = sum(each.figure.stands_out for each in gathered)
    stated = sum(each.chance for each in gathered)
    twentieth = sum(z > ONE_IN_TWENTY for z in scores)
    deviation = sqrt(sum(z**2 for z in scores) / len(scores))
    told = (
        "more than stated"
        if tail(len(gathered), beyond, gathered[0].chance) < SURE
        else "as stated"
    )
    return title, (
        f"{beyond} of {len(gathered)} figures beyond the limit ({stated:.2f} stated: {told}); "
        f"{twentieth} beyond {ONE_IN_TWENTY} ({0.05 * len(gathered):.1f} stated); z: mean "
        f"{sum(scores) / len(scores):+.2f}, deviation {deviation:.2f}"
    )


def tail(trials: int, gathered: int, chance: float) -> float:
    """The chance of so many or more."""
    return sum(
        comb(trials, n) * chance**n * (1 - chance) ** (trials - n)
        for n in range(gathered, trials + 1)
    )


def _power_rows(pace: str, share: int, screened: Screen) -> list[Row]:
    rows = []
    place = HELP.index(share / 100)
    for name in FIGURES:
        figures = [
            figure
            for player in screened.players
            for figure in player.figures
            if figure.name == name and figure.power
        ]
        printed = [figure.power[place] for figure in figures]
        gathered = sum(figure.stands_out for figure in figures)
        least, most = _between(printed)
        told = "as printed" if least <= gathered <= most else "not as printed"
        rows.append(
            (
                f"{pace}: help in {share} %, {name}",
                (
                    f"{gathered} of {len(figures)} players; "
                    f"{sum(power.chance for power in printed):.1f} printed, "
                    f"{sum(power.low for power in printed):.1f} to "
                    f"{sum(power.high for power in printed):.1f}, with the lot of so few "
                    f"{least:.1f} to {most:.1f}: {told}"
                ),
            )
        )
    return rows


def _between(printed: Sequence[Power]) -> tuple[float, float]:
    """How many are found if every chance lies at an end of its interval, and chance does the rest.

    All rest on the same counts, so they are off together.
    """
    ends = []
    for way, side in ((-1, "low"), (1, "high")):
        chances = [getattr(power, side) for power in printed]
        half = 1.96 * sqrt(sum(chance * (1 - chance) for chance in chances))
        ends.append(sum(chances) + way * max(half, 0.5))
    return max(0.0, ends[0]), min(float(len(printed)), ends[1])


def _main() -> None:
    asked = argparse.ArgumentParser()
    asked.add_argument("--games", type=Path, required=True)
    asked.add_argument("--rounds", type=int, default=12)
    asked.add_argument("--events", type=int, default=20)
    asked.add_argument("--nodes", type=int, default=NODES)
    asked.add_argument("--paces", nargs="+", choices=tuple(PACES), default=tuple(PACES))
    asked.add_argument("--public", nargs="+", metavar="FILE", help="of people: counted, events")
    asked.add_argument("--pace", default="standard", help="of the public games")
    given = asked.parse_args()
    if given.public:
        counted, *events = (given.games / name for name in given.public)
        rows = of_people(counted, events, given.pace, given.nodes)
    else:
        rows = measured(
            given.games, given.paces, rounds=given.rounds, events=given.events, nodes=given.nodes
        )
    for what, figure in rows:
        print(f"{what:34} {figure}")


if __name__ == "__main__":
    _main()
