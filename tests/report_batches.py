"""Random tournaments for properties of batches: any names, any results, entries without ids."""

from __future__ import annotations

from datetime import date, timedelta

from hypothesis import strategies as st

from arrocco.records.report import Birth, Entry, Facts, Game, GameKind, Report, System
from arrocco.records.timecontrol import parse_code
from arrocco.units import HalfPoints, Rating

CONTROLS = [parse_code(code) for code in ("5400+30", "600+0", "40/6000+30:3000+30", "180+2")]
# Columns hold texts of fixed width, which end before a NUL: no name of a player has one.
texts = st.text(st.characters(codec="utf-8", exclude_characters="\x00"), max_size=12)
births = st.none() | st.builds(Birth, st.integers(1900, 2024)) | st.just(Birth(2001, 2, 28))


@st.composite
def entries(draw: st.DrawFn) -> list[Entry]:
    numbers = draw(st.lists(st.integers(1, 999), unique=True, min_size=1, max_size=6))
    return [
        Entry(
            number,
            draw(texts),
            draw(st.none() | st.integers(1, 10**12)),
            draw(st.none() | st.integers(1, 3000).map(Rating)),
            draw(st.sampled_from(["", "ITA", "FRA"])),
            draw(st.sampled_from(["", "m", "w"])),
            draw(st.sampled_from(["", "g", "wf"])),
            draw(births),
        )
        for number in numbers
    ]


@st.composite
def reports(draw: st.DrawFn, number: int = 0) -> Report:
    people = draw(entries())
    pairs = [(a.number, b.number) for a in people for b in people if a is not b]
    halves = st.integers(0, 2).map(HalfPoints)
    games = [
        Game(
            draw(st.integers(1, 20)),
            *draw(st.sampled_from(pairs)),
            draw(halves),
            draw(halves),
            draw(st.sampled_from(GameKind)),
        )
        for _ in range(draw(st.integers(0, 8)) if pairs else 0)
    ]
    start = date(2024, 5, draw(st.integers(1, 28)))
    return Report(
        source=f"{number}-{draw(texts)}",
        name=draw(texts),
        city=draw(texts),
        federation=draw(st.sampled_from(["", "ITA"])),
        start=start,
        end=start + timedelta(days=draw(st.integers(0, 9))),
        system=draw(st.sampled_from(System)),
        time_control=draw(st.none() | st.sampled_from(CONTROLS)),
        rounds=draw(st.integers(0, 20)),
        round_dates=tuple(draw(st.lists(st.none() | st.dates(), max_size=3))),
        entries=people,
        games=games,
        facts=Facts(
            official=draw(st.booleans()),
            online=draw(st.booleans()),
            match_games=draw(st.none() | st.integers(1, 24)),
        ),
    )


@st.composite
def many_reports(draw: st.DrawFn, most: int = 5) -> list[Report]:
    return [draw(reports(number)) for number in range(draw(st.integers(0, most)))]
