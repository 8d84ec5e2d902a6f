"""What a person waits for: help, and the rating of one large report from a cold start."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from arrocco.formats.trf import from_report
from benchmarks.generated import swiss
from benchmarks.processes import arrocco, cost_of, milliseconds

PLAYERS, ROUNDS = 284, 9
MAX_TIMES_EMPTY = 8
"""Help may cost so many times the processor time of an empty program."""


def run() -> list[tuple[str, str]]:
    """What was measured, and the figures."""
    empty, help_ = cost_of(["-c", "pass"]), arrocco("--help")
    times = f"{help_.processor / empty.processor:.1f} times that (at most {MAX_TIMES_EMPTY})"
    rows = [
        ("python -c pass", f"{milliseconds(empty.processor)} of the processor"),
        ("arrocco --help", f"{milliseconds(help_.processor)} of the processor, {times}"),
    ]
    with TemporaryDirectory() as folder:
        report, listed = _files(Path(folder))
        rate = ("report", "rate", str(report), "--law", "fide", "--list", str(listed))
        commands = {
            "rated as text": rate,
            "rated as JSON": (*rate, "--json"),
            "rated as a page": (*rate, "--html", str(Path(folder) / "page.html")),
        }
        for what, command in commands.items():
            cost = arrocco(*command)
            figures = f"{milliseconds(cost.clock)}, {milliseconds(cost.processor)} of the processor"
            rows.append((f"{PLAYERS} players, {ROUNDS} rounds, {what}", figures))
    demo = arrocco("demo", "show")
    rows.append(("arrocco demo show", f"{milliseconds(demo.clock)}"))
    return rows


def _files(folder: Path) -> tuple[Path, Path]:
    """The report, and a list with everybody who has a rating in it."""
    made = swiss(PLAYERS, ROUNDS)
    report, listed = folder / "report.trf", folder / "list.csv"
    report.write_bytes(from_report(made, "trf16"))
    rows = [f'{e.id},"{e.name}",{e.rating},20\n' for e in made.entries if e.rating is not None]
    listed.write_text("id,name,rating,k\n" + "".join(rows), "utf-8")
    return report, listed
