"""Small reports and lists of invented people, and one way to judge them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from itertools import combinations
from typing import Any

import numpy as np

from arrocco.engine.checks import check_report
from arrocco.findings import Finding, Place, Severity
from arrocco.laws.fide.rapid_blitz_2024 import (
    FideBlitz2024December,
    FideRapid2024,
    FideRapid2024December,
)
from arrocco.laws.fide.standard_2010 import Fide2011
from arrocco.laws.fide.standard_2024 import Fide2024
from arrocco.laws.rating import RatingLaw
from arrocco.laws.registry import editions
from arrocco.laws.uisp.edition_undated import Uisp
from arrocco.records.ratinglist import RatingList
from arrocco.records.report import Entry, Game, GameKind, Report, System
from arrocco.records.timecontrol import TimeControl, parse_text
from arrocco.units import HalfPoints, Rating
from arrocco.words import LANGUAGES, finding_advice, finding_text

FIDE_2024 = Fide2024()
FIDE_2010 = Fide2011()
RAPID = FideRapid2024December()
RAPID_BEFORE_DECEMBER = FideRapid2024()
BLITZ = FideBlitz2024December()
RIO = editions("rio")[-1]()
UISP = Uisp()

START = {
    FIDE_2024: date(2024, 5, 4),
    FIDE_2010: date(2012, 1, 14),
    RAPID: date(2025, 1, 11),
    RAPID_BEFORE_DECEMBER: date(2024, 5, 4),
    BLITZ: date(2025, 1, 11),
    RIO: date(2025, 5, 3),
    UISP: date(2024, 5, 4),
}
"""A day on which each edition is in force."""

CONTROL = {
    FIDE_2024: "90'+30\"",
    FIDE_2010: "90'+30\"",
    RAPID: "15+10",
    RAPID_BEFORE_DECEMBER: "15+10",
    BLITZ: "3+2",
    RIO: "3+2",
    UISP: "30+10",
}
"""A time control that each edition rates."""

NAMES = (
    "Abete, Anna",
    "Betulla, Bruno",
    "Cedro, Carla",
    "Dattero, Dino",
    "Edera, Elsa",
    "Faggio, Fabio",
    "Ginepro, Gaia",
    "Hedera, Hugo",
    "Iris, Ivo",
    "Larice, Lea",
    "Mirto, Mia",
    "Noce, Nino",
)


def control(text: str) -> TimeControl:
    return parse_text(text)


def entries(ratings: Sequence[int | None]) -> list[Entry]:
    """Players with invented names and the ids 99000001, 99000002 ... on lines 11, 12 ..."""
    return [
        Entry(
            number=number,
            name=NAMES[(number - 1) % len(NAMES)],
            id=99_000_000 + number,
            rating=None if rating is None else Rating(rating),
            federation="ITA",
            place=Place("t.trf", 10 + number),
        )
        for number, rating in enumerate(ratings, start=1)
    ]


def game(
    round_: int, white: int, black: int, score: int = 1, kind: GameKind = GameKind.PLAYED
) -> Game:
    """A game; `score` is White's in half points, by default a draw."""
    place = Place("t.trf", 10 + white, 92 + 10 * (round_ - 1))
    return Game(round_, white, black, HalfPoints(score), HalfPoints(2 - score), kind, True, place)


def all_play_all(players: int, cycles: int = 1) -> list[Game]:
    pairs = list(combinations(range(1, players + 1), 2)) * cycles
    return [game(number, one, other) for number, (one, other) in enumerate(pairs, start=1)]


def report(law: RatingLaw, ratings: Sequence[int | None] = (1950, 1900), **given: Any) -> Report:
    """A report that the law has nothing to object to, changed by what is given.

    Two days, each with its round, and one game in the first of them.
    """
    start = given.pop("start", START[law])
    end = given.pop("end", start)
    made = Report(
        source="t.trf",
        name="Torneo di prova",
        start=start,
        end=end,
        system=System.SWISS,
        time_control=control(CONTROL[law]),
        rounds=1,
        round_dates=(start,),
        entries=entries(ratings),
        games=[game(1, 1, 2)],
    )
    made.facts.online = law is RIO
    for name, value in given.items():
        setattr(made.facts if hasattr(made.facts, name) else made, name, value)
    return made


def judge(
    made: Report, law: RatingLaw, listed: RatingList | None = None, *, on: date | None = None
) -> list[Finding]:
    """Judges a report; every finding can be said in every language, with nothing left open."""
    found = check_report(made, law, listed, on=on)
    for finding in found:
        for language in LANGUAGES:
            for words in (finding_text(language, finding), finding_advice(language, finding)):
                assert words
                assert "{" not in words
                assert "None" not in words, words
        assert finding.place.file == "t.trf"
    return found


def keys(found: Sequence[Finding]) -> set[str]:
    """The keys without their part."""
    return {finding.key.removeprefix("check.") for finding in found}


def objections(found: Sequence[Finding]) -> set[str]:
    """The keys of errors and warnings."""
    return keys([finding for finding in found if finding.severity is not Severity.NOTE])


def the(found: Sequence[Finding], key: str) -> Finding:
    """The one finding with that key."""
    (finding,) = [finding for finding in found if finding.key == f"check.{key}"]
    return finding


def rating_list(*rows: dict[str, Any], on: date | None = None) -> RatingList:
    """A list of invented people; a row says what differs from an unknown player."""
    rows = tuple(sorted(rows, key=lambda row: row["id"]))

    def text(name: str) -> Any:
        column = np.empty(len(rows), dtype=object)
        column[:] = [row.get(name, "") for row in rows]
        return column

    def number(name: str, default: int = 0) -> Any:
        return np.array([row.get(name, default) for row in rows], dtype=np.int32)

    return RatingList(
        id=np.array([row["id"] for row in rows], dtype=np.int64),
        name=text("name"),
        federation=text("federation"),
        sex=text("sex"),
        title=text("title"),
        rating=number("rating"),
        games=number("games", -1),
        k=number("k", -1),
        birth=number("birth"),
        flag=text("flag"),
        system="standard",
        on=on,
    )


def list_of(made: Report, *changes: dict[str, Any], on: date | None = None) -> RatingList:
    """The list that a report agrees with, its first rows changed."""
    rows = [
        {"id": entry.id, "name": entry.name, "rating": entry.rating or 0} for entry in made.entries
    ]
    for row, change in zip(rows, changes, strict=False):
        row |= change
    return rating_list(*rows, on=on)
