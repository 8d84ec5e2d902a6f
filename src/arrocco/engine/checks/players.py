"""The players as reported: their numbers, their ratings, and those who have none."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from arrocco.engine.checks.case import Case, some
from arrocco.engine.checks.events import is_round_robin, unplayed_in_round_robin
from arrocco.findings import Finding, Severity
from arrocco.report import Entry

HIGHEST_PLAUSIBLE = 3000
"""No list of any kind has ever printed more."""


def id_given(case: Case) -> Iterator[Finding]:
    """Without an id a rating cannot be changed; an unrated player's results cannot be kept."""
    unrated = []
    for entry in case.report.entries:
        if entry.id is not None:
            continue
        if entry.rating is None and case.law.HAS_UNRATED:
            unrated.append(entry)
        else:
            yield case.finding(Severity.WARNING, "id_missing", entry.place, **who(entry))
    if unrated:
        yield case.finding(
            Severity.NOTE,
            "unrated_without_id",
            count=len(unrated),
            players=some(entry.name or str(entry.number) for entry in unrated),
        )


def id_once(case: Case) -> Iterator[Finding]:
    """Two players cannot be the same person."""
    first: dict[int, Entry] = {}
    for entry in case.report.entries:
        if entry.id is None:
            continue
        other = first.setdefault(entry.id, entry)
        if other is not entry:
            yield case.finding(
                Severity.ERROR,
                "id_repeated",
                entry.place,
                **who(entry),
                other=other.name or str(other.number),
                other_number=other.number,
            )


def plausible_rating(case: Case) -> Iterator[Finding]:
    """A reported rating lies between the lowest that is published and the highest ever seen."""
    floor = case.value("FLOOR")
    for entry in case.report.entries:
        if entry.rating is None:
            continue
        if entry.rating > HIGHEST_PLAUSIBLE:
            yield case.finding(
                Severity.WARNING,
                "rating_too_high",
                entry.place,
                **who(entry),
                highest=HIGHEST_PLAUSIBLE,
            )
        elif floor is not None and entry.rating < floor:
            yield case.finding(
                Severity.WARNING,
                "rating_below_floor",
                entry.place,
                article=floor.article,
                **who(entry),
                floor=int(floor),
            )


@dataclass
class _Result:
    """An unrated player's result in this event, games that are not rated left out."""

    opponents: set[int]
    games: int = 0
    half_against_rated: int = 0
    half: int = 0


def unrated_players(case: Case) -> Iterator[Finding]:
    """Says whose results go to a first rating, and whose would be ignored as a first event."""
    if not case.law.HAS_UNRATED:
        return
    results = {number: result for number, result in _results(case).items() if result.games}
    ignored = [number for number, result in results.items() if _is_ignored(case, result)]
    for key, step, numbers in (
        ("first_ratings", "pool", list(results)),
        ("first_event_ignored", "first_event", ignored),
    ):
        if numbers:
            yield case.finding(
                Severity.NOTE,
                key,
                article=case.law.article(step),
                count=len(numbers),
                players=some(case.entries[number].name or str(number) for number in numbers),
            )


def _results(case: Case) -> dict[int, _Result]:
    """The results of the unrated by starting number."""
    results = {
        entry.number: _Result(set())
        for entry in case.report.entries
        if not case.ratings[entry.number]
    }
    for game, why in zip(case.report.games, case.exclusions, strict=True):
        if why is not None:
            continue
        for own, opponent, score in (
            (game.white, game.black, game.white_score),
            (game.black, game.white, game.black_score),
        ):
            result = results.get(own)
            if result is None:
                continue
            result.half += score
            if case.ratings.get(opponent):
                result.games += 1
                result.opponents.add(opponent)
                result.half_against_rated += score
    return results


def _is_ignored(case: Case, result: _Result) -> bool:
    """Whether the edition ignores such a result in a player's first event.

    In a round robin rated as such the games against everyone count (FIDE 2010, 8.21b).
    """
    law = case.law
    complete = is_round_robin(case) and not unplayed_in_round_robin(case)
    round_robin = law.RATES_ROUND_ROBINS and complete
    return law.first_event_is_ignored(
        result.half if round_robin else result.half_against_rated,
        result.half,
        is_first=True,
        games_against_rated=len(result.opponents) if round_robin else result.games,
    )


def who(entry: Entry) -> dict[str, Any]:
    """The details every finding about a player has; a dash where something is not known."""
    return {
        "number": entry.number,
        "player": entry.name or "-",
        "id": entry.id or "-",
        "rating": entry.rating or "-",
    }
