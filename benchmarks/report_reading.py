"""Five thousand report files read into columns, against their bytes and against other readers.

The files are invented: 20 to 300 players, 5 to 11 rounds, half of them TRF16 and half TRF26, one in
ten with letters beyond ASCII, with byes and forfeits. Times are the least processor time of some
runs, all in one process. Other readers are measured through their public interface on plainer
files, which all of them take; those not installed are named.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta
from importlib import import_module
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from arrocco.formats.trf import from_report, read_report
from arrocco.formats.trf_columnar import batch as batch_module
from arrocco.formats.trf_columnar import read_files
from arrocco.formats.trf_columnar.block import Block
from arrocco.formats.trf_columnar.cut import cut
from arrocco.formats.trf_columnar.heads import usual_head
from arrocco.formats.trf_columnar.people import read_people
from arrocco.formats.trf_columnar.rounds import read_games
from arrocco.formats.trf_columnar.table import Table
from arrocco.records.report import Birth, Bye, ByeKind, GameKind, Report
from arrocco.units import HalfPoints
from benchmarks.generated import swiss

FILES = 5_000
PLAIN_FILES = 200
"""Files that the slow readers read: TRF16 without dates of rounds, with the record XXR."""
MAX_TIMES_BYTES = 6
LEAST_TIMES_OTHERS = 10

_TITLES = ("",) * 12 + ("CM", "FM", "IM", "GM", "WFM")


def generate(folder: Path, files: int) -> list[Path]:
    """Writes invented reports, always the same."""
    random = Random(20240501)
    paths = []
    for index in range(files):
        players = min(300, 20 + int(random.expovariate(1 / 25)))
        start = date(2024, 1, 1) + timedelta(days=random.randrange(360))
        report = dressed(swiss(players, random.randint(5, 11), start), random, index)
        path = folder / f"{index:05}.trf"
        path.write_bytes(from_report(report, "trf26" if index % 2 else "trf16"))
        paths.append(path)
    return paths


def generate_plain(folder: Path, files: int) -> list[Path]:
    """Writes invented reports of the simplest kind."""
    paths = []
    for index in range(files):
        report = swiss(20 + 2 * (index % 29), 5 + index % 7)
        path = folder / f"plain-{index:05}.trf"
        path.write_bytes(from_report(report, "trf16") + f"XXR {report.rounds}\r\n".encode())
        paths.append(path)
    return paths


def dressed(report: Report, random: Random, index: int) -> Report:
    """The report with what real ones have besides: births, titles, forfeits, byes, dates."""
    for entry in report.entries:
        entry.sex = random.choice("mmmw")
        entry.title = random.choice(_TITLES)
        entry.birth = Birth(
            random.randint(1940, 2016), random.randint(1, 12), random.randint(1, 28)
        )
        entry.points = 0
        if index % 10 == 0 and entry.number % 7 == 0:
            entry.name = f"Inventò, Lucía {entry.number}"
    report.games = [
        replace(game, kind=GameKind.FORFEIT, white_score=HalfPoints(2), black_score=HalfPoints(0))
        if random.random() < 0.01
        else game
        for game in report.games
    ]
    paired = {(game.round, number) for game in report.games for number in (game.white, game.black)}
    had: set[int] = set()
    for round_ in range(1, report.rounds + 1):
        for entry in report.entries:
            if (round_, entry.number) not in paired:
                kind = ByeKind.HALF_POINT if entry.number in had else ByeKind.PAIRING_ALLOCATED
                had.add(entry.number)
                report.byes.append(Bye(round_, entry.number, kind))
    points = {entry.number: 0 for entry in report.entries}
    for game in report.games:
        points[game.white] += 5 * game.white_score
        points[game.black] += 5 * game.black_score
    for bye in report.byes:
        points[bye.entry] += 5 if bye.kind is ByeKind.HALF_POINT else 10
    for entry in report.entries:
        entry.points = points[entry.number]
    assert report.start is not None
    report.round_dates = tuple(report.start + timedelta(days=day) for day in range(report.rounds))
    return report


def best_of(work: Callable[[], Any], runs: int) -> float:
    """The least processor time of some runs, in seconds: what the machine needs undisturbed."""
    times = []
    for _ in range(runs):
        started = time.process_time()
        work()
        times.append(time.process_time() - started)
    return min(times)


def read_bytes(paths: list[Path]) -> int:
    """Reads every file and lets go of it."""
    return sum(len(path.read_bytes()) for path in paths)


# --- where the time goes --------------------------------------------------------------------------


def shares(paths: list[Path]) -> list[tuple[str, float]]:
    """The seconds of each stage, measured alone over all files."""
    files = [(str(path), path.read_bytes()) for path in paths]
    blocks = [list(enumerate(part)) for part in batch_module.blocks(files)]

    def cuts() -> Any:
        return [[cut(place, *file) for place, file in part] for part in blocks]

    def heads() -> Any:
        return [{c.place: usual_head(c) for c in part} for part in found]

    def tables() -> Any:
        return [Table(part) for part in found]

    found = cuts()
    laid, usual = tables(), heads()
    people = [read_people(table) for table in laid]
    read = [Block(part, head) for part, head in zip(found, usual, strict=True)]
    stages: dict[str, Callable[[], Any]] = {
        "cutting files into lines": cuts,
        "tournament records": heads,
        "laying lines into columns": tables,
        "players": lambda: [read_people(table) for table in laid],
        "rounds": lambda: [read_games(*pair) for pair in zip(laid, people, strict=True)],
        "columns in the order of files": lambda: [block.read() for block in read],
    }
    return [(what, best_of(work, 5)) for what, work in stages.items()]


# --- other readers, each through its own interface ------------------------------------------------


def _trf() -> Callable[[Path], Any]:
    loads = import_module("trf").loads
    return lambda path: loads(path.read_text("utf-8"))


def _caissify() -> Callable[[Path], Any]:
    parse = import_module("caissify_pairings.trf").parse_trf
    return lambda path: parse(path.read_text("utf-8"))


def _py4swiss() -> Callable[[Path], Any]:
    parser: Callable[[Path], Any] = import_module("py4swiss.trf").TrfParser.parse
    return parser


READERS = {"trf": _trf, "caissify-pairings": _caissify, "py4swiss": _py4swiss}


def reader_seconds(paths: list[Path]) -> dict[str, float | str]:
    """The seconds each reader takes for the files, or why there is no figure."""
    seconds: dict[str, float | str] = {}
    for name, prepare in READERS.items():
        try:
            read = prepare()
            read(paths[0])
            seconds[name] = best_of(lambda read=read: [read(path) for path in paths], 2)  # type: ignore[misc]
        except ImportError:
            seconds[name] = "not installed"
        except Exception as error:  # a reader's own failure is a result too
            seconds[name] = f"failed: {type(error).__name__}: {error}"[:90]
    return seconds


def run() -> list[tuple[str, str]]:
    """What was measured, and the figures."""
    with TemporaryDirectory() as folder:
        paths = generate(Path(folder), FILES)
        return against_bytes(paths) + against_readers(generate_plain(Path(folder), PLAIN_FILES))


def against_bytes(paths: list[Path]) -> list[tuple[str, str]]:
    """Reads files into columns, and only their bytes."""
    (batch,) = read_files(paths, batch_bytes=1 << 40)
    lines = len(batch.entries)
    if batch.refused or len(batch.tournaments) != len(paths):
        raise AssertionError("an invented report is refused")
    by_bytes = best_of(lambda: read_bytes(paths), 15)
    ours = best_of(lambda: list(read_files(paths)), 15)
    rows = [
        ("files", f"{len(paths):,}, {read_bytes(paths) / 1e6:.1f} MB"),
        ("players, games", f"{lines:,}, {len(batch.games):,}"),
        ("their bytes", f"{by_bytes * 1000:.0f} ms"),
        ("into columns", f"{ours * 1000:.0f} ms, {ours / lines * 1e6:.2f} µs a player"),
        (f"into columns / bytes (at most {MAX_TIMES_BYTES})", f"{ours / by_bytes:.1f}"),
    ]
    rows += [(f"  {what}", f"{seconds * 1000:.0f} ms") for what, seconds in shares(paths)]
    return rows


def against_readers(paths: list[Path]) -> list[tuple[str, str]]:
    """Reads the same files in every way."""
    ours = best_of(lambda: list(read_files(paths)), 15)
    careful = best_of(lambda: [read_report(path.read_bytes(), str(path)) for path in paths], 2)
    seconds = reader_seconds(paths)
    rows = [
        (f"{len(paths)} plain files into columns", f"{ours * 1000:.1f} ms"),
        ("  with care, one by one", _against(careful, ours)),
    ]
    rows += [
        (f"  {name}", taken if isinstance(taken, str) else _against(taken, ours))
        for name, taken in seconds.items()
    ]
    measured = [taken for taken in seconds.values() if isinstance(taken, float)]
    if measured:
        times = f"{min(measured) / ours:.0f}"
        rows.append((f"fastest other reader / columns (at least {LEAST_TIMES_OTHERS})", times))
    return rows


def _against(seconds: float, ours: float) -> str:
    return f"{seconds * 1000:.0f} ms, {seconds / ours:.0f} times as long"


if __name__ == "__main__":
    for what, figure in run():
        print(f"{what:<50} {figure}")
