"""`arrocco demo event`: a whole online event, played by scripted people, from entry to list."""

from __future__ import annotations

import contextlib
import sys
import tempfile
import time
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

import click

from arrocco.cli.output import Column, Output, output_options

if TYPE_CHECKING:
    from arrocco.cli.event_demo.course import Course, Played
    from arrocco.cli.event_demo.office import Published

_SHOWN = 10
"""Places of the standings that are printed, and ratings that changed most."""
_FILES = "event"
_HAPPENED = (
    "resigned", "draws_agreed", "lines_lost", "absent", "calls", "act_pause", "act_add_time",
    "act_answer_call", "act_warn", "act_correct_result",
)  # fmt: skip


@click.command()
@click.option(
    "--office", "folder", type=click.Path(path_type=Path), metavar="DIR",
    help="A new or empty folder for the office.  [a temporary one, which is kept]",
)  # fmt: skip
@click.option(
    "--players", type=click.IntRange(8, 400), default=60, show_default=True,
    help="How many play; an even number.",
)  # fmt: skip
@click.option("--rounds", type=click.IntRange(3, 11), default=7, show_default=True)
@click.option(
    "--tolerance", type=click.IntRange(1, 600), default=10, show_default=True,
    help="Seconds within which one must come to the board (1.3.5).",
)  # fmt: skip
@click.option(
    "--seed", type=click.IntRange(0), default=1, show_default=True,
    help="Other people, other moves. Games depend on time, so none is played twice.",
)  # fmt: skip
@output_options
def event(
    out: Output, folder: Path | None, players: int, rounds: int, tolerance: int, seed: int
) -> None:
    """Play a blitz event over real sockets and rate it: two minutes from entries to a RIO list.

    A server on this machine, an account for everybody, the federation's rules, Dutch pairings, real
    clocks at 3 minutes and 2 seconds a move. The office is then as it would be after any event.
    """
    from arrocco.errors import Illegal

    if players % 2 or players <= rounds:
        raise click.UsageError("Give an even number of players, and more players than rounds.")
    if folder is None:
        folder = Path(tempfile.mkdtemp(prefix="arrocco-event-"))
    elif folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise Illegal.of("demo_event.in_the_way", folder=folder)
    played, published = _run(out, folder, players, rounds, timedelta(seconds=tolerance), seed)
    files = _write(folder, played, published)
    if out.is_json:
        out.json(_record(folder, played, published, files))
    else:
        _print(out, folder, played, published, files)
    if not published.verification.is_good:
        click.get_current_context().exit(1)


def _run(
    out: Output, folder: Path, players: int, rounds: int, tolerance: timedelta, seed: int
) -> tuple[Played, Published]:
    import asyncio

    import uvloop

    from arrocco.cli.event_demo import cast
    from arrocco.cli.event_demo.course import Plan, play_event
    from arrocco.cli.event_demo.office import SYSTEM, rate_event
    from arrocco.cli.event_demo.site import Clock
    from arrocco.office.systems import system_named
    from arrocco.store.sql.database import sqlite_url
    from arrocco.wiring.hall.opening import ROME
    from arrocco.wiring.office import Office

    clock = Clock()
    folder.mkdir(parents=True, exist_ok=True)
    (folder / _FILES).mkdir()
    # A database that the environment names may be a real one: the demo has one of its own.
    opened = Office.open(folder, database=sqlite_url(folder.absolute()), now=clock)
    with contextlib.closing(opened) as office:
        out.remark(out.say("demo_event.preparing", players=players, folder=folder))
        people = cast.invent(players, seed)
        today = clock().astimezone(ZoneInfo(ROME)).date()
        in_force = system_named(SYSTEM).edition_on(today).list_in_force(today)
        cast.import_list(office, people, folder / _FILES / "opening-list.csv", in_force)
        cast.open_accounts(office, people)
        sessions = cast.log_in(office, [one.email for one in people])
        [arbiter] = cast.log_in(office, [cast.ARBITER])
        plan = Plan(out.say("demo_event.name"), rounds, tolerance, seed, out.language)
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner, _Watch(out) as told:
            played = runner.run(
                play_event(office, clock, plan, people, sessions, arbiter, told.tell)
            )
        published = rate_event(office, clock, played, arbiter)
    return played, published


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
            "demo_event.progress", round=course.round, running=course.running,
            boards=course.boards, moves=course.tally.moves, pace=self._pace,
        )  # fmt: skip


# --- what is left ---------------------------------------------------------------------------------


def _write(folder: Path, played: Played, published: Published) -> dict[str, Path]:
    """Writes what leaves the hall beside the office's own files."""
    from arrocco.cli.report_files import write_all
    from arrocco.hall import event as ev

    target = folder / _FILES
    pgn = ev.to_event_pgn(played.games)
    files = {
        "trf": (target / published.report.file_name, published.content),
        "pgn": (target / "games.pgn", pgn.encode()),
        "arbiters_report": (target / "arbiters-report.html", played.arbiters_report),
    }
    write_all(dict(files.values()))
    return {name: path for name, (path, _) in files.items()} | {
        "list": folder / "lists" / "rio-blitz" / published.list_date.isoformat()
    }


def _standings(played: Played) -> list[tuple[int, str, int | None, int]]:
    """Rank, name, rating and points in tenths."""
    from arrocco.hall import event as ev

    people = {entry.id: entry.person for entry in played.state.entries}
    return [
        (one.rank, people[one.entry].full_name, people[one.entry].rating, one.points)
        for one in ev.standings(played.state)
    ]


def _record(
    folder: Path, played: Played, published: Published, files: dict[str, Path]
) -> dict[str, Any]:
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
            for rank, name, rating, points in _standings(played)
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
    from arrocco.cli.event_demo.cast import ADMINISTRATOR, ARBITER, PASSWORD

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
        [Column(head["rank"], right=True), head["name"], Column(head["rating"], right=True),
         Column(head["points"], right=True)],
        [
            [str(rank), name, str(rating or "-"), f"{points // 10}.{points % 10}"]
            for rank, name, rating, points in _standings(played)[:_SHOWN]
        ],
        title=say("demo_event.standings", shown=_SHOWN),
    )  # fmt: skip
    out.line()
    most = sorted(published.changed, key=lambda one: (-abs(one[3] - (one[2] or one[3])), one[0]))
    out.table(
        [head["name"], Column(head["before"], right=True), Column(head["after"], right=True)],
        [
            [name, str(before or "-"), str(after)]
            for _, name, before, after in most[:_SHOWN]
        ],
        title=say("demo_event.changed", changed=len(published.changed), shown=_SHOWN),
    )  # fmt: skip
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
