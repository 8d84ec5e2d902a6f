"""FIDE 2024 6.1, 2010 6.6 — a match is what it is: two who only meet each other."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from arrocco.engine.admission import judged
from arrocco.engine.report_columns import matches_in, system_as_played
from arrocco.laws.registry import edition_in_force
from arrocco.records.report import Entry, Game, Report, System
from arrocco.records.reportbatch import batch_of
from arrocco.records.timecontrol import parse_text
from arrocco.units import HalfPoints, Rating


def match(start: date, system: System, second: int | None, more: int = 0) -> Report:
    entries = [
        Entry(1, "Prima, Finta", 99000001, Rating(2000), "ITA"),
        Entry(2, "Seconda, Finta", 99000002, Rating(second) if second else None, "ITA"),
    ]
    entries += [Entry(3 + n, f"Altra{n}, Finta", 99000003 + n, None, "ITA") for n in range(more)]
    games = [Game(n, 1, 2, HalfPoints(1), HalfPoints(1)) for n in range(1, 5)]
    control = parse_text("120'+30\"")
    return Report(
        name="Match",
        start=start,
        end=start,
        system=system,
        time_control=control,
        rounds=4,
        entries=entries,
        games=games,
    )


@pytest.mark.parametrize("start", [date(2012, 3, 1), date(2024, 6, 1)])
@pytest.mark.parametrize("system", [System.SWISS, System.ROUND_ROBIN, System.UNKNOWN])
@pytest.mark.parametrize(("second", "more"), [(None, 0), (None, 2), (1900, 0), (1900, 1)])
def test_6_1_a_match_with_an_unrated_player_is_an_error_whatever_its_type(
    start: date, system: System, second: int | None, more: int
) -> None:
    law = edition_in_force("fide", start)()
    found = {f.key: f for f in judged(match(start, system, second, more), law)}
    assert ("check.match_unrated" in found) is (second is None)
    if second is None:
        assert found["check.match_unrated"].article == ("6.6" if start.year == 2012 else "6.1")


@pytest.mark.parametrize(
    ("pairs", "is_match"),
    [
        ([], False),
        ([(1, 2)], False),
        ([(1, 2), (2, 3)], False),
        ([(1, 2), (2, 1)], True),
    ],
)
def test_two_who_meet_each_other_alone_play_a_match(
    pairs: list[tuple[int, int]], is_match: bool
) -> None:
    day = date(2024, 6, 1)
    made = match(day, System.SWISS, 1900, 1)
    made.games = [replace(made.games[0], white=white, black=black) for white, black in pairs]
    assert (system_as_played(made) is System.MATCH) is is_match
    assert matches_in(batch_of([made])) == [is_match]


def test_6_1_a_period_leaves_it_out_on_the_same_ground() -> None:
    day = date(2024, 6, 1)
    batch = batch_of([match(day, System.SWISS, None, 2), match(day, System.MATCH, 1900)])
    assert matches_in(batch) == [True, True]
