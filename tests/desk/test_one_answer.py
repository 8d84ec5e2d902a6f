"""The same random report through the calculators, `report rate`, `period rate` and the office.

All four come to the same rating of every player, under every regulation.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from random import Random
from shutil import copy
from typing import Any

import pytest

from arrocco.dates import Month
from arrocco.desk import Office
from arrocco.desk.desk import operator
from arrocco.formats.lists import read_list
from arrocco.laws.systems import system_named
from arrocco.office.roles import Role
from arrocco.records.report import Report
from arrocco.runs.period import PeriodJob, rate_job
from tests.cli.tournaments import (
    Pairing,
    player_id,
    report,
    run,
    run_json,
    write_list,
    write_report,
)
from tests.desk.offices import Clock, accepted, people_of, published

Readings = tuple[tuple[str, str], ...]
Ratings = dict[int, int | None]
"""The rating on the next list by starting number; `None` where there is none."""

LONG, RAPID, BLITZ, BULLET = "120'", "15'+10\"", "3'+2\"", "1'+1\""
LISTED, ENTRY = 6, {7: 1733}
"""Starting numbers of those on the list are 1 to 6; 7 has a FIDE standard rating, which gives one
on entry (RIO 14.2, UISP I.5) and stands in for one of rapid and blitz (7.2.1)."""


@dataclass(frozen=True)
class Road:
    """A system, the day its list opens a period and the time control of its tournaments."""

    system: str
    opened: date
    control: str

    @property
    def law(self) -> str:
        return system_named(self.system).law

    @property
    def has_unrated(self) -> bool:
        return self.law.startswith("fide")

    @property
    def is_rapid_or_blitz(self) -> bool:
        return self.law in ("fide-rapid", "fide-blitz")

    @property
    def printed_ks(self) -> tuple[int, ...]:
        """What lists of the day print as K."""
        if self.opened.year == 2012:
            return (10, 15, 30)
        if self.is_rapid_or_blitz and self.opened < date(2022, 10, 1):
            return (20,)  # for everybody
        return (10, 20, 40)

    @property
    def online(self) -> bool:
        return self.law == "rio"


ROADS = (
    Road("fide", date(2012, 3, 1), LONG),
    Road("fide", date(2022, 5, 1), LONG),
    Road("fide", date(2025, 5, 1), LONG),
    Road("fide", date(2025, 11, 1), LONG),
    Road("fide-rapid", date(2022, 5, 1), RAPID),
    Road("fide-blitz", date(2022, 5, 1), BLITZ),
    Road("fide-rapid", date(2022, 11, 1), RAPID),
    Road("fide-blitz", date(2022, 11, 1), BLITZ),
    Road("fide-rapid", date(2025, 5, 1), RAPID),
    Road("fide-blitz", date(2025, 5, 1), BLITZ),
    Road("rio-rapid", date(2025, 5, 1), RAPID),
    Road("rio-blitz", date(2025, 5, 1), BLITZ),
    Road("rio-bullet", date(2025, 5, 1), BULLET),
    Road("uisp", date(2025, 4, 1), "30'+10\""),
    Road("uisp", date(2025, 4, 1), BLITZ),
)


@dataclass(frozen=True)
class Case:
    """A random tournament of eight, six of them on a list."""

    road: Road
    listed: dict[int, int]
    k: dict[int, int | None]
    births: dict[int, str]
    """Years, of players whose K the list does not print: some are juniors (8.3.3)."""
    made: Report
    readings: Readings = ()
    """Open articles that are read otherwise than by default."""

    @classmethod
    def of(cls, road: Road, seed: int, readings: Readings = ()) -> Case:
        rng = Random(f"{road} {seed}")
        # Differences over 400 and 735, ratings near the floor, and from 2650 on.
        ratings = [rng.choice((1405, 1480, 1560, 1700, 1905, 2130, 2390, 2660)) for _ in range(6)]
        listed = {n: rating + rng.randrange(20) for n, rating in enumerate(ratings, start=1)}
        ks = (None, *road.printed_ks)
        k = {n: rng.choice(ks) if road.has_unrated else None for n in listed}
        births: dict[int, str] = {}
        if road.has_unrated:
            young, weakest = Random(f"{road} {seed} births"), min(listed, key=lambda n: listed[n])
            k[weakest] = None
            births = {
                n: young.choice(("", *years_of_birth(road.opened))) for n in k if k[n] is None
            }
            births[weakest] = years_of_birth(road.opened)[0]
        field: list[int | None] = [listed.get(n) for n in range(1, 9)]
        # In the middle of the first month of the period: no list comes in between.
        start = road.opened.replace(day=rng.randint(5, 15))
        made = report(
            field, pairings(rng), name=f"Torneo {seed}", start=start, control=road.control
        )
        made.round_dates = tuple(made.end if n > 3 else start for n in range(1, made.rounds + 1))
        return cls(road, listed, k, births, made, readings)

    @property
    def read(self) -> list[str]:
        """The readings as the command line takes them."""
        return [part for name, way in self.readings for part in ("--reading", f"{name}={way}")]

    def held(self, number: int) -> int | None:
        """The rating a player comes with, one on entry included."""
        if number in self.listed:
            return self.listed[number]
        if self.road.has_unrated:
            return ENTRY.get(number) if self.road.is_rapid_or_blitz else None
        return ENTRY.get(number, 999 if self.road.law == "rio" else 1440)

    def history(self, number: int) -> list[str]:
        """What a calculator is told of the past; a rating that stands in has none (7.2.1)."""
        if number not in self.listed and self.road.is_rapid_or_blitz:
            return ["--games", "0"]
        birth = self.births.get(number)
        highest = ["--highest-published", str(self.held(number))]
        return [*highest, "--birth", birth] if birth else highest


def years_of_birth(opened: date) -> tuple[str, ...]:
    """Of who comes of age in the year of a list, has been so for a year, or is not for another.

    Years alone: an office keeps no more of a birth, since its lists are for everybody.
    """
    return tuple(str(opened.year - age) for age in (18, 19, 17))


def pairings(rng: Random) -> list[Pairing]:
    """Five rounds of eight; the stronger do not always win, and some do not come."""
    ring, found = list(range(1, 9)), []
    rng.shuffle(ring)
    for round_ in range(1, 6):
        for one, other in zip(ring[:4], reversed(ring[4:]), strict=True):
            result = rng.choice("111===000+")
            found.append((round_, one, other, result))
        ring = [ring[0], ring[-1], *ring[1:-1]]
    return found


# --- the four roads -------------------------------------------------------------------------------


def by_calculators(case: Case) -> Ratings:
    """Each player alone, from the ratings of the opponents."""
    found: Ratings = {}
    for number in range(1, 9):
        own, games = case.held(number), games_of(case, number)
        law = ["--law", case.road.law, "--on", str(case.made.start), *case.read]
        if own is None:
            met = [game for game in games if not game.startswith("-")]
            if not met:
                found[number] = None
                continue
            record = asked("initial", *law, games=met)
            found[number] = record["initial"] if record["publishable"] else None
            continue
        if not games:
            found[number] = own
            continue
        k = case.k.get(number)
        record = asked(
            "change",
            *law,
            "--rating",
            str(own),
            "--time-control",
            case.road.control,
            *(["--k", str(k)] if k else []),
            *(["--online"] if case.road.online else []),
            *case.history(number),
            games=games,
        )
        found[number] = None if record["delisted"] else record["new_rating"]
    return found


def asked(*args: str, games: list[str]) -> dict[str, Any]:
    """What a calculator says; a dash among the games is no option."""
    result = run("calc", *args, "--json", "--", *games)
    assert result.exit_code == 0, result.output
    return dict(json.loads(result.stdout))


def games_of(case: Case, number: int) -> list[str]:
    """A player's played games as the calculators take them."""
    scores = {0: "0", 1: "0.5", 2: "1"}
    found = []
    for game in case.made.games:
        if game.kind.value == "played" and number in (game.white, game.black):
            is_white = number == game.white
            opponent = case.held(game.black if is_white else game.white)
            score = game.white_score if is_white else game.black_score
            found.append(f"{opponent or '-'}:{scores[int(score)]}")
    return found


def by_report_rate(case: Case, folder: Path) -> Ratings:
    entry = [] if case.road.has_unrated else ["--entry-list", f"fide={folder / 'fide.csv'}"]
    if case.road.is_rapid_or_blitz:
        entry = ["--standard-list", str(folder / "fide.csv")]
    record = run_json(
        "report",
        "rate",
        write_report(folder, case.made),
        "--law",
        case.road.law,
        "--list",
        str(folder / "lists" / f"{case.road.opened}.csv"),
        *entry,
        *(["--online"] if case.road.online else []),
        *case.read,
    )
    found: Ratings = dict.fromkeys(range(1, 9))
    for player in record["players"]:
        if not player["delisted"] and (player["n"] or case.road.law != "rio" or _is_listed(player)):
            found[_number(player["id"])] = player["new_rating"]
    for player in record["initial"]:
        found[_number(player["id"])] = player["initial"] if player["publishable"] else None
    return found


def _is_listed(player: dict[str, int]) -> bool:
    return _number(player["id"]) <= LISTED


def _number(id_: int) -> int:
    return id_ - player_id(1) + 1


def by_period_rate(case: Case, folder: Path) -> Ratings:
    road, system = case.road, system_named(case.road.system)
    entry = {} if road.has_unrated else {"fide": folder / "fide.csv"}
    standard = None
    if road.is_rapid_or_blitz:
        standard = folder / "standard"
        standard.mkdir()
        copy(folder / "fide.csv", standard / f"{road.opened}.csv")
    job = PeriodJob(
        road.law,
        Month.of(road.opened),
        folder / "lists",
        (folder / "t.trf",),
        folder / "out",
        kind=system.kind,
        entry_lists=entry,
        standard_lists=standard,
        online=road.online,
        readings=dict(case.readings),
        workers=1,
    )
    listed = rate_job(job).listed
    after = [listed.at(row) for row in range(len(listed))]
    return dict.fromkeys(range(1, 9)) | {_number(each.id): each.rating for each in after}


def by_office(case: Case, folder: Path, office: Office, clock: Clock) -> Ratings:
    road, people = case.road, people_of(office)
    clock.go_to(road.opened)
    file = folder / "lists" / f"{road.opened}.csv"
    office.lists.import_list(people.administrator, road.system, road.opened, file)
    if road.is_rapid_or_blitz or not road.has_unrated:
        office.lists.import_list(people.administrator, "fide", road.opened, folder / "fide.csv")
    day = system_named(road.system).edition_on(road.opened).next_list(road.opened)
    for name, way in case.readings:
        head = operator(Role.HEAD_OF_OFFICE)
        office.readings.choose(head, road.law, name, way, day, "as the test reads")
    accepted(office, clock, people, case.made, (road.system,), online=road.online)
    clock.go_to(day)
    published(office, people, road.system, day)
    assert all(one.is_good for one in office.lists.verify_all())
    listed = read_list(office.lists.folder(road.system, day) / "list.parquet")[0]
    after = [listed.at(row) for row in range(len(listed))]
    return dict.fromkeys(range(1, 9)) | {_number(each.id): each.rating for each in after}


# --- one answer -----------------------------------------------------------------------------------


def require_one_answer(case: Case, folder: Path, office: Office, clock: Clock) -> None:
    (folder / "lists").mkdir()
    rows = [(player_id(n), rating, case.k[n]) for n, rating in case.listed.items()]
    births = {player_id(n): birth for n, birth in case.births.items()}
    write_list(folder / "lists", rows, f"{case.road.opened}.csv", births=births)
    write_list(folder, [(player_id(n), rating) for n, rating in ENTRY.items()], "fide.csv")
    by_report = by_report_rate(case, folder)
    answers = {
        "calc": by_calculators(case),
        "period rate": by_period_rate(case, folder),
        "office": by_office(case, folder, office, clock),
    }
    if case.road.law == "rio":  # without a game that counts nobody enters (15.1)
        for number in (7, 8):
            if not games_of(case, number):
                answers["calc"][number] = None
    assert answers == dict.fromkeys(answers, by_report)


NAMES = [f"{road.system}-{road.opened.year}-{road.control[:2]}" for road in ROADS]


@pytest.mark.parametrize("road", ROADS, ids=NAMES)
def test_one_report_one_answer(
    road: Road, tmp_path: Path, small_office: Office, clock: Clock
) -> None:
    require_one_answer(Case.of(road, 1), tmp_path, small_office, clock)


OTHERWISE = (
    (1, "one_upgrade", "both", 2),
    (2, "half_point_rounding", "up", 13),
    (3, "half_point_rounding", "up", 2),
    (8, "half_point_rounding", "up", 13),
)
"""Roads, by their place, how an office may read them, and seeds with which that decides."""


@pytest.mark.parametrize(("road", "name", "way", "seed"), OTHERWISE)
def test_one_report_one_answer_also_where_an_article_is_read_otherwise(
    road: int,
    name: str,
    way: str,
    seed: int,
    tmp_path: Path,
    small_office: Office,
    clock: Clock,
) -> None:
    """The calculators, both commands and an office that has chosen the same reading."""
    case = Case.of(ROADS[road], seed, ((name, way),))
    require_one_answer(case, tmp_path, small_office, clock)
    by_default = by_report_rate(replace(case, readings=()), tmp_path)
    assert by_report_rate(case, tmp_path) != by_default


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(2, 22))
@pytest.mark.parametrize("road", ROADS, ids=NAMES)
def test_many_reports_one_answer(
    road: Road, seed: int, tmp_path: Path, small_office: Office, clock: Clock
) -> None:
    require_one_answer(Case.of(road, seed), tmp_path, small_office, clock)
