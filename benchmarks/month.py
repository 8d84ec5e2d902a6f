"""A whole FIDE month, generated, from report files to the published list; growth; scale.

Times are processor seconds and seconds on the clock, with the share of each stage. `run()` takes
the month and the growth; `python -m benchmarks.month huge` rates 100,000,000 games over 5,000,000
players from Parquet, which needs some minutes and the disk for it.
"""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path
from subprocess import run as run_process
from tempfile import TemporaryDirectory
from typing import NamedTuple

PROGRAM = "from arrocco.cli.main import main; main()"


class Cost(NamedTuple):
    """Seconds on the clock, processor seconds of all processes, megabytes of the largest one."""

    clock: float
    processor: float
    megabytes: int
    stages: dict[str, float]

    def __str__(self) -> str:
        total = sum(self.stages.values()) or 1.0
        shares = ", ".join(f"{name} {seconds / total:.0%}" for name, seconds in self.stages.items())
        return (
            f"{self.clock:.1f} s clock, {self.processor:.1f} s processor, {self.megabytes} MB"
            f" ({shares})"
        )


def generate(folder: Path, *, players: int, games: int, tournaments: int, reports: str) -> None:
    """Invents a federation and a month of its tournaments."""
    run_process(
        [
            sys.executable,
            "-c",
            PROGRAM,
            "demo",
            "generate",
            "--players",
            str(players),
            "--games",
            str(games),
            "--tournaments",
            str(tournaments),
            "--seed",
            "7",
            "--period",
            "2024-05",
            "--reports",
            reports,
            "--out",
            str(folder),
        ],
        check=True,
        capture_output=True,
    )


def rate(folder: Path, reports: str, out: str, *options: str) -> Cost:
    """Rates the month in a process of its own, cold start included."""
    answer = folder / f"{out}.json"
    started = time.perf_counter()
    process = os.posix_spawn(
        sys.executable,
        [
            sys.executable,
            "-c",
            PROGRAM,
            *"period rate --law fide --period 2024-05 --lists".split(),
            str(folder / "lists"),
            "--reports",
            str(folder / reports),
            "--out",
            str(folder / out),
            *options,
            "--json",
        ],
        dict(os.environ),
        file_actions=[
            (os.POSIX_SPAWN_OPEN, 1, str(answer), os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        ],
    )
    _, status, usage = os.wait4(process, 0)
    clock = time.perf_counter() - started
    if os.waitstatus_to_exitcode(status) not in (0, 3):  # 3: some reports have errors
        raise RuntimeError(answer.read_text())
    seconds = json.loads(answer.read_text())["seconds"]
    return Cost(
        clock,
        usage.ru_utime + usage.ru_stime,
        usage.ru_maxrss // 1024,
        {stage: float(value) for stage, value in seconds.items()},
    )


def month_rows(folder: Path) -> list[tuple[str, str]]:
    """1.9 million players, 494,000 of them rated, 5,000 reports, 1,000,000 games."""
    generate(folder, players=1_900_000, games=1_000_000, tournaments=5_000, reports="both")
    rows = []
    cases = (
        ("reports to Parquet list (under 5 s, 2 GB)", "reports", ()),
        (
            "reports to Parquet, TXT and XML (under 15 s, 2 GB)",
            "reports",
            ("--format", "fide_txt", "--format", "fide_xml"),
        ),
        ("Parquet reports to Parquet list", "reports.parquet", ()),
    )
    for number, (what, reports, options) in enumerate(cases):
        cost = rate(folder, reports, f"out{number}", *options)
        rows.append((what, str(cost)))
    return rows


def growth_rows(folder: Path) -> list[tuple[str, str]]:
    """1, 2, 4 and 8 million games over the same million players, from Parquet."""
    rows, first = [], 0.0
    for millions in (1, 2, 4, 8):
        place = folder / f"growth{millions}"
        generate(
            place,
            players=1_000_000,
            games=millions * 1_000_000,
            tournaments=millions * 5_000,
            reports="parquet",
        )
        cost = rate(place, "reports.parquet", "out")
        a_game = cost.processor / millions
        first = first or a_game
        rows.append(
            (
                f"{millions} million games: µs of processor a game, against the first",
                f"{a_game:.2f}, {a_game / first:.2f}",
            )
        )
    return rows


def huge_rows(folder: Path) -> list[tuple[str, str]]:
    """100 million games over 5 million players, and the million-game month beside it."""
    small, large = folder / "small", folder / "large"
    generate(small, players=5_000_000, games=1_000_000, tournaments=5_000, reports="parquet")
    generate(large, players=5_000_000, games=100_000_000, tournaments=500_000, reports="parquet")
    one = rate(small, "reports.parquet", "out")
    all_ = rate(large, "reports.parquet", "out", "--memory", "2G")
    return [
        ("1 million games", str(one)),
        ("100 million games (under 8 GB)", str(all_)),
        (
            "processor a game, against the million (at most 2)",
            f"{all_.processor / 100 / one.processor:.2f}",
        ),
    ]


def run() -> list[tuple[str, str]]:
    with TemporaryDirectory() as folder:
        return month_rows(Path(folder) / "month") + growth_rows(Path(folder))


if __name__ == "__main__":
    with TemporaryDirectory() as folder:
        found = huge_rows(Path(folder)) if "huge" in sys.argv else month_rows(Path(folder) / "m")
        for what, figure in found:
            print(f"{what:<60} {figure}")
