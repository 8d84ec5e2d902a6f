"""Whatever a report says, every edition judges it, and can say so in both languages."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import UNSET

from arrocco.engine.checks import CHECKS
from arrocco.findings import Place, Severity
from arrocco.laws import registry
from arrocco.laws.rating import RatingLaw
from arrocco.records.report import Birth, Entry, Facts, Game, GameKind, Report, System
from arrocco.records.timecontrol import TimeControl, parse_text
from arrocco.units import HalfPoints, Rating
from tests.engine.checks.build import judge, list_of

EDITIONS = [edition for law in registry.LAWS for edition in registry.editions(law)]
CONTROLS = (
    None,
    "1+0",
    "3+2",
    "15+10",
    "30+10",
    "90'/40 + 30' + 30\"",
    "90'/20 + 30'",
    "W300-B240",
)

days = st.none() | st.dates(date(2023, 1, 1), date(2026, 12, 31)) | st.dates()


def controls(text: str | None) -> TimeControl | None:
    return None if text is None else parse_text(text)


@st.composite
def reports(draw: st.DrawFn) -> Report:
    players = draw(st.integers(0, 6))
    entries = [
        Entry(
            number=number,
            name=draw(st.sampled_from(["", "Abete, Anna", "Betulla", "Cèdro, C."])),
            id=draw(st.none() | st.integers(99_000_001, 99_000_004)),
            rating=draw(st.none() | st.integers(1, 3999).map(Rating)),
            sex=draw(st.sampled_from(["", "m", "w"])),
            birth=draw(st.none() | st.just(Birth(1990)) | st.just(Birth(1991, 2, 3))),
            place=Place("t.trf", 10 + number),
        )
        for number in range(1, players + 1)
    ]
    rounds = draw(st.integers(0, 5))
    games = [
        Game(
            draw(st.integers(1, rounds)),
            white,
            black,
            HalfPoints(score := draw(st.integers(0, 2))),
            HalfPoints(2 - score),
            draw(st.sampled_from(GameKind)),
            place=Place("t.trf", 10 + white, 92),
        )
        for white in range(1, players + 1)
        for black in range(white + 1, players + 1)
        if rounds and draw(st.booleans())
    ]
    flags = ("official", "online", "hybrid", "league", "national_championship", "women_only")
    ticked: dict[str, Any] = {flag: draw(st.booleans()) for flag in flags}
    facts = Facts(**ticked, match_games=draw(st.none() | st.integers(1, 4)))
    facts.by_period = draw(days) or UNSET
    facts.match_waiver = draw(st.booleans())
    return Report(
        source="t.trf",
        start=draw(days),
        end=draw(days),
        system=draw(st.sampled_from(System)),
        time_control=controls(draw(st.sampled_from(CONTROLS))),
        rounds=rounds,
        round_dates=tuple(draw(st.lists(days, max_size=6))),
        entries=entries,
        games=games,
        facts=facts,
    )


@pytest.mark.parametrize("edition", EDITIONS, ids=lambda edition: edition.__name__)
@settings(max_examples=25, deadline=None)
@given(made=reports(), on=days, with_list=st.booleans())
def test_every_edition_judges_every_report(
    edition: type[RatingLaw], made: Report, on: date | None, with_list: bool
) -> None:
    listed = None
    if with_list:
        known = {entry.id: entry for entry in made.entries if entry.id}
        listed = list_of(Report(entries=list(known.values())), {"name": "Quercia, Ugo"})
    found = judge(made, edition(), listed, on=on)
    gravity = [list(Severity).index(finding.severity) for finding in found]
    assert gravity == sorted(gravity)
    # Judging changes nothing, and the same report is judged the same again.
    assert judge(made, edition(), listed, on=on) == found


def test_every_check_says_what_it_is_for() -> None:
    assert len(set(CHECKS)) == len(CHECKS)
    assert all(check.__doc__ for check in CHECKS)
