"""Invented tournaments of any size for the measurements, always the same for the same size."""

from __future__ import annotations

from datetime import date, timedelta
from random import Random

from arrocco.records.report import Entry, Game, Report, System
from arrocco.records.timecontrol import parse_text
from arrocco.units import HalfPoints, Rating

FIRST_ID = 99_000_001


def swiss(players: int, rounds: int, start: date = date(2024, 5, 10)) -> Report:
    """A Swiss of invented players, one in twelve of them unrated, paired by score."""
    random = Random(players * 1000 + rounds)
    entries = [
        Entry(
            number,
            f"Player, Number {number}",
            FIRST_ID + number,
            None if number % 12 == 0 else Rating(random.randint(1400, 2500)),
            "ITA",
        )
        for number in range(1, players + 1)
    ]
    score = dict.fromkeys(range(1, players + 1), 0)
    games: list[Game] = []
    for round_ in range(1, rounds + 1):
        order = sorted(score, key=lambda number: (-score[number], random.random()))
        for white, black in zip(order[::2], order[1::2], strict=False):
            result = random.choice((0, 1, 1, 2, 2))
            games.append(Game(round_, white, black, HalfPoints(result), HalfPoints(2 - result)))
            score[white] += result
            score[black] += 2 - result
    for entry in entries:
        entry.points = 5 * score[entry.number]
    for rank, number in enumerate(sorted(score, key=lambda number: -score[number]), start=1):
        entries[number - 1].rank = rank
    return Report(
        name=f"Invented Open of {players}",
        city="Rocca Inventata",
        federation="ITA",
        start=start,
        end=start + timedelta(days=rounds - 1),
        system=System.SWISS,
        chief_arbiter="Arbiter, Invented",
        time_control_text="90'+30\"",
        time_control=parse_text("90'+30\""),
        rounds=rounds,
        entries=entries,
        games=games,
    )
