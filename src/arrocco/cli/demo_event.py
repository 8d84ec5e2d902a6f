"""`arrocco demo event`: a whole online event, played by scripted people, from entry to list."""

from __future__ import annotations

import sys
import tempfile
import time
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from arrocco.cli.output import Column, Output, output_options

if TYPE_CHECKING:
    from arrocco.demo.event.course import Course, Played
    from arrocco.demo.event.office import Published

_SHOWN = 10
"""Places of the standings that are printed, and ratings that changed most."""
_HAPPENED = tuple(
    """
    resigned draws_agreed lines_lost absent calls act_pause act_add_time act_answer_call
    act_warn act_correct_result
""".split()
)


@click.command()
@click.option(
    "--office",
    "folder",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="A new or empty folder for the office.  [a temporary one, which is kept]",
)
@click.option(
    "--players",
    type=click.IntRange(8, 400),
    default=60,
    show_default=True,
    help="How many play; an even number.",
)
@click.option("--rounds", type=click.IntRange(3, 11), default=7, show_default=True)
@click.option(
    "--tolerance",
    type=click.IntRange(1, 600),
    default=10,
    show_default=True,
    help="Seconds within which one must come to the board (1.3.5).",
)
@click.option(
    "--seed",
    type=click.IntRange(0),
    default=1,
    show_default=True,
    help="Other people, other moves. Games depend on time, so none is played twice.",
)
@output_options
def event(
    out: Output, folder: Path | None, players: int, rounds: int, tolerance: int, seed: int
) -> None:
    """Play a blitz event over real sockets and rate it: two minutes from entries to a RIO list.

    A server on this machine, an account for everybody, the federation's rules, Dutch pairings, real
    clocks at 3 minutes and 2 seconds a move. The office is then as it would be after any event.
    """
    from arrocco.demo.event.course import Plan
    from arrocco.demo.event.whole import hold_event, write_files
    from arrocco.errors import Illegal

    if players % 2 or players <= rounds:
        raise click.UsageError("Give an even number of players, and more players than rounds.")
    if folder is None:
        folder = Path(tempfile.mkdtemp(prefix="arrocco-event-"))
    elif folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise Illegal.of("demo_event.in_the_way", folder=folder)
    plan = Plan(
        out.say("demo_event.name"), rounds, timedelta(seconds=tolerance), seed, out.language
    )
    out.remark(out.say("demo_event.preparing", players=players, folder=folder))
    with _Watch(out) as watch:
        played, published = hold_event(folder, players, plan, watch.tell)
    files = write_files(folder, played, published)
    if out.is_json:
        out.json(_record(folder, played, published, files))
    else:
        _print(out, folder, played, published, files)
    if not published.verification.is_good:
        click.get_current_context().exit(1)


class _Watch:
    """How far the event is: a line that changes on a terminal, elsewhere one for each round."""

    def __init__(self, out: Output) -> None:
        self._out = out
        self._round, self._moves, self._at = 0, 0, time.monotonic()
        self._pace = 0
        self._live: Any = None

    def __enter__(self) -> _Watch:
        if not self._out.is_json and sys.stderr.isatty():
            from rich.console import Console
            from rich.live import Live

            self._live = Live(console=Console(stderr=True), refresh_per_second=5, transient=True)
            self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._live is not None:
            self._live.stop()

    def tell(self, course: Course) -> None:
        now, moves = time.monotonic(), course.tally.moves
        if now - self._at >= 1:
            self._pace = int((moves - self._moves) / (now - self._at))
            self._moves, self._at = moves, now
        if self._live is not None:
            from rich.text import Text

            self._live.update(Text(self._line(course)))
        elif course.round > self._round:
            self._round = course.round
            self._out.remark(
                self._out.say("demo_event.round", round=course.round, boards=course.boards)
            )

    def _line(self, course: Course) -> str:
        return self._out.say(
            "demo_event.progress",
            round=course.round,
            running=course.running,
            boards=course.boards,
            moves=course.tally.moves,
            pace=self._pace,
        )


def _record(
    folder: Path, played: Played, published: Published, files: dict[str, Path]
) -> dict[str, Any]:
    from arrocco.demo.event.whole import standings

    return {
        "office": folder,
        "players": len(played.state.entries),
        "rounds": len(played.state.rounds),
        "games": len(played.games),
        "moves": sum(len(game.moves) for game in played.games),
        "seconds": played.seconds,
        "happened": dict(played.tally.happened),
        "clock_put_to": played.waited.isoformat(),
        "standings": [
            {"rank": rank, "name": name, "rating": rating, "points": points}
            for rank, name, rating, points in standings(played)
        ],
        "report": published.report.id,
        "tournament": published.report.tournament,
        "list": published.list_date,
        "changed": [
            {"id": number, "name": name, "before": before, "after": after}
            for number, name, before, after in published.changed
        ],
        "verified": published.verification.is_good,
        "files": files,
    }


def _print(
    out: Output, folder: Path, played: Played, published: Published, files: dict[str, Path]
) -> None:
    from arrocco.demo.event.cast import ADMINISTRATOR, ARBITER, PASSWORD
    from arrocco.demo.event.whole import standings

    say = out.say
    head = {name: say(f"demo_event.head.{name}") for name in _HEADS}
    moves = sum(len(game.moves) for game in played.games)
    out.line(
        say("demo_event.played", games=len(played.games), moves=moves, seconds=played.seconds),
        bold=True,
    )
    for name in _HAPPENED:
        count = played.tally.happened[name]
        out.line(f"  {count:>4}  {say(f'demo_event.happened.{name}')}")
    out.line()
    out.table(
        [
            Column(head["rank"], right=True),
            head["name"],
            Column(head["rating"], right=True),
            Column(head["points"], right=True),
        ],
        [
            [str(rank), name, str(rating or "-"), f"{points // 10}.{points % 10}"]
            for rank, name, rating, points in standings(played)[:_SHOWN]
        ],
        title=say("demo_event.standings", shown=_SHOWN),
    )
    out.line()
    most = sorted(published.changed, key=lambda one: (-abs(one[3] - (one[2] or one[3])), one[0]))
    out.table(
        [head["name"], Column(head["before"], right=True), Column(head["after"], right=True)],
        [[name, str(before or "-"), str(after)] for _, name, before, after in most[:_SHOWN]],
        title=say("demo_event.changed", changed=len(published.changed), shown=_SHOWN),
    )
    out.line()
    out.line(say("demo_event.put_ahead", until=f"{played.waited:%H:%M}"))
    out.line(say("demo_event.list_day", list_date=published.list_date))
    checked = published.verification
    out.findings(checked.findings)
    key = "verified" if checked.is_good else "not_verified"
    details = {"system": checked.system, "list_date": checked.list_date}
    counts = {"files": checked.files, "entries": checked.entries}
    out.line(say(f"desk.cli.{key}", **details, **counts))
    out.line()
    for name, path in files.items():
        out.line(f"{say(f'demo_event.file.{name}')}: {path}")
    out.line(say("demo_event.accounts", accounts=(ADMINISTRATOR, ARBITER), password=PASSWORD))
    out.line(say("demo_event.next"))
    out.line(f"    arrocco serve --office {folder}")


_HEADS = ("rank", "name", "rating", "points", "before", "after")
