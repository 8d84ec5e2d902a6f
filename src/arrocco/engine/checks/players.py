"""The players as reported: their numbers, their ratings, and those who have none."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from arrocco.engine.checks.case import Case, some
from arrocco.engine.checks.events import is_round_robin, unplayed_in_round_robin
from arrocco.engine.checks.questions import MemberFederations, MembersOnly
from arrocco.findings import Finding, Severity
from arrocco.records.report import Entry

HIGHEST_PLAUSIBLE = 3000
"""No list of any kind has ever printed more."""
OLDEST_PLAUSIBLE = 115
"""Years: a birth longer ago is a slip of the pen."""


def id_given(case: Case) -> Iterator[Finding]:
    """Without an id a rating cannot be changed; an unrated player's results cannot be kept."""
    unrated, told = [], {entry.number for entry in _unknown_who_played(case)}
    for entry in case.report.entries:
        if entry.id is not None or entry.number in told:
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


def members(case: Case) -> Iterator[Finding]:
    """RIO 14.1 — who plays is known to the federation: by the number of the report.

    One in a national record alone is not enough: lists of RIO go by the number of the report.
    """
    for entry in _unknown_who_played(case):
        yield case.finding(
            Severity.ERROR,
            "member_unknown",
            entry.place,
            article=case.article("asks_for_members"),
            **who(entry),
        )


def _unknown_who_played(case: Case) -> list[Entry]:
    """Who played a game and has no number, where the law rates games of members only."""
    if not isinstance(case.law, MembersOnly) or not case.law.asks_for_members():
        return []
    playing = {number for game in case.played for number in (game.white, game.black)}
    return [entry for entry in case.report.entries if entry.id is None and entry.number in playing]


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


def federation_given(case: Case) -> Iterator[Finding]:
    """A player belongs to a federation: lists, flags and fees go by it."""
    without = [entry for entry in case.report.entries if not entry.federation.strip()]
    if without:
        yield case.finding(
            Severity.WARNING,
            "federation_missing",
            without[0].place,
            count=len(without),
            players=some(entry.name or str(entry.number) for entry in without),
        )


def federation_known(case: Case) -> Iterator[Finding]:
    """10.1 (rapid, blitz: 9.1; 2010: 13.1) — a player is of a federation that is a member.

    So is the tournament that the report is of.
    """
    law = case.law
    if not isinstance(law, MemberFederations):
        return
    article = case.article("federation_is_known")
    host = case.report.federation.strip().upper()
    if host and not law.federation_is_known(host):
        yield case.finding(Severity.NOTE, "host_unknown", article=article, code=host[:10])
    entries = case.report.entries
    unknown = [
        entry
        for entry in entries
        if (code := entry.federation.strip().upper()) and not law.federation_is_known(code)
    ]
    for code in sorted({entry.federation.strip().upper() for entry in unknown}):
        of_code = [entry for entry in unknown if entry.federation.strip().upper() == code]
        yield case.finding(
            Severity.WARNING,
            "federation_unknown",
            of_code[0].place,
            article=article,
            code=code[:10],
            count=len(of_code),
            players=some(entry.name or str(entry.number) for entry in of_code),
        )


def plausible_birth(case: Case) -> Iterator[Finding]:
    """Who plays has been born, and not more than a long life ago."""
    start = case.report.start
    if start is None:
        return
    for entry in case.report.entries:
        if entry.birth is None:
            continue
        age = start.year - entry.birth.year
        if not 0 <= age <= OLDEST_PLAUSIBLE:
            yield case.finding(
                Severity.WARNING,
                "birth_implausible",
                entry.place,
                **who(entry),
                birth=str(entry.birth),
                oldest=OLDEST_PLAUSIBLE,
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
        games_against_rated=len(result.opponents),
    )


def who(entry: Entry) -> dict[str, Any]:
    """The details every finding about a player has; a dash where something is not known."""
    return {
        "number": entry.number,
        "player": entry.name or "-",
        "id": entry.id or "-",
        "rating": entry.rating or "-",
    }
