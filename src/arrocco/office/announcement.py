"""Whether a tournament is well announced: every field of its registration in order."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date

from arrocco.engine.checks.case import PLAUSIBLE_YEARS
from arrocco.errors import Inconsistent, Malformed
from arrocco.laws.systems import system_named
from arrocco.office.records import Registration
from arrocco.records.timecontrol import parse
from arrocco.words import Phrase

LONGEST = {"name": 300, "city": 100, "time_control": 200, "chief_arbiter": 200, "remarks": 4000}
"""Characters that the texts of a registration may have."""
MAX_ROUNDS = 999
MAX_PLAYERS = 100_000
HIGHEST_RATING = 4000
_FEDERATION = re.compile(r"[A-Z]{3}")
_HOUR = re.compile(r"([01]\d|2[0-3]):[0-5]\d")


def validated(registration: Registration) -> Registration:
    """The same registration once every field is in order.

    Raises `Inconsistent` naming the first field that is not, also in its detail ``name``.
    """
    for name, why in _faults(registration):
        raise Inconsistent.of(
            "office.refused.field", field=Phrase(f"office.field.{name}"), why=why, name=name
        )
    for key in registration.systems:
        system_named(key)
    return registration


def _faults(asked: Registration) -> Iterator[tuple[str, Phrase]]:
    yield from _faults_of_texts(asked)
    if not federation_is_valid(asked.federation):
        yield "federation", Phrase("office.fault.federation")
    if not asked.systems:
        yield "systems", Phrase("office.fault.no_system")
    if len(set(asked.systems)) < len(asked.systems):
        yield "systems", Phrase("office.fault.twice")
    for name, day in (("start", asked.start), ("end", asked.end)):
        if day.year not in PLAUSIBLE_YEARS:
            yield name, Phrase("office.fault.implausible", {"day": day})
    if asked.end < asked.start:
        yield "end", Phrase("office.fault.before_start", {"start": asked.start})
    yield from _faults_of_schedule(asked)
    try:
        parse(asked.time_control)
    except Malformed as fault:
        yield "time_control", Phrase(f"{fault.key}.text", fault.details)
    yield from _faults_of_numbers(asked)


def federation_is_valid(code: str) -> bool:
    """Whether a federation is written with three capital letters."""
    return _FEDERATION.fullmatch(code) is not None


def _faults_of_texts(asked: Registration) -> Iterator[tuple[str, Phrase]]:
    for name, most in LONGEST.items():
        text: str = getattr(asked, name)
        if name != "remarks" and not text.strip():
            yield name, Phrase("office.fault.empty")
        if len(text) > most:
            yield name, Phrase("office.fault.too_long", {"length": len(text), "most": most})
        lines = "\n" if name == "remarks" else ""
        if not all(letter.isprintable() or letter in lines for letter in text):
            yield name, Phrase("office.fault.unprintable")


def _faults_of_schedule(asked: Registration) -> Iterator[tuple[str, Phrase]]:
    if not asked.schedule:
        yield "schedule", Phrase("office.fault.no_rounds")
    if len(asked.schedule) > MAX_ROUNDS:
        yield "schedule", Phrase("office.fault.too_many", {"most": MAX_ROUNDS})
    previous: tuple[date, str] | None = None
    for number, planned in enumerate(asked.schedule, start=1):
        details = {"round": number, "day": planned.day}
        if not asked.start <= planned.day <= asked.end:
            yield "schedule", Phrase("office.fault.outside", details)
        if planned.hour and not _HOUR.fullmatch(planned.hour):
            yield "schedule", Phrase("office.fault.hour", {"round": number, "hour": planned.hour})
        when = planned.day, planned.hour
        if previous is not None and (
            when[0] < previous[0] or (when[0] == previous[0] and "" < when[1] < previous[1])
        ):
            yield "schedule", Phrase("office.fault.order", details)
        previous = when


def _faults_of_numbers(asked: Registration) -> Iterator[tuple[str, Phrase]]:
    for name, least, most in (
        ("expected_players", 2, MAX_PLAYERS),
        ("top_rating", 1, HIGHEST_RATING),
        ("top_woman", 1, HIGHEST_RATING),
    ):
        value = getattr(asked, name)
        if value is not None and not least <= value <= most:
            yield name, Phrase("office.fault.range", {"least": least, "most": most})
    games = asked.facts.match_games
    if games is not None and not 1 <= games <= MAX_ROUNDS:
        yield "match_games", Phrase("office.fault.range", {"least": 1, "most": MAX_ROUNDS})
    if asked.facts.online and asked.facts.hybrid:
        yield "online", Phrase("office.fault.online_and_hybrid")
