"""A whole event in an office of its own: people, rounds over sockets, a list, and the files."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from zoneinfo import ZoneInfo

import uvloop

from arrocco.demo.event import cast
from arrocco.demo.event.course import Course, Plan, Played, play_event
from arrocco.demo.event.office import SYSTEM, Published, rate_event
from arrocco.demo.event.site import Clock
from arrocco.desk import Office
from arrocco.files import write_all
from arrocco.hall import event as ev
from arrocco.laws.systems import system_named
from arrocco.live.opening import ROME
from arrocco.store.sql.database import sqlite_url

FILES = "event"
"""The folder of what leaves the hall, beside the office's own files."""


def hold_event(
    folder: Path, players: int, plan: Plan, told: Callable[[Course], None]
) -> tuple[Played, Published]:
    """Opens an office in a folder, plays the event and publishes the list it is on."""
    clock = Clock()
    folder.mkdir(parents=True, exist_ok=True)
    (folder / FILES).mkdir()
    # A database that the environment names may be a real one: the demo has one of its own.
    opened = Office.open(folder, database=sqlite_url(folder.absolute()), now=clock)
    with closing(opened) as office:
        people = cast.invent(players, plan.seed)
        today = clock().astimezone(ZoneInfo(ROME)).date()
        in_force = system_named(SYSTEM).edition_on(today).list_in_force(today)
        cast.import_list(office, people, folder / FILES / "opening-list.csv", in_force)
        cast.open_accounts(office, people)
        sessions = cast.log_in(office, [person.email for person in people])
        [arbiter] = cast.log_in(office, [cast.ARBITER])
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            played = runner.run(play_event(office, clock, plan, people, sessions, arbiter, told))
        published = rate_event(office, clock, played, arbiter)
    return played, published


def write_files(folder: Path, played: Played, published: Published) -> dict[str, Path]:
    """Writes what leaves the hall, and says where everything is."""
    target = folder / FILES
    files = {
        "trf": (target / published.report.file_name, published.content),
        "pgn": (target / "games.pgn", ev.to_event_pgn(played.games).encode()),
        "arbiters_report": (target / "arbiters-report.html", played.arbiters_report),
    }
    write_all(dict(files.values()))
    return {name: path for name, (path, _) in files.items()} | {
        "list": folder / "lists" / SYSTEM / published.list_date.isoformat()
    }


def standings(played: Played) -> list[tuple[int, str, int | None, int]]:
    """Rank, name, rating and points in tenths."""
    people = {entry.id: entry.person for entry in played.state.entries}
    return [
        (line.rank, people[line.entry].full_name, people[line.entry].rating, line.points)
        for line in ev.standings(played.state)
    ]
