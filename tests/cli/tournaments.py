"""Small invented tournaments and lists as files, and ways to run the program on them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result

from arrocco.cli.main import program
from arrocco.formats.trf import from_report
from arrocco.records.report import (
    Bye,
    ByeKind,
    Entry,
    Game,
    GameKind,
    NationalRecord,
    Report,
    System,
)
from arrocco.records.timecontrol import parse_text
from arrocco.units import HalfPoints, Rating

DEMO = Path(__file__).parents[2] / "src" / "arrocco" / "demo" / "bundled"
FIRST = 99_000_101
HEADING = "id,name,federation,sex,birth,title,rating,k,games,flag\n"

Pairing = tuple[int, int, int, str]
"""Round, White, Black and the result: 1, = and 0 for White; + and - for forfeits."""

_SCORES = {"1": (2, 0), "=": (1, 1), "0": (0, 2), "+": (2, 0), "-": (0, 2)}


def player_id(number: int) -> int:
    """The id of the player with that starting number."""
    return FIRST + number - 1


def report(
    ratings: Sequence[int | None],
    pairings: Sequence[Pairing],
    *,
    names: Sequence[str] = (),
    name: str = "Torneo Finto",
    start: date | None = date(2024, 5, 10),
    control: str | None = "90'+30\"",
    system: System = System.SWISS,
    byes: Sequence[tuple[int, int]] = (),
    first: int = FIRST,
) -> Report:
    """A tournament of three rounds a day; players are named after their numbers unless told."""
    entries = [
        Entry(
            number,
            names[number - 1] if number <= len(names) else f"Finto, Numero {number}",
            first + number - 1,
            None if rating is None else Rating(rating),
            "ITA",
        )
        for number, rating in enumerate(ratings, start=1)
    ]
    games = [
        Game(
            round_,
            white,
            black,
            HalfPoints(_SCORES[result][0]),
            HalfPoints(_SCORES[result][1]),
            GameKind.FORFEIT if result in "+-" else GameKind.PLAYED,
        )
        for round_, white, black, result in pairings
    ]
    half = [Bye(round_, number, ByeKind.HALF_POINT) for round_, number in byes]
    for entry in entries:
        scored = sum(
            game.white_score * (game.white == entry.number)
            + game.black_score * (game.black == entry.number)
            for game in games
        )
        entry.points = 5 * (scored + sum(bye.entry == entry.number for bye in half))
        entry.rank = entry.number
    rounds = max(game.round for game in games)
    end = None if start is None else start + timedelta(days=(rounds - 1) // 3)
    return Report(
        name=name,
        city="Finta",
        federation="ITA",
        start=start,
        end=end,
        system=system,
        chief_arbiter="Arbitra, Finta",
        time_control_text=control or "",
        time_control=parse_text(control) if control else None,
        rounds=rounds,
        entries=entries,
        games=games,
        byes=half,
    )


def write_report(folder: Path, made: Report, file: str = "t.trf") -> str:
    """Writes a tournament as TRF16, or as TRF26 where it has national records."""
    version = "trf26" if any(entry.national for entry in made.entries) else "trf16"
    path = folder / file
    path.write_bytes(from_report(made, version))  # type: ignore[arg-type]
    return str(path)


def write_list(
    folder: Path,
    rows: Sequence[tuple[int, int | None]] | Sequence[tuple[int, int | None, int | None]],
    file: str = "list.csv",
    birth: str = "",
    births: Mapping[int, str] | None = None,
) -> str:
    """Writes a list of ids, ratings and (where given) K; `births` by id come before `birth`."""
    path = folder / file
    born = births or {}
    lines = [
        f'{row[0]},"Elencato, {row[0]}",ITA,M,{born.get(row[0], birth)},,{row[1] or ""},'
        f"{(row[2] if len(row) > 2 else None) or ''},,\n"
        for row in rows
    ]
    path.write_text(HEADING + "".join(lines), "utf-8")
    return str(path)


def national(rating: int, number: int) -> tuple[NationalRecord, ...]:
    """What an Italian national record says."""
    return (NationalRecord("ITA", Rating(rating), number),)


def run(*args: str, **more: Any) -> Result:
    """Runs the program in this process; whatever it refuses, it must not raise."""
    result = CliRunner().invoke(program, list(args), prog_name="arrocco", **more)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    assert "Traceback" not in result.output
    return result


def run_json(*args: str, status: int = 0) -> Any:
    """Runs a command with ``--json`` and reads what it prints."""
    result = run(*args, "--json")
    assert result.exit_code == status, result.output
    assert result.stderr == ""
    return json.loads(result.stdout)


def rate(*args: str, law: str = "fide") -> Any:
    """The JSON of ``report rate``."""
    return run_json("report", "rate", "--law", law, *args)


def process(*args: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Runs the program as a process of its own."""
    environment = {**os.environ, "ARROCCO_LANG": "en", "PYTHONIOENCODING": "utf-8"}
    return subprocess.run(
        [sys.executable, "-c", "from arrocco.cli.main import main; main()", *args],
        capture_output=True,
        text=True,
        encoding="utf-8",
        env=environment,
        check=False,
        cwd=cwd,
    )


def demo_args(name: str) -> list[str]:
    """The arguments that rate one of the bundled tournaments."""
    lists = {
        "fide-open-2024": ["fide", "fide-list-2024-05.csv"],
        "fide-round-robin-2011": ["fide", "fide-list-2011-09.csv"],
        "rio-blitz-2025": ["rio", "rio-blitz-list-2025-05.csv"],
        "uisp-event-2025": ["uisp", "uisp-list-2025-01.csv"],
    }
    law, file = lists[name]
    args = [str(DEMO / f"{name}.trf"), "--law", law, "--list", str(DEMO / file)]
    if law == "rio":
        args += ["--online", "--entry-list", f"fide-blitz={DEMO / 'fide-blitz-list-2025-05.csv'}"]
    if law == "uisp":
        args += ["--entry-list", f"fide={DEMO / 'fide-list-2024-05.csv'}"]
    return args


DEMO_NAMES = ("fide-open-2024", "fide-round-robin-2011", "rio-blitz-2025", "uisp-event-2025")
