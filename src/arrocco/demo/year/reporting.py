"""The report of an invented tournament, as its arbiter sends it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import date
from random import Random

from arrocco.demo.year import games as playing
from arrocco.demo.year.events import Event, Story
from arrocco.demo.year.people import Person
from arrocco.formats.trf import from_report
from arrocco.office.records import Registration, RoundTime
from arrocco.records.report import Bye, ByeKind, Entry, Game, Report, System
from arrocco.records.timecontrol import parse_text
from arrocco.units import Rating

Ratings = Mapping[int, int]
"""By number of player, on the list in force."""
TOP_ANNOUNCED = 2710
_FIRST_RESULT = 98
"""Where a line of a player has the result of the first round."""


def registration_of(event: Event, arbiter: str) -> Registration:
    """What is announced."""
    kind = event.kind
    top = TOP_ANNOUNCED if event.story is Story.LATE_PRESIDENT else None
    return Registration(
        name=event.name,
        city=event.city,
        federation=kind.federation,
        systems=kind.systems,
        start=event.start,
        end=event.end,
        schedule=tuple(RoundTime(day) for day in event.days),
        time_control=kind.control,
        pairing=kind.pairing,
        chief_arbiter=arbiter,
        expected_players=len(event.field),
        top_rating=top,
        facts=replace(event.facts),
    )


def in_order(event: Event, ratings: Ratings) -> list[Person]:
    """The field by starting number: the highest rating first, then by strength."""
    return sorted(
        event.field, key=lambda person: (-ratings.get(person.id, 0), -person.strength, person.id)
    )


def play_event(event: Event, order: list[Person], seed: int) -> tuple[list[Game], list[Bye]]:
    """All games of a tournament."""
    rng = Random(f"{seed}:games:{event.number}")
    strengths = [person.strength + rng.randrange(-60, 61) for person in order]
    if event.story is Story.SUSPICIOUS:
        return playing.upsets(strengths, event.kind.rounds)
    if event.kind.pairing is System.ROUND_ROBIN:
        return playing.round_robin(rng, strengths)
    if event.kind.pairing is System.MATCH:
        return playing.match(rng, strengths, event.kind.rounds)
    return playing.swiss(rng, strengths, event.kind.rounds)


def report_of(
    event: Event,
    arbiter: str,
    order: list[Person],
    ratings: Ratings,
    played: tuple[list[Game], list[Bye]],
    span: tuple[date, date] | None = None,
) -> Report:
    """A report of a tournament, or of the rounds of it that lie between two days."""
    first, last = span or (event.start, event.end)
    kept = [number for number, day in enumerate(event.days, 1) if first <= day <= last]
    most = max((game.round for game in played[0]), default=0)
    kept = [number for number in kept if number <= most]
    rounds = {number: place for place, number in enumerate(kept, start=1)}
    games = [replace(one, round=rounds[one.round]) for one in played[0] if one.round in rounds]
    byes = [replace(bye, round=rounds[bye.round]) for bye in played[1] if bye.round in rounds]
    days = tuple(event.days[number - 1] for number in kept)
    entries = [
        _entry(number, person, ratings.get(person.id)) for number, person in enumerate(order, 1)
    ]
    _rank(entries, games, byes)
    kind = event.kind
    return Report(
        name=event.name,
        city=event.city,
        federation=kind.federation,
        start=first,
        end=last if span else days[-1],
        system=kind.pairing,
        chief_arbiter=arbiter,
        time_control_text=kind.control,
        time_control=parse_text(kind.control),
        rounds=len(kept),
        round_dates=days,
        entries=entries,
        games=games,
        byes=byes,
        facts=replace(event.facts),
    )


def _entry(number: int, person: Person, rating: int | None) -> Entry:
    return Entry(
        number,
        person.name,
        person.id,
        Rating(rating) if rating else None,
        person.federation,
        person.sex,
        person.title,
        person.birth,
    )


def _rank(entries: list[Entry], games: Iterable[Game], byes: Iterable[Bye]) -> None:
    half = dict.fromkeys((entry.number for entry in entries), 0)
    for game in games:
        half[game.white] += game.white_score
        half[game.black] += game.black_score
    for bye in byes:
        half[bye.entry] += 2 if bye.kind is ByeKind.PAIRING_ALLOCATED else 0
    ranked = sorted(entries, key=lambda entry: (-half[entry.number], entry.number))
    for rank, entry in enumerate(ranked, start=1):
        entry.points, entry.rank = 5 * half[entry.number], rank


def file_of(report: Report, number: int) -> bytes:
    """The bytes of a report; every third tournament uses the newer form of the file."""
    return from_report(report, "trf26" if number % 3 == 0 else "trf16")


def spoiled(data: bytes) -> bytes:
    """The file with one loss written as a win, so that both have won: a slip of the hand."""
    lines = data.decode().split("\r\n")
    for at, line in enumerate(lines):
        if line.startswith("001") and line[_FIRST_RESULT] == "0":
            lines[at] = line[:_FIRST_RESULT] + "1" + line[_FIRST_RESULT + 1 :]
            return "\r\n".join(lines).encode()
    raise ValueError("nobody lost a game in the first round")
