"""Makes an office and lives a year in it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

from arrocco.dates import Month
from arrocco.demo.year import events as planned
from arrocco.demo.year.changes import Changes
from arrocco.demo.year.clock import Agenda, moment
from arrocco.demo.year.course import Course
from arrocco.demo.year.desk import YearDesk
from arrocco.demo.year.events import LEFT_OPEN, STORIES, Kind, Planner, Story
from arrocco.demo.year.face import show_face
from arrocco.demo.year.hall_evening import HallEvening
from arrocco.demo.year.people import FIRST_MONTH, MARCH_LIST, World, import_lists, invent
from arrocco.demo.year.staff import INVITED, open_accounts
from arrocco.desk import Office
from arrocco.errors import Illegal
from arrocco.laws.systems import SYSTEMS, system_named
from arrocco.office.roles import Role
from arrocco.store.sql.database import sqlite_url

MAX_MONTHS = 12
PLAYERS, FEWEST_PLAYERS = 420, 160
_LAST_DAY = 22
"""The day of the month after the last list on which the story ends."""

_HALL_MONTH = 2
"""The month of a whole year in which an event is played in the hall."""
_ROOM = 1 << 28
"""Bytes that should be free where an office is made."""

Progress = Callable[[str, date], None]
"""Told of each list that is out: its system and its day."""


def make_year(
    folder: Path,
    *,
    months: int = MAX_MONTHS,
    seed: int = 1,
    database: str = "",
    progress: Progress = lambda *_: None,
) -> date:
    """Makes an office in a new or empty folder and gives the day on which its story ends.

    Fewer months make a smaller federation as well. Raises `Illegal` where something is in the way.
    """
    if not 1 <= months <= MAX_MONTHS:
        raise ValueError(f"a story has from 1 to {MAX_MONTHS} months, not {months}")
    require_empty(folder)
    with TemporaryDirectory(prefix="arrocco-", dir=_in_memory()) as scratch:
        made = Path(scratch) / "office"
        end = _make(made, months, seed, database, progress)
        # All of it is there or nothing: whoever stops the making leaves no half of an office.
        beside = folder.absolute().with_name(f".{folder.name}.making")
        shutil.rmtree(beside, ignore_errors=True)
        beside.parent.mkdir(parents=True, exist_ok=True)
        try:
            shutil.copytree(made, beside)
            beside.replace(folder)
        finally:
            shutil.rmtree(beside, ignore_errors=True)
    return end


def require_empty(folder: Path) -> None:
    """Raises `Illegal` where something is in the way of a new office."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise Illegal.of("demo_office.in_the_way", folder=folder)


def _in_memory() -> Path | None:
    """A folder in memory, where there is one: what is thrown away is not waited for on a disk."""
    memory = Path("/dev/shm")
    if memory.is_dir() and os.access(memory, os.W_OK):
        return memory if shutil.disk_usage(memory).free > _ROOM else None
    return None


def _make(folder: Path, months: int, seed: int, database: str, progress: Progress) -> date:
    world = invent(PLAYERS if months > 3 else FEWEST_PLAYERS, seed)
    last = FIRST_MONTH.plus(months).first_day
    start = moment(MARCH_LIST + timedelta(days=1), 8)
    agenda = Agenda(start, moment(last + timedelta(days=_LAST_DAY - 1), 12))
    # Never the database that the environment names: it may belong to an office that is real.
    url = database or sqlite_url(folder)
    office = Office.open(folder, database=url, now=agenda)
    try:
        _live(office, agenda, world, months, seed, progress)
    finally:
        office.close()
    return agenda.day


def _live(
    office: Office, agenda: Agenda, world: World, months: int, seed: int, progress: Progress
) -> None:
    hero = max(world.people, key=lambda person: (person.strength, person.id))
    staff = open_accounts(office, hero.id, hero.name)
    show_face(office, staff.root)
    with TemporaryDirectory(prefix="arrocco-") as scratch:
        import_lists(office, staff.boss, world, Path(scratch))
    desk = YearDesk(office, agenda, staff, world, seed)
    for index in range(1, months + 1):
        day = FIRST_MONTH.plus(index).first_day
        for at, system in enumerate(SYSTEMS):
            if system_named(system).edition_on(day).list_in_force(day) == day:
                agenda.add(moment(day, 6, at), _publication(desk, system, day, progress))
    planner = Planner(world, seed, 100 if months > 3 else 60)
    for index in range(1, months + 1):
        month = FIRST_MONTH.plus(index - 1)
        # Drawn when the month begins to be announced: who died before plays no more.
        agenda.add(
            moment(month.first_day - timedelta(days=22), 7),
            _month(desk, planner, month, index, months),
        )
    Changes(desk, months).enter()
    evening = FIRST_MONTH.plus(month_of_story(_HALL_MONTH, months) - 1).first_day
    HallEvening(desk, evening + timedelta(days=25)).enter()
    ending = FIRST_MONTH.plus(months)
    agenda.add(moment(ending.first_day - timedelta(days=22), 7), _ending(desk, planner, ending))
    agenda.add(
        moment(agenda.until.date(), 9),
        lambda: _leave(desk, ending.plus(1).first_day),
    )
    agenda.run()


def month_of_story(month: int, months: int) -> int:
    """In which month of a shorter year something happens that belongs to a month of a whole one."""
    return 1 + (month - 1) * months // MAX_MONTHS


def _month(
    desk: YearDesk, planner: Planner, month: Month, index: int, months: int
) -> Callable[[], None]:
    def act() -> None:
        stories: dict[Kind, Story] = {}
        for at, kind, story in STORIES:
            # Where a shorter year gives a tournament two stories the first is told.
            if month_of_story(at, months) == index:
                stories.setdefault(kind, story)
        for at, kind in ((planned.MATCH_MONTH, planned.MATCH), (planned.LONG_MONTH, planned.LONG)):
            if month_of_story(at, months) == index:
                stories[kind] = Story.NOTHING
        for event in planner.month(month, index, stories):
            Course(desk, event).begin()

    return act


def _ending(desk: YearDesk, planner: Planner, month: Month) -> Callable[[], None]:
    def act() -> None:
        for kind, day, story in LEFT_OPEN:
            Course(desk, planner.event(kind, month, day, story)).begin()

    return act


def _publication(desk: YearDesk, system: str, day: date, progress: Progress) -> Callable[[], None]:
    def act() -> None:
        desk.publish(system, day)
        progress(system, day)

    return act


def _leave(desk: YearDesk, next_list: date) -> None:
    """What stands on the desks when the story ends: a draft, and somebody invited."""
    desk.draft("fide", next_list)
    desk.office.accounts.invite(desk.staff.root, INVITED, Role.ARBITER)
